/** The worker's side of a canvas that a page has given away: the canvas, its size and events, and the page's inputs. */
import { clockResolutionMs } from '../shared/time/clock-sync.js';
import type { InputSink, InputValues } from '../shared/input/tick-inputs.js';
import { setRemotePage } from '../render-main/session/pauses.js';
import type { CanvasCall, CanvasMessage, CanvasSize, ToPage, ToWorker } from './messages.js';
import { StandIns } from './stand-ins.js';
import { ReliableInputState } from '../inputs/input-source.js';

/** The result of {@link receiveCanvas}. */
export interface ReceivedCanvas {
  /**
   * The canvas to draw: `new WebGLRenderer({ canvas })`. Set its size with `renderer.setSize(width, height, false)`,
   * because it has no style. A context that is lost fires `webglcontextlost` here, as on a page.
   */
  readonly canvas: OffscreenCanvas;
  /**
   * Stands for the canvas element of the page, for code that expects one: `OrbitControls`, `pointerSource`, `dragBodies`,
   * `toDeviceCoordinates`. It has the listeners, size, style, focus and pointer capture of an element, and an
   * `ownerDocument` with a `defaultView`; nothing else. Its left upper corner is the origin of `clientX` and `clientY`.
   * `preventDefault` has no effect: see the option `prevents` of `renderInWorker`. Time stamps of events are on this
   * worker's clock.
   */
  readonly element: HTMLCanvasElement;
  /** The newest size. */
  readonly size: CanvasSize;
  /**
   * Calls a handler with the size, now and whenever it or the pixel ratio changes.
   *
   * @returns Removes the handler.
   */
  onResize(handler: (size: CanvasSize) => void): () => void;
  /**
   * Passes the page's inputs to a simulation. Inputs that a full queue refuses are pushed again: the
   * last one of each control, except for moves and the wheel.
   *
   * @param sink The handle's `inputs`; undefined: inputs are ignored.
   */
  connectInputs(sink: InputSink | undefined): void;
}

let received: Promise<ReceivedCanvas> | undefined;

/**
 * Takes over the canvas that a page gives to this worker with `renderInWorker`. Simulations that this worker connects to
 * from then on pause while that page is hidden, as on a page.
 *
 * @returns The same promise at every call. It stays pending until the page calls `renderInWorker`.
 */
export function receiveCanvas(): Promise<ReceivedCanvas> {
  received ??= receive();
  return received;
}

/** The worker's own channel to its page. */
interface OwnPort {
  postMessage(message: unknown): void;
}

function receive(): Promise<ReceivedCanvas> {
  return new Promise((resolve) => {
    const onMessage = (event: MessageEvent<Partial<CanvasMessage> | undefined>): void => {
      if (event.data?.betwixtCanvas === undefined) return;
      event.stopImmediatePropagation();
      globalThis.removeEventListener('message', onMessage);
      resolve(open(event.data as CanvasMessage));
    };
    globalThis.addEventListener('message', onMessage);
    const call: CanvasCall = { betwixtCanvasFor: performance.timeOrigin };
    (globalThis as unknown as OwnPort).postMessage(call);
  });
}

const now = (): number => performance.now();

function open({ betwixtCanvas, port, size, page }: CanvasMessage): ReceivedCanvas {
  const canvas = betwixtCanvas as OffscreenCanvas;
  const send = (message: ToPage): void => port.postMessage(message);
  const standIns = new StandIns(size, send);
  const resizing = new Set<(size: CanvasSize) => void>();
  let inputs: ForwardedInputs | undefined;
  standIns.follow('visibilitychange', page, now());
  setRemotePage(standIns.page);

  const onMessage = (message: ToWorker): void => {
    switch (message.kind) {
      case 'size':
        standIns.setSize(message.size);
        for (const handler of resizing) handler(message.size);
        break;
      case 'element':
        standIns.dispatch(message.type, message.values, message.stampMs);
        break;
      case 'page':
        standIns.follow(message.type, message.page, message.stampMs);
        break;
      case 'input':
        inputs?.push(message.input, message.stampMs);
        break;
      case 'clock':
        send({ kind: 'clock', clockMs: now(), resolutionMs: clockResolutionMs(now) });
        break;
      // no default
    }
  };
  port.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => onMessage(data));
  port.start();
  canvas.addEventListener('webglcontextlost', () => send({ kind: 'context', isLost: true }));
  canvas.addEventListener('webglcontextrestored', () => send({ kind: 'context', isLost: false }));
  // Unlike errors, browsers do not report these to the page.
  globalThis.addEventListener('unhandledrejection', ({ reason }: PromiseRejectionEvent) => {
    send({ kind: 'failed', error: plainError(reason) });
  });
  return {
    canvas,
    element: standIns.element as unknown as HTMLCanvasElement,
    get size() {
      return standIns.element.size;
    },
    onResize(handler) {
      resizing.add(handler);
      handler(standIns.element.size);
      return () => void resizing.delete(handler);
    },
    connectInputs(sink) {
      inputs?.dispose();
      inputs = sink === undefined ? undefined : new ForwardedInputs(sink);
    },
  };
}

/** Not every browser clones errors with their stack, and an error may carry what cannot be cloned. */
function plainError(reason: unknown): unknown {
  if (!(reason instanceof Error)) return { message: String(reason) };
  const { name, message, stack } = reason;
  return { name, message, stack };
}

/** After this time a full queue may have room again, in ms: a tick or two. */
const RETRY_MS = 30;

/**
 * Passes inputs of the page on to a queue. Unlike a source, the page does not learn what the queue refuses. So here the
 * newest input of each control waits, and is pushed again after a while.
 */
export class ForwardedInputs {
  readonly #state: ReliableInputState<string>;
  /** Counts the inputs. The page's sources leave out what has not changed, so each is a new value of its control. */
  #value = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(sink: InputSink) {
    this.#state = new ReliableInputState(sink);
  }

  push(input: InputValues, stampMs: number): void {
    const { kind } = input;
    // Moves are over by the time that there is room.
    if (kind === 'pointermove' || kind === 'wheel') return this.#state.pass(input, stampMs);
    this.#value += 1;
    if (!this.#state.set(controlOf(input), this.#value, input, stampMs)) this.#retryLater();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #retryLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#state.flush()) this.#retryLater();
    }, RETRY_MS);
  }
}

/** The control that an input changes: a press and its release have the same one. */
const controlOf = ({ kind, device, code }: InputValues): string =>
  `${kind.replace(/(?:up|down)$/, '')} ${device} ${code}`;
