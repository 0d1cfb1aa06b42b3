/**
 * The `variable` stepper: the step is the time since the last frame.
 *
 * Source: Koen Witters, "deWiTTERS Game Loop", "Game Speed dependent on Variable FPS". `clampRatio` is the first
 * prototype of a later article, author unknown: the step stays within 0.75 to 1.5 of a nominal one, so the game
 * slows down if frames are too long and runs fast if they are too short.
 */
import { requireNumber } from '../../../src/shared/util/validate.js';
import { rate, type OptionChecks } from './option-checks.js';
import { ActionSet, type Action, type Stepper } from './stepper.js';

/** Options of the loop `variable`. */
export interface VariableOptions {
  /** Which loop. */
  readonly kind: 'variable';
  /** Rate of the nominal step that `clampRatio` refers to. 1 to 1000 Hz, default 60. */
  readonly tickRateHz?: number;
  /**
   * Smallest and largest step relative to the nominal one: `[0.75, 1.5]` in the article. The first from 0 to 1, the
   * second from 1 to 1000. Default: none, any step.
   */
  readonly clampRatio?: readonly [number, number] | null;
}

export const VARIABLE: OptionChecks<VariableOptions> = {
  tickRateHz: rate(60),
  clampRatio: requireClampRatio,
};

function requireClampRatio(name: string, value: unknown): readonly [number, number] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || value.length !== 2) {
    throw new TypeError(`${name} must be a pair of numbers, as [0.75, 1.5]`);
  }
  const [min, max] = value as readonly unknown[];
  return Object.freeze([
    requireNumber(`${name}'s first`, min, 0, 1),
    requireNumber(`${name}'s second`, max, 1, 1000),
  ] as const);
}

export class VariableStepper implements Stepper {
  readonly kind = 'variable';
  readonly stepBoundMs: number;
  passes = 0;
  droppedMs = 0;
  inventedMs = 0;
  readonly #minMs: number;
  readonly #actions = new ActionSet();
  #isUpdated = false;
  #lastMs = 0;

  constructor(options: Required<VariableOptions>) {
    const nominalMs = 1000 / options.tickRateHz;
    const [minRatio, maxRatio] = options.clampRatio ?? [0, Infinity];
    this.#minMs = minRatio * nominalMs;
    this.stepBoundMs = maxRatio * nominalMs;
  }

  get idleUntilMs(): number {
    return this.#lastMs;
  }

  start(nowMs: number): void {
    this.#lastMs = nowMs;
    this.#isUpdated = false;
    this.droppedMs = 0;
    this.inventedMs = 0;
  }

  next(nowMs: number): Action {
    this.#isUpdated = !this.#isUpdated;
    if (!this.#isUpdated) return this.#actions.frame();
    this.passes += 1;
    const elapsedMs = Math.max(0, nowMs - this.#lastMs);
    this.#lastMs = Math.max(this.#lastMs, nowMs);
    const stepMs = Math.min(this.stepBoundMs, Math.max(this.#minMs, elapsedMs));
    if (stepMs < elapsedMs) this.droppedMs += elapsedMs - stepMs;
    else this.inventedMs += stepMs - elapsedMs;
    return this.#actions.update(stepMs, this.#lastMs);
  }

  leftMs(nowMs: number): number {
    return nowMs - this.#lastMs;
  }
}
