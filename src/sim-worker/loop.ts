/**
 * The worker's loop, and the only `Atomics.wait`.
 *
 * One pass, at 60 Hz with a step of 3 ms:
 *
 *     due(k)                                             due(k+1)
 *     ──┼──────────────────────────────────────────────────┼────▶
 *       └wake┬─step──────┬publish┬turn┬─ Atomics.wait ──────┘wake
 *            │           │       │    └ ends early when the doorbell rings; then a pass without ticks
 *            │           │       └ control calls and commands run here
 *            │           └ the page can draw up to tick k
 *            └ 0.1 ms late, which the schedule never learns of
 *
 * Paused, the loop parks in the event loop instead: no timer, no wait, no CPU.
 */
import { readDoorbell } from '../shared/doorbell.js';
import { CONTROL, WORKER_PHASE, type BufferViews } from '../shared/layout.js';
import { Schedule } from '../shared/schedule.js';
import { SnapshotWriter } from '../shared/snapshot-writer.js';
import type { WorkerOptions } from '../shared/control-protocol.js';
import type { BodyRegistry } from './body-registry.js';
import type { EventLoopTurn } from './event-loop-turn.js';
import { createPacer } from './pacing/create-pacer.js';
import type { PacedTick, Pacer } from './pacing/pacer.js';
import type { Simulation } from './simulation.js';
import { WorkerStatistics } from './statistics.js';

/** Turns that a pass may spend on control messages that were announced but have not arrived. */
const MAX_TURNS_A_PASS = 8;

/** What the loop is made of. */
export interface LoopParts {
  readonly views: BufferViews;
  readonly bodies: BodyRegistry;
  readonly simulation: Simulation;
  readonly options: WorkerOptions;
  /** Page time now, in ms. */
  readonly now: () => number;
  readonly turn: EventLoopTurn;
  /** Control messages that have arrived so far. */
  readonly messagesReceived: () => number;
}

export class SimulationLoop {
  readonly schedule: Schedule;
  readonly statistics: WorkerStatistics;
  readonly #parts: LoopParts;
  readonly #control: Int32Array;
  readonly #pacer: Pacer;
  readonly #writer: SnapshotWriter;
  readonly #turn: EventLoopTurn;
  readonly #whenStepped: (() => void)[] = [];
  #unpark: (() => void) | undefined;
  #asleepSinceMs = 0;
  #lastStateRunMs = 0;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.#control = parts.views.control;
    this.#turn = parts.turn;
    this.schedule = new Schedule(parts.options.tickRateHz);
    this.#pacer = createPacer(this.schedule, parts.options);
    this.#writer = new SnapshotWriter(parts.views, parts.bodies);
    this.statistics = new WorkerStatistics(parts.views);
    parts.bodies.beginState(this.#writer.nextState);
  }

  get tick(): number {
    return this.#pacer.lastTick;
  }

  /** Runs until stopped. Rejects with what the simulation throws in a tick. */
  async run(): Promise<void> {
    const { now } = this.#parts;
    this.#publishState(0, 0, false);
    if (!this.#parts.options.startPaused) this.schedule.resume(now());
    this.#asleepSinceMs = now();
    this.publishSchedule();
    this.#setPhase();
    try {
      while (!this.#isStopRequested) {
        this.#runDueTicks();
        // Read before the turn: a ring after this line ends the sleep at once.
        const rings = readDoorbell(this.#control, CONTROL.doorbell);
        await this.#takeTurns(rings);
        // Commands have run in the turns: their time is load, and only what comes after is sleep.
        this.#asleepSinceMs = this.#parts.now();
        if (this.#isStopRequested) break;
        if (this.#hasDueTicks()) continue;
        if (this.schedule.isPaused) await this.#park();
        else this.#sleep(rings);
      }
    } finally {
      this.#turn.close();
    }
  }

  /** Stops the schedule. Ticks due before this moment still run. */
  pause(): void {
    this.schedule.pause(this.#parts.now());
    this.publishSchedule();
    this.#setPhase();
  }

  resume(): void {
    const nowMs = this.#parts.now();
    this.schedule.resume(nowMs);
    // Time spent parked is a pause, not oversleeping.
    this.#asleepSinceMs = nowMs;
    this.publishSchedule();
    this.#setPhase();
    this.#wake();
  }

  /** While paused: makes ticks due. Resolves with the last tick's number when they have run. */
  step(ticks: number): Promise<number> {
    this.schedule.step(ticks);
    return new Promise((resolve) => {
      this.#whenStepped.push(() => resolve(this.tick));
      this.#wake();
    });
  }

  setTickRate(tickRateHz: number): void {
    this.#pacer.setTickRate(tickRateHz, this.#parts.now());
    this.publishSchedule();
  }

  setTimeScale(timeScale: number): void {
    this.#pacer.setTimeScale(timeScale, this.#parts.now());
    this.publishSchedule();
  }

  setMaxCatchUpTicks(ticks: number): void {
    this.#pacer.setMaxCatchUpTicks(ticks);
  }

  /** Tick 0 again: the bodies as they are now, and nothing before them. */
  restart(): void {
    this.#pacer.restart(this.#parts.now());
    this.#publishState(this.schedule.originRunMs, 0, true);
  }

  /** Publishes the states that there are with the schedule as it is now. */
  publishSchedule(): void {
    this.#countPublication(this.#writer.publishSchedule(this.schedule));
  }

  /** Wakes a parked loop so that it sees the stop request. */
  stop(): void {
    this.#wake();
  }

  get #isStopRequested(): boolean {
    return Atomics.load(this.#control, CONTROL.stopRequest) !== 0;
  }

  #hasDueTicks(): boolean {
    return this.#pacer.hasDueTicks(this.#parts.now());
  }

  #runDueTicks(): void {
    const { now } = this.#parts;
    Atomics.add(this.#control, CONTROL.heartbeat, 1);
    const wokenMs = now();
    const gapMs = this.#pacer.begin(wokenMs, this.#asleepSinceMs);
    if (gapMs > 0) {
      this.statistics.add('gaps');
      this.statistics.add('gapMs', Math.round(gapMs));
    }
    let ticks = 0;
    let tick = this.#pacer.next(wokenMs);
    if (tick !== undefined && !this.schedule.isPaused) {
      this.statistics.lateness.record(wokenMs - this.schedule.shiftMs - tick.dueRunMs);
    }
    while (tick !== undefined && !this.#isStopRequested) {
      this.#runTick(tick);
      ticks += 1;
      tick = this.#pacer.next(now());
    }
    this.statistics.recordPass(wokenMs, ticks, this.#pacer.takeDroppedTicks());
    if (ticks > 0 && !this.#hasDueTicks()) {
      for (const resolve of this.#whenStepped.splice(0)) resolve();
    }
  }

  #runTick(tick: PacedTick): void {
    const { now, simulation } = this.#parts;
    const startMs = now();
    simulation.step(tick.stepS, this.tick + 1);
    const steppedMs = now();
    this.#pacer.tickDone();
    this.#publishState(tick.dueRunMs, steppedMs - this.schedule.shiftMs - tick.dueRunMs, false);
    this.statistics.step.record(steppedMs - startMs);
    this.statistics.publish.record(now() - steppedMs);
  }

  #publishState(dueRunMs: number, latenessMs: number, cut: boolean): void {
    const { bodies } = this.#parts;
    // A change of rate or scale may put the next due time before the last one; the display never goes
    // back, so neither do the states.
    this.#lastStateRunMs = Math.max(this.#lastStateRunMs, dueRunMs);
    const wasReplaced = this.#writer.publishState(
      {
        tick: this.tick,
        runMs: this.#lastStateRunMs,
        simulatedS: this.#pacer.simulatedS,
        latenessMs: this.schedule.isPaused ? 0 : latenessMs,
      },
      this.schedule,
      cut,
    );
    bodies.beginState(this.#writer.nextState);
    this.statistics.set('invalidPoses', bodies.invalidPoses);
    this.#countPublication(wasReplaced);
  }

  #countPublication(wasReplaced: boolean): void {
    this.statistics.add('publications');
    if (wasReplaced) this.statistics.add('overwrittenPublications');
  }

  /** Gives the event loop turns until every control message that was rung for has arrived. */
  async #takeTurns(rings: number): Promise<void> {
    const { messagesReceived } = this.#parts;
    let turns = 0;
    do {
      await this.#turn.take();
      turns += 1;
      // Both count modulo 2^32: the difference is what matters.
    } while (((rings - messagesReceived()) | 0) > 0 && turns < MAX_TURNS_A_PASS);
  }

  #sleep(rings: number): void {
    const timeoutMs = this.#pacer.nextDueMs - this.#parts.now();
    if (timeoutMs <= 0) return;
    // Compares and sleeps in one operation: a ring since `rings` was read makes it return at once.
    Atomics.wait(this.#control, CONTROL.doorbell, rings, timeoutMs);
  }

  #park(): Promise<void> {
    return new Promise((resolve) => {
      this.#unpark = resolve;
    });
  }

  #wake(): void {
    const unpark = this.#unpark;
    this.#unpark = undefined;
    unpark?.();
  }

  #setPhase(): void {
    const phase = this.schedule.isPaused ? WORKER_PHASE.paused : WORKER_PHASE.running;
    Atomics.store(this.#control, CONTROL.phase, phase);
  }
}
