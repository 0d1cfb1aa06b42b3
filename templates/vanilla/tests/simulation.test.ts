import { keyCode } from 'betwixt/worker';
import { expect, test, vi } from 'vitest';
import { BODIES, RADIUS_M } from '../src/bodies.js';
import { createSimulation } from '../src/simulation.js';
import { play } from './play.js';

/** In ticks. */
const SECOND = 60;
/** Long enough for everything to lie still. */
const REST = 6 * SECOND;

/** The space bar is pressed in a tick and let go in the next. */
const space = (tick: number) => {
  const values = { code: keyCode('Space'), device: 0, x: 0, y: 0, z: 0, w: 0, fraction: 0.5 };
  return [
    { kind: 'input', tick, input: { kind: 'keydown', ...values } },
    { kind: 'input', tick: tick + 1, input: { kind: 'keyup', ...values } },
  ] as const;
};

test('three bodies fall on the plate, touch it, and come to rest on it', async () => {
  const simulation = createSimulation();
  const met = new Set<unknown>();
  await play(simulation, {
    ticks: REST,
    onInit: ({ events }) => {
      vi.spyOn(events, 'contact').mockImplementation((a, b) => {
        // What is no body, such as the plate, is undefined.
        if (a === undefined || b === undefined) met.add(a ?? b);
      });
    },
    onTick: (tick) => {
      if (tick < REST) return;
      for (const height of simulation.commands.heights()) {
        expect(height).toBeGreaterThan(0.2);
        expect(height).toBeLessThan(2 * RADIUS_M);
      }
    },
  });
  expect(met.size).toBe(BODIES.length);
});

test('the space bar makes one of them jump, and the next time the next one', async () => {
  const simulation = createSimulation();
  const jumped: number[] = [];
  await play(simulation, {
    ticks: REST + 4 * SECOND,
    inputs: [...space(REST), ...space(REST + 2 * SECOND)],
    onTick: () => {
      simulation.commands.heights().forEach((y, index) => {
        if (y > 1.5 && jumped.at(-1) !== index) jumped.push(index);
      });
    },
  });
  // What is high up before the first jump is falling down at the start.
  expect(jumped.slice(-2)).toEqual([0, 1]);
});

test('the same seed gives the same run, bit for bit', async () => {
  const first = await hashOfRun(1);
  expect(await hashOfRun(1)).toBe(first);
  expect(await hashOfRun(2)).not.toBe(first);
});

function hashOfRun(seed: number): Promise<string> {
  return play(createSimulation(), { seed, ticks: 3 * SECOND, inputs: space(SECOND) });
}
