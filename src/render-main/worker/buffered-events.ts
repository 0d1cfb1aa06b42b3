/** Buffers a worker's failures until a listener exists: the page may still be loading that code. */
import type { WorkerLike } from '../api/create-worker.js';

/**
 * Events of the worker itself. Its messages come through a port; others belong to the application. Only Node has
 * `exit`: a browser does not report that a worker has closed itself.
 */
export const WORKER_EVENTS = ['error', 'exit'] as const;

export class BufferedEvents {
  readonly #worker: WorkerLike;
  readonly #events: Event[] = [];

  constructor(worker: WorkerLike) {
    this.#worker = worker;
    for (const type of WORKER_EVENTS) worker.addEventListener(type, this.#onEvent);
  }

  /** Returns the buffered events, in order, and stops listening: the caller must listen from the same task on. */
  take(): readonly Event[] {
    for (const type of WORKER_EVENTS) this.#worker.removeEventListener(type, this.#onEvent);
    return this.#events.splice(0);
  }

  readonly #onEvent = (event: Event): void => void this.#events.push(event);
}
