import { runTicks } from 'betwixt/testing';
import { expect, test } from 'vitest';
import { createSimulation } from '../src/simulation.js';

test('drops rise, fall again, and drift with the wind', async () => {
  const { poses } = await runTicks(createSimulation(), {
    capacity: 50,
    ticks: 300,
    // The pointer goes down at the right edge of the picture, before the first step, and stays down.
    inputs: [{ tick: 1, kind: 'pointerdown', device: 1, x: 8, w: 1 }],
  });
  const drops = [...poses.values()];
  expect(Math.max(...drops.map(({ y }) => y))).toBeGreaterThan(-5);
  const drift = drops.reduce((sum, { x }) => sum + x, 0) / drops.length;
  expect(drift).toBeGreaterThan(0.5);
});
