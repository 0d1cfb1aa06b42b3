/** Publishes what the loop has made, ticks and changes of the schedule, and counts the publications. */
import type { Schedule } from '../../shared/time/schedule.js';
import { SnapshotWriter } from '../bodies/snapshot-writer.js';
import { STATISTICS, type BufferViews } from '../../shared/memory/layout.js';
import type { SimulationRun } from '../run/simulation-run.js';
import type { WorkerStatistics } from './statistics.js';
import type { WorkerMirror } from './worker-mirror.js';

/** What is published, and where. */
export interface StatePublisherParts {
  readonly views: BufferViews;
  readonly run: SimulationRun;
  readonly schedule: Schedule;
  readonly statistics: WorkerStatistics;
  /** Memory that is not shared: tells the page what was written to it. */
  readonly mirror: Pick<WorkerMirror, 'touch' | 'send'> | undefined;
}

export class StatePublisher {
  readonly #parts: StatePublisherParts;
  readonly #writer: SnapshotWriter;
  #lastVirtualMs = 0;
  /** Of the earliest input whose state the page has not fetched, as far as is known; NaN: none. */
  #unseenInputMs = Number.NaN;

  constructor(parts: StatePublisherParts) {
    const { bodies } = parts.run;
    this.#parts = parts;
    this.#writer = new SnapshotWriter(parts.views, bodies);
    bodies.beginState(this.#writer.nextState);
  }

  /**
   * Virtual time, in ms, of a state whose tick is due then. A change of rate or scale may put the next due time before the last
   * one; the display never goes back, so neither do the states.
   */
  virtualMsOf(dueVirtualMs: number): number {
    return Math.max(this.#lastVirtualMs, dueVirtualMs);
  }

  /**
   * Publishes the bodies as they are now.
   *
   * @param latenessMs Publication minus due time, in ms.
   * @param inputMs Page time of the earliest input that the tick was given, in ms; NaN: none.
   */
  publishState(dueVirtualMs: number, latenessMs: number, inputMs = Number.NaN): void {
    this.#publishState(dueVirtualMs, latenessMs, inputMs, false);
  }

  /** Publishes the bodies as they are now and nothing before them: the page draws nothing between what was and this. */
  publishCut(): void {
    this.#publishState(this.#parts.schedule.originVirtualMs, 0, Number.NaN, true);
    // Somebody waits for just this: the answer to the call is not to overtake it.
    this.#parts.mirror?.send(true);
  }

  /** Publishes the states that there are with the schedule as it is now. */
  publishSchedule(): void {
    this.#count(this.#writer.publishSchedule(this.#parts.schedule));
    // As above.
    this.#parts.mirror?.send(true);
  }

  #publishState(dueVirtualMs: number, latenessMs: number, inputMs: number, cut: boolean): void {
    const { run, schedule, statistics } = this.#parts;
    this.#lastVirtualMs = this.virtualMsOf(dueVirtualMs);
    const wasReplaced = this.#writer.publishState(
      {
        tick: run.tick,
        virtualMs: this.#lastVirtualMs,
        simulatedSeconds: run.simulatedSeconds,
        journals: run.journals,
        latenessMs: schedule.isPaused ? 0 : latenessMs,
        inputMs: earlier(inputMs, this.#unseenInputMs),
      },
      schedule,
      cut,
    );
    this.#unseenInputMs = wasReplaced ? earlier(inputMs, this.#unseenInputMs) : inputMs;
    run.bodies.beginState(this.#writer.nextState);
    statistics.set(STATISTICS.invalidPoses, run.bodies.invalidPoses);
    this.#count(wasReplaced);
  }

  #count(wasReplaced: boolean): void {
    const { statistics, mirror } = this.#parts;
    statistics.add(STATISTICS.publications);
    if (wasReplaced) statistics.add(STATISTICS.overwrittenPublications);
    mirror?.touch();
  }
}

/** The earlier of two moments of which there may be none (NaN). */
function earlier(a: number, b: number): number {
  return b < a || Number.isNaN(a) ? b : a;
}
