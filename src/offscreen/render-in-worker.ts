/** The page's side of a canvas that a worker draws. */
import type { InputSink } from '../shared/input/tick-inputs.js';
import { anything, checkOptions, optional, type Check } from '../shared/util/options.js';
import { requireFunction } from '../shared/util/validate.js';
import { withResolvers } from '../render-main/util/promises.js';
import { reportUncaught, revivedError } from '../render-main/util/page-errors.js';
import { measureByMessages } from '../render-main/worker/clock-alignment.js';
import { failedToCreate, whyNotLoaded } from '../render-main/worker/startup-errors.js';
import { followSize, sizeOf, forwardEvents, pageState, type Prevents } from './page-events.js';
import type { CanvasCall, CanvasMessage, ToPage, ToWorker } from './messages.js';

/** Options of {@link renderInWorker}, all optional. */
export interface WorkerCanvasOptions {
  /**
   * Which events on the canvas have no default action. A worker's `preventDefault` comes too late for that. Default:
   * scrolling by the wheel, and the menu of the right button.
   */
  readonly prevents?: (event: Event) => boolean;
  /**
   * Called with errors that nothing in the worker has caught, and if its script does not load. The last picture stays:
   * call `dispose`, and begin again with another canvas element. Default: they are reported as uncaught errors.
   */
  readonly onError?: (error: Error) => void;
  /** Called when the worker's graphics context is lost, and when it is restored. Default: none. */
  readonly onContext?: (isLost: boolean) => void;
}

/** The result of {@link renderInWorker}. */
export interface WorkerCanvas {
  /** The worker that draws, for messages of the application. */
  readonly worker: Worker;
  /** Resolves when the worker has the canvas. Rejects if its script does not load, and if it is disposed before that. */
  readonly ready: Promise<void>;
  /**
   * Takes inputs for the simulation to which the worker has connected them: from `keyboardSource`, `gamepadSource`, or
   * the application. They arrive with the time at which they happened. `push` returns true, because the worker decides
   * later.
   */
  readonly inputs: InputSink;
  /**
   * Ends the worker, with the simulations that it has started. The last picture stays on the canvas, which nothing can
   * draw any more: to begin again, replace the element. Safe to call again.
   */
  dispose(): void;
}

const OPTIONS = {
  prevents: anything<WorkerCanvasOptions['prevents']>(),
  onError: optional(requireFunction),
  onContext: optional(requireFunction),
} satisfies Readonly<Record<keyof WorkerCanvasOptions, Check<unknown>>>;

const PREVENTED = new Set(['wheel', 'contextmenu']);

/**
 * Gives a canvas to a worker, which draws it from then on, also while this page is blocked. In the worker, `receiveCanvas` of
 * `betwixt/offscreen/worker` takes it; the worker calls `connect` itself and samples with its own `requestAnimationFrame`.
 *
 * The worker learns the size of the canvas, its events, and whether the page is hidden. The size has to come from a style
 * sheet: the worker changes the number of pixels, which is the size of a canvas without any.
 *
 * @param canvas Has never been drawn or given away, because that cannot be undone.
 * @param createWorker Creates the worker: `() => new Worker(new URL('./render.worker.js', import.meta.url), { type:
 *   'module' })`.
 * @throws Error if this browser cannot do it (see {@link canRenderInWorker}), or if the canvas is in use.
 * @throws TypeError for an unknown option or a wrong type.
 */
export function renderInWorker(
  canvas: HTMLCanvasElement,
  createWorker: () => Worker,
  options: WorkerCanvasOptions = {},
): WorkerCanvas {
  checkOptions('renderInWorker', options, OPTIONS);
  const reason = whyNotInWorker();
  if (reason !== '') throw new Error(`a worker cannot draw here: ${reason}. Draw on the page`);
  return new GivenCanvas(canvas, createWorker, options);
}

function transfer(canvas: HTMLCanvasElement): OffscreenCanvas {
  try {
    return canvas.transferControlToOffscreen();
  } catch (cause) {
    throw new Error(
      'this canvas has a context, or a worker has it already, and that cannot be undone: replace the element by a new one',
      { cause },
    );
  }
}

function created(createWorker: () => Worker): Worker {
  try {
    return createWorker();
  } catch (thrown) {
    throw failedToCreate(thrown);
  }
}

class GivenCanvas implements WorkerCanvas {
  readonly worker: Worker;
  readonly ready: Promise<void>;
  readonly inputs: InputSink;
  readonly #options: WorkerCanvasOptions;
  readonly #createWorker: () => Worker;
  readonly #canvas: HTMLCanvasElement;
  readonly #port: MessagePort;
  readonly #ready = withResolvers<void>();
  readonly #listening = new AbortController();
  readonly #pings: ((answer: Extract<ToPage, { kind: 'clock' }>) => void)[] = [];
  #ends: (() => void)[] = [];
  /** From this page's clock to the worker's, in ms. */
  #offsetMs = 0;
  #isAligning = false;
  #isReady = false;

  constructor(canvas: HTMLCanvasElement, createWorker: () => Worker, options: WorkerCanvasOptions) {
    const offscreen = transfer(canvas);
    this.#canvas = canvas;
    this.#options = options;
    this.#createWorker = createWorker;
    const worker = created(createWorker);
    this.worker = worker;
    this.ready = this.#ready.promise;
    // `onError` reports it to those who do not wait.
    this.ready.catch(() => {});
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const { signal } = this.#listening;
    worker.addEventListener('message', (event) => this.#onCall(event, offscreen, port2), {
      signal,
    });
    worker.addEventListener('error', (event) => this.#onWorkerError(event), { signal });
    port1.addEventListener('message', ({ data }) => this.#onMessage(data as ToPage), { signal });
    port1.start();
    this.inputs = {
      push: (input, stampMs) => {
        this.#send({ kind: 'input', input, stampMs: this.#toWorkerTime(stampMs) });
        return true;
      },
    };
  }

  dispose(): void {
    if (this.#listening.signal.aborted) return;
    this.#listening.abort();
    for (const end of this.#ends) end();
    this.#port.close();
    this.worker.terminate();
    this.#ready.reject(new Error('the canvas was disposed before its worker has taken it'));
  }

  readonly #send = (message: ToWorker): void => this.#port.postMessage(message);

  readonly #toWorkerTime = (ms: number): number => ms + this.#offsetMs;

  /** The worker's script has loaded, and waits for the canvas. */
  #onCall(event: MessageEvent, canvas: OffscreenCanvas, port: MessagePort): void {
    const timeOrigin = (event.data as Partial<CanvasCall> | undefined)?.betwixtCanvasFor;
    if (timeOrigin === undefined || this.#isReady) return;
    event.stopImmediatePropagation();
    this.#isReady = true;
    this.#offsetMs = performance.timeOrigin - timeOrigin;
    const message: CanvasMessage = {
      betwixtCanvas: canvas,
      port,
      size: sizeOf(this.#canvas),
      page: pageState(),
    };
    this.worker.postMessage(message, [canvas, port]);
    const prevents: Prevents = this.#options.prevents ?? (({ type }) => PREVENTED.has(type));
    this.#ends = [
      forwardEvents(this.#canvas, prevents, this.#toWorkerTime, this.#send),
      followSize(this.#canvas, (size) => this.#send({ kind: 'size', size })),
    ];
    const { signal } = this.#listening;
    // On some systems one of the clocks may have stopped in the meantime.
    addEventListener('pageshow', this.#align, { signal });
    document.addEventListener('visibilitychange', this.#align, { signal });
    this.#align();
    this.#ready.resolve();
  }

  /** Measures what the time origins say: they are off after a sleep on some systems. */
  readonly #align = (): void => {
    if (this.#isAligning || document.hidden) return;
    this.#isAligning = true;
    let resolutionMs = 0;
    const clockMs = async (): Promise<number> => {
      const { promise, resolve } = withResolvers<Extract<ToPage, { kind: 'clock' }>>();
      this.#pings.push(resolve);
      this.#send({ kind: 'clock' });
      const answer = await promise;
      resolutionMs = answer.resolutionMs;
      return answer.clockMs;
    };
    const worker = { clockMs, clockResolutionMs: async () => resolutionMs };
    void measureByMessages(() => performance.now(), worker).then(({ offsetMs }) => {
      this.#offsetMs = offsetMs;
      this.#isAligning = false;
    });
  };

  #onMessage(message: ToPage): void {
    const { style } = this.#canvas;
    switch (message.kind) {
      case 'clock':
        this.#pings.shift()?.(message);
        break;
      case 'style':
        Object.assign(style, { [message.name]: message.value });
        break;
      case 'capture':
        capture(this.#canvas, message.pointerId, message.isOn);
        break;
      case 'focus':
        this.#canvas.focus();
        break;
      case 'context':
        this.#options.onContext?.(message.isLost);
        break;
      case 'failed':
        this.#fail(revivedError(message.error));
        break;
      // no default
    }
  }

  #onWorkerError(event: ErrorEvent): void {
    // A script that does not load has no message.
    const text = event.message ?? '';
    // Without a handler, the browser reports it itself.
    if (this.#options.onError !== undefined) event.preventDefault();
    void (text === '' ? whyNotLoaded(this.#createWorker) : Promise.resolve(text)).then((why) => {
      if (this.#listening.signal.aborted) return;
      const cause = event.error instanceof Error ? { cause: event.error } : undefined;
      const error = new Error(why, cause);
      if (!this.#isReady) this.#ready.reject(error);
      this.#options.onError?.(error);
    });
  }

  #fail(error: Error): void {
    (this.#options.onError ?? reportUncaught)(error);
  }
}

function capture(canvas: HTMLCanvasElement, pointerId: number, isOn: boolean): void {
  try {
    if (isOn) canvas.setPointerCapture(pointerId);
    else canvas.releasePointerCapture(pointerId);
  } catch {
    // The pointer is gone in the meantime.
  }
}

let knownReason: string | undefined;

/**
 * Why a worker cannot draw with WebGL 2 here; an empty text if it can. A context on this thread answers for those of
 * workers: Safari 16 has OffscreenCanvas without WebGL on both.
 */
function whyNotInWorker(): string {
  knownReason ??= findReason();
  return knownReason;
}

/**
 * Whether this browser can draw a canvas with WebGL 2 in a worker. Where it cannot, draw on the page.
 *
 * Chromium has it since version 69, Firefox since 105, Safari since 17.
 */
export function canRenderInWorker(): boolean {
  return whyNotInWorker() === '';
}

function findReason(): string {
  if (
    typeof OffscreenCanvas === 'undefined' ||
    typeof HTMLCanvasElement === 'undefined' ||
    !('transferControlToOffscreen' in HTMLCanvasElement.prototype)
  ) {
    return 'this browser does not have OffscreenCanvas';
  }
  const context = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (context === null) return 'this browser has no WebGL 2 for an OffscreenCanvas';
  // Browsers allow few contexts at a time.
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return '';
}
