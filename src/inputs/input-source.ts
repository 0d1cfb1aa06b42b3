/** What all input sources have in common. */
import type { InputSink } from '../shared/input/tick-inputs.js';
import { ReliableInputState } from './reliable-input-state.js';

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

/** Where events happen. */
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
