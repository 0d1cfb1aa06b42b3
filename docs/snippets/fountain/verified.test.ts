import { expect, test } from 'vitest';
import { runTicks } from 'betwixt/testing';
import { createSimulation } from './src/simulation.js';
import { verify } from './verified.js';

test('the check of uploads that the documentation shows refuses what its rules forbid', async () => {
  const { recording } = await runTicks(createSimulation(), {
    ticks: 120,
    capacity: 50,
    hashEveryTicks: 60,
  });
  expect(await verify(recording)).toBe(true);
  const { run, entries } = recording;
  const late = { ...recording, start: { tick: 60, bytes: new Uint8Array(8) } };
  await expect(verify(late)).rejects.toThrow('does not start at tick 0');
  const crowded = { ...recording, run: { ...run, capacity: 51 } };
  await expect(verify(crowded)).rejects.toThrow('is not of this level');
  const slow = [...entries, { kind: 'step', tick: 120, dt: 1 / 61 } as const];
  await expect(verify({ ...recording, entries: slow })).rejects.toThrow(
    'has a time step other than 1/60 s',
  );
});
