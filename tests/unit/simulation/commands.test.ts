/** Results of commands and queries, and the state after their errors, in virtual time. */
import { expect, test } from 'vitest';
import { CapacityExceededError } from '../../../src/sim-worker/index.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

async function connectRunning() {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 60, capacity: 64 });
  const errorOf = async (promise: Promise<unknown>): Promise<Error> => {
    const reason = await time.until(
      promise.then(
        () => 'nothing was thrown',
        (error: unknown) => error,
      ),
    );
    expect(reason).toBeInstanceOf(Error);
    return reason as Error;
  };
  /** The loop continues whatever happened. */
  const expectRunning = async (): Promise<void> => {
    const { tick } = simulation.stats();
    await time.advance(100);
    expect(simulation.state).toBe('running');
    expect(simulation.stats().tick).toBeGreaterThanOrEqual(tick + 5);
  };
  return { time, simulation, errorOf, expectRunning };
}

test('a query resolves with a clone of its result, also of a promise', async () => {
  const { time, simulation } = await connectRunning();
  const value = { list: [1, 2, 3], text: 'ü', nothing: undefined, when: new Date(5) };
  expect(await time.until(simulation.queries.echo(value))).toEqual(value);
  expect(await time.until(simulation.queries.later('in a while'))).toBe('in a while');
});

test('a query that throws rejects with an error of that name, message and stack', async () => {
  const { simulation, errorOf, expectRunning } = await connectRunning();
  const error = await errorOf(simulation.queries.fail('too far'));
  expect([error.name, error.message]).toEqual(['RangeError', 'too far']);
  expect(error.stack).toContain('toy-simulation');
  for (const thrown of ['text', 7, null, undefined]) {
    expect((await errorOf(simulation.queries.failWith(thrown))).message).toBe(String(thrown));
  }
  await expectRunning();
});

test('a query whose argument or result cannot be cloned rejects, and the run continues', async () => {
  const { simulation, errorOf, expectRunning } = await connectRunning();
  expect((await errorOf(simulation.queries.unclonable())).message).toMatch(/unserializable/i);
  expect((await errorOf(simulation.queries.echo(() => {}))).message).toMatch(/could not be cloned/);
  await expectRunning();
});

test('a command that throws rejects with its error, and the run continues', async () => {
  const { time, simulation, errorOf, expectRunning } = await connectRunning();
  const error = await errorOf(simulation.commands.push(99, 1));
  expect([error.name, error.message]).toEqual(['RangeError', 'there is no point 99']);
  const full = await errorOf(simulation.commands.fill(1000));
  expect(full).toBeInstanceOf(CapacityExceededError);
  expect(full.message).toMatch(/all 64 bodies/);
  expect(await time.until(simulation.queries.bodyCount())).toBe(64);
  await expectRunning();
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
  const { time, simulation } = await connectRunning();
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
