/** A scene has the same hashes in a browser's worker as without one, bit for bit, with both builds. */
import type { SceneRequest } from '../../demo/contract/scene-contract.js';
import { decodeRecording, encodeRecording, type Recording } from '../../src/shared/index.js';
import { browserName, expect, test, watchConsole } from '../browsers/test.js';
import { GOLDEN_HASH_LISTS } from '../fixtures/golden-hash-lists.js';
import { GOLDEN_HASHES } from '../fixtures/golden-hashes.js';
import {
  GOLDEN_BUILDS,
  GOLDEN_HASH_EVERY,
  GOLDEN_SCENES,
  GOLDEN_TICKS,
  goldenRecording,
  hashesOfRun,
  summaryOf,
  withHashes,
  type GoldenBuild,
  type GoldenScene,
} from '../fixtures/golden-runs.js';

/**
 * Of the golden minute, which other browsers show in full. Differences may come from the browser's
 * arithmetic and its `Math`, which every tick uses, and bodies that hit each other immediately
 * enlarge a difference of one bit.
 */
const TICKS = browserName === 'chromium' ? 600 : GOLDEN_TICKS;
const RECORDED_TICKS = 300;
/** One in other browsers. */
const SCENES = browserName === 'chromium' ? GOLDEN_SCENES : (['vehicle'] as const);

const identicalFor = (ticks: number) => ({
  tick: ticks,
  hashes: ticks / GOLDEN_HASH_EVERY,
  differsAt: undefined,
  equalUpTo: ticks,
});

for (const build of GOLDEN_BUILDS)
  test(`${build}: scenes with visitors, and recordings of the demo's worker, have the same hashes with and without it`, async ({
    page,
  }) => {
    const consoleLines = watchConsole(page);
    await page.goto('/tests/browser/pages/golden.html');
    await page.waitForFunction(() => 'golden' in globalThis);
    const setup: SceneRequest = { name: 'vehicle', bodies: 40, seed: 7 };
    // The first again: earlier runs do not matter.
    const names = [...SCENES, SCENES[0]];
    const { file, reports } = await page.evaluate(
      ([engine, request, ticks, files]) => golden.run(engine, request, ticks, files),
      [build, setup, RECORDED_TICKS, names.map((name) => goldenFile(name, build))] as const,
    );
    await test.step('the worker has the hashes of all recordings, in sequence', () => {
      const [recorded, ...shown] = reports;
      expect(recorded).toEqual(identicalFor(RECORDED_TICKS));
      expect(shown).toHaveLength(names.length);
      for (const [at, name] of names.entries()) {
        expect(shown[at], name).toEqual(identicalFor(TICKS));
      }
    });
    await test.step('this thread has the hashes that the worker has recorded', async () => {
      const recording = decodeRecording(new Uint8Array(Buffer.from(file, 'base64')));
      expect(recording).toMatchObject({ lastTick: RECORDED_TICKS, run: { setup } });
      const recorded = recording.entries.flatMap((entry) =>
        entry.kind === 'hash' ? entry.hash : [],
      );
      expect(recorded).toHaveLength(RECORDED_TICKS / GOLDEN_HASH_EVERY);
      expect(await hashesOfRun(recording, build)).toEqual(recorded);
    });
    expect(await consoleLines()).toEqual([]);
  });

/** The beginning of a golden run, as a file in base64. */
function goldenFile(name: GoldenScene, build: GoldenBuild): string {
  // A test of `tests/threads` checks that this thread has the same hashes.
  const hashes = GOLDEN_HASH_LISTS[build][name];
  expect(summaryOf(hashes)).toEqual(GOLDEN_HASHES[build][name]);
  const whole = withHashes(goldenRecording(name, build), hashes);
  const entries = whole.entries.filter(({ tick }) => tick <= TICKS);
  const recording: Recording = { ...whole, entries, lastTick: TICKS };
  return Buffer.from(encodeRecording(recording)).toString('base64');
}
