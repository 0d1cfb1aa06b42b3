import { expect, test } from 'vitest';
import { createSimulation } from '../src/simulation.js';
import { play } from './play.js';

/** The pointer goes down at the right edge of the picture, before the first tick, and stays down. */
const pointerOnTheRight = {
  kind: 'input',
  tick: 1,
  input: { kind: 'pointerdown', code: 0, device: 1, x: 8, y: 0, z: 0, w: 1, fraction: 0.5 },
} as const;

test('drops rise, fall again, and drift with the wind', async () => {
  const simulation = createSimulation();
  await play(simulation, { capacity: 50, ticks: 300, inputs: [pointerOnTheRight] });
  const places = simulation.commands.places();
  expect(Math.max(...places.map(({ y }) => y))).toBeGreaterThan(-5);
  const drift = places.reduce((sum, { x }) => sum + x, 0) / places.length;
  expect(drift).toBeGreaterThan(0.5);
});

test('the same seed gives the same run', async () => {
  expect(await hashOfRun(3)).toBe(await hashOfRun(3));
  expect(await hashOfRun(4)).not.toBe(await hashOfRun(3));
});

function hashOfRun(seed: number): Promise<string> {
  return play(createSimulation(), { seed, capacity: 50, ticks: 300 });
}
