/** What a worker says before anybody listens to it: the page may still be loading the part that does. */
import type { WorkerLike } from './worker-like.js';

/** What is worth hearing of a worker. `exit` is Node's alone: a browser does not tell when a worker closes itself. */
export const WORKER_EVENTS = ['message', 'error', 'messageerror', 'exit'] as const;
export type WorkerEventType = (typeof WORKER_EVENTS)[number];

export interface EarlyEvent {
  readonly type: WorkerEventType;
  readonly event: Event;
}

export class EarlyEvents {
  readonly #heard: EarlyEvent[] = [];
  #release: (() => void) | undefined;

  /** Listens from now on. */
  constructor(worker: WorkerLike) {
    const listeners = WORKER_EVENTS.map((type) => {
      const listener = (event: Event): void => {
        // Whoever takes it reports it; by itself the browser would do so as well.
        if (type === 'error') event.preventDefault();
        this.#heard.push({ type, event });
      };
      worker.addEventListener(type, listener);
      return { type, listener };
    });
    this.#release = () => {
      for (const { type, listener } of listeners) worker.removeEventListener(type, listener);
    };
  }

  /** What was heard, in order. Listens no more: who takes it is to listen from the same task on. */
  take(): readonly EarlyEvent[] {
    this.#release?.();
    this.#release = undefined;
    return this.#heard.splice(0);
  }
}
