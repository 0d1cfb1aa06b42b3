/** What a minute of a scene comes to in a browser's worker is what it comes to without one, bit for bit. */
import { expect, test as base } from '@playwright/test';
import type { SceneRequest } from '../../demo/contract/scene-contract.js';
import { decodeRecording, encodeRecording } from '../../src/shared/index.js';
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

const test = base.extend({
  page: async ({ page }, use) => {
    const lines: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning' || message.type() === 'error') lines.push(message.text());
    });
    page.on('pageerror', (error) => lines.push(String(error)));
    await page.goto('/tests/browser/pages/golden.html');
    await page.waitForFunction(() => 'golden' in globalThis);
    await use(page);
    expect(lines).toEqual([]);
  },
});

test('scenes with visitors come to the golden hashes in the worker of the demo', async ({
  page,
}) => {
  const files: string[] = [];
  for (const name of GOLDEN_SCENES) {
    const recording = goldenRecording(name);
    const hashes = await hashesOfRun(recording);
    expect(summaryOf(hashes), name).toEqual(GOLDEN_HASHES[name]);
    files.push(Buffer.from(encodeRecording(withHashes(recording, hashes))).toString('base64'));
  }
  const reports = await page.evaluate((given) => golden.replay(given), files);
  const identical = {
    tick: GOLDEN_TICKS,
    hashes: GOLDEN_TICKS / GOLDEN_HASH_EVERY,
    differsAt: undefined,
    equalUpTo: GOLDEN_TICKS,
  };
  expect(reports).toEqual(GOLDEN_SCENES.map(() => identical));
});

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
