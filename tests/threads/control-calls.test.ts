/** Calls to a worker that sleeps. The latency of their answers is measured in tests/real-time. */
import { describe, expect, test } from 'vitest';
import { connectToyForTest, ticksMatchTime } from '../fixtures/threads.js';

/** A tick every 100 s: a call that waited for the next one would be detected. */
const RARELY = { tickRateHz: 1, timeScale: 0.01, capacity: 64 } as const;
const CALLS = 50;

describe('control calls to a sleeping worker', () => {
  test('are answered by the doorbell, and do not wait for the next tick', async () => {
    const simulation = await connectToyForTest(RARELY);
    for (let call = 0; call < CALLS; call++) {
      expect(await simulation.queries.echo(call)).toBe(call);
    }
    expect(simulation.stats().tick).toBeLessThan(CALLS / 2);
  });

  test('neither cost nor add ticks', async () => {
    const simulation = await connectToyForTest({ tickRateHz: 20, capacity: 64 });
    for (let call = 0; call < 300; call++) await simulation.queries.echo(call);
    expect((await ticksMatchTime(simulation)).state).toBe('running');
  });

  test('that are sent together are all answered, in order', async () => {
    const simulation = await connectToyForTest(RARELY);
    const answered: unknown[] = [];
    await Promise.all(
      Array.from({ length: 10 * CALLS }, async (_, call) => {
        answered.push(await simulation.queries.echo(call));
      }),
    );
    expect(answered).toEqual(Array.from({ length: 10 * CALLS }, (_, call) => call));
    // Some of them may have to wait for a second pass, but not for tick after tick.
    expect(simulation.stats().tick).toBeLessThan(CALLS / 2);
  });

  test('are answered in order, however each of them reaches the worker', async () => {
    const simulation = await connectToyForTest(RARELY);
    const answered: number[] = [];
    const { queries } = simulation;
    // Without a value that JSON would change, the first of several goes through the memory.
    const kinds = [
      () => queries.echo(1),
      () => queries.echo(Number.NaN),
      () => queries.echo('x'.repeat(2000)),
      () => simulation.setMaxCatchUpTicks(5),
    ];
    for (let round = 0; round < CALLS; round++) {
      const first = round % kinds.length;
      const calls = [...kinds.slice(first), ...kinds.slice(0, first)];
      answered.length = 0;
      await Promise.all(calls.map(async (call, index) => answered.push((await call(), index))));
      expect(answered).toEqual([0, 1, 2, 3]);
    }
  });

  test('are answered while it is paused, and when it has just been', async () => {
    const simulation = await connectToyForTest(RARELY);
    for (let call = 0; call < CALLS; call++) {
      await (call % 2 === 0 ? simulation.pause() : simulation.resume());
      expect(await simulation.queries.echo(call)).toBe(call);
      expect(await simulation.queries.echo(-call - 1)).toBe(-call - 1);
    }
  });
});
