/** Counts the page's calls: it rings the doorbell for each, and the loop takes turns until they have arrived. */
import type { Endpoint } from 'comlink';
import type { WorkerControl } from '../../shared/protocol/control-protocol.js';
import { isPageUpdate } from '../../shared/protocol/transport.js';
import { thrownError } from '../../shared/util/errors.js';

export class PageCalls {
  /** Number of messages that have arrived (wraps at 2^32). */
  arrived = 0;
  /** Calls that run, and have no answer. */
  #open = 0;
  #mayRun: () => boolean = () => true;

  constructor(port: Endpoint) {
    port.addEventListener('message', (event) => {
      if (!isPageUpdate((event as MessageEvent<unknown>).data))
        this.arrived = (this.arrived + 1) | 0;
    });
  }

  /** Whether a call has no answer yet. It may wait for anything that happens in the event loop: an async query does. */
  get isBusy(): boolean {
    return this.#open > 0;
  }

  /** @param mayRun Called before each call from now on. A call that may not run is never answered. */
  askBefore(mayRun: () => boolean): void {
    this.#mayRun = mayRun;
  }

  /** What Comlink exposes. By itself, it sends an error without its cause. */
  counted(server: WorkerControl): WorkerControl {
    const made = Object.entries(server).map(([name, call]) => [
      name,
      async (...args: readonly unknown[]): Promise<unknown> => {
        // A stop ends the worker, whatever it does.
        if (name !== 'stop' && !this.#mayRun()) return new Promise(() => {});
        this.#open += 1;
        try {
          return await (call as (...given: readonly unknown[]) => unknown)(...args);
        } catch (error) {
          throw thrownError(error);
        } finally {
          this.#open -= 1;
        }
      },
    ]);
    return Object.fromEntries(made) as WorkerControl;
  }
}
