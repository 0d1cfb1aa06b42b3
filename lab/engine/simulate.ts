/**
 * Runs a stepper in virtual time: a discrete-event simulation with a scripted clock.
 *
 *     loop      pass: update  frame│ wait for the display │ pass: update update frame│ …
 *     clock     ─── updateMs frameMs ──────────────────────▶  moves only by work and waiting
 *     display   ┼──────────────────┼──────────────────────┼──────────────────────┼──
 *
 * Nothing sleeps, and nothing else reads a clock: the same scenario gives the same report, on any
 * machine.
 *
 * Time runs from 0 to the scenario's end. What begins before the end is completed. A pass that
 * begins exactly at the end still runs the updates for time that has passed, at no cost, so that 10
 * s on a 40 Hz display are 400 steps of 25 ms.
 */
import {
  EPSILON_MS,
  type Action,
  type FrameAction,
  type Stepper,
  type UpdateAction,
} from './loops/stepper.js';
import type { WatchdogOptions } from './watchdog.js';
import { costSampler } from './cost.js';
import { Display, FrameLimit } from './display.js';
import { EndlessLoopError } from './endless-loop.js';
import {
  createStepper,
  resolveStepperOptions,
  type ResolvedStepperOptions,
  type StepperOptions,
} from './loops/registry.js';
import { STEPPER_INFO } from './loops/stepper-info.js';
import { Machine } from './machine.js';
import { Player } from './player.js';
import { createRandom } from './random.js';
import { Recorder } from './recorder.js';
import type { RunReport } from './report.js';
import { resolveScenario, type Scenario } from './scenario.js';
import { SlicedInput } from './sliced-input.js';
import type { Trace } from './trace.js';
import { World } from './world.js';

export interface SimulationExtras {
  /** Keeps what happens. */
  readonly trace?: Trace;
  readonly watchdog?: WatchdogOptions;
  /**
   * The clock of the player's inputs. `simulated`: an input belongs to the update that simulates
   * its time, as in a replay. Default `real`.
   */
  readonly inputClock?: 'real' | 'simulated';
  /** Called after each update with the world's new state. */
  readonly onUpdate?: (world: World) => void;
}

/** Turns of a loop without any time passing, after which none ever will. */
const MAX_TURNS_IN_NO_TIME = 1000;
/** Sleep of a loop that draws nothing and does not know when it will have to, in ms. */
const IDLE_MS = 1;

/**
 * Runs a stepper in a scenario.
 *
 * @throws TypeError, RangeError naming an option that is wrong; EndlessLoopError for a loop in
 * which no time would
 *   pass: no vsync, no cost and no sleep.
 */
export function simulate(
  options: StepperOptions,
  scenario: Partial<Scenario> = {},
  extras: SimulationExtras = {},
): RunReport {
  return new Run(resolveStepperOptions(options), resolveScenario(scenario), extras).run();
}

class Run {
  readonly #options: ResolvedStepperOptions;
  readonly #scenario: Scenario;
  readonly #extras: SimulationExtras;
  readonly #endMs: number;
  readonly #stepper: Stepper;
  readonly #machine: Machine;
  readonly #display: Display;
  readonly #limit: FrameLimit | undefined;
  readonly #player: Player;
  readonly #inputs = new SlicedInput<number>();
  readonly #world = new World();
  readonly #recorder: Recorder;
  readonly #cost: Readonly<Record<'update' | 'frame' | 'refresh' | 'wake', () => number>>;
  readonly #random: () => number;
  readonly #drawsLatest: boolean;
  #clockMs = 0;
  #drawnUpdates = -1;
  #turnsInNoTime = 0;
  #lastTurnMs = Number.NaN;

  constructor(options: ResolvedStepperOptions, scenario: Scenario, extras: SimulationExtras) {
    const { seed, seconds, renderHz, vsync } = scenario;
    this.#options = options;
    this.#scenario = scenario;
    this.#extras = extras;
    this.#endMs = seconds * 1000;
    this.#stepper = createStepper(options);
    this.#machine = new Machine(scenario.hitches, scenario.machineSpeed);
    this.#display = new Display(scenario.displayHz);
    const hasLimit = renderHz !== null && options.kind !== 'rate-groups';
    this.#limit = hasLimit ? new FrameLimit(renderHz, vsync) : undefined;
    this.#player = new Player(scenario);
    const { trace, watchdog } = extras;
    this.#recorder = new Recorder(this.#world, this.#stepper, seconds, trace, watchdog);
    this.#cost = {
      update: costSampler(scenario.updateMs, seed, 'update'),
      frame: costSampler(scenario.frameMs, seed, 'frame'),
      refresh: costSampler(scenario.refreshMs, seed, 'refresh'),
      wake: costSampler(scenario.wakeLateMs, seed, 'wake'),
    };
    this.#random = createRandom(seed, 'stamp');
    const interpolates = 'interpolate' in options && options.interpolate;
    this.#drawsLatest = !interpolates && STEPPER_INFO[options.kind].draws !== 'predicted';
  }

  run(): RunReport {
    const machine = this.#machine;
    this.#stepper.start(0);
    while (machine.nowMs < this.#endMs) this.#do(this.#ask());
    if (machine.nowMs === this.#endMs) this.#close();
    return this.#recorder.report(this.#options, machine.nowMs);
  }

  #ask(): Action {
    const stepper = this.#stepper;
    const nowMs = this.#readClock();
    const leftMs = stepper.leftMs(nowMs);
    const passes = stepper.passes;
    const action = stepper.next(nowMs);
    if (stepper.passes > passes) this.#noteTurn(leftMs);
    return action;
  }

  #do(action: Action): void {
    switch (action.kind) {
      case 'update':
        return this.#update(action);
      case 'frame':
        return this.#frame(action);
      case 'refresh':
        return this.#refresh();
      case 'sleep':
        return this.#sleep(action.untilMs);
    }
  }

  #update(action: UpdateAction): void {
    const startMs = this.#machine.nowMs;
    this.#machine.work(this.#cost.update());
    this.#step(action, startMs, this.#machine.nowMs);
  }

  #step(action: UpdateAction, startMs: number, endMs: number): void {
    const world = this.#world;
    const isReplay = this.#extras.inputClock === 'simulated';
    const knownMs = isReplay ? world.currentMs + action.stepMs : startMs;
    this.#player.happened(knownMs, ({ atMs, speed }) => this.#inputs.push(atMs, speed));
    const takesAll = isReplay || this.#scenario.input === 'polled';
    const inputs = this.#inputs.take(takesAll ? Number.POSITIVE_INFINITY : action.dueMs);
    world.update(action.stepMs, inputs);
    this.#recorder.update(startMs, endMs, action, inputs);
    this.#extras.onUpdate?.(world);
  }

  #frame(action: FrameAction): void {
    const machine = this.#machine;
    const { vsync, skipRepeats } = this.#scenario;
    const startMs = machine.nowMs;
    const isRepeat = this.#drawsLatest && this.#world.updates === this.#drawnUpdates;
    if (skipRepeats && isRepeat) return this.#skipFrame(startMs + IDLE_MS);
    if (this.#limit?.isDue(this.#clockMs) === false) return this.#skipFrame(this.#limit.nextDueMs);
    this.#drawnUpdates = this.#world.updates;
    machine.work(this.#cost.frame());
    const drawnMs = machine.nowMs;
    const displayedMs = vsync ? this.#display.shownMs(startMs, drawnMs) : drawnMs;
    if (vsync) machine.waitUntil(displayedMs);
    this.#recorder.frame({ startMs, drawnMs, displayedMs, endMs: machine.nowMs }, action);
  }

  /**
   * Sleeps instead of drawing: to the display's next refresh, or to the next frame or update
   * without it.
   */
  #skipFrame(nextFrameMs: number): void {
    const { nowMs } = this.#machine;
    this.#recorder.skippedFrame(nowMs);
    if (this.#scenario.vsync) return this.#sleep(this.#display.shownMs(nowMs, nowMs));
    const { idleUntilMs } = this.#stepper;
    this.#sleep(idleUntilMs > nowMs ? Math.min(idleUntilMs, nextFrameMs) : nextFrameMs);
  }

  #refresh(): void {
    const startMs = this.#machine.nowMs;
    this.#machine.work(this.#cost.refresh());
    this.#recorder.refresh(startMs, this.#machine.nowMs);
  }

  #sleep(untilMs: number): void {
    const startMs = this.#machine.nowMs;
    this.#machine.waitUntil(Math.max(startMs, untilMs) + this.#cost.wake());
    this.#recorder.sleep(startMs, this.#machine.nowMs);
  }

  /** Only the updates for time that has passed by the end. */
  #close(): void {
    const endMs = this.#endMs;
    this.#clockMs = Math.max(this.#clockMs, endMs);
    while (this.#stepper.leftMs(endMs) > EPSILON_MS) {
      const action = this.#stepper.next(this.#clockMs);
      if (action.kind !== 'update') return;
      this.#step(action, endMs, endMs);
    }
  }

  /** The loop's clock: the machine's, with the scenario's noise. It never goes back. */
  #readClock(): number {
    const { stampNoiseMs } = this.#scenario;
    const noiseMs = stampNoiseMs === 0 ? 0 : stampNoiseMs * (2 * this.#random() - 1);
    this.#clockMs = Math.max(this.#clockMs, this.#machine.nowMs + noiseMs);
    return this.#clockMs;
  }

  #noteTurn(leftMs: number): void {
    const { nowMs } = this.#machine;
    this.#recorder.pass(nowMs, leftMs);
    this.#turnsInNoTime = nowMs === this.#lastTurnMs ? this.#turnsInNoTime + 1 : 0;
    this.#lastTurnMs = nowMs;
    if (this.#turnsInNoTime > MAX_TURNS_IN_NO_TIME) throw new EndlessLoopError(this.#options.kind);
  }
}
