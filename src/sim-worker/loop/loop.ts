/**
 * The worker's loop.
 *
 * One pass, at 60 Hz with a step of 3 ms:
 *
 *     due(k)                                             due(k+1)
 *     ──┼──────────────────────────────────────────────────┼────▶
 *       └wake┬─step──────┬publish┬turn┬─ sleep ─────────────┘wake
 *            │           │       │    └ ends early when the doorbell rings; then a pass without ticks
 *            │           │       └ control calls and queries run here
 *            │           └ the page can draw up to tick k
 *            └ 0.1 ms late, which does not affect the schedule
 *
 * For the sleep, see loop-sleep.ts.
 */
import { readDoorbell } from '../../shared/memory/doorbell.js';
import { CONTROL, WORKER_ACTIVITY } from '../../shared/memory/layout.js';
import { Schedule } from '../../shared/time/schedule.js';
import { wrongMemory } from '../../shared/util/errors.js';
import type { Pacer } from '../pacing/pacer.js';
import type { SimulationRun } from '../run/simulation-run.js';
import { HandSteps } from './hand-steps.js';
import { LoopSleep } from './loop-sleep.js';
import { LoopWords } from './loop-words.js';
import type { RunTravel } from './run-travel.js';
import { StatePublisher } from './state-publisher.js';
import { WorkerStatistics } from './statistics.js';
import { TickSource } from './tick-source.js';
import { TickPass, type LoopParts } from './tick-pass.js';

const TAKEN_ELSEWHERE = 'the run was taken elsewhere';

export class SimulationLoop {
  readonly schedule: Schedule;
  readonly statistics: WorkerStatistics;
  readonly #parts: LoopParts;
  readonly #run: SimulationRun;
  readonly #control: Int32Array;
  readonly #pacer: Pacer;
  readonly #publisher: StatePublisher;
  readonly #sleep: LoopSleep;
  readonly #words: LoopWords;
  readonly #pass: TickPass;
  /** Provides the inputs of the ticks. */
  readonly #tickSource: TickSource;
  readonly #steps = new HandSteps();
  #travel: RunTravel | undefined;
  /** Error of a step that ran within a control call, or the error that ended the loop. */
  #interruption: { readonly error: unknown } | undefined;

  constructor(parts: LoopParts) {
    const { views, run, options } = parts;
    this.#parts = parts;
    this.#run = run;
    this.#control = views.control;
    this.#words = new LoopWords(views.control, parts.mirror);
    this.#sleep = new LoopSleep(parts);
    this.schedule = new Schedule(options.tickRateHz);
    this.#pacer = parts.createPacer(this.schedule);
    if (options.timeScale !== 1) this.#pacer.setTimeScale(options.timeScale, 0);
    this.statistics = new WorkerStatistics(views);
    this.#tickSource = new TickSource(run, parts.inputQueue, this.schedule, this.statistics);
    const { schedule, statistics } = this;
    this.#publisher = new StatePublisher({
      views,
      run,
      schedule,
      statistics,
      mirror: parts.mirror,
    });
    this.#pass = new TickPass({
      ...parts,
      schedule,
      pacer: this.#pacer,
      tickSource: this.#tickSource,
      steps: this.#steps,
      publisher: this.#publisher,
      statistics,
      words: this.#words,
      leaveRecording: (error) => this.#travel?.leaveRecording(error) === true,
    });
  }

  /** Saves the run and seeks; undefined until loaded. */
  get travel(): RunTravel | undefined {
    return this.#travel;
  }

  /** @param Travel The loaded class. */
  openTravel(Travel: typeof RunTravel): RunTravel {
    const { run, now, createTurn, mirror, post } = this.#parts;
    this.#travel ??= new Travel({
      run,
      schedule: this.schedule,
      tickSource: this.#tickSource,
      now,
      createTurn,
      onLeave: () => this.#steps.end(TAKEN_ELSEWHERE),
      onTicking: (isTicking) => {
        this.#words.setActivity(isTicking ? WORKER_ACTIVITY.ticking : WORKER_ACTIVITY.idle);
        // A tick may hang, and nothing is sent while it does.
        if (isTicking) mirror?.send();
      },
      onTick: () => this.#words.beat(),
      onMoved: () => this.#standElsewhere(),
      onFailure: (error) => {
        this.#interruption = { error };
      },
      onReplayStopped: (thrown) => post({ type: 'betwixt:replay-stopped', thrown }),
      isStopRequested: () => this.#words.isStopRequested,
    });
    return this.#travel;
  }

  /** Runs until stopped. Rejects with any error that the simulation throws in a tick. */
  async run(): Promise<void> {
    const { now } = this.#parts;
    this.#publisher.publishState(0, 0);
    if (!this.#parts.options.startPaused) this.schedule.resume(now());
    this.#sleep.restart();
    this.#publisher.publishSchedule();
    this.#words.setPhase(this.schedule.isPaused);
    try {
      while (!this.#words.isStopRequested) {
        if (this.#interruption !== undefined) throw this.#interruption.error;
        this.#words.setActivity(WORKER_ACTIVITY.ticking);
        this.#runPass();
        const wrong = this.#parts.wrongWord?.();
        if (wrong !== undefined) throw wrongMemory(wrong);
        // Read before the turn: a ring after this line ends the sleep immediately.
        const rings = readDoorbell(this.#control, CONTROL.doorbell);
        this.#words.setActivity(WORKER_ACTIVITY.answering);
        await this.#sleep.takeTurns(rings);
        if (this.#words.isStopRequested) break;
        if (this.#interruption !== undefined || this.#hasDueTicks()) continue;
        this.#words.setActivity(WORKER_ACTIVITY.idle);
        if (this.schedule.isPaused || this.#isElsewhere) {
          this.#parts.mirror?.touch();
          await this.#sleep.park();
        } else {
          const sleeping = this.#sleep.sleep(rings, this.#pacer.nextDueMs - now());
          if (sleeping !== undefined) await sleeping;
        }
      }
    } catch (error) {
      this.#interruption = { error };
      throw error;
    } finally {
      this.#words.setActivity(WORKER_ACTIVITY.idle);
      this.#sleep.close();
    }
  }

  /** Stops the schedule. Due ticks run first, up to the catch-up limit, so that none runs after this. */
  pause(): void {
    if (this.schedule.isPaused) return;
    const nowMs = this.#parts.now();
    this.#pacer.dropExcess(nowMs);
    this.schedule.pause(nowMs);
    this.#tickSource.notePause();
    this.#runWithinCall(() => {
      while (this.#hasDueTicks() && !this.#words.isStopRequested) this.#runPass();
    });
    this.#publisher.publishSchedule();
    this.#words.setPhase(this.schedule.isPaused);
  }

  pauseAfterTick(): void {
    this.#pass.pauseAfterTick();
  }

  resume(): void {
    // There are no inputs after the end of a recording: the run stays there until the replay ends or seeks back.
    if (this.#reportIfOver()) return;
    this.#steps.end('it was resumed');
    this.schedule.resume(this.#parts.now());
    // Time spent parked is a pause, not oversleeping.
    this.#sleep.restart();
    this.#publisher.publishSchedule();
    this.#words.setPhase(this.schedule.isPaused);
    this.#sleep.wake();
  }

  /**
   * Runs ticks while paused. Resolves with the number of the last one when all have run, or those left in the
   * recording. Rejects if something else interrupts them.
   */
  step(ticks: number): Promise<number> {
    const stepped = this.#steps.add(ticks);
    this.#sleep.wake();
    return stepped;
  }

  resetWatchdog(): void {
    this.#pass.resetWatchdog();
  }

  setTickRate(tickRateHz: number): void {
    this.#pacer.setTickRate(tickRateHz, this.#parts.now());
    this.#run.dt = this.schedule.dt;
    this.#publisher.publishSchedule();
  }

  setTimeScale(timeScale: number): void {
    this.#pacer.setTimeScale(timeScale, this.#parts.now());
    this.#publisher.publishSchedule();
  }

  setMaxCatchUpTicks(ticks: number): void {
    this.#pacer.setMaxCatchUpTicks(ticks);
    this.#pass.maxCatchUpTicks = ticks;
  }

  /** The run has restarted: publishes the current bodies and no earlier states. */
  restart(): void {
    this.#steps.end('the run was started over');
    this.#pacer.restart(this.#parts.now());
    this.resetWatchdog();
    this.#publisher.publishCut();
    this.#travel?.noteRestart();
    this.#sleep.endSleep();
  }

  /**
   * Must be called before each control call. If the loop sleeps in a timer, this ends the sleep and runs the due ticks
   * first: with a doorbell, they would also run before the call.
   *
   * @returns Whether the call may run. After a tick that has thrown, it may not: the run is in the middle of that tick,
   *   and the page would take later changes for a part of the run.
   */
  interrupt(): boolean {
    if (this.#sleep.interrupt()) {
      // Only one pass, as with a doorbell: an overloaded simulation always has more ticks.
      if (this.#hasDueTicks()) this.#runWithinCall(() => this.#runPass());
      this.#sleep.endSleep();
    }
    return this.#interruption === undefined;
  }

  /** Wakes a parked loop so that it notices the stop request. */
  stop(): void {
    this.#sleep.wake();
  }

  /** A seek is in progress. */
  get #isElsewhere(): boolean {
    return this.#travel?.isUnderWay === true;
  }

  #hasDueTicks(): boolean {
    return !this.#isElsewhere && this.#pass.hasDueTicks();
  }

  /** Errors of a step must fail the loop, not the control call. */
  #runWithinCall(runTicks: () => void): void {
    try {
      runTicks();
    } catch (error) {
      this.#interruption = { error };
    }
  }

  #runPass(): void {
    if (!this.#isElsewhere) this.#pass.run(this.#sleep.sinceMs);
  }

  /** The seek has ended. Ticks that were still due before it are dropped. */
  #standElsewhere(): void {
    this.#steps.end(TAKEN_ELSEWHERE);
    this.#pacer.rebase(this.#parts.now());
    this.#tickSource.notePause();
    this.#publisher.publishCut();
    this.#sleep.wake();
  }

  /** Notifies the page if the replayed recording has ended. */
  #reportIfOver(): boolean {
    const report = this.#tickSource.endReport;
    if (report === undefined) return false;
    this.#parts.post({ type: 'betwixt:notice', notice: { kind: 'replayed', report } });
    return true;
  }
}
