/**
 * Notices that a worker hangs: it says that it is in a tick, and its heartbeat stands.
 *
 * A worker that hangs and one that the system gives no processor look alike from here: neither moves. What tells them
 * apart is this page. It lives on the same machine, so where its own looks come late, the machine was short of
 * processors or stood still, and that the worker has not moved meanwhile is no evidence: a late look counts as one that
 * was in time (see page-clock.ts). When all stand still for 5 s, 0.1 s of it counts. A worker that sleeps is not in a
 * tick and never counts, however late the system wakes it.
 *
 *     looks    │    │    │                         │    │    │
 *     counted  100  100  100                       100  100  100 ms
 *                        └── the machine stands ──┘
 *
 * What is left: a worker that gets no processor in the middle of a tick, while the page has all that it wants. It counts
 * as hanging, as a step does that is too long. So a stall ends nothing: it is told, and what was asked of the worker
 * waits for it. A worker is given up only after a limit that is several times as long.
 *
 * The price: where timers come once a second, on a page that is hidden, a hang is noticed ten times later.
 */
import { CONTROL, WORKER_ACTIVITY } from '../../shared/memory/layout.js';
import { AwakeTime, LOOK_MS, PAGE_CLOCK, type PageClock } from './page-clock.js';

export interface LivenessLimits {
  /** A tick may take so long, in ms. */
  readonly hangLimitMs: number;
  /** Control calls and queries may take so long, in ms. */
  readonly queryLimitMs: number;
}

export interface LivenessEvents {
  /** Called at each look, before it. */
  readonly onLook?: () => void;
  /** The worker has not moved for as long as it may. @param stalledMs For how long, in ms. */
  readonly onStall: (stalledMs: number) => void;
  /** It goes on hanging. */
  readonly onStillStalled: (stalledMs: number) => void;
  /** It has moved again. */
  readonly onRecovery: () => void;
}

export class LivenessMonitor {
  readonly #limits: LivenessLimits;
  readonly #events: LivenessEvents;
  readonly #clock: PageClock;
  #control: Int32Array | undefined;
  #awake: AwakeTime;
  #end: () => void = () => {};
  #heartbeat = 0;
  #stalledMs = 0;
  #isStalled = false;

  constructor(limits: LivenessLimits, events: LivenessEvents, clock: PageClock = PAGE_CLOCK) {
    this.#limits = limits;
    this.#events = events;
    this.#clock = clock;
    this.#awake = new AwakeTime(clock);
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** Watches a worker, from now on. */
  watch(control: Int32Array): void {
    this.stop();
    this.#control = control;
    this.#stalledMs = 0;
    this.#isStalled = false;
    this.#awake = new AwakeTime(this.#clock);
    this.#end = this.#clock.every(LOOK_MS, () => this.#look(), false);
  }

  stop(): void {
    this.#end();
    this.#control = undefined;
  }

  #look(): void {
    this.#events.onLook?.();
    const control = this.#control;
    if (control === undefined) return;
    const countedMs = this.#awake.look();
    const heartbeat = Atomics.load(control, CONTROL.heartbeat);
    const activity = Atomics.load(control, CONTROL.activity);
    if (heartbeat !== this.#heartbeat || activity === WORKER_ACTIVITY.idle) {
      this.#heartbeat = heartbeat;
      this.#stalledMs = 0;
      if (this.#isStalled) {
        this.#isStalled = false;
        this.#events.onRecovery();
      }
      return;
    }
    this.#stalledMs += countedMs;
    const { hangLimitMs, queryLimitMs } = this.#limits;
    if (this.#stalledMs < (activity === WORKER_ACTIVITY.ticking ? hangLimitMs : queryLimitMs))
      return;
    if (this.#isStalled) {
      this.#events.onStillStalled(this.#stalledMs);
    } else {
      this.#isStalled = true;
      this.#events.onStall(this.#stalledMs);
    }
  }
}
