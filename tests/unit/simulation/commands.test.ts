/** Commands that fail, and what a handle has, in virtual time. Over threads: tests/threads/transports. */
import { expect, test } from 'vitest';
import { CapacityExceededError } from '../../../src/sim-worker/index.js';
import { failureOf } from '../../fixtures/stepped-toy.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

const RUNNING = { tickRateHz: 60, capacity: 64 } as const;

test('a command that throws rejects with its error, and the run continues', async () => {
  const { time, simulation } = await connectInVirtualTime(RUNNING);
  const { reason } = failureOf(simulation.commands.push(99, 1));
  expect(await time.until(reason)).toMatchObject({
    name: 'RangeError',
    message: 'there is no point 99',
  });
  const full = await time.until(failureOf(simulation.commands.fill(1000)).reason);
  expect(full).toBeInstanceOf(CapacityExceededError);
  expect((full as Error).message).toMatch(/all 64 bodies/);
  expect(await time.until(simulation.queries.bodyCount())).toBe(64);
  const { tick } = simulation.stats();
  await time.advance(100);
  expect(simulation.state).toBe('running');
  expect(simulation.stats().tick).toBeGreaterThanOrEqual(tick + 5);
  await time.until(simulation.queries.rebuild());
  expect(await time.until(simulation.queries.bodyCount())).toBe(16);
});

test("a handle has exactly the simulation's commands and queries", async () => {
  const { simulation } = await connectInVirtualTime({ startPaused: true });
  const toy = createToy();
  for (const kind of ['commands', 'queries'] as const) {
    expect(Object.isFrozen(simulation[kind])).toBe(true);
    expect(Object.keys(simulation[kind])).toEqual(Object.keys(toy[kind] ?? {}));
  }
});

test('disposing completes even if a handler of the status throws, or disposes again', async () => {
  const { time, simulation } = await connectInVirtualTime(RUNNING);
  const reported: unknown[] = [];
  const { reportError } = globalThis;
  globalThis.reportError = (error) => void reported.push(error);
  const pending = simulation.queries.never().catch((error: unknown) => error);
  const error = new Error('from a handler');
  const within: unknown[] = [];
  simulation.on('status', () => {
    throw error;
  });
  simulation.on('status', () => within.push(simulation.state, simulation.dispose()));
  const disposal = simulation.dispose();
  expect(within).toEqual(['disposed', disposal]);
  expect(simulation.dispose()).toBe(disposal);
  await time.until(disposal);
  globalThis.reportError = reportError;
  expect(await pending).toMatchObject({ name: 'SimulationDisposedError' });
  expect(reported).toEqual([error]);
});
