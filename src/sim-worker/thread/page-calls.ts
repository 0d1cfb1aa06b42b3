/**
 * The endpoint through which Comlink receives the page's calls and answers them.
 *
 * It counts the calls that arrive, since the page rings the doorbell for each. They run in order of arrival: if a call
 * waits for a part of the library to load, later calls wait behind it.
 *
 *     calls     seek        step   pause
 *     seek      └ loading ──────────────▶ runs
 *     step                  └ waits ──────▶ runs
 *     pause                        └ waits ─▶ runs
 */
import type { Endpoint } from 'comlink';
import { isPageUpdate } from '../../shared/protocol/transport.js';

type Receive = (event: Event) => void;

/** These do not wait: `stop` ends the worker, and ticks wait for `addAssets`. */
const AT_ONCE: ReadonlySet<unknown> = new Set(['stop', 'addAssets']);

export class PageCalls implements Endpoint {
  readonly #port: Endpoint;
  /** Comlink's listener. */
  #run: Receive = () => {};
  #arrived = 0;
  /** Calls that run, and have no answer. */
  #open = 0;
  #isLoading = false;
  readonly #waiting: Event[] = [];
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

  /** Number of messages whose calls have begun (wraps at 2^32). The loop takes turns until the others begin. */
  get begun(): number {
    return (this.#arrived - this.#waiting.length - Number(this.#isLoading)) | 0;
  }

  /** Whether a call waits for a part of the library, which loads only while the event loop runs. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Whether a call has no answer yet. It may wait for anything that happens in the event loop: an async query does. */
  get isBusy(): boolean {
    return this.#open > 0;
  }

  /** @param mayRun Called before each call from now on. A call that may not run is never answered. */
  askBefore(mayRun: () => boolean): void {
    this.#mayRun = mayRun;
  }

  /** Loads a part of the library and runs the rest of the current call with it. */
  loaded<Part, T>(load: () => Promise<Part>, call: (part: Part) => T): Promise<Awaited<T>> {
    this.#isLoading = true;
    const loading = load().finally(() => {
      this.#isLoading = false;
    });
    // Attached first, so the call runs before those that wait for the loading to end.
    const called = loading.then((part) =>
      this.#mayRun() ? call(part) : new Promise<never>(() => {}),
    );
    loading.then(this.#runWaiting, this.#runWaiting);
    return called as Promise<Awaited<T>>;
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
    this.#arrived = (this.#arrived + 1) | 0;
    const [name] = (data as { readonly path?: readonly unknown[] }).path ?? [];
    if (AT_ONCE.has(name)) this.#begin(event);
    else if (this.#isLoading) this.#waiting.push(event);
    else if (this.#mayRun()) this.#begin(event);
  }

  #begin(event: Event): void {
    this.#open += 1;
    this.#run(event);
  }

  readonly #runWaiting = (): void => {
    // The call that runs may load another part.
    while (!this.#isLoading) {
      const event = this.#waiting.shift();
      if (event === undefined) return;
      if (this.#mayRun()) this.#begin(event);
    }
  };
}
