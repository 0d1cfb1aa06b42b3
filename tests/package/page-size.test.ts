/**
 * What page and worker load of the library, comlink included, minified and gzipped. Of the page:
 * the entry with its imports, which is there before the worker is created, and what loads in
 * parallel with the worker.
 */
import { afterAll, expect, test } from 'vitest';
import { bundleSize, workerSize } from '../../scripts/package/package-size.js';
import { createConsumer } from './consumer.js';

const consumer = createConsumer();
afterAll(() => consumer.remove());

/** A typical application: connect, sample, commands, statistics, dispose. */
const PLAIN = `
import { connect } from 'betwixt';
export async function main(worker) {
  const sim = await connect(() => worker);
  await sim.commands.start();
  requestAnimationFrame((stamp) => console.log(sim.sample(stamp), sim.stats()));
  await sim.dispose();
}
globalThis.main = main;
`;

/** Every name of the entry point. */
const WHOLE = `import * as everything from 'betwixt'; globalThis.everything = everything;`;

/**
 * Of the entry with its imports, in bytes. The other limits include what loads in parallel with the
 * worker.
 */
const ENTRY_LIMIT = 12_000;

test.each([
  ['a plain application', PLAIN, 30_000],
  ['the whole entry point', WHOLE, 30_700],
])('%s stays within the limits', async (name, code, connectedLimit) => {
  const { entry, besideWorker, later } = await bundleSize(consumer.folder, code);
  console.log(
    `${name}: ${entry} bytes of entry, ${besideWorker} in parallel with the worker, ${later} when needed`,
  );
  // Both must be present, or the parts were not distinguished.
  expect(entry).toBeGreaterThan(1000);
  expect(besideWorker).toBeGreaterThan(5000);
  expect(entry).toBeLessThanOrEqual(ENTRY_LIMIT);
  expect(entry + besideWorker).toBeLessThanOrEqual(connectedLimit);
});

test('parts that a plain application does not use are not in it', async () => {
  const { modules: all } = await bundleSize(consumer.folder, PLAIN);
  // Vite adds its own module if parts are loaded later.
  const modules = all.filter((path) => path.includes('betwixt/dist/'));
  expect(modules.join()).toContain('dist/render-main/frame/timeline.js');
  const unused = /sim-worker|three|recording-file|inputs\/|key-codes|frame-limiter|state-hash|vite/;
  expect(modules.filter((path) => unused.test(path.replace(/^.*betwixt\/dist\//, '')))).toEqual([]);
});

/** A typical simulation: bodies, a command, a query, random numbers, and its state as bytes. */
const PLAIN_WORKER = `
import { runSimulation } from 'betwixt/worker';
let context, body;
let speed = 1;
export const simulation = runSimulation({
  init(given) {
    context = given;
    body = context.bodies.spawn({ x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
  },
  step(dt, tick) {
    context.bodies.setPose(body, speed * tick * dt, context.random.between(0, 1), 0, 0, 0, 0, 1);
  },
  commands: { setSpeed: (value) => { speed = value; } },
  queries: { id: () => body },
  save: () => new Uint8Array([speed]),
  restore(bytes) { speed = bytes[0]; },
});
`;

/** Of the worker's script with its imports, in bytes; an engine is extra. */
const WORKER_LIMIT = 20_700;

test('a plain worker stays within the limit', async () => {
  const { entry, later } = await workerSize(consumer.folder, PLAIN_WORKER);
  console.log(`a plain worker: ${entry} bytes, ${later} when needed`);
  expect(entry).toBeGreaterThan(5000);
  expect(entry).toBeLessThanOrEqual(WORKER_LIMIT);
});

test('parts that a plain worker does not use are not in it', async () => {
  const { modules } = await workerSize(consumer.folder, PLAIN_WORKER);
  const own = modules.map((path) => path.replace(/^.*betwixt\/dist\//, ''));
  expect(own).toContain('sim-worker/loop/loop.js');
  const unused =
    /render-main|shared\/loops|stepper-pacer|worker-mirror|slot-packet|run-travel|replay-script|saved-|byte-|known-keys|create-buffer|engines|held-|key-codes|recording-|testing/;
  expect(own.filter((path) => unused.test(path))).toEqual([]);
});
