/** A scene has the same hashes in a browser's worker as in Node, bit for bit, with both builds. */
import { encodeRecording } from '../../src/shared/index.js';
import { browserName } from '../../scripts/browsers/driven-browsers.js';
import { GOLDEN_HASH_LISTS } from '../fixtures/golden-hash-lists.js';
import {
  GOLDEN_BUILDS,
  GOLDEN_HASH_EVERY,
  GOLDEN_TICKS,
  goldenRecording,
  withHashes,
  type GoldenBuild,
} from '../fixtures/golden-runs.js';
import { expect, test } from './library-page.js';

/**
 * Ticks of the golden minute, which other browsers show in full. Differences may come from the browser's
 * arithmetic and its `Math`, which every tick uses, and bodies that hit each other immediately
 * enlarge a difference of one bit.
 */
const TICKS = browserName === 'chromium' ? 300 : GOLDEN_TICKS.vehicle;

for (const build of GOLDEN_BUILDS) {
  test(`the build ${build} of the engine computes the same bits in a browser's worker as in Node`, async ({
    page,
  }) => {
    const report = await page.evaluate(([engine, file]) => library.replay(engine, file), [
      build,
      goldenFile(build),
    ] as const);
    const hashes = TICKS / GOLDEN_HASH_EVERY;
    expect(report).toEqual({ tick: TICKS, hashes, differsAt: undefined, equalUpTo: TICKS });
  });
}

/** The beginning of a golden run, as a file in base64. */
function goldenFile(build: GoldenBuild): string {
  const hashes = GOLDEN_HASH_LISTS[build].vehicle.slice(0, TICKS / GOLDEN_HASH_EVERY);
  const recording = withHashes(goldenRecording('vehicle', build, TICKS), hashes);
  return Buffer.from(encodeRecording(recording)).toString('base64');
}
