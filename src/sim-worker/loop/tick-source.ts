/** Provides the inputs of the loop's ticks: from the page, or from a replayed recording. */
import type { ReplayReport } from '../../shared/protocol/control-protocol.js';
import type { InvalidPosePolicy } from '../../shared/recording/recording.js';
import type { Schedule } from '../../shared/time/schedule.js';
import { NO_TICK_INPUTS, type TickInputs } from '../../shared/input/tick-inputs.js';
import type { TickInputQueue } from './tick-input-queue.js';
import type { PacedTick } from './pacer.js';
import type { ReplayScript } from '../run/replay.js';
import type { SimulationRun } from '../run/simulation-run.js';
import type { WorkerStatistics } from './worker-statistics.js';

export class TickSource {
  readonly #run: SimulationRun;
  readonly #inputQueue: TickInputQueue;
  readonly #schedule: Schedule;
  readonly #statistics: WorkerStatistics;
  /** Page time at which the next tick's input window begins: when the previous tick was to begin. */
  #inputWindowStartMs = Number.NEGATIVE_INFINITY;
  #script: ReplayScript | undefined;
  /** What to do with invalid bodies: in the page's own run, and in the replayed recording. */
  readonly #ownPolicy: InvalidPosePolicy;
  #policy: InvalidPosePolicy;
  /** Page time of the earliest input from the page in the last tick, in ms; NaN: none. */
  inputMs = Number.NaN;
  /** Virtual time up to which ticks are due while the schedule is paused. Later ticks are stepped by hand. */
  #pausedAtVirtualMs = 0;

  constructor(
    run: SimulationRun,
    inputQueue: TickInputQueue,
    schedule: Schedule,
    statistics: WorkerStatistics,
  ) {
    this.#run = run;
    this.#inputQueue = inputQueue;
    this.#schedule = schedule;
    this.#statistics = statistics;
    this.#ownPolicy = run.invalidPosePolicy;
    this.#policy = run.invalidPosePolicy;
  }

  /** Ticks left in the replayed recording; Infinity if there is none. */
  get ticksLeft(): number {
    if (this.#script === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#script.lastTick - this.#run.tick);
  }

  /** From the next tick on, a script provides the inputs, up to and including its last tick. */
  startReplay(script: ReplayScript, policy: InvalidPosePolicy): void {
    this.#script = script;
    this.#policy = policy;
    this.settle();
  }

  /** From the next tick on, the page provides the inputs. Returns the report of the replay that ends. */
  stopReplay(): ReplayReport | undefined {
    const report = this.#report();
    this.#script = undefined;
    this.#policy = this.#ownPolicy;
    this.settle();
    return report;
  }

  /** Applies this source's journaling and policy to the run, after a seek may have changed them. */
  settle(): void {
    this.#run.journal?.setOn(this.#script === undefined);
    this.#run.events.isReplayed = this.#script !== undefined;
    this.#run.invalidPosePolicy = this.#policy;
  }

  /** The report of a replayed recording that has ended; undefined otherwise. */
  get endReport(): ReplayReport | undefined {
    return this.ticksLeft === 0 ? this.#report() : undefined;
  }

  /** Simulated seconds of the next tick: as recorded, or as scheduled. */
  get dt(): number {
    return this.#script?.dtOf(this.#run.tick + 1) ?? this.#schedule.dt;
  }

  /** Must be called when the schedule was paused: ticks that were due by then are not stepped by hand. */
  notePause(): void {
    this.#pausedAtVirtualMs = this.#schedule.pausedVirtualMs;
  }

  /** The inputs and commands of the next tick. `nowMs` is page time. */
  tickInputsOf(tick: PacedTick, nowMs: number): TickInputs {
    this.inputMs = Number.NaN;
    if (this.#script !== undefined) return this.#script.tickInputsOf(this.#run.tick + 1);
    const isStepped = this.#schedule.isPaused && tick.dueVirtualMs > this.#pausedAtVirtualMs;
    const beginMs = tick.beginVirtualMs + this.#schedule.shiftMs;
    // A tick that is stepped by hand has no input window: it takes everything in the queue.
    const untilMs = isStepped ? Number.POSITIVE_INFINITY : beginMs;
    const tickInputs = this.#inputQueue.take(this.#inputWindowStartMs, untilMs);
    if (!isStepped) this.#inputWindowStartMs = beginMs;
    if (tickInputs === NO_TICK_INPUTS) return tickInputs;
    this.inputMs = this.#inputQueue.earliestMs;
    const { inputCount, lateCount } = this.#inputQueue;
    const commandCount = tickInputs.commands.length;
    this.#statistics.recordInputs(inputCount, commandCount, lateCount, nowMs - this.inputMs);
    return tickInputs;
  }

  /**
   * Must be called after each tick. Returns the comparison so far if the recording has a hash of this tick, unless it
   * ends with it; see `endReport`.
   */
  check(): ReplayReport | undefined {
    const hasCompared = this.#script?.check(this.#run) === true;
    return hasCompared && this.ticksLeft > 0 ? this.#report() : undefined;
  }

  #report(): ReplayReport | undefined {
    return this.#script?.report(this.#run.tick);
  }
}
