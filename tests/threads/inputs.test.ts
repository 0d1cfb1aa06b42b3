import { describe, expect, test } from 'vitest';
import { QueueFullError } from '../../src/render-main/index.js';
import { sleep } from '../fixtures/busy.js';
import { eventually } from '../fixtures/eventually.js';
import { connectToyForTest, ticksPass } from '../fixtures/threads.js';

const custom = (code: number) =>
  ({ kind: 'custom', code, device: 0, x: 1, y: 2, z: 3, w: 4 }) as const;

describe('inputs', () => {
  test('reach ticks in order, with all their values', async () => {
    const simulation = await connectToyForTest({ tickRateHz: 100, capacity: 64 });
    for (let code = 0; code < 50; code++) {
      expect(simulation.inputs.push(custom(code), performance.now())).toBe(true);
      await sleep(3);
    }
    await eventually(() => expect(simulation.stats().inputs).toBe(50));
    const given = await simulation.queries.given();
    const inputs = given.flatMap((tick) => tick.inputs);
    expect(inputs.map(({ code }) => code)).toEqual(Array.from({ length: 50 }, (_, code) => code));
    expect(inputs[7]).toMatchObject({ kind: 'custom', device: 0, x: 1, y: 2, z: 3, w: 4 });
    expect(simulation.stats().refusedInputs).toBe(0);
    expect(simulation.stats().inputLatencyMs.p50).toBeGreaterThan(0);
  });

  test('from before the window are late, counted, and given to the next tick', async () => {
    const simulation = await connectToyForTest({ tickRateHz: 100, capacity: 64 });
    await ticksPass(simulation, 10);
    // As old as this thread: before any window.
    simulation.inputs.push(custom(1), 0);
    await eventually(() => expect(simulation.stats().inputs).toBe(1));
    expect(simulation.stats().lateInputs).toBe(1);
    const [given] = await simulation.queries.given();
    expect(given?.inputs[0]).toMatchObject({ code: 1, fraction: 0 });
  });

  test('wait while the simulation is paused, and all go to the tick that is stepped', async () => {
    const simulation = await connectToyForTest({ capacity: 64, startPaused: true });
    for (let code = 0; code < 3; code++) simulation.inputs.push(custom(code), performance.now());
    // Each of these calls wakes the worker.
    for (let call = 0; call < 10; call++) {
      expect(await simulation.queries.given()).toEqual([]);
    }
    await simulation.step(2);
    const given = await simulation.queries.given();
    expect(given.map(({ tick, inputs }) => [tick, inputs.length])).toEqual([[1, 3]]);
  });

  test('that find the queue full are refused and counted, and those that are in it stay', async () => {
    const options = { capacity: 64, startPaused: true, queues: { inputWords: 64 } };
    const simulation = await connectToyForTest(options);
    const answers = Array.from({ length: 10 }, (_, code) =>
      simulation.inputs.push(custom(code), performance.now()),
    );
    expect(answers).toEqual([true, true, true, true, ...Array<boolean>(6).fill(false)]);
    await expect(simulation.commands.push(1, 2)).rejects.toBeInstanceOf(QueueFullError);
    expect(simulation.stats().refusedInputs).toBe(7);
    await simulation.step();
    const [given] = await simulation.queries.given();
    expect(given?.inputs.map(({ code }) => code)).toEqual([0, 1, 2, 3]);
    expect(simulation.inputs.push(custom(9), performance.now())).toBe(true);
  });

  test.each([
    ['kind', { ...custom(1), kind: 'keypress' }, 1],
    ['code', { ...custom(1), code: 1.5 }, 1],
    ['x', { ...custom(1), x: Number.NaN }, 1],
    ['stampMs', custom(1), Number.NaN],
  ])('with a wrong %s are an error', async (name, wrong, stampMs) => {
    const simulation = await connectToyForTest({ capacity: 64, startPaused: true });
    expect(() => simulation.inputs.push(wrong as never, stampMs)).toThrow(RangeError);
    expect(() => simulation.inputs.push(wrong as never, stampMs)).toThrow(name);
  });
});

describe('commands', () => {
  test('are applied on a tick, return their results, and are recorded', async () => {
    const simulation = await connectToyForTest({ capacity: 64, startPaused: true });
    const answers = [simulation.commands.push(0, 0.5), simulation.commands.push(1, 0.25)];
    await simulation.step();
    const values = await Promise.all(answers);
    expect(values[0]).not.toBe(values[1]);
    expect(simulation.recording().entries).toMatchObject([
      { kind: 'step', tick: 1 },
      { kind: 'command', tick: 1, name: 'push', args: '[0,0.5]' },
      { kind: 'command', tick: 1, name: 'push', args: '[1,0.25]' },
    ]);
  });

  test('that throw reject with the error, and the run continues', async () => {
    const simulation = await connectToyForTest({ capacity: 64 });
    await expect(simulation.commands.push(99, 1)).rejects.toThrow('there is no point 99');
    await expect(simulation.commands.push(1, 1)).resolves.toBeTypeOf('number');
    expect(simulation.state).toBe('running');
  });

  test('accept only plain data and typed arrays', async () => {
    const simulation = await connectToyForTest({ capacity: 64, startPaused: true });
    const push = simulation.commands.push as (...args: unknown[]) => Promise<unknown>;
    for (const wrong of [Number.NaN, () => {}, new Date(0), 1n]) {
      await expect(push(wrong)).rejects.toThrow(TypeError);
    }
  });
});
