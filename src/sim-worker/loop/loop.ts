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
 *            └ 0.1 ms late, which the schedule never learns of
 *
 * How it sleeps: see loop-sleep.ts.
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
  /** What the ticks are given. */
  readonly #tickSource: TickSource;
  readonly #steps = new HandSteps();
  #travel: RunTravel | undefined;
  /** What a step threw that ran within a control call, or what the loop has ended with. */
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

  /** What saves the run and takes it elsewhere; undefined until it is loaded. */
  get travel(): RunTravel | undefined {
    return this.#travel;
  }

  /** @param Travel That was loaded. */
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
        // A tick may hang, and nothing is told while it does.
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

  /** Runs until stopped. Rejects with what the simulation throws in a tick. */
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
        // Read before the turn: a ring after this line ends the sleep at once.
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

  /**
   * Stops the schedule. Ticks that were due before this moment run first, as many as a pass may catch up: who is told
   * that it stands, finds it so, and soon.
   */
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

  /** See {@link TickPass.pauseAfterTick}. */
  pauseAfterTick(): void {
    this.#pass.pauseAfterTick();
  }

  resume(): void {
    // Beyond its end a recording says nothing: it stands there until it is left, or gone back in.
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
   * While paused: runs ticks. Resolves with the number of the last when all of them have run, or those that a recording
   * still has. Rejects if something else comes between them.
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

  /** The run has started over: the bodies as they are now, and nothing before them. */
  restart(): void {
    this.#steps.end('the run was started over');
    this.#pacer.restart(this.#parts.now());
    this.resetWatchdog();
    this.#publisher.publishCut();
    this.#travel?.noteRestart();
    this.#parts.sleeper.wake();
  }

  /**
   * A control message has come while the loop sleeps in a timer. A doorbell would have woken it, and what is due
   * would have run before the call that the message makes: so it does here.
   *
   * @returns Whether the call may be made. A tick that has thrown has left the run in its middle: whatever ran on from there, the
   *   page would take for a part of it.
   */
  interrupt(): boolean {
    if (this.#sleep.interrupt()) {
      // One pass, as a doorbell would have brought: an overloaded simulation always has more.
      if (this.#hasDueTicks()) this.#runWithinCall(() => this.#runPass());
      this.#parts.sleeper.wake();
    }
    return this.#interruption === undefined;
  }

  /** Wakes a parked loop so that it sees the stop request. */
  stop(): void {
    this.#sleep.wake();
  }

  /** The run is being taken elsewhere. */
  get #isElsewhere(): boolean {
    return this.#travel?.isUnderWay === true;
  }

  #hasDueTicks(): boolean {
    return !this.#isElsewhere && this.#pass.hasDueTicks();
  }

  /** What a step throws is the loop's to fail with, and not the control call's. */
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

  /** The run has been taken elsewhere, and stands there. Ticks of before that were still due belong to neither. */
  #standElsewhere(): void {
    this.#steps.end(TAKEN_ELSEWHERE);
    this.#pacer.rebase(this.#parts.now());
    this.#tickSource.notePause();
    this.#publisher.publishCut();
    this.#sleep.wake();
  }

  /** Tells that the recording that is followed has come to its end, if it has. */
  #reportIfOver(): boolean {
    const report = this.#tickSource.endReport;
    if (report === undefined) return false;
    this.#parts.post({ type: 'betwixt:notice', notice: { kind: 'replayed', report } });
    return true;
  }
}
