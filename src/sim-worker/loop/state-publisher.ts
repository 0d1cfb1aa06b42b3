/** Publishes ticks and changes of the schedule, and counts the publications. */
import type { BodiesMessage } from '../../shared/protocol/control-protocol.js';
import type { Schedule } from '../../shared/time/schedule.js';
import { SnapshotWriter } from '../bodies/snapshot-writer.js';
import { CONTROL, STATISTICS, WORKER_PHASE, type BufferViews } from '../../shared/memory/layout.js';
import type { SimulationRun } from '../run/simulation-run.js';
import type { WorkerStatistics } from './worker-statistics.js';
import type { WorkerMirror } from './worker-mirror.js';

export interface StatePublisherParts {
  readonly views: BufferViews;
  readonly run: SimulationRun;
  readonly schedule: Schedule;
  readonly statistics: WorkerStatistics;
  /** For memory that is not shared: sends the changes to the page. */
  readonly mirror: Pick<WorkerMirror, 'touch' | 'send'> | undefined;
  readonly post: (message: BodiesMessage) => void;
}

export class StatePublisher {
  readonly #parts: StatePublisherParts;
  readonly #writer: SnapshotWriter;
  #lastVirtualMs = 0;
  /** Page time of the earliest input whose state the page has not fetched yet, as far as known, in ms; NaN: none. */
  #unseenInputMs = Number.NaN;
  #hasStarted = false;

  constructor(parts: StatePublisherParts) {
    const { bodies, stateValues } = parts.run;
    this.#parts = parts;
    this.#writer = new SnapshotWriter(parts.views, bodies, stateValues);
    bodies.beginState(this.#writer.nextState);
  }

  /**
   * Virtual time of a state whose tick is due at that time, in ms. After a change of rate or scale, the next due time
   * may be earlier than the last one. The display never goes back, so the states do not either.
   */
  virtualMsOf(dueVirtualMs: number): number {
    return Math.max(this.#lastVirtualMs, dueVirtualMs);
  }

  /**
   * Publishes the first state that the page expects. Before this, nothing is posted about bodies: a new worker may still
   * be moving to where the run continues.
   */
  start(): void {
    this.#postBodies(0);
    this.#hasStarted = true;
    this.publishState(0, 0);
  }

  /**
   * Publishes the current bodies.
   *
   * @param latenessMs Publication minus due time, in ms.
   * @param inputMs Page time of the tick's earliest input, in ms; NaN: none.
   * @param isCut Discards earlier states: the page does not interpolate between them and this one.
   */
  publishState(
    dueVirtualMs: number,
    latenessMs: number,
    inputMs = Number.NaN,
    isCut = false,
  ): void {
    const { run, schedule, statistics } = this.#parts;
    this.#lastVirtualMs = this.virtualMsOf(dueVirtualMs);
    if (isCut) run.bodies.spawnList.forget();
    if (this.#hasStarted) this.#postBodies(this.#writer.nextState);
    const wasReplaced = this.#writer.publishState(
      {
        tick: run.tick,
        virtualMs: this.#lastVirtualMs,
        simulatedSeconds: run.simulatedSeconds,
        journals: run.journal?.sent ?? 0,
        latenessMs: schedule.isPaused ? 0 : latenessMs,
        inputMs: earlier(inputMs, this.#unseenInputMs),
      },
      schedule,
      isCut,
    );
    this.#unseenInputMs = wasReplaced ? earlier(inputMs, this.#unseenInputMs) : inputMs;
    run.bodies.beginState(this.#writer.nextState);
    statistics.set(STATISTICS.invalidPoses, run.bodies.invalidPoses);
    this.#count(wasReplaced);
  }

  publishCut(): void {
    this.publishState(this.#parts.schedule.originVirtualMs, 0, Number.NaN, true);
    // The state must arrive before the answer to the call.
    this.#parts.mirror?.send(true);
  }

  /** Publishes the existing states with the current schedule. */
  publishSchedule(): void {
    this.#count(this.#writer.publishSchedule(this.#parts.schedule));
    // The state must arrive before the answer to the call.
    this.#parts.mirror?.send(true);
  }

  /** Publishes the schedule after it was paused or resumed. */
  publishPause(): void {
    this.publishSchedule();
    this.setPhase();
  }

  setPhase(): void {
    const { views, schedule } = this.#parts;
    const phase = schedule.isPaused ? WORKER_PHASE.paused : WORKER_PHASE.running;
    Atomics.store(views.control, CONTROL.phase, phase);
  }

  /** Must be called before the state with this ordinal is published. */
  #postBodies(state: number): void {
    const { run, post } = this.#parts;
    const list = run.bodies.spawnList.take(run.bodies);
    if (list === undefined) return;
    const virtualMs = this.#lastVirtualMs;
    post({ type: 'betwixt:bodies', state, tick: run.tick, virtualMs, ...list });
  }

  #count(wasReplaced: boolean): void {
    const { statistics, mirror } = this.#parts;
    statistics.add(STATISTICS.publications);
    if (wasReplaced) statistics.add(STATISTICS.overwrittenPublications);
    mirror?.touch();
  }
}

/** Returns the earlier of two times, either of which may be NaN. */
function earlier(a: number, b: number): number {
  return b < a || Number.isNaN(a) ? b : a;
}
