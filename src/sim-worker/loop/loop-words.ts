/** The control words through which the page observes the loop and stops it. */
import { CONTROL } from '../../shared/memory/layout.js';
import type { WorkerMirror } from './worker-mirror.js';

export class LoopWords {
  readonly #control: Int32Array;
  readonly #mirror: Pick<WorkerMirror, 'touch'> | undefined;

  constructor(control: Int32Array, mirror: Pick<WorkerMirror, 'touch'> | undefined) {
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

  /** Whether the page wants a message about new events. Resets the request: the page repeats it after each message. */
  takeEventNudge(): boolean {
    return Atomics.exchange(this.#control, CONTROL.eventWakeRequested, 0) === 1;
  }
}
