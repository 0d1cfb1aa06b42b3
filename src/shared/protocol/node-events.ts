/**
 * Node's worker threads use emitters (`on('message', data)`), browsers use events with a `data` field. This adapts
 * the former to the latter, without importing anything from Node.
 */

/** The part of Node's `Worker` and `MessagePort` that is used. */
export interface NodeEmitter {
  /** As Node's. */
  postMessage(message: unknown, transfer?: readonly never[]): void;
  /** As Node's. */
  on(type: string, listener: (value: unknown) => void): unknown;
  /** As Node's. */
  off(type: string, listener: (value: unknown) => void): unknown;
}

/** The event for a listener: enough of a MessageEvent and of an ErrorEvent. */
interface EmittedEvent {
  readonly type: string;
  readonly data: unknown;
  readonly message: string;
  readonly error: unknown;
  preventDefault(): void;
}

type Listener = (event: EmittedEvent) => void;

/** Listeners as in browsers, on an emitter of Node. */
export class NodeEvents {
  readonly #emitter: NodeEmitter;
  /** By type: a listener may listen to several. */
  readonly #wrapped = new Map<string, Map<Listener, (value: unknown) => void>>();

  constructor(emitter: NodeEmitter) {
    this.#emitter = emitter;
  }

  addEventListener(type: string, listener: Listener): void {
    const wrapped = (value: unknown): void => {
      listener({
        type,
        data: value,
        message: type === 'error' ? messageOf(value) : '',
        error: value,
        preventDefault: () => {},
      });
    };
    const listeners = this.#wrapped.get(type) ?? new Map<Listener, typeof wrapped>();
    if (listeners.has(listener)) return;
    this.#wrapped.set(type, listeners.set(listener, wrapped));
    this.#emitter.on(type, wrapped);
  }

  removeEventListener(type: string, listener: Listener): void {
    const wrapped = this.#wrapped.get(type)?.get(listener);
    if (wrapped === undefined) return;
    this.#wrapped.get(type)?.delete(listener);
    this.#emitter.off(type, wrapped);
  }
}

/** Anything can be thrown. */
const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
