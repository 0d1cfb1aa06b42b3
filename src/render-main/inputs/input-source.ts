/** What all input sources have in common. */
import type { InputSink } from '../../shared/input/input-event.js';

/**
 * Turns what a device does into inputs for the simulation.
 *
 * Nothing stays held by mistake (a key, a button, a stick away from the centre): losing the focus, the window or the
 * device releases it. While the queue is full, changes wait in the source, only the last one per key. They are pushed
 * again, oldest first and with their original stamps, before anything else: at the source's next event or poll, or by
 * `flush`. So once the queue accepts inputs again, the simulation receives exactly what is held. Lost are presses that
 * were over by then, and inputs without a lasting state (pointer moves, the wheel).
 */
export interface InputSource {
  /** Releases everything that is held. A key only counts as held again when it is pressed again. */
  release(): void;
  /**
   * Pushes again what the full queue refused. Meant for the frame loop: it costs nothing if nothing is waiting.
   *
   * @returns False while something still waits.
   */
  flush(): boolean;
  /** Stops listening and releases everything that is held. `flush` still pushes releases that the queue refuses. */
  dispose(): void;
}

/** @throws TypeError if it does not accept inputs. */
export function requireSink(sink: InputSink): InputSink {
  if (typeof sink !== 'object' || sink === null || typeof sink.push !== 'function') {
    throw new TypeError("sink must take inputs by push(), as the handle's inputs do");
  }
  return sink;
}

/** @throws TypeError if the options of a source are not an object. */
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

/** @throws TypeError if it is not an event target. */
export function requireTarget<T extends EventTarget>(target: T | undefined): T {
  if (typeof target?.addEventListener !== 'function') {
    throw new TypeError('target must be an event target, such as a canvas');
  }
  return target;
}
