/**
 * Detects that a worker hangs: it is in a tick, and its heartbeat does not change.
 *
 * A worker that hangs and one that gets no processor time look the same from here. The page itself distinguishes them.
 * It runs on the same machine, so if its own checks are late, the machine was short of processors or suspended, and the
 * worker's lack of progress proves nothing: a late check counts as one that was in time (see page-clock.ts). If
 * everything is suspended for 5 s, 0.1 s of it counts. A sleeping worker is not in a tick and never counts, however
 * late the system wakes it.
 *
 *     checks   │    │    │                         │    │    │
 *     counted  100  100  100                       100  100  100 ms
 *                        └─ the machine is suspended ─┘
 *
 * One case remains: a worker that gets no processor in the middle of a tick while the page gets enough. It counts as
 * hanging, like a step that takes too long. So a stall ends nothing: it is reported, and calls wait for the worker. A
 * worker is only given up after a limit several times as long.
 *
 * The cost: on a hidden page, where timers fire once per second, a hang is detected ten times later.
 */
import { CONTROL, WORKER_ACTIVITY } from '../../shared/memory/layout.js';
import { AwakeTime, LOOK_MS, PAGE_CLOCK, type PageClock } from './page-clock.js';

export interface LivenessLimits {
  /** The longest that a tick may take, in ms. */
  readonly hangLimitMs: number;
  /** The longest that control calls and queries may take, in ms. */
  readonly queryLimitMs: number;
}

export interface LivenessEvents {
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
