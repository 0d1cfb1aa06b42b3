/**
 * Replaces the page's canvas, document and window in a worker, for code that expects them: camera controls of
 * three.js, the pointer source, dragging. Events are the page's, with the canvas at the origin of the coordinates.
 */
import type { RemotePage } from '../render-main/session/pauses.js';
import type { CanvasSize, EventValues, PageState, ToPage } from './messages.js';

type Send = (message: ToPage) => void;

class StandInDocument extends EventTarget implements RemotePage {
  hidden = false;
  isFocused = true;
  readonly defaultView = new StandInWindow(this);

  get visibilityState(): DocumentVisibilityState {
    return this.hidden ? 'hidden' : 'visible';
  }

  hasFocus(): boolean {
    return this.isFocused;
  }
}

class StandInWindow extends EventTarget {
  readonly document: StandInDocument;
  devicePixelRatio = 1;

  constructor(page: StandInDocument) {
    super();
    this.document = page;
  }
}

class StandInElement extends EventTarget {
  readonly ownerDocument: StandInDocument;
  /** A style that is set here is set on the page, too. */
  readonly style: Record<string, string>;
  readonly #send: Send;
  readonly #captured = new Set<number>();
  size: CanvasSize;

  constructor(ownerDocument: StandInDocument, size: CanvasSize, send: Send) {
    super();
    this.ownerDocument = ownerDocument;
    this.size = size;
    this.#send = send;
    this.style = new Proxy<Record<string, string>>(
      {},
      {
        get: (values, name) => values[name as string] ?? '',
        set: (values, name, value) => {
          if (values[name as string] === value) return true;
          values[name as string] = String(value);
          send({ kind: 'style', name: String(name), value: String(value) });
          return true;
        },
      },
    );
  }

  get clientWidth(): number {
    return this.size.width;
  }

  get clientHeight(): number {
    return this.size.height;
  }

  getBoundingClientRect() {
    const { width, height } = this.size;
    const edges = { x: 0, y: 0, left: 0, top: 0, right: width, bottom: height, width, height };
    return { ...edges, toJSON: () => edges };
  }

  getRootNode(): StandInDocument {
    return this.ownerDocument;
  }

  focus(): void {
    this.#send({ kind: 'focus' });
  }

  setPointerCapture(pointerId: number): void {
    this.#captured.add(pointerId);
    this.#send({ kind: 'capture', pointerId, isOn: true });
  }

  releasePointerCapture(pointerId: number): void {
    if (this.#captured.delete(pointerId)) this.#send({ kind: 'capture', pointerId, isOn: false });
  }

  hasPointerCapture(pointerId: number): boolean {
    return this.#captured.has(pointerId);
  }

  /** The page says that the pointer is up, or gone. */
  forgetCapture(pointerId: unknown): void {
    this.#captured.delete(pointerId as number);
  }
}

/** After these, a captured pointer is free again. */
const CAPTURE_ENDS = new Set(['pointerup', 'pointercancel', 'lostpointercapture']);

export class StandIns {
  readonly page = new StandInDocument();
  readonly element: StandInElement;

  constructor(size: CanvasSize, send: Send) {
    this.element = new StandInElement(this.page, size, send);
    this.setSize(size);
  }

  setSize(size: CanvasSize): void {
    this.element.size = size;
    this.page.defaultView.devicePixelRatio = size.pixelRatio;
  }

  /** Dispatches an event of the canvas, which bubbles to the document and the window. */
  dispatch(type: string, values: EventValues, stampMs: number): void {
    const { element, page } = this;
    let isStopped = false;
    const stop = (): void => {
      isStopped = true;
    };
    for (const at of [element, page, page.defaultView]) {
      if (isStopped) break;
      const event = eventOf(type, { ...values, stopPropagation: stop }, stampMs);
      Object.defineProperty(event, 'target', { value: element });
      at.dispatchEvent(event);
    }
    if (CAPTURE_ENDS.has(type)) element.forgetCapture(values['pointerId']);
  }

  /** The page was hidden, left, frozen, or the opposite. */
  follow(type: string, { hidden, hasFocus }: PageState, stampMs: number): void {
    const { page } = this;
    page.hidden = hidden;
    page.isFocused = hasFocus;
    const isOfDocument = type === 'visibilitychange' || type === 'freeze' || type === 'resume';
    (isOfDocument ? page : page.defaultView).dispatchEvent(eventOf(type, {}, stampMs));
    // A simulation listens to the document alone: see pauses.ts.
    if (type === 'pagehide') page.dispatchEvent(eventOf('freeze', {}, stampMs));
    if (type === 'pageshow') page.dispatchEvent(eventOf('resume', {}, stampMs));
  }
}

/** Workers have no classes for events of pointers and keys. */
function eventOf(type: string, values: EventValues, timeStamp: number): Event {
  const event = new Event(type, { cancelable: true, bubbles: true });
  const { coalesced, ...others } = values as { coalesced?: readonly object[] };
  const all = {
    ...others,
    timeStamp,
    ...(coalesced !== undefined && { getCoalescedEvents: () => coalesced }),
  };
  for (const [name, value] of Object.entries(all)) {
    Object.defineProperty(event, name, { value, configurable: true });
  }
  return event;
}
