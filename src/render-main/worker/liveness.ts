/**
 * Detects that a worker hangs: it is in a tick, and its heartbeat does not change. A sleeping worker is not in a tick.
 *
 * A worker that gets no processor time looks the same from here. But if the machine was short of processors or
 * suspended, the page's own checks are late, and a late check counts as one that was in time (see page-clock.ts):
 *
 *     checks   │    │    │                         │    │    │
 *     counted  100  100  100                       100  100  100 ms
 *                        └─ the machine is suspended ─┘
 *
 * A worker that alone gets no processor still counts as hanging. So a stall ends nothing: it is reported, and calls wait.
 * A worker is only given up after a limit several times as long.
 */
import { CONTROL, WORKER_ACTIVITY } from '../../shared/memory/layout.js';
import { LOOK_MS, everyAwake, type PageClock } from './page-clock.js';

interface LivenessLimits {
  /** The longest that a tick may take, in ms. */
  readonly hangLimitMs: number;
  /** The longest that control calls and queries may take, in ms. */
  readonly queryLimitMs: number;
}

interface LivenessEvents {
  /** Called at the start of each check. */
  readonly onLook?: () => void;
  /** The worker has not moved within the limit. @param stalledMs For how long, in ms. */
  readonly onStall: (stalledMs: number) => void;
  /** It is still stalled. */
  readonly onStillStalled: (stalledMs: number) => void;
  /** It has moved again. */
  readonly onRecovery: () => void;
}

export class LivenessMonitor {
  readonly #limits: LivenessLimits;
  readonly #events: LivenessEvents;
  readonly #clock: PageClock;
  #control: Int32Array | undefined;
  #end: () => void = () => {};
  #heartbeat = 0;
  #stalledMs = 0;
  #isStalled = false;

  constructor(limits: LivenessLimits, events: LivenessEvents, clock: PageClock) {
    this.#limits = limits;
    this.#events = events;
    this.#clock = clock;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  watch(control: Int32Array): void {
    this.stop();
    this.#control = control;
    this.#stalledMs = 0;
    this.#isStalled = false;
    this.#end = everyAwake(this.#clock, LOOK_MS, (awakeMs) => this.#look(awakeMs), false);
  }

  stop(): void {
    this.#end();
    this.#control = undefined;
  }

  #look(awakeMs: number): void {
    this.#events.onLook?.();
    const control = this.#control;
    if (control === undefined) return;
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
    this.#stalledMs += awakeMs;
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
