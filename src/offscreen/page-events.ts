/** Sends a worker what happens on the canvas and to the page. */
import type { EventValues, PageState, ToWorker } from './messages.js';

/** Of the canvas. Those of touches are left out: pointer events have them as well. */
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
  const toCanvas = placeIn(canvas);
  Object.assign(values, toCanvas(event));
  if (event.type !== 'pointermove' || !(event instanceof PointerEvent)) return values;
  // What the browser has joined since the last frame.
  const parts = event.getCoalescedEvents?.() ?? [];
  if (parts.length < 2) return values;
  values['parts'] = parts.map((part) =>
    Object.assign(toCanvas(part), {
      pressure: part.pressure,
      timeStamp: toWorkerTime(part.timeStamp),
    }),
  );
  return values;
}

/** Converts places of the page into CSS pixels from the canvas's upper left corner, inside its border. */
function placeIn(canvas: HTMLCanvasElement): (event: MouseEvent) => Record<string, number> {
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
