/** Handlers by event name. An error in a handler is reported and stops nothing. */
import { callReported } from '../util/report-uncaught.js';

export type EventHandler = (event: never) => void;

interface Listener {
  readonly handler: EventHandler;
  /** It receives only events with a higher number than this. */
  readonly after: number;
  isOn: boolean;
}

export class EventHandlers {
  /** The lists are replaced and never modified, so that a handler may add and remove handlers. */
  readonly #byName = new Map<string, readonly Listener[]>();

  has(name: string): boolean {
    return this.#byName.has(name);
  }

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  get names(): IterableIterator<string> {
    return this.#byName.keys();
  }

  /** @returns Removes the handler. */
  add(name: string, handler: EventHandler, after: number): () => void {
    const listener: Listener = { handler, after, isOn: true };
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), listener]);
    return () => this.#remove(name, listener);
  }

  call(name: string, event: object, order: number): void {
    for (const listener of this.#byName.get(name) ?? []) {
      // An earlier handler may have removed this one.
      if (!listener.isOn || listener.after >= order) continue;
      callReported(listener.handler, event as never);
    }
  }

  #remove(name: string, listener: Listener): void {
    listener.isOn = false;
    const others = this.#byName.get(name)?.filter((other) => other !== listener) ?? [];
    if (others.length > 0) this.#byName.set(name, others);
    else this.#byName.delete(name);
  }
}
