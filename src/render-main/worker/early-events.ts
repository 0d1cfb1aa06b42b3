/** How a worker fails before anybody listens to it: the page may still be loading the part that does. */
import type { WorkerLike } from './worker-like.js';

/**
 * What is worth hearing of a worker itself. Messages come through a port, and others are the application's. `exit` is Node's
 * alone: a browser does not tell when a worker closes itself.
 */
export const WORKER_EVENTS = ['error', 'exit'] as const;

export class EarlyEvents {
  readonly #worker: WorkerLike;
  readonly #heard: Event[] = [];

  /** Listens from now on. */
  constructor(worker: WorkerLike) {
    this.#worker = worker;
    for (const type of WORKER_EVENTS) worker.addEventListener(type, this.#hear);
  }

  /** What was heard, in order. Listens no more: who takes it is to listen from the same task on. */
  take(): readonly Event[] {
    for (const type of WORKER_EVENTS) this.#worker.removeEventListener(type, this.#hear);
    return this.#heard.splice(0);
  }

  readonly #hear = (event: Event): void => {
    // Whoever takes it reports it; by itself the browser would do so as well.
    event.preventDefault();
    this.#heard.push(event);
  };
}
