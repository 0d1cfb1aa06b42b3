/** How a worker fails before anybody listens to it: the page may still be loading the part that does. */
import type { WorkerLike } from '../api/create-worker.js';

/**
 * What is worth hearing of a worker itself. Messages come through a port, and others are the application's. `exit` is Node's
 * alone: a browser does not tell when a worker closes itself.
 */
export const WORKER_EVENTS = ['error', 'exit'] as const;

export class BufferedEvents {
  readonly #worker: WorkerLike;
  readonly #events: Event[] = [];

  /** Listens from now on. */
  constructor(worker: WorkerLike) {
    this.#worker = worker;
    for (const type of WORKER_EVENTS) worker.addEventListener(type, this.#onEvent);
  }

  /** What was heard, in order. Listens no more: who takes it is to listen from the same task on. */
  take(): readonly Event[] {
    for (const type of WORKER_EVENTS) this.#worker.removeEventListener(type, this.#onEvent);
    return this.#events.splice(0);
  }

  readonly #onEvent = (event: Event): void => {
    // Whoever takes it reports it; by itself the browser would do so as well.
    event.preventDefault();
    this.#events.push(event);
  };
}
