/** What a minute of a scene comes to in a browser's worker is what it comes to without one, bit for bit. */
import type { SceneRequest } from '../../demo/contract/scene-contract.js';
import { decodeRecording, encodeRecording } from '../../src/shared/index.js';
import { browserName, expect, test as base, watchConsole } from '../browsers/test.js';
import { GOLDEN_HASH_LISTS } from '../fixtures/golden-hash-lists.js';
import { GOLDEN_HASHES } from '../fixtures/golden-hashes.js';
import {
  GOLDEN_HASH_EVERY,
  GOLDEN_SCENES,
  GOLDEN_TICKS,
  goldenRecording,
  hashesOfRun,
  summaryOf,
  withHashes,
} from '../fixtures/golden-runs.js';

/** One in further browsers: what may differ are their arithmetic and their `Math`, which every scene uses. */
const SCENES = browserName === 'chromium' ? GOLDEN_SCENES : (['vehicle'] as const);

const test = base.extend({
  page: async ({ page }, use) => {
    const consoleLines = watchConsole(page);
    await page.goto('/tests/browser/pages/golden.html');
    await page.waitForFunction(() => 'golden' in globalThis);
    await use(page);
    expect(await consoleLines()).toEqual([]);
  },
});

const identicalFor = (ticks: number) => ({
  tick: ticks,
  hashes: ticks / GOLDEN_HASH_EVERY,
  differsAt: undefined,
  equalUpTo: ticks,
});

for (const name of SCENES) {
  test(`${name} with visitors comes to the golden hashes in the worker of the demo`, async ({
    page,
  }) => {
    // That they are what this thread comes to is a test of `tests/threads`.
    const hashes = GOLDEN_HASH_LISTS[name];
    expect(summaryOf(hashes)).toEqual(GOLDEN_HASHES[name]);
    const recording = withHashes(goldenRecording(name), hashes);
    const file = Buffer.from(encodeRecording(recording)).toString('base64');
    const reports = await page.evaluate((given) => golden.replay(given), [file]);
    expect(reports).toEqual([identicalFor(GOLDEN_TICKS)]);
  });
}

test('what the worker of the demo records comes to the same hashes without it', async ({
  page,
}) => {
  const setup: SceneRequest = { name: 'vehicle', bodies: 40, seed: 7 };
  const file = await page.evaluate((given) => golden.live(given, 600), setup);
  const recording = decodeRecording(new Uint8Array(Buffer.from(file, 'base64')));
  expect(recording).toMatchObject({ lastTick: 600, run: { setup } });
  const recorded = recording.entries.flatMap((entry) => (entry.kind === 'hash' ? entry.hash : []));
  expect(recorded).toHaveLength(600 / GOLDEN_HASH_EVERY);
  expect(await hashesOfRun(recording)).toEqual(recorded);
});

test('recordings of several scenes, shown one after the other in one worker, come out the same', async ({
  page,
}) => {
  const lengths = [120, 240] as const;
  const reports = await page.evaluate(async ([shorter, longer]) => {
    const bridge = await golden.live({ name: 'bridge', bodies: 20, seed: 7 }, shorter);
    const vehicle = await golden.live({ name: 'vehicle', bodies: 40, seed: 7 }, longer);
    return golden.replay([bridge, vehicle, bridge]);
  }, lengths);
  expect(reports).toEqual([lengths[0], lengths[1], lengths[0]].map(identicalFor));
});
