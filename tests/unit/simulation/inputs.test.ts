/** Inputs on their way into the ticks, in virtual time. */
import { expect, test } from 'vitest';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

const custom = (code: number) =>
  ({ kind: 'custom', code, device: 0, x: 1, y: 2, z: 3, w: 4 }) as const;

test('inputs reach their ticks in order, with all their values', async () => {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 100 });
  for (let code = 0; code < 50; code++) {
    expect(simulation.inputs.push(custom(code), time.nowMs)).toBe(true);
    await time.advance(3);
  }
  await time.advance(20);
  const given = await time.until(simulation.queries.given());
  const inputs = given.flatMap((tick) => tick.inputs);
  expect(inputs.map(({ code }) => code)).toEqual(Array.from({ length: 50 }, (_, code) => code));
  expect(inputs[7]).toMatchObject({ kind: 'custom', device: 0, x: 1, y: 2, z: 3, w: 4 });
  // Three or four in each tick of 10 ms.
  expect(Math.max(...given.map((tick) => tick.inputs.length))).toBe(4);
  expect(simulation.stats()).toMatchObject({ inputs: 50, refusedInputs: 0 });
  expect(simulation.stats().inputLatencyMs.p50).toBeGreaterThan(0);
});

test('an input from before the window is late, counted, and given to the next tick', async () => {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 100 });
  await time.advance(105);
  simulation.inputs.push(custom(1), 0);
  await time.advance(10);
  expect(simulation.stats()).toMatchObject({ inputs: 1, lateInputs: 1 });
  const [given] = await time.until(simulation.queries.given());
  expect(given).toMatchObject({ tick: 11, inputs: [{ code: 1, fraction: 0 }] });
});

test('inputs wait while the simulation is paused, and all go to the tick that is stepped', async () => {
  const { time, simulation } = await connectInVirtualTime({ startPaused: true });
  for (let code = 0; code < 3; code++) simulation.inputs.push(custom(code), time.nowMs);
  // Each of these calls wakes the worker.
  for (let call = 0; call < 10; call++) {
    expect(await time.until(simulation.queries.given())).toEqual([]);
  }
  await time.until(simulation.step(2));
  const given = await time.until(simulation.queries.given());
  expect(given.map(({ tick, inputs }) => [tick, inputs.length])).toEqual([[1, 3]]);
});
