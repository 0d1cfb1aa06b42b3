import { readFileSync } from 'node:fs';
import { decodeRecording } from 'betwixt/shared';
import { replay } from 'betwixt/worker';
import { expect, test } from 'vitest';
import { createSimulation } from '../src/simulation.js';

test('a stored recording still replays identically', async () => {
  const recording = decodeRecording(readFileSync('tests/kept.btwr'));
  const { hashes, differsAt } = await replay(createSimulation(), recording);
  expect(hashes).toBeGreaterThan(0);
  expect(differsAt).toBeUndefined();
});
