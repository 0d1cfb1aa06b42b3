/** The picture, drawn by a worker that has the canvas: it moves while the page is blocked. */
import { wrap } from 'comlink';
import { renderInWorker } from '../../../src/render-main/offscreen/index.js';
import type { DemoSimulation } from '../start-simulation.js';
import { SplitOverlay } from '../view/split-view.js';
import { canvasSizeOf, type PictureLink, type PictureParts } from './picture-link.js';
import type { Mirror, PictureMessage, PictureService } from './remote-protocol.js';
import { RemoteSimulation, resultOf } from './remote-simulation.js';
import { receivedError } from './sent-errors.js';

/** @throws Error, by the promise, if the worker does not load, or has no WebGL 2. */
export async function openPicture(parts: PictureParts): Promise<PictureLink> {
  const { canvas, store, sounds, events } = parts;
  const size = canvasSizeOf(store.current);
  // The worker decides how many pixels it has, and only a style how large it is.
  Object.assign(canvas.style, {
    width: size === undefined ? '100vw' : `${size.width}px`,
    height: size === undefined ? '100vh' : `${size.height}px`,
  });
  const given = renderInWorker(
    canvas,
    () => new Worker(new URL('./picture.worker.ts', import.meta.url), { type: 'module' }),
    { onError: events.onFailure },
  );
  const overlay = new SplitOverlay(canvas);
  new ResizeObserver(() => overlay.resize()).observe(canvas);
  let simulation: RemoteSimulation | undefined;
  let newest: Mirror | undefined;
  let onEngine: (() => void) | undefined;
  const handlers: {
    readonly [K in PictureMessage[0]]: (
      ...values: Extract<PictureMessage, readonly [K, ...unknown[]]> extends readonly [
        unknown,
        ...infer V,
      ]
        ? V
        : never
    ) => void;
  } = {
    mirror: (mirror) => {
      newest = mirror;
      simulation?.update(mirror);
    },
    frame: (frame) => {
      simulation?.drew(frame);
      events.onFrame(frame);
    },
    status: (status, error) => simulation?.report(status, error),
    engine: () => onEngine?.(),
    quality: events.onQuality,
    context: events.onContext,
    error: (error) => events.onError(receivedError(error)),
    failure: (error) => events.onFailure(receivedError(error)),
    split: (on) => overlay.show(on),
    mode: (mode) => overlay.setMode(mode),
    hit: (strength, radius) => sounds.hit(strength, radius),
    ping: (number) => sounds.ping(number),
  };
  given.worker.addEventListener('message', ({ data }: MessageEvent<PictureMessage>) => {
    if (!Array.isArray(data)) return;
    const [name, ...values] = data as unknown as [PictureMessage[0], ...unknown[]];
    (handlers[name] as (...all: unknown[]) => void)(...values);
  });
  await given.ready;
  const service = wrap<PictureService>(given.worker);
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  reducedMotion.addEventListener('change', () => void service.setStill(reducedMotion.matches));
  await resultOf(service.open(store.current, reducedMotion.matches));
  store.onChange((settings) => void service.follow(settings));
  // The page's own frames are for its devices, which a worker cannot read.
  const onDisplayFrame = (frameMs: number): void => {
    sounds.beginFrame();
    events.onDisplayFrame(frameMs);
    requestAnimationFrame(onDisplayFrame);
  };
  requestAnimationFrame(onDisplayFrame);
  return {
    start: async (settings, onStart): Promise<DemoSimulation> => {
      onEngine = onStart;
      newest = undefined;
      await resultOf(service.start(settings));
      // Sent before the answer.
      if (newest === undefined) throw new Error('the worker has not described its simulation');
      simulation = new RemoteSimulation(service, given.inputs, newest);
      return simulation;
    },
    end: () => void service.end(),
    show: (description, change) => void service.act('show', description, change),
    hold: (isHeld) => void service.act('hold', isHeld),
    setCovered: (covered) => void service.act('setCovered', covered),
    shoot: () => void service.act('shoot'),
    letGo: () => void service.act('letGo'),
    press: (key) => void service.act('press', key),
  };
}
