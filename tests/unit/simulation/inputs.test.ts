/** Inputs on their way into the ticks, in virtual time. */
import { expect, test } from 'vitest';
import { QueueFullError } from '../../../src/render-main/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

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

test('inputs that find the queue full are refused and counted, and those that are in it stay', async () => {
  const { time, simulation } = await connectInVirtualTime(
    tuned({ startPaused: true }, { inputWords: 64 }),
  );
  const answers = Array.from({ length: 10 }, (_, code) =>
    simulation.inputs.push(custom(code), time.nowMs),
  );
  expect(answers).toEqual([true, true, true, true, ...Array<boolean>(6).fill(false)]);
  await expect(simulation.commands.push(1, 2)).rejects.toBeInstanceOf(QueueFullError);
  expect(simulation.stats().refusedInputs).toBe(7);
  await time.until(simulation.step());
  const [given] = await time.until(simulation.queries.given());
  expect(given?.inputs.map(({ code }) => code)).toEqual([0, 1, 2, 3]);
  expect(simulation.inputs.push(custom(9), time.nowMs)).toBe(true);
});

test('an overloaded simulation drops ticks, but neither inputs nor their effects', async () => {
  const { time, simulation } = await connectInVirtualTime(
    { tickRateHz: 240, maxCatchUpTicks: 1, recording: { hashEveryTicks: 2 } },
    { stepCostMs: 40 },
  );
  for (let code = 0; code < 20; code++) {
    expect(simulation.inputs.push({ ...custom(code), x: 0.01 }, time.nowMs)).toBe(true);
    await time.advance(5);
  }
  await time.until(simulation.pause());
  await time.until(simulation.step(4));
  expect(simulation.stats().droppedTicks).toBeGreaterThanOrEqual(10);
  const recording = simulation.recording();
  const codes = recording.entries.flatMap((entry) =>
    entry.kind === 'input' ? [entry.input.code] : [],
  );
  expect(codes).toEqual(Array.from({ length: 20 }, (_, code) => code));
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(1);
});
