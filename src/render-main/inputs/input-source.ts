/** What all sources of inputs have in common. */
import type { InputSink } from '../../shared/input/input-event.js';

/**
 * Turns what a device does into inputs for the simulation.
 *
 * What is held (a key, a button, a stick away from the middle) is never left behind: losing the focus, the window
 * or the device releases it. While the queue is full, changes wait in the source, of each key only the last;
 * they are pushed again, oldest first and with the stamps they had, before anything else is: at the source's
 * next event or poll, or by `flush`. So once the queue takes inputs again, the simulation is told exactly what is
 * held. Lost are presses that were over by then, and what has no lasting state (moves of a pointer, the wheel).
 */
export interface InputSource {
  /** Releases everything that is held now. A key counts as held again only when it is pressed anew. */
  release(): void;
  /**
   * Pushes again what the full queue had refused: for the frame loop, where it costs nothing while nothing waits.
   *
   * @returns False while something still waits.
   */
  flush(): boolean;
  /** Stops listening and releases everything that is held. What the queue then refuses `flush` still pushes. */
  dispose(): void;
}

/** @throws TypeError if it does not take inputs. */
export function requireSink(sink: InputSink): InputSink {
  if (typeof sink !== 'object' || sink === null || typeof sink.push !== 'function') {
    throw new TypeError("sink must take inputs by push(), as the handle's inputs do");
  }
  return sink;
}

/** @throws TypeError if the options of a source are no object. */
export function requireOptions(what: string, options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`options of ${what} must be an object`);
  }
}

/** @throws TypeError if it is neither undefined nor a function. */
export function requireOptionalFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') {
    throw new TypeError(`${name} must be a function`);
  }
}

/** @throws TypeError if it cannot be listened to. */
export function requireTarget<T extends EventTarget>(target: T | undefined): T {
  if (typeof target?.addEventListener !== 'function') {
    throw new TypeError('target must be an event target, such as a canvas');
  }
  return target;
}
