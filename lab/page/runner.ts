/** Runs the steppers in a worker; only the newest request counts. */
import type { RunRequest, RunResult } from './run-messages.js';

export interface RunEvents {
  /** @param done How many of all are done, including this one. */
  readonly onResult: (result: RunResult, done: number, all: number) => void;
  readonly onFailure: (message: string) => void;
}

export class Runner {
  readonly #events: RunEvents;
  #worker: Worker | undefined;
  #waiting = 0;

  constructor(events: RunEvents) {
    this.#events = events;
  }

  /** Results of an earlier request are dropped. */
  run(request: RunRequest): void {
    // A worker in the middle of a long run cannot receive anything: a new one is faster.
    if (this.#waiting > 0) this.#end();
    this.#worker ??= this.#create();
    this.#waiting = request.kinds.length;
    this.#worker.postMessage(request);
  }

  #create(): Worker {
    const worker = new Worker(new URL('./run-worker.ts', import.meta.url), { type: 'module' });
    let all = 0;
    worker.addEventListener('message', (event: MessageEvent<RunResult>) => {
      all = Math.max(all, this.#waiting);
      this.#waiting -= 1;
      const total = all;
      if (this.#waiting === 0) all = 0;
      this.#events.onResult(event.data, total - this.#waiting, total);
    });
    worker.addEventListener('error', (event) => {
      this.#end();
      this.#events.onFailure(
        event.message || 'The worker that runs the loops could not be loaded.',
      );
    });
    return worker;
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#waiting = 0;
  }
}
