/** Tells a worker what happens on the canvas and to the page: events, focus and visibility, size. */
import type { EventValues, PageState, ToWorker, CanvasSize } from './messages.js';

/** Events of the canvas. Pointer events stand for touch events, too. */
const CANVAS_EVENTS = [
  'pointerdown',
  'pointermove',
  'pointerup',
  'pointercancel',
  'pointerenter',
  'pointerleave',
  'gotpointercapture',
  'lostpointercapture',
  'wheel',
  'contextmenu',
  'click',
  'dblclick',
  'keydown',
  'keyup',
  'focus',
  'blur',
] as const;
const WINDOW_EVENTS = ['blur', 'focus', 'pagehide', 'pageshow'] as const;
const DOCUMENT_EVENTS = ['visibilitychange', 'freeze', 'resume'] as const;

/** The values that are sent, if an event has them. Positions are converted. */
const NAMES = [
  'altKey',
  'ctrlKey',
  'metaKey',
  'shiftKey',
  'button',
  'buttons',
  'code',
  'deltaMode',
  'deltaX',
  'deltaY',
  'deltaZ',
  'detail',
  'height',
  'isComposing',
  'isPrimary',
  'key',
  'location',
  'movementX',
  'movementY',
  'pointerId',
  'pointerType',
  'pressure',
  'repeat',
  'tiltX',
  'tiltY',
  'twist',
  'width',
] as const;

/** An input event whose default action the worker's code would prevent, if it could. */
export type Prevents = (event: Event) => boolean;

/**
 * Sends events from now on.
 *
 * @param prevents Which events' default actions are prevented.
 * @param toWorkerTime Converts a time stamp of this page.
 * @returns Ends it.
 */
export function forwardEvents(
  canvas: HTMLCanvasElement,
  prevents: Prevents,
  toWorkerTime: (ms: number) => number,
  send: (message: ToWorker) => void,
): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const onEvent = (event: Event): void => {
    if (prevents(event)) event.preventDefault();
    const { type, timeStamp } = event;
    const values = valuesOf(event, canvas, toWorkerTime);
    send({ kind: 'element', type, stampMs: toWorkerTime(timeStamp), values });
  };
  for (const type of CANVAS_EVENTS) {
    // Passive, the default of some, would make `preventDefault` an error.
    canvas.addEventListener(type, onEvent, { signal, passive: false });
  }
  const onPageEvent = ({ type, timeStamp }: Event): void => {
    send({ kind: 'page', type, stampMs: toWorkerTime(timeStamp), page: pageState() });
  };
  for (const type of WINDOW_EVENTS) addEventListener(type, onPageEvent, { signal });
  for (const type of DOCUMENT_EVENTS) document.addEventListener(type, onPageEvent, { signal });
  return () => listening.abort();
}

export const pageState = (): PageState => ({
  hidden: document.hidden,
  hasFocus: document.hasFocus(),
});

function valuesOf(
  event: Event,
  canvas: HTMLCanvasElement,
  toWorkerTime: (ms: number) => number,
): EventValues {
  const values: Record<string, unknown> = {};
  for (const name of NAMES) {
    if (name in event) values[name] = (event as unknown as EventValues)[name];
  }
  if (!(event instanceof MouseEvent)) return values;
  const toCanvas = toCanvasCoordinates(canvas);
  Object.assign(values, toCanvas(event));
  if (event.type !== 'pointermove' || !(event instanceof PointerEvent)) return values;
  // The moves since the last frame, which the browser has joined into one event.
  const coalesced = event.getCoalescedEvents?.() ?? [];
  if (coalesced.length < 2) return values;
  values['coalesced'] = coalesced.map((move) =>
    Object.assign(toCanvas(move), {
      pressure: move.pressure,
      timeStamp: toWorkerTime(move.timeStamp),
    }),
  );
  return values;
}

/** Converts positions on the page into CSS pixels from the canvas's upper left corner, inside its border. */
function toCanvasCoordinates(
  canvas: HTMLCanvasElement,
): (event: MouseEvent) => Record<string, number> {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  // A transform of the canvas or its parents scales it.
  const [scaleX, scaleY] = [canvas.offsetWidth / width || 1, canvas.offsetHeight / height || 1];
  const { clientLeft, clientTop } = canvas;
  return ({ clientX, clientY }) => {
    const x = (clientX - left) * scaleX - clientLeft;
    const y = (clientY - top) * scaleY - clientTop;
    return { clientX: x, clientY: y, pageX: x, pageY: y, offsetX: x, offsetY: y };
  };
}

export function sizeOf(canvas: HTMLCanvasElement, pixels?: ResizeObserverSize): CanvasSize {
  const { clientWidth: width, clientHeight: height } = canvas;
  const pixelRatio = devicePixelRatio;
  return {
    width,
    height,
    pixelRatio,
    pixelWidth: pixels?.inlineSize ?? Math.round(width * pixelRatio),
    pixelHeight: pixels?.blockSize ?? Math.round(height * pixelRatio),
  };
}

/**
 * Reports the size now and whenever it or the page's pixel ratio changes.
 *
 * @returns Ends it.
 */
export function followSize(
  canvas: HTMLCanvasElement,
  onSize: (size: CanvasSize) => void,
): () => void {
  let last = '';
  const report = (size: CanvasSize): void => {
    const key = JSON.stringify(size);
    if (key === last) return;
    last = key;
    onSize(size);
  };
  const observer = new ResizeObserver((entries) => {
    // Exact, also where a size in CSS pixels is a fraction of the pixels of the display. Safari lacks it.
    report(sizeOf(canvas, entries.at(-1)?.devicePixelContentBoxSize?.[0]));
  });
  const observe = (): void => {
    try {
      observer.observe(canvas, { box: 'device-pixel-content-box' });
    } catch {
      observer.observe(canvas);
    }
  };
  observe();
  const listening = new AbortController();
  // The page was zoomed, or is on another display. A query names one ratio, so each change needs another.
  const followRatio = (): void => {
    const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    query.addEventListener('change', onRatio, { once: true, signal: listening.signal });
  };
  const onRatio = (): void => {
    followRatio();
    report(sizeOf(canvas));
    // Observed again, it reports the exact size.
    observer.unobserve(canvas);
    observe();
  };
  followRatio();
  return () => {
    observer.disconnect();
    listening.abort();
  };
}
