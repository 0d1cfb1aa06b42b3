/** Makes usual mistakes, and reports what a user sees of each, besides the console. */
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

/** Name and message of what a call throws or rejects with. */
async function errorOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    return String(error);
  }
  return 'nothing was thrown';
}

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

/** By their names: what the page gets. Undefined: the message is on the console. */
const mistakes = {
  'missing headers': () => errorOf(() => open('', { transport: 'shared' })),
  'classic worker': () => errorOf(() => connect(() => new Worker('/classic.js'))),
  'no runSimulation': async () => void connect(lateWorker).catch(() => {}),
  DOM: () => errorOf(() => open('DOM')),
  'no stamp': async () => {
    const sim = await open('');
    return errorOf(() => (sim.sample as () => unknown)());
  },
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
  'not recorded': async () => {
    const sim = await open('not recorded', { startPaused: true, recording: { hashEveryTicks: 1 } });
    await sim.step(3);
    const replay = await sim.openReplay(sim.recording());
    await sim.resume();
    await replay.ended;
  },
  'removed rigid body': async () => void (await connect(rapierWorker, { setup: 'removed' })),
  'despawned rigid body': async () => void (await connect(rapierWorker, { setup: 'despawned' })),
  'moved rigid body': async () => void (await connect(rapierWorker, { setup: 'moved' })),
};

declare global {
  var mistakes: typeof mistakesType;
}
const mistakesType = mistakes;
globalThis.mistakes = mistakes;
