/** Makes usual mistakes, whose messages are on the console. */
import { connect, type ConnectOptions } from '../../../src/render-main/index.js';
import type { simulation } from './mistakes.worker.js';

const worker = () =>
  new Worker(new URL('./mistakes.worker.ts', import.meta.url), { type: 'module' });
const rapierWorker = () =>
  new Worker(new URL('./rapier-mistakes.worker.ts', import.meta.url), { type: 'module' });
const lateWorker = () =>
  new Worker(new URL('./late.worker.ts', import.meta.url), { type: 'module' });

const open = (setup: string, options: ConnectOptions = {}) =>
  connect<typeof simulation>(worker, { setup, capacity: 1, ...options });

/** Samples a simulation in every frame, as a page does. @returns Ends that. */
function draw(sim: { sample(frameMs: number): unknown }, unit = 1): () => void {
  let isOn = true;
  requestAnimationFrame(function frame(stamp) {
    if (!isOn) return;
    sim.sample(stamp * unit);
    requestAnimationFrame(frame);
  });
  return () => {
    isOn = false;
  };
}

const mistakes = {
  'classic worker': async () => void (await connect(() => new Worker('/classic.js'))),
  'no runSimulation': async () => void connect(lateWorker).catch(() => {}),
  DOM: async () => void (await open('DOM')),
  seconds: async () => void draw(await open(''), 1 / 1000),
  'no save': async () => void (await open('', { recording: { rewindSeconds: 10 } })),
  'no handler': async () => void draw(await open('no handler')),
  'no dispose': async () => {
    // As after a hot reload: the first one is no longer drawn.
    const first = await open('');
    const end = draw(first);
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    end();
    draw(await open(''));
  },
  'removed rigid body': async () => void (await connect(rapierWorker, { setup: 'removed' })),
  'despawned rigid body': async () => void (await connect(rapierWorker, { setup: 'despawned' })),
};

declare global {
  var mistakes: typeof mistakesType;
}
const mistakesType = mistakes;
globalThis.mistakes = mistakes;
