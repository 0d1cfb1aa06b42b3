import { runTicks, type RunTicksOptions } from 'betwixt/testing';
import { expect, test } from 'vitest';
import { CLOTH_VALUES, ROPE_VALUES } from '../src/cloth.js';
import { createSimulation } from '../src/simulation.js';

/** By default, two seconds. Commands need types of their simulation. */
type Options = Partial<Omit<RunTicksOptions, 'commands'>>;

async function run(options: Options) {
  const hashes: string[] = [];
  let last: number[] = [];
  const { recording } = await runTicks(createSimulation(), {
    ticks: 60,
    tickRateHz: 30,
    capacity: 1,
    values: CLOTH_VALUES + ROPE_VALUES,
    onTick: ({ hash, values }) => {
      hashes.push(hash);
      last = [...values];
    },
    ...options,
  });
  return { recording, hashes, values: last };
}

/** How far behind the pole the points of the cloth are in the end, on average. */
async function depthAfter(options: Options): Promise<number> {
  const { values } = await run(options);
  const cloth = values.slice(0, CLOTH_VALUES).filter((_, index) => index % 3 === 2);
  return cloth.reduce((sum, z) => sum - z, 0) / cloth.length;
}

/** On the flag. It stays down. */
const pointerAt = (tick: number) =>
  [{ tick, kind: 'pointerdown', device: 1, x: 1.5, y: 5, w: 1 }] as const;

test('a saved state continues bit for bit, while a pointer pushes the flag', async () => {
  const whole = await run({ ticks: 120, saveEveryTicks: 60, inputs: pointerAt(50) });
  const [start] = whole.recording.states;
  if (start === undefined) throw new Error('nothing was saved');
  const rest = await run({ start });
  expect(rest.hashes).toEqual(whole.hashes.slice(60));
  expect(rest.values).toEqual(whole.values);
});

test('the pointer pushes the flag away from the player', async () => {
  const pushed = await depthAfter({ inputs: pointerAt(30) });
  expect(pushed).toBeGreaterThan((await depthAfter({})) + 0.2);
});
