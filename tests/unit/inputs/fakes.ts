/**
 * A page without a browser: a window, a canvas, events with timestamps, and a queue that can be
 * full.
 */
import { setMaxListeners } from 'node:events';
import { vi } from 'vitest';
import type { InputSink, InputValues } from '../../../src/shared/input/tick-inputs.js';

// Node warns of more listeners per signal than these, which browsers do not; a source has more.
setMaxListeners(20);

/** Counts its listeners. */
class CountingTarget extends EventTarget {
  readonly #signals: (AbortSignal | undefined)[] = [];

  /** How many listeners have not been removed. */
  get listeners(): number {
    return this.#signals.filter((signal) => signal?.aborted !== true).length;
  }

  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: AddEventListenerOptions,
  ): void {
    this.#signals.push(options?.signal);
    super.addEventListener(type, listener, options);
  }
}

class FakeDocument extends CountingTarget {
  hidden = false;
  isFocused = true;
  hasFocus(): boolean {
    return this.isFocused;
  }
}

export class FakeWindow extends CountingTarget {
  readonly window = this;
  readonly document = new FakeDocument();

  /** Hides or shows the page. */
  show(isShown: boolean, timeStamp = 900): void {
    this.document.hidden = !isShown;
    this.document.dispatchEvent(fakeEvent('visibilitychange', { timeStamp }));
  }
}

/** 200 × 100 pixels, with the upper left corner at (10, 20). */
export class FakeCanvas extends CountingTarget {
  readonly ownerDocument: { readonly defaultView: FakeWindow };
  readonly captured: number[] = [];
  clientHeight = 100;
  size = { width: 200, height: 100 };

  constructor(view: FakeWindow) {
    super();
    this.ownerDocument = { defaultView: view };
  }

  getBoundingClientRect() {
    return { left: 10, top: 20, ...this.size };
  }

  setPointerCapture(pointerId: number): void {
    this.captured.push(pointerId);
  }
}

/** Opens a page whose clock is at 1000 ms, until the test ends. */
export function openPage(): FakeWindow {
  const page = new FakeWindow();
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', page.document);
  setClock(1000);
  return page;
}

export function setClock(nowMs: number): void {
  vi.spyOn(performance, 'now').mockReturnValue(nowMs);
}

/** An event with the properties of a browser's. */
export function fakeEvent(type: string, properties: Record<string, unknown> = {}): Event {
  const event = new Event(type, { cancelable: true });
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(event, name, { value });
  }
  return event;
}

export interface Pushed extends InputValues {
  readonly stampMs: number;
}

/** Records what it receives, until it is full. */
export class FakeSink implements InputSink {
  readonly pushed: Pushed[] = [];
  /** How many more inputs it accepts. */
  room = Infinity;

  push(input: InputValues, stampMs: number): boolean {
    if (this.room <= 0) return false;
    this.room -= 1;
    this.pushed.push({ ...input, stampMs });
    return true;
  }

  /** Kind, code and timestamp of the inputs pushed since the last call. */
  take(): string[] {
    return this.pushed.splice(0).map(({ kind, code, stampMs }) => `${kind} ${code} @${stampMs}`);
  }
}
