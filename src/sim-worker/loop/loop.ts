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
 * It sleeps in `Atomics.wait`, or in a timer where memory is not shared; see sleeper.ts. Paused, it parks in the
 * event loop instead: no timer, no wait, no CPU.
 */
import type {
  Arrival,
  ReplayReport,
  ReplayStoppedMessage,
  WorkerNotice,
  WorkerOptions,
} from '../../shared/protocol/control-protocol.js';
import { readDoorbell } from '../../shared/memory/doorbell.js';
import { wrongMemory } from '../../shared/util/errors.js';
import {
  CONTROL,
  WORKER_ACTIVITY,
  WORKER_PHASE,
  type BufferViews,
} from '../../shared/memory/layout.js';
import { Schedule } from '../../shared/time/schedule.js';
import { WATCHDOG_STATES, Watchdog } from '../../shared/statistics/watchdog.js';
import type { EventLoopTurn } from '../thread/event-loop-turn.js';
import type { TickInputQueue } from './tick-input-queue.js';
import type { CreatePacer, PacedTick, Pacer } from '../pacing/pacer.js';
import { RunTravel } from './run-travel.js';
import type { SimulationRun } from '../run/simulation-run.js';
import type { Sleeper } from '../thread/sleeper.js';
import { StatePublisher } from './state-publisher.js';
import { WorkerStatistics } from './statistics.js';
import { TickSource } from './tick-source.js';
import type { WorkerMirror } from './worker-mirror.js';

/** Turns that a pass may spend on control messages that were announced but have not arrived. */
const MAX_TURNS_PER_PASS = 8;

/**
 * How long the loop sleeps while one of them has not arrived, in ms: a port's messages take a way of their own, and in Firefox that
 * takes longer than a pass has turns. Asleep until the next tick, the loop would keep its caller waiting for that.
 */
const NAP_MS = 1;

/** So many times in a row: one that never arrives must not keep a processor awake. */
const MAX_NAPS = 1000;

/** Most ticks stepped by hand that become due at once: control calls are answered after as many. */
const MAX_STEPS_PER_PASS = 5;

/** What the loop is made of. */
export interface LoopParts {
  readonly views: BufferViews;
  readonly run: SimulationRun;
  /** Where ticks get what the page sent. */
  readonly inputQueue: TickInputQueue;
  readonly options: WorkerOptions;
  readonly createPacer: CreatePacer;
  /** What cannot be in the memory that page and worker go by; see memory-check.ts. */
  readonly wrongWord?: () => string | undefined;
  /** Page time now, in ms. */
  readonly now: () => number;
  readonly createTurn: () => EventLoopTurn;
  /** Control messages that have arrived so far. */
  readonly messagesReceived: () => number;
  readonly onNotice: (notice: WorkerNotice) => void;
  /** Called when a hash of a recording that is shown has been compared, but for one of its last tick. */
  readonly onReplayReport: (report: ReplayReport) => void;
  readonly onReplayStopped: (thrown: ReplayStoppedMessage['thrown']) => void;
  /** Called at the end of a pass with events, when the page asked for that. */
  readonly onEvents: () => void;
  readonly sleeper: Sleeper;
  /** Memory that is not shared: tells the page what was written to it. */
  readonly mirror: Pick<WorkerMirror, 'touch' | 'send'> | undefined;
}

/** Ticks to be stepped by hand, and who waits for them. */
interface Stepping {
  left: number;
  resolve(tick: number): void;
  reject(reason: Error): void;
}

export class SimulationLoop {
  readonly schedule: Schedule;
  readonly statistics: WorkerStatistics;
  readonly #parts: LoopParts;
  readonly #run: SimulationRun;
  readonly #control: Int32Array;
  readonly #pacer: Pacer;
  readonly #publisher: StatePublisher;
  readonly #watchdog: Watchdog;
  readonly #turn: EventLoopTurn;
  /** What the ticks are given. */
  readonly tickSource: TickSource;
  readonly travel: RunTravel;
  /** One after the other. */
  readonly #stepping: Stepping[] = [];
  #maxCatchUpTicks: number;
  #unpark: (() => void) | undefined;
  #asleepSinceMs = 0;
  /** In a sleep in which messages arrive. */
  #isAsleep = false;
  /** Sleeps in a row for a message that was announced. */
  #naps = 0;
  /** What a step threw that ran within a control call, or what the loop has ended with. */
  #interruption: { readonly error: unknown } | undefined;
  /** The tick that is being run, and when it began, in ms of page time. */
  #tick: PacedTick = { dt: 0, dueVirtualMs: 0 };
  #startedMs = 0;
  #isPauseWanted = false;
  /** Events that were counted. */
  #reportedEvents = 0;

  constructor(parts: LoopParts) {
    const { views, run, options } = parts;
    this.#parts = parts;
    this.#run = run;
    this.#control = views.control;
    this.#turn = parts.createTurn();
    this.#maxCatchUpTicks = options.maxCatchUpTicks;
    this.schedule = new Schedule(options.tickRateHz);
    this.#pacer = parts.createPacer(this.schedule);
    if (options.timeScale !== 1) this.#pacer.setTimeScale(options.timeScale, 0);
    this.#watchdog = new Watchdog(options.watchdog);
    this.statistics = new WorkerStatistics(views);
    this.tickSource = new TickSource(run, parts.inputQueue, this.schedule, this.statistics);
    this.travel = new RunTravel({
      run,
      tickSource: this.tickSource,
      now: parts.now,
      createTurn: parts.createTurn,
      onTicking: (isTicking) => {
        this.#setActivity(isTicking ? WORKER_ACTIVITY.ticking : WORKER_ACTIVITY.idle);
        // A tick may hang, and nothing is told while it does.
        if (isTicking) parts.mirror?.send();
      },
      onTick: () => this.#beat(),
      onMoved: () => this.#standElsewhere(),
      onFailure: (error) => {
        this.#interruption = { error };
      },
      onReplayStopped: parts.onReplayStopped,
      isStopRequested: () => this.#isStopRequested,
    });
    const { schedule, statistics } = this;
    this.#publisher = new StatePublisher({
      views,
      run,
      schedule,
      statistics,
      mirror: parts.mirror,
    });
  }

  /** Runs until stopped. Rejects with what the simulation throws in a tick. */
  async run(): Promise<void> {
    const { now } = this.#parts;
    this.#publisher.publishState(0, 0);
    if (!this.#parts.options.startPaused) this.schedule.resume(now());
    this.#asleepSinceMs = now();
    this.#publisher.publishSchedule();
    this.#setPhase();
    try {
      while (!this.#isStopRequested) {
        if (this.#interruption !== undefined) throw this.#interruption.error;
        this.#setActivity(WORKER_ACTIVITY.ticking);
        this.#runDueTicks();
        const wrong = this.#parts.wrongWord?.();
        if (wrong !== undefined) throw wrongMemory(wrong);
        // Read before the turn: a ring after this line ends the sleep at once.
        const rings = readDoorbell(this.#control, CONTROL.doorbell);
        this.#setActivity(WORKER_ACTIVITY.answering);
        await this.#takeTurns(rings);
        if (this.#isStopRequested) break;
        if (this.#interruption !== undefined || this.#hasDueTicks()) continue;
        this.#setActivity(WORKER_ACTIVITY.idle);
        if (this.schedule.isPaused || this.travel.isUnderWay) await this.#park();
        else {
          // Awaited only where it takes a turn: in shared memory the thread itself has slept.
          const sleeping = this.#sleep(rings);
          if (sleeping !== undefined) await this.#sleepThrough(sleeping);
        }
      }
    } catch (error) {
      this.#interruption = { error };
      throw error;
    } finally {
      this.#setActivity(WORKER_ACTIVITY.idle);
      this.#turn.close();
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
    this.tickSource.notePause();
    this.#runWithinCall(() => {
      while (this.#hasDueTicks() && !this.#isStopRequested) this.#runDueTicks();
    });
    this.#publisher.publishSchedule();
    this.#setPhase();
  }

  /** Pauses when the tick that runs is done, whatever else is due. For calls within a tick. */
  pauseAfterTick(): void {
    this.#isPauseWanted = true;
  }

  resume(): void {
    // Beyond its end a recording says nothing: it stands there until it is left, or gone back in.
    if (this.#reportIfOver()) return;
    this.#endStepping('it was resumed');
    const nowMs = this.#parts.now();
    this.schedule.resume(nowMs);
    // Time spent parked is a pause, not oversleeping.
    this.#asleepSinceMs = nowMs;
    this.#publisher.publishSchedule();
    this.#setPhase();
    this.#wake();
  }

  /**
   * While paused: runs ticks. Resolves with the number of the last when all of them have run, or those that a recording
   * still has. Rejects if something else comes between them.
   */
  step(ticks: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#stepping.push({ left: ticks, resolve, reject });
      this.#wake();
    });
  }

  /** See {@link RunTravel.seek}. In slices, between which control calls run. */
  async seek(...request: Parameters<RunTravel['seek']>): Promise<Arrival> {
    if (!this.schedule.isPaused || this.travel.isUnderWay) {
      throw new Error('a run can be gone to only while the simulation is paused');
    }
    this.#endStepping('the run was taken elsewhere');
    return this.travel.seek(...request);
  }

  resetWatchdog(): void {
    this.#watchdog.reset();
    this.statistics.set('watchdog', 0);
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
    this.#maxCatchUpTicks = ticks;
  }

  /** The run has started over: the bodies as they are now, and nothing before them. */
  restart(): void {
    this.#endStepping('the run was started over');
    this.#pacer.restart(this.#parts.now());
    this.resetWatchdog();
    this.#publisher.publishCut();
    this.travel.noteRestart();
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
    if (this.#isAsleep) {
      this.#isAsleep = false;
      // One pass, as a doorbell would have brought: an overloaded simulation always has more.
      if (this.#hasDueTicks()) this.#runWithinCall(() => this.#runDueTicks());
      this.#parts.sleeper.wake();
    }
    return this.#interruption === undefined;
  }

  /** Wakes a parked loop so that it sees the stop request. */
  stop(): void {
    this.#wake();
  }

  get #isStopRequested(): boolean {
    return Atomics.load(this.#control, CONTROL.stopRequest) !== 0;
  }

  #hasDueTicks(): boolean {
    if (this.travel.isUnderWay) return false;
    return this.#stepping.length > 0 || this.#pacer.hasDueTicks(this.#parts.now());
  }

  /** What a step throws is the loop's to fail with, and not the control call's. */
  #runWithinCall(runTicks: () => void): void {
    try {
      runTicks();
    } catch (error) {
      this.#interruption = { error };
    }
  }

  #runDueTicks(): void {
    if (this.travel.isUnderWay) return;
    this.#makeStepsDue();
    const { now, onNotice } = this.#parts;
    this.#beat();
    // A step by hand may hang as well, and nothing is told while it does.
    if (this.schedule.isPaused && this.#hasDueTicks()) this.#parts.mirror?.send();
    const wokenMs = now();
    const gapMs = this.#pacer.begin(wokenMs, this.#asleepSinceMs);
    if (gapMs > 0) {
      this.statistics.add('gaps');
      this.statistics.add('gapMs', Math.round(gapMs));
      onNotice({ kind: 'gap', gapMs });
    }
    let ticks = 0;
    let tick = this.#pacer.next(wokenMs);
    if (tick !== undefined && !this.schedule.isPaused) {
      this.statistics.lateness.record(wokenMs - this.schedule.shiftMs - tick.dueVirtualMs);
    }
    while (tick !== undefined && !this.#isStopRequested) {
      const hasRun = this.#runTick(tick);
      if (hasRun) ticks += 1;
      tick = hasRun && !this.#pauseIsDue(tick) ? this.#pacer.next(now()) : undefined;
    }
    const droppedTicks = this.#pacer.takeDroppedTicks();
    this.statistics.recordPass(wokenMs, ticks, droppedTicks);
    if (!this.schedule.isPaused) this.#watch(ticks + droppedTicks, wokenMs);
    this.#reportEvents();
    this.#answerStepped();
  }

  /** Of the ticks to be stepped as many as a pass may have: whatever comes between two passes finds none due. */
  #makeStepsDue(): void {
    const stepping = this.#stepping[0];
    if (stepping === undefined || this.#pacer.hasDueTicks(this.#parts.now())) return;
    // Beyond its end a recording says nothing.
    stepping.left = Math.min(stepping.left, this.tickSource.ticksLeft);
    const ticks = Math.min(stepping.left, MAX_STEPS_PER_PASS, this.#maxCatchUpTicks);
    stepping.left -= ticks;
    if (ticks > 0) this.schedule.step(ticks);
  }

  #answerStepped(): void {
    const stepping = this.#stepping[0];
    if (stepping?.left !== 0 || this.#pacer.hasDueTicks(this.#parts.now())) return;
    this.#stepping.shift();
    this.#parts.mirror?.send(true);
    stepping.resolve(this.#run.tick);
  }

  /** @param cause Why ticks that were to be stepped do not run. */
  #endStepping(cause: string): void {
    for (const { left, reject } of this.#stepping.splice(0)) {
      reject(new Error(`the step ended with ${left} ticks to go: ${cause}`));
    }
  }

  /** @returns False if it has thrown, which has ended the recording that was shown. */
  #runTick(tick: PacedTick): boolean {
    const { tickSource } = this;
    this.#tick = tick;
    this.#startedMs = this.#parts.now();
    const tickInputs = tickSource.tickInputsOf(tick, this.#startedMs);
    const virtualMs = this.#publisher.virtualMsOf(tick.dueVirtualMs);
    try {
      this.#run.runTick(tickSource.dtOf(tick), tickInputs, virtualMs, this.#publishTick);
    } catch (error) {
      this.schedule.pause(this.#parts.now());
      this.#setPhase();
      if (!this.travel.leaveRecording(error)) throw error;
      return false;
    }
    this.#beat();
    const report = tickSource.check();
    // At its end it is told as such.
    if (report !== undefined && !tickSource.isOver) this.#parts.onReplayReport(report);
    return true;
  }

  /** The run has been taken elsewhere, and stands there. Ticks of before that were still due belong to neither. */
  #standElsewhere(): void {
    this.#endStepping('the run was taken elsewhere');
    this.#pacer.rebase(this.#parts.now());
    this.tickSource.notePause();
    this.#publisher.publishCut();
    this.#wake();
  }

  /** Publishes the tick that has just been stepped. One function for all ticks: nothing is allocated for one. */
  readonly #publishTick = (): void => {
    const { now } = this.#parts;
    const { dueVirtualMs } = this.#tick;
    const steppedMs = now();
    this.#pacer.tickDone();
    const latenessMs = steppedMs - this.schedule.shiftMs - dueVirtualMs;
    this.#publisher.publishState(dueVirtualMs, latenessMs, this.tickSource.inputMs);
    this.statistics.step.record(steppedMs - this.#startedMs);
    this.statistics.publish.record(now() - steppedMs);
  };

  /** Pauses after a tick that is to be the last for now: at its due time, so that no other one is owed. */
  #pauseIsDue(tick: PacedTick): boolean {
    const report = this.tickSource.isOver ? this.tickSource.report() : undefined;
    if (report === undefined && !this.#isPauseWanted) return false;
    this.#isPauseWanted = false;
    this.schedule.pauseAtVirtualMs(tick.dueVirtualMs);
    this.#pacer.endPassAt(this.schedule.pausedVirtualMs);
    this.tickSource.notePause();
    this.#publisher.publishSchedule();
    this.#setPhase();
    if (report !== undefined) this.#parts.onNotice({ kind: 'replayed', report });
    return true;
  }

  /** Judges how many ticks a wake-up owed. */
  #watch(owedTicks: number, nowMs: number): void {
    if (owedTicks === 0) return;
    const before = this.#watchdog.state;
    const state = this.#watchdog.frame(owedTicks, nowMs);
    if (state === before) return;
    this.statistics.set('watchdog', WATCHDOG_STATES.indexOf(state));
    this.#parts.onNotice({ kind: 'watchdog', state, tick: this.#run.tick });
  }

  #reportEvents(): void {
    const { events } = this.#run;
    this.statistics.set('lostEvents', events.lost);
    const reported = events.reported - this.#reportedEvents;
    if (reported === 0) return;
    this.#reportedEvents = events.reported;
    this.statistics.add('events', reported);
    // Taken back as it is answered: one message for however many events, until the page asks again.
    if (Atomics.exchange(this.#control, CONTROL.eventWakeRequested, 0) === 1)
      this.#parts.onEvents();
  }

  /**
   * Gives the event loop turns until every control message that was rung for has arrived. Sleep begins where the last of
   * them ends.
   */
  async #takeTurns(rings: number): Promise<void> {
    const { messagesReceived, now } = this.#parts;
    let received = messagesReceived();
    this.#asleepSinceMs = now();
    let turns = 0;
    do {
      await this.#turn.take();
      turns += 1;
      // Calls that ran in the turn are load. A turn without any belongs to the sleep: one that took long is the system's,
      // put to sleep in it, or a task of the application's own, and neither is owed any ticks.
      if (messagesReceived() !== received) this.#asleepSinceMs = now();
      received = messagesReceived();
      // Both count modulo 2^32: the difference is what matters.
    } while (((rings - received) | 0) > 0 && turns < MAX_TURNS_PER_PASS);
  }

  #sleep(rings: number): Promise<void> | undefined {
    const { messagesReceived, now, sleeper } = this.#parts;
    const dueInMs = this.#pacer.nextDueMs - now();
    if (dueInMs <= 0) return undefined;
    const isExpecting = ((rings - messagesReceived()) | 0) > 0;
    this.#naps = isExpecting ? this.#naps + 1 : 0;
    const isNap = isExpecting && this.#naps <= MAX_NAPS;
    return sleeper.sleep(rings, isNap ? Math.min(NAP_MS, dueInMs) : dueInMs);
  }

  async #sleepThrough(sleeping: Promise<void>): Promise<void> {
    this.#isAsleep = true;
    await sleeping;
    this.#isAsleep = false;
  }

  #park(): Promise<void> {
    this.#parts.mirror?.touch();
    return new Promise((resolve) => {
      this.#unpark = resolve;
    });
  }

  #wake(): void {
    const unpark = this.#unpark;
    this.#unpark = undefined;
    unpark?.();
    this.#parts.sleeper.wake();
  }

  /** Tells that the recording that is followed has come to its end, if it has. */
  #reportIfOver(): boolean {
    const report = this.tickSource.isOver ? this.tickSource.report() : undefined;
    if (report === undefined) return false;
    this.#parts.onNotice({ kind: 'replayed', report });
    return true;
  }

  #beat(): void {
    Atomics.add(this.#control, CONTROL.heartbeat, 1);
    this.#parts.mirror?.touch();
  }

  #setActivity(activity: number): void {
    Atomics.store(this.#control, CONTROL.activity, activity);
  }

  #setPhase(): void {
    const phase = this.schedule.isPaused ? WORKER_PHASE.paused : WORKER_PHASE.running;
    Atomics.store(this.#control, CONTROL.phase, phase);
  }
}
