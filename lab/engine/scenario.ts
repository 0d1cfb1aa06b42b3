/** The surroundings in which steppers are compared: display, costs, hitches, player. The same for all. */
import * as LIMITS from '../../src/shared/util/limits.js';
import {
  requireKnownKeys,
  requireChoice,
  requireInteger,
  requireNumber,
} from '../../src/shared/util/validate.js';
import { checkedCost, type Cost } from './cost.js';

/** The machine freezes: nothing runs. */
export interface Hitch {
  readonly atMs: number;
  readonly durationMs: number;
}

/** The player sets the cart's speed, in units a second. */
export interface PlayerInput {
  readonly atMs: number;
  readonly speed: number;
}

/** `sliced`: each update takes the input up to its due time; `polled`: all input so far. */
export const INPUT_MODES = ['sliced', 'polled'] as const;
export type InputMode = (typeof INPUT_MODES)[number];

export interface Scenario {
  /** Virtual time to run, in s, up to 24 hours. Default 10. */
  readonly seconds: number;
  /** Refreshes of the display a second, 1 to 1000. Default 60. */
  readonly displayHz: number;
  /** Whether drawing waits for the display's next refresh. Default true. */
  readonly vsync: boolean;
  /**
   * The loop's clock is off by up to this in either direction, in ms, 0 to 100, at random. Default
   * 0.
   */
  readonly stampNoiseMs: number;
  /** Duration of an update. Default 0. */
  readonly updateMs: Cost;
  /** Duration of drawing a frame. Default 0. */
  readonly frameMs: Cost;
  /** Duration of a refresh of the counters. Default 0. */
  readonly refreshMs: Cost;
  /** How late a sleep ends. Default 0. */
  readonly wakeLateMs: Cost;
  /** Divides all costs except the wake-up's, 0.001 to 1000. Default 1. */
  readonly machineSpeed: number;
  /** Default none. In order, not overlapping. */
  readonly hitches: readonly Hitch[];
  /**
   * The player's frame limit, in Hz. Default none. `rate-groups` has a separate render rate
   * instead.
   */
  readonly renderHz: number | null;
  /** Do not draw repeated frames. Default false. */
  readonly skipRepeats: boolean;
  /** Default `sliced`. */
  readonly input: InputMode;
  /**
   * The player's inputs, in order; `auto` for a seeded player who keeps pressing keys. Default
   * `auto`.
   */
  readonly inputs: 'auto' | readonly PlayerInput[];
  /** A whole number from 0 to 2^32 − 1. Default 1. */
  readonly seed: number;
}

export const DEFAULT_SCENARIO: Scenario = Object.freeze({
  seconds: 10,
  displayHz: 60,
  vsync: true,
  stampNoiseMs: 0,
  updateMs: 0,
  frameMs: 0,
  refreshMs: 0,
  wakeLateMs: 0,
  machineSpeed: 1,
  hitches: [],
  renderHz: null,
  skipRepeats: false,
  input: 'sliced',
  inputs: 'auto',
  seed: 1,
});

/** Seconds of a day. */
const MAX_SECONDS = 86_400;
const MAX_MS = MAX_SECONDS * 1000;

/**
 * Fills in missing options.
 *
 * @throws TypeError, RangeError naming the option and the rule.
 */
export function resolveScenario(given: Partial<Scenario> = {}): Scenario {
  requireKnownKeys('a scenario', given, Object.keys(DEFAULT_SCENARIO));
  const scenario = { ...DEFAULT_SCENARIO, ...given };
  const [lowHz, highHz] = LIMITS.tickRateHz;
  const { renderHz, inputs } = scenario;
  return Object.freeze({
    seconds: requireNumber('seconds', scenario.seconds, 0.001, MAX_SECONDS),
    displayHz: requireNumber('displayHz', scenario.displayHz, lowHz, highHz),
    vsync: scenario.vsync,
    stampNoiseMs: requireNumber('stampNoiseMs', scenario.stampNoiseMs, 0, 100),
    updateMs: checkedCost('updateMs', scenario.updateMs),
    frameMs: checkedCost('frameMs', scenario.frameMs),
    refreshMs: checkedCost('refreshMs', scenario.refreshMs),
    wakeLateMs: checkedCost('wakeLateMs', scenario.wakeLateMs),
    machineSpeed: requireNumber('machineSpeed', scenario.machineSpeed, 0.001, 1000),
    hitches: checkedHitches(scenario.hitches),
    renderHz: renderHz === null ? null : requireNumber('renderHz', renderHz, lowHz, highHz),
    skipRepeats: scenario.skipRepeats,
    input: requireChoice('input', scenario.input, INPUT_MODES),
    inputs: inputs === 'auto' ? inputs : checkedInputs(inputs),
    seed: requireInteger('seed', scenario.seed, 0, 2 ** 32 - 1),
  });
}

function checkedHitches(hitches: readonly Hitch[]): readonly Hitch[] {
  const sorted = hitches.toSorted((a, b) => a.atMs - b.atMs);
  let endMs = 0;
  for (const { atMs, durationMs } of sorted) {
    requireNumber("a hitch's time", atMs, 0, MAX_MS);
    requireNumber("a hitch's duration", durationMs, 0.001, MAX_MS);
    if (atMs < endMs) {
      throw new RangeError(
        `hitches must not overlap, but the one at ${atMs} ms begins before the previous one ends`,
      );
    }
    endMs = atMs + durationMs;
  }
  return sorted;
}

function checkedInputs(inputs: readonly PlayerInput[]): readonly PlayerInput[] {
  for (const { atMs, speed } of inputs) {
    requireNumber("an input's time", atMs, 0, MAX_MS);
    requireNumber("an input's speed", speed, -1000, 1000);
  }
  return inputs.toSorted((a, b) => a.atMs - b.atMs);
}
