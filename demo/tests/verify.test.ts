/** The module for `npm run verify` that the documentation shows. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyFile } from '../cli/verify/verify-file.js';
import { createSimulation as createFountain } from '../../docs/snippets/fountain/src/simulation.js';
import { createSimulation } from '../../docs/snippets/fountain/verified.js';
import { runTicks } from '../../src/sim-worker/testing/index.js';
import { folderOf } from '../../tests/fixtures/verify-files.js';

test('the module that the documentation shows refuses what its rules forbid', async () => {
  const { recording } = await runTicks(createFountain(), {
    ticks: 120,
    capacity: 50,
    hashEveryTicks: 60,
  });
  const { run, entries } = recording;
  const files = {
    fine: recording,
    late: { ...recording, start: { tick: 60, bytes: new Uint8Array(8) } },
    crowded: { ...recording, run: { ...run, capacity: 51 } },
    slow: { ...recording, entries: [...entries, { kind: 'step', tick: 120, dt: 1 / 61 } as const] },
  };
  const folder = await folderOf(files);
  const limits = { maxTicks: 1000, maxBytes: 1_000_000 };
  const resultOf = async (name: keyof typeof files) =>
    (await verifyFile(join(folder, name), createSimulation, limits, () => {})).result;
  expect(await resultOf('fine')).toMatchObject({ verdict: 'identical', hashes: 2 });
  expect(await resultOf('late')).toEqual({
    verdict: 'refused',
    reason: 'does not start at tick 0',
  });
  expect(await resultOf('crowded')).toEqual({
    verdict: 'refused',
    reason: 'is not of this level',
  });
  expect(await resultOf('slow')).toEqual({
    verdict: 'refused',
    reason: 'has another time step than 1/60 s',
  });
});
