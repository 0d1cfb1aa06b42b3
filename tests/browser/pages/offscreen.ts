/** Gives its canvas to a worker, and lets a test block this page. */
import { wrap, type Remote } from 'comlink';
import { keyboardSource } from '../../../src/inputs/index.js';
import {
  canRenderInWorker,
  renderInWorker,
  type WorkerCanvas,
} from '../../../src/offscreen/index.js';
import type { Drawing } from './offscreen.worker.js';
import { WORDS } from './offscreen-words.js';

/** Only ends what would wait forever. */
const PATIENCE_MS = 300_000;

const canvas = document.querySelector('canvas') as HTMLCanvasElement;
const errors: string[] = [];
const contexts: boolean[] = [];
let given: WorkerCanvas | undefined;
let remote: Remote<Drawing> | undefined;

const page = {
  can: canRenderInWorker(),
  errors,
  contexts,
  get drawing(): Remote<Drawing> {
    if (remote === undefined) throw new Error('open first');
    return remote;
  },
  get given(): WorkerCanvas {
    if (given === undefined) throw new Error('open first');
    return given;
  },
  async open(isStarted: boolean): Promise<string | undefined> {
    given = renderInWorker(
      canvas,
      () => new Worker(new URL('./offscreen.worker.ts', import.meta.url), { type: 'module' }),
      {
        onError: ({ name, message }) => errors.push(`${name}: ${message}`),
        onContext: (isLost) => contexts.push(isLost),
      },
    );
    const { worker } = given;
    const exposed = new Promise<void>((resolve) => {
      worker.addEventListener('message', ({ data }) => data === 'exposed' && resolve());
    });
    await given.ready;
    await exposed;
    remote = wrap<Drawing>(worker);
    if (!isStarted) return undefined;
    const transport = await remote.start();
    keyboardSource(given.inputs);
    return transport;
  },
  /** A second canvas for the same element, and one that has a context. */
  refusals(): string[] {
    const drawn = document.createElement('canvas');
    drawn.getContext('2d');
    return [canvas, drawn].map((target) => {
      try {
        renderInWorker(target, () => new Worker('data:,'));
        return 'accepted';
      } catch (error) {
        return String(error);
      }
    });
  },
  /** Opens a script that is not there. */
  async openMissing(): Promise<string> {
    const fresh = document.createElement('canvas');
    const missing = renderInWorker(fresh, () => new Worker('/missing.js', { type: 'module' }), {
      onError: () => {},
    });
    return missing.ready.then(() => 'loaded', String);
  },
  /** Blocks this page until the worker has drawn more frames, with later ticks. @returns How many of each. */
  async block(frames: number): Promise<{ frames: number; ticks: number }> {
    const words = await this.drawing.words();
    const [firstFrame = 0, firstTick = 0] = words;
    const endMs = performance.now() + PATIENCE_MS;
    const passed = () => ({
      frames: Atomics.load(words, WORDS.frames) - firstFrame,
      ticks: Atomics.load(words, WORDS.tick) - firstTick,
    });
    while (passed().frames < frames && performance.now() < endMs);
    return passed();
  },
};
export type OffscreenPage = typeof page;
declare global {
  var offscreen: OffscreenPage;
}
globalThis.offscreen = page;
