/**
 * The parts that all input sources share: they release what is held when the user leaves the page, and push again what a
 * full queue has refused.
 */
import type { InputSink, InputValues } from '../shared/input/tick-inputs.js';
import { fedSinks, isDevelopment } from '../shared/util/development.js';

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

/** Releases what is held when the user leaves the page: from then on it receives no input events. */
export abstract class ReleasingSource implements InputSource {
  protected readonly state: ReliableInputState;
  protected readonly stamps = new EventStamps();
  /** Ends all listeners of the source. */
  protected readonly listening = new AbortController();
  /** The window has lost the focus, or is hidden or frozen, and has not come back yet. */
  protected isAway = false;

  constructor(sink: InputSink) {
    this.state = new ReliableInputState(sink);
  }

  release(): void {
    this.releaseAll(this.stamps.now());
  }

  flush(): boolean {
    return this.state.flush();
  }

  dispose(): void {
    // First, so that a sink that throws leaves no listener behind.
    this.listening.abort();
    this.release();
  }

  protected abstract releaseAll(stampMs: number): void;

  protected watchFocus(view: Window): void {
    const page = view.document;
    const { signal } = this.listening;
    this.isAway = page.hidden;
    // The focus may be lost and the page hidden in one departure.
    const leave = (event: Event): void => {
      this.isAway = true;
      this.releaseAll(this.stamps.of(event));
    };
    const comeBack = (): void => {
      this.isAway = page.hidden;
    };
    // A visible page need not be in use: the focus may be in another window.
    const comeBackFocused = (): void => {
      if (page.hasFocus()) comeBack();
    };
    view.addEventListener('blur', leave, { signal });
    view.addEventListener('pagehide', leave, { signal });
    view.addEventListener('focus', comeBack, { signal });
    view.addEventListener('pageshow', comeBackFocused, { signal });
    page.addEventListener('freeze', leave, { signal });
    page.addEventListener('resume', comeBackFocused, { signal });
    page.addEventListener(
      'visibilitychange',
      (event) => (page.hidden ? leave(event) : comeBackFocused()),
      { signal },
    );
  }
}

/** Time stamps of events on the page's clock, in the order in which they were reported. */
export class EventStamps {
  #lastMs = 0;

  /**
   * An event's own stamp, which precedes its handler by the time that the page was busy.
   *
   * Engines have stamped events with 0, with the wall clock, and (coarsened against fingerprinting) with a future time;
   * those are replaced with the time at which the event is handled. A stamp before that of the previous event, which
   * would let a release overtake its press, becomes equal to it.
   *
   * @returns ms on the clock of `performance.now()`; never lower than the one returned before.
   */
  of({ timeStamp }: { readonly timeStamp: number }): number {
    const nowMs = performance.now();
    const isPlausible = timeStamp > 0 && timeStamp <= nowMs;
    this.#lastMs = Math.max(this.#lastMs, isPlausible ? timeStamp : nowMs);
    return this.#lastMs;
  }

  /** The stamp of a change without an event. */
  now(): number {
    return this.of({ timeStamp: performance.now() });
  }
}

/** @throws TypeError if the sink takes no inputs. */
export function requireSink(sink: InputSink): void {
  if (typeof sink === 'object' && sink !== null && typeof sink.push === 'function') return;
  throw new TypeError("sink must take inputs by push(), as the handle's inputs do");
}

/** @throws TypeError if the value has no events. */
export const eventTarget = <T extends EventTarget>(name: string, value: unknown): T => {
  if (typeof (value as T | undefined)?.addEventListener === 'function') return value as T;
  throw new TypeError(`${name} must be an event target, such as a canvas`);
};

/** The properties of a window, a document or an element that lead to the window. */
interface ViewOwner extends EventTarget {
  readonly window?: Window;
  readonly defaultView?: Window | null;
  readonly ownerDocument?: Document | null;
}

/**
 * The window that an event target belongs to: its own, or the one of this script.
 *
 * @throws TypeError if there is none.
 */
export function viewOf(target: EventTarget): Window {
  const { window, defaultView, ownerDocument } = target as ViewOwner;
  const view = window ?? defaultView ?? ownerDocument?.defaultView ?? globalThis.window;
  if (view === undefined) throw new TypeError('target must belong to a window');
  return view;
}

/** An input that the queue has not accepted yet. */
interface WaitingInput {
  readonly value: number;
  readonly input: InputValues;
  readonly stampMs: number;
}

/**
 * Inputs for a state (a key down, a stick at 0.4), sent so that the last one always arrives.
 *
 * A full queue refuses inputs, and a refused release would leave a key stuck. So each control has two values: the one
 * that the queue accepted last and the one that must still be sent.
 *
 *     press     accepted           sent 1
 *     release   refused            sent 1, waiting 0
 *     flush     accepted           sent 0
 *
 *     press     refused            sent 0, waiting 1
 *     release                      sent 0              nothing left to send
 *
 * @typeParam Id Identifies a control.
 */
export class ReliableInputState<Id extends number | string = number> {
  readonly #sink: InputSink;
  /** Accepted values by control, without controls at rest (0). */
  readonly #sent = new Map<Id, number>();
  /** Oldest first. New inputs are pushed after all of these, to preserve the order. */
  readonly #waiting = new Map<Id, WaitingInput>();

  constructor(sink: InputSink) {
    this.#sink = sink;
    if (isDevelopment) fedSinks.add(sink);
  }

  /** A control's newest value, whether or not the queue accepted it. */
  last(id: Id): number {
    return this.#waiting.get(id)?.value ?? this.#sent.get(id) ?? 0;
  }

  /** The controls whose newest value is not 0. */
  held(): Id[] {
    const ids = new Set([...this.#sent.keys(), ...this.#waiting.keys()]);
    return [...ids].filter((id) => this.last(id) !== 0);
  }

  /** Sets a control's value; nothing is pushed if it has not changed. @returns False while something still waits. */
  set(id: Id, value: number, input: InputValues, stampMs: number): boolean {
    if (this.last(id) !== value) {
      // Deleted first, so that the new value goes to the end of the waiting ones.
      this.#waiting.delete(id);
      if ((this.#sent.get(id) ?? 0) !== value) this.#waiting.set(id, { value, input, stampMs });
    }
    return this.flush();
  }

  /** Pushes an input without a lasting state. It is lost when the queue is full. */
  pass(input: InputValues, stampMs: number): void {
    if (this.flush()) this.#sink.push(input, stampMs);
  }

  /** @returns False while something still waits. */
  flush(): boolean {
    for (const [id, { value, input, stampMs }] of this.#waiting) {
      if (!this.#sink.push(input, stampMs)) return false;
      this.#waiting.delete(id);
      if (value === 0) this.#sent.delete(id);
      else this.#sent.set(id, value);
    }
    return true;
  }
}
