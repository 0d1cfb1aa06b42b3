/** What a minute of a scene comes to in a browser's worker is what it comes to without one, bit for bit. */
import { expect, test } from '@playwright/test';
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

test('scenes come to the golden hashes in the worker of the demo', async ({ page }) => {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning' || message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto('/tests/browser/pages/golden.html');
  await page.waitForFunction(() => 'golden' in globalThis);

  for (const name of GOLDEN_SCENES) {
    const recording = goldenRecording(name);
    const hashes = await hashesOfRun(recording);
    expect(summaryOf(hashes), name).toEqual(GOLDEN_HASHES[name]);
    const file = encodeRecording(withHashes(recording, hashes));
    const base64 = Buffer.from(file).toString('base64');
    const report = await page.evaluate((given) => golden.replay(given), base64);
    // What is undefined does not come across.
    expect({ differsAt: undefined, ...report }, name).toEqual({
      tick: GOLDEN_TICKS,
      hashes: GOLDEN_TICKS / GOLDEN_HASH_EVERY,
      differsAt: undefined,
      equalUpTo: GOLDEN_TICKS,
    });
  }
  expect(errors).toEqual([]);
});

test('what is lived through in the browser comes to the same hashes in Node', async ({ page }) => {
  await page.goto('/tests/browser/pages/golden.html');
  await page.waitForFunction(() => 'golden' in globalThis);
  const recording = { ...goldenRecording('vehicle'), lastTick: 1, entries: [] };
  const given = Buffer.from(encodeRecording(recording)).toString('base64');
  await page.evaluate((base64) => golden.replay(base64), given);
  const lived = await page.evaluate(() => golden.liveThrough(600));
  const read = decodeRecording(new Uint8Array(Buffer.from(lived, 'base64')));
  const inNode = await hashesOfRun({
    ...read,
    entries: read.entries.filter(({ kind }) => kind !== 'hash'),
  });
  expect(read.lastTick).toBe(600);
  expect(read.entries.flatMap((entry) => (entry.kind === 'hash' ? [entry.hash] : []))).toEqual(
    inNode,
  );
  expect(inNode).toHaveLength(600 / GOLDEN_HASH_EVERY);
});
