/**
 * A page without a browser: a window, a canvas, events with timestamps, and a queue that can be
 * full.
 */
import { setMaxListeners } from 'node:events';
import { onTestFinished, vi } from 'vitest';
import { FakeDocument, fakeEvent, FakeTarget } from '../../fixtures/fake-document.js';
import type { InputSink, InputValues } from '../../../src/shared/input/tick-inputs.js';

// Node warns of more listeners per signal than these, which browsers do not; a source has more.
setMaxListeners(20);

export class FakeWindow extends FakeTarget {
  readonly window = this;
  readonly document = new FakeDocument();
  /** When the last event was sent. */
  stampMs = 0;

  /** Dispatches an event 10 ms after the previous one, the first at 10 ms. */
  send(target: EventTarget, type: string, properties: object = {}): Event {
    this.stampMs += 10;
    const event = fakeEvent(type, { timeStamp: this.stampMs, ...properties });
    target.dispatchEvent(event);
    return event;
  }
}

/** 200 × 100 pixels, with the upper left corner at (10, 20). */
export class FakeCanvas extends FakeTarget {
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
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const page = new FakeWindow();
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', page.document);
  setClock(1000);
  return page;
}

export function setClock(nowMs: number): void {
  vi.spyOn(performance, 'now').mockReturnValue(nowMs);
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
