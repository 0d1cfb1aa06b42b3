/** What the ticks of the loop are given: what the page sends, or what a recording says. */
import type { ReplayReport } from '../../shared/protocol/control-protocol.js';
import type { InvalidPosePolicy } from '../../shared/recording/recording.js';
import type { Schedule } from '../../shared/time/schedule.js';
import { NO_TICK_INPUTS, type TickInputs } from '../../shared/input/tick-inputs.js';
import type { TickInputQueue } from './tick-input-queue.js';
import type { PacedTick } from '../pacing/pacer.js';
import type { ReplayScript } from '../run/replay-script.js';
import type { SimulationRun } from '../run/simulation-run.js';
import type { WorkerStatistics } from './statistics.js';

export class TickSource {
  readonly #run: SimulationRun;
  readonly #inputQueue: TickInputQueue;
  readonly #schedule: Schedule;
  readonly #statistics: WorkerStatistics;
  /** Page time at which the next tick's input window begins: the due time of the tick before. */
  #inputWindowStartMs = Number.NEGATIVE_INFINITY;
  #script: ReplayScript | undefined;
  /** What is done with bodies that go bad: in the page's run, and in the recording that is followed. */
  readonly #ownPolicy: InvalidPosePolicy;
  #policy: InvalidPosePolicy;
  #inputMs = Number.NaN;
  /** Virtual time up to which ticks are due though the schedule stands: what is beyond was stepped by hand. */
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

  /** The ticks are given what a recording says. */
  get isReplaying(): boolean {
    return this.#script !== undefined;
  }

  /** A recording is followed, and the tick that the run stands at is its last or beyond. */
  get isOver(): boolean {
    return this.#script !== undefined && this.#run.tick >= this.#script.lastTick;
  }

  /** Page time of the earliest input that the last tick was given by the page, in ms; NaN: none. */
  get inputMs(): number {
    return this.#inputMs;
  }

  /** Ticks that the recording that is followed still has; Infinity when none is. */
  get ticksLeft(): number {
    if (this.#script === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#script.lastTick - this.#run.tick);
  }

  /** From the next tick on, a script says what each is given, up to and with its last. */
  startReplay(script: ReplayScript, policy: InvalidPosePolicy): void {
    this.#script = script;
    this.#policy = policy;
    this.settle();
  }

  /** From the next tick on, the page does. */
  stopReplay(): ReplayReport | undefined {
    const report = this.report();
    this.#script = undefined;
    this.#policy = this.#ownPolicy;
    this.settle();
    return report;
  }

  /** The next tick is one that is fed here: told of and judged as such, whatever was done with the run meanwhile. */
  settle(): void {
    this.#run.setJournaling(this.#script === undefined);
    this.#run.invalidPosePolicy = this.#policy;
  }

  /** How the recording that is shown compares, if it is over; undefined otherwise. */
  get endReport(): ReplayReport | undefined {
    return this.isOver ? this.report() : undefined;
  }

  /** How the recording that is followed compares so far. */
  report(): ReplayReport | undefined {
    return this.#script?.report(this.#run.tick);
  }

  /** Simulated seconds of the next tick: as recorded, or as it is paced. */
  dtOf(tick: PacedTick): number {
    return this.#script?.dtOf(this.#run.tick + 1) ?? tick.dt;
  }

  /** The schedule has just been paused: ticks that were due by then are ticks like any other. */
  notePause(): void {
    this.#pausedAtVirtualMs = this.#schedule.pausedVirtualMs;
  }

  /** What the next tick is given. @param nowMs Page time. */
  tickInputsOf(tick: PacedTick, nowMs: number): TickInputs {
    this.#inputMs = Number.NaN;
    if (this.#script !== undefined) return this.#script.tickInputsOf(this.#run.tick + 1);
    const isStepped = this.#schedule.isPaused && tick.dueVirtualMs > this.#pausedAtVirtualMs;
    const dueMs = tick.dueVirtualMs + this.#schedule.shiftMs;
    // A tick that is stepped by hand has no input window: everything there is belongs to it.
    const untilMs = isStepped ? Number.POSITIVE_INFINITY : dueMs;
    const tickInputs = this.#inputQueue.take(this.#inputWindowStartMs, untilMs);
    if (!isStepped) this.#inputWindowStartMs = dueMs;
    if (tickInputs === NO_TICK_INPUTS) return tickInputs;
    this.#inputMs = this.#inputQueue.earliestMs;
    this.#statistics.recordInputs(tickInputs, this.#inputQueue, nowMs - this.#inputMs);
    return tickInputs;
  }

  /** After each tick: does it come out as recorded? @returns How all of it compares, if this tick's hash was recorded. */
  check(): ReplayReport | undefined {
    const hasCompared = this.#script?.check(this.#run.tick, () => this.#run.hash());
    return hasCompared === true ? this.report() : undefined;
  }
}
