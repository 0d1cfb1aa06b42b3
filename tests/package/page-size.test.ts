/** What the page loads of the library, comlink included, minified and gzipped. */
import { afterAll, expect, test } from 'vitest';
import { bundleSize } from '../../scripts/package-size.js';
import { createConsumer } from './consumer.js';

const consumer = createConsumer();
afterAll(() => consumer.remove());

/** An application that does what every one does: connect, sample, commands, statistics, dispose. */
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

test.each([
  ['a plain application', PLAIN, 23_000],
  ['the whole entry point', WHOLE, 32_000],
])('%s stays within its limit', async (name, code, limit) => {
  const { minified, gzipped, later } = await bundleSize(consumer.folder, code);
  console.log(
    `${name}: ${minified} bytes minified, ${gzipped} gzipped (limit ${limit}); loaded when needed: ${later}`,
  );
  expect(gzipped).toBeGreaterThan(5_000);
  expect(gzipped).toBeLessThanOrEqual(limit);
});

test('what a plain application does not use is not in it', async () => {
  const { modules: all } = await bundleSize(consumer.folder, PLAIN);
  // Vite adds a module of its own where parts are loaded later.
  const modules = all.filter((path) => path.includes('betwixt/dist/'));
  expect(modules.join()).toContain('dist/shared/timeline.js');
  const unused = /sim-worker|three|recording-file|inputs\/|key-codes|frame-limiter|state-hash|vite/;
  expect(modules.filter((path) => unused.test(path.replace(/^.*betwixt\/dist\//, '')))).toEqual([]);
});
