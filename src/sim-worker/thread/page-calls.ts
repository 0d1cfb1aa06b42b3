/**
 * The endpoint through which Comlink receives the page's calls and answers them. It counts the calls that arrive, since
 * the page rings the doorbell for each.
 */
import type { Endpoint } from 'comlink';
import { isPageUpdate } from '../../shared/protocol/transport.js';

type Receive = (event: Event) => void;

/** A stop ends the worker, whatever it does, and assets are for a tick to come. */
const AT_ONCE: ReadonlySet<unknown> = new Set(['stop', 'addAssets']);

export class PageCalls implements Endpoint {
  readonly #port: Endpoint;
  /** Comlink's listener. */
  #run: Receive = () => {};
  /** Number of messages that have arrived (wraps at 2^32). The loop takes turns until the others arrive. */
  arrived = 0;
  /** Calls that run, and have no answer. */
  #open = 0;
  #mayRun: () => boolean = () => true;

  /** @param isCall Whether a message is a call; otherwise, it does not reach Comlink. */
  constructor(port: Endpoint, isCall: (message: unknown) => boolean) {
    this.#port = port;
    port.addEventListener('message', (event) => {
      const { data } = event as MessageEvent<unknown>;
      // For the mirror of the page's memory, which checks it.
      if (!isPageUpdate(data) && isCall(data)) this.#receive(event, data);
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

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
    this.#open -= 1;
  }

  addEventListener(_: string, listener: unknown): void {
    this.#run = listener as Receive;
  }

  removeEventListener(): void {
    this.#run = () => {};
  }

  start(): void {
    this.#port.start?.();
  }

  #receive(event: Event, data: unknown): void {
    this.arrived = (this.arrived + 1) | 0;
    const [name] = (data as { readonly path?: readonly unknown[] }).path ?? [];
    if (!AT_ONCE.has(name) && !this.#mayRun()) return;
    this.#open += 1;
    this.#run(event);
  }
}
