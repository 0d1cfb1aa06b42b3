/** The parts that the classes of the loop share: those that it is given, and those that it creates once. */
import type { WorkerMessage, WorkerOptions } from '../../shared/protocol/control-protocol.js';
import { CONTROL, type BufferViews } from '../../shared/memory/layout.js';
import { Schedule } from '../../shared/time/schedule.js';
import type { SimulationRun } from '../run/simulation-run.js';
import type { LoopSleepParts } from './loop-sleep.js';
import { Pacer } from './pacer.js';
import { StatePublisher } from './state-publisher.js';
import { WorkerStatistics } from './worker-statistics.js';
import { type TickInputQueue, TickSource } from './tick-source.js';
import type { WorkerMirror } from './worker-mirror.js';

export interface LoopSetup extends LoopSleepParts {
  readonly views: BufferViews;
  readonly run: SimulationRun;
  /** Provides the page's inputs to the ticks. */
  readonly inputQueue: TickInputQueue;
  readonly options: WorkerOptions;
  /** Posts to the page, after updating the memory that the message refers to. */
  readonly post: (message: WorkerMessage) => void;
  /** For memory that is not shared: sends the changes to the page. */
  readonly mirror: Pick<WorkerMirror, 'touch' | 'send'> | undefined;
}

/** The control words through which the page observes the loop and stops it. */
export class LoopWords {
  readonly #control: Int32Array;
  readonly #mirror: Pick<WorkerMirror, 'touch'> | undefined;

  constructor(control: Int32Array, mirror?: Pick<WorkerMirror, 'touch'>) {
    this.#control = control;
    this.#mirror = mirror;
  }

  get isStopRequested(): boolean {
    return Atomics.load(this.#control, CONTROL.stopRequest) !== 0;
  }

  /** Signals that the loop is alive. */
  beat(): void {
    Atomics.add(this.#control, CONTROL.heartbeat, 1);
    this.#mirror?.touch();
  }

  /** @param activity One of WORKER_ACTIVITY. */
  setActivity(activity: number): void {
    Atomics.store(this.#control, CONTROL.activity, activity);
  }

  /** @param phase One of WORKER_PHASE. */
  setPhase(phase: number): void {
    Atomics.store(this.#control, CONTROL.phase, phase);
    this.#mirror?.touch();
  }

  /**
   * Whether the page has something to read in its queue of events, and wants a message about it. Resets the request: the
   * page repeats it after each message, and before it reads. So it must be called after the events were pushed.
   *
   * The queue itself is asked, because no counter has the record that ends all pairs.
   */
  takeEventNudge(): boolean {
    return (
      Atomics.load(this.#control, CONTROL.eventHead) !==
        Atomics.load(this.#control, CONTROL.eventTail) &&
      Atomics.exchange(this.#control, CONTROL.eventWakeRequested, 0) === 1
    );
  }
}

/** A function of the simulation threw its cause. Any other error that ends a loop is the library's. */
export class SimulationThrew extends Error {}

/** Why steps end when the run moves. */
export const TAKEN_ELSEWHERE = 'the run was taken elsewhere';

interface StepRequest {
  left: number;
  resolve(tick: number): void;
  reject(reason: Error): void;
}

/** A queue of requests for ticks that are stepped by hand while the simulation is paused. */
export class HandSteps {
  readonly #requests: StepRequest[] = [];

  get isEmpty(): boolean {
    return this.#requests.length === 0;
  }

  /** Resolves with the number of the last tick when all have run. Rejects if something else interrupts them. */
  add(ticks: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#requests.push({ left: ticks, resolve, reject });
    });
  }

  /**
   * Takes at most `max` ticks of the first request, and returns how many.
   *
   * @param possible Ticks left in the recording; the request ends with the last one.
   */
  take(max: number, possible: number): number {
    const [request] = this.#requests;
    if (request === undefined) return 0;
    const ticks = Math.min(request.left, possible, max);
    request.left = Math.min(request.left, possible) - ticks;
    return ticks;
  }

  /** Must be called when the taken ticks have run. Returns the first request's answer if it is complete. */
  done(): ((tick: number) => void) | undefined {
    return this.#requests[0]?.left === 0 ? this.#requests.shift()?.resolve : undefined;
  }

  /** @param cause Why the remaining ticks do not run. */
  end(cause: string): void {
    for (const { left, reject } of this.#requests.splice(0)) {
      reject(new Error(`the step ended with ${left} ticks to go: ${cause}`));
    }
  }
}

export type LoopParts = ReturnType<typeof createLoopParts>;

export function createLoopParts(setup: LoopSetup) {
  const { views, run, inputQueue, options, mirror, post } = setup;
  const schedule = new Schedule(options.tickRateHz);
  const pacer = new Pacer(schedule, options.maxCatchUpTicks, views.control);
  if (options.timeScale !== 1) pacer.setTimeScale(options.timeScale, 0);
  const statistics = new WorkerStatistics(views);
  return {
    ...setup,
    schedule,
    pacer,
    statistics,
    words: new LoopWords(views.control, mirror),
    tickSource: new TickSource({ run, inputQueue, schedule, statistics }),
    publisher: new StatePublisher({ views, run, schedule, statistics, mirror, post }),
    steps: new HandSteps(),
  };
}
