/**
 * Notices that a worker hangs: it says that it is in a tick, and its heartbeat stands.
 *
 * Only time during which this page itself was awake counts. A page that was blocked, frozen or asleep looks after
 * a long time at a worker that may just have gone on, and must not take that for a hang.
 */
import { CONTROL, WORKER_ACTIVITY } from '../shared/layout.js';

const POLL_MS = 100;
/** Most that one look counts, in ms. */
const MOST_A_LOOK_MS = 2 * POLL_MS;

export interface LivenessLimits {
  /** A tick may take so long, in ms. */
  readonly hangLimitMs: number;
  /** Control calls and queries may take so long, in ms. */
  readonly queryLimitMs: number;
}

export interface LivenessEvents {
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
  #control: Int32Array | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #lastLookMs = 0;
  #heartbeat = 0;
  #stalledMs = 0;
  #isStalled = false;

  constructor(limits: LivenessLimits, events: LivenessEvents) {
    this.#limits = limits;
    this.#events = events;
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
    this.#lastLookMs = performance.now();
    this.#timer = setInterval(() => this.#look(), POLL_MS);
    // In Node a timer alone would keep the process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#control = undefined;
  }

  #look(): void {
    const control = this.#control;
    if (control === undefined) return;
    const nowMs = performance.now();
    const elapsedMs = Math.min(nowMs - this.#lastLookMs, MOST_A_LOOK_MS);
    this.#lastLookMs = nowMs;
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
    this.#stalledMs += elapsedMs;
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
