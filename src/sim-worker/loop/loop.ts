/**
 * The worker's loop.
 *
 * Two passes, at 60 Hz with a step of 3 ms; the page makes a call during the first one's sleep:
 *
 *     due(k)                                             due(k+1)
 *     ──┼──────────────────────────────────────────────────┼────▶
 *       └wake┬─step──────┬publish┬ sleep ─┬turn┬ sleep ─────┘wake
 *            │           │       │        └ control calls and queries run here
 *            │           │       └ ends early when the doorbell rings; then a pass without ticks
 *            │           └ the page can draw up to tick k
 *            └ 0.1 ms late, which does not affect the schedule
 *
 * A pass takes a turn of the event loop only if something needs one: see loop-sleep.ts.
 */
import { readDoorbell } from '../../shared/memory/doorbell.js';
import { CONTROL, STATISTICS, WORKER_ACTIVITY } from '../../shared/memory/layout.js';
import { wrongControl } from '../../shared/memory/buffer.js';
import type { Pace } from '../../shared/protocol/control-protocol.js';
import { SnapshotFormatError, memoryIsCorrupt } from '../../shared/util/errors.js';
import {
  SimulationThrew,
  TAKEN_ELSEWHERE,
  createLoopParts,
  type LoopParts,
  type LoopSetup,
} from './loop-parts.js';
import { LoopSleep } from './loop-sleep.js';
import { RunSeeker } from './run-seeker.js';
import { TickPass } from './tick-pass.js';

export class SimulationLoop {
  readonly parts: LoopParts;
  readonly pass: TickPass;
  readonly #sleep: LoopSleep;
  readonly seeker: RunSeeker;
  /** Error of a step that ran within a control call, or the error that ended the loop. */
  #interruption: { readonly error: unknown } | undefined;
  /** `resumes` of the pace that was followed last; undefined before the loop runs. */
  #resumes: number | undefined;

  constructor(setup: LoopSetup) {
    this.#sleep = new LoopSleep(setup);
    this.parts = createLoopParts(setup);
    this.seeker = new RunSeeker({
      ...this.parts,
      onMoved: (hasMoved) => this.#afterSeek(hasMoved),
      onFailure: (cause) => {
        this.#interruption = { error: new SimulationThrew('', { cause }) };
      },
    });
    this.pass = new TickPass(this.parts, this.seeker);
  }

  /** Runs until stopped. Rejects with SimulationThrew if the simulation throws in a tick. */
  async run(pace: Pace): Promise<void> {
    const { views, publisher, words, mirror, statistics, now } = this.parts;
    publisher.start();
    this.#follow(pace);
    let wokenMs = now();
    try {
      while (!words.isStopRequested) {
        if (this.#interruption !== undefined) throw this.#interruption.error;
        words.setActivity(WORKER_ACTIVITY.ticking);
        this.#runPass(wokenMs);
        const wrong = this.#wrongWord();
        if (wrong !== undefined) throw new SnapshotFormatError(memoryIsCorrupt(wrong));
        // Read before the turn: a ring after this line ends the sleep immediately.
        const rings = readDoorbell(views.control, CONTROL.doorbell);
        const turns = this.#sleep.takeTurns(rings, this.#wakeMs);
        if (turns !== undefined) {
          words.setActivity(WORKER_ACTIVITY.answering);
          // A message in the pass may have said that a tick runs.
          mirror?.touch();
          await turns;
          if (words.isStopRequested) break;
        }
        // Without a turn, hardly any time has passed.
        const asleepMs = turns === undefined ? this.#sleep.sinceMs : now();
        wokenMs = asleepMs;
        if (this.#interruption !== undefined || this.#hasDueTicks(asleepMs)) continue;
        words.setActivity(WORKER_ACTIVITY.idle);
        // A turn may have changed it.
        const sleeping = this.#sleep.sleep(rings, this.#wakeMs - asleepMs);
        if (sleeping !== undefined) await sleeping;
        wokenMs = now();
        statistics.add(STATISTICS.asleepUs, (wokenMs - asleepMs) * 1000);
      }
    } catch (error) {
      this.#interruption = { error };
      throw error;
    } finally {
      words.setActivity(WORKER_ACTIVITY.idle);
      this.#sleep.close();
    }
  }

  /** When the next pass is due, in ms of page time; Infinity: something else wakes the loop. */
  get #wakeMs(): number {
    const { schedule, pacer } = this.parts;
    return schedule.isPaused || this.seeker.isSeeking ? Infinity : pacer.nextDueMs;
  }

  /** Follows the newest pace that the page wants. */
  follow(pace: Pace): void {
    this.#runWithinCall(() => this.#follow(pace));
  }

  #follow(pace: Pace): void {
    const { run, schedule, pacer, publisher, now } = this.parts;
    // First: what is due runs as it was scheduled.
    if (pace.isPaused) this.#pause();
    if (pace.tickRateHz !== schedule.tickRateHz) {
      pacer.setTickRate(pace.tickRateHz);
      run.dt = schedule.dt;
    }
    if (pace.timeScale !== schedule.timeScale) pacer.setTimeScale(pace.timeScale, now());
    pacer.maxCatchUpTicks = pace.maxCatchUpTicks;
    if (!pace.isPaused && pace.resumes !== this.#resumes) this.#resume();
    this.#resumes = pace.resumes;
    publisher.publishPause();
    this.#sleep.wake();
  }

  /** Stops the schedule. Due ticks run first, up to the catch-up limit, so that none runs after this. */
  #pause(): void {
    const { schedule, pacer, words, now } = this.parts;
    if (schedule.isPaused) return;
    pacer.pause(now());
    while (this.#hasDueTicks() && !words.isStopRequested) this.#runPass();
  }

  #resume(): void {
    const { schedule, tickSource, steps, post, now } = this.parts;
    const report = tickSource.endReport;
    // There are no inputs after the end of a recording: the run stays there until the replay ends or seeks back.
    if (report !== undefined) {
      post({ type: 'betwixt:notice', notice: { kind: 'replayed', report } });
      return;
    }
    steps.end('it was resumed');
    schedule.resume(now());
    // Time spent paused is not oversleeping.
    this.#sleep.restart();
  }

  /**
   * Runs ticks while paused, at most those left in the recording. Resolves with the number of the last one; rejects if
   * something else interrupts them.
   */
  step(ticks: number): Promise<number> {
    const stepped = this.parts.steps.add(ticks);
    this.#sleep.wake();
    return stepped;
  }

  /** The run has restarted: publishes the current bodies and no earlier states. */
  restart(): void {
    this.parts.pacer.restart();
    this.#cut('the run was started over');
    this.seeker.noteRestart();
    this.#sleep.wake();
  }

  /**
   * Must be called before each control call. If the loop sleeps in the event loop, this ends the sleep and runs the due
   * ticks first: with a doorbell, they would also run before the call.
   *
   * @returns Whether the call may run. After a tick that has thrown, it may not: the run is in the middle of that tick,
   *   and the page would take later changes for a part of the run.
   */
  interrupt(): boolean {
    // Only one pass, as with a doorbell: an overloaded simulation always has more ticks.
    if (this.#sleep.wake() && this.#hasDueTicks()) this.#runWithinCall(() => this.#runPass());
    return this.#interruption === undefined;
  }

  /** Wakes a paused loop so that it notices the stop request. */
  stop(): void {
    this.#sleep.wake();
  }

  #hasDueTicks(nowMs = this.parts.now()): boolean {
    return !this.seeker.isSeeking && this.pass.hasDueTicks(nowMs);
  }

  /** Errors of a step must fail the loop, which may be asleep, and not the control call. */
  #runWithinCall(runTicks: () => void): void {
    try {
      runTicks();
    } catch (error) {
      this.#interruption = { error };
      this.#sleep.wake();
    }
  }

  #runPass(wokenMs = this.parts.now()): void {
    if (!this.seeker.isSeeking) this.pass.run(this.#sleep.sinceMs, wokenMs);
  }

  /** The seek has ended. Ticks that were still due before it are dropped. */
  #afterSeek(hasMoved: boolean): void {
    this.parts.pacer.rebase(this.parts.now());
    if (hasMoved) this.#cut(TAKEN_ELSEWHERE);
    this.#sleep.wake();
  }

  /** Publishes a state that does not follow the one before. @param reason Why steps that have not run end. */
  #cut(reason: string): void {
    this.parts.steps.end(reason);
    this.parts.publisher.publishCut();
    // The end of all pairs: while paused, no pass may follow that announces it.
    this.pass.reportEvents();
  }

  /** Describes invalid content of the memory shared with the page, if there is any; see buffer.ts. */
  #wrongWord(): string | undefined {
    const { views, inputQueue } = this.parts;
    return inputQueue.isBroken ? 'a record of an input' : wrongControl(views);
  }
}
