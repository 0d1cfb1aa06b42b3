/** `on('status', …)`, and what a handle has: its calls, and the getters next to the setters. In virtual time. */
import { expect, test } from 'vitest';
import { runLocally } from '../../../src/sim-worker/local.js';
import type { Simulation, SimulationContext } from '../../../src/sim-worker/index.js';
import { reportsOfTest } from '../../fixtures/worlds.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import { connectInVirtualTime, connectLocally } from '../../fixtures/virtual-time.js';

test('the status has no options, and accepts only functions', async () => {
  const { simulation } = await connectInVirtualTime();
  const when = 'now';
  // @ts-expect-error: it has no such option.
  expect(() => simulation.on('status', () => {}, { when })).toThrow(
    /"when" of on\('status'\): it has none$/,
  );
  // @ts-expect-error: no function.
  expect(() => simulation.on('status', 'text')).toThrow(
    new TypeError('the handler of "status" must be a function, but is a value of type string'),
  );
});

test('the status is refused as the name of a custom event, by types and at run time', async () => {
  let context: SimulationContext | undefined;
  const named: Simulation<Record<never, never>, { goal: number }> = {
    init: (given) => void (context = given),
    step: () => {},
    // @ts-expect-error: the name is taken.
    events: {} as { status: number },
  };
  await connectLocally(() => runLocally(named));
  // @ts-expect-error: here as well.
  expect(() => context?.events.emit('status', 1)).toThrow(
    'the event name "status" is reserved, as are contact, contactForce, sensor, sleep, collision, spawn, despawn, status',
  );
});

test('disposing completes even if a handler of the status throws, or disposes again', async () => {
  const reports = reportsOfTest();
  const { time, simulation } = await connectInVirtualTime();
  const pending = simulation.queries.never().catch((error: unknown) => error);
  const error = new Error('from a handler');
  const within: unknown[] = [];
  simulation.on('status', () => {
    throw error;
  });
  simulation.on('status', () => within.push(simulation.state, simulation.dispose()));
  const takeAway = simulation.on('status', () => within.push('a handler that was removed'));
  takeAway();
  const disposal = simulation.dispose();
  expect(within).toEqual(['disposed', disposal]);
  expect(simulation.dispose()).toBe(disposal);
  await time.until(disposal);
  expect(await pending).toMatchObject({ name: 'SimulationDisposedError' });
  expect(reports()).toEqual([String(error)]);
});

test("a handle has exactly the simulation's commands and queries", async () => {
  const { simulation } = await connectInVirtualTime({ startPaused: true });
  const toy = createToy();
  for (const kind of ['commands', 'queries'] as const) {
    expect(Object.isFrozen(simulation[kind])).toBe(true);
    expect(Object.keys(simulation[kind])).toEqual(Object.keys(toy[kind] ?? {}));
  }
});

test('the bound of a wake-up is the last one set', async () => {
  const { time, simulation } = await connectInVirtualTime({ maxCatchUpTicks: 7 });
  expect(simulation.maxCatchUpTicks).toBe(7);
  const setting = simulation.setMaxCatchUpTicks(9);
  expect(simulation.maxCatchUpTicks).toBe(9);
  await time.until(setting);
  await expect(simulation.setMaxCatchUpTicks(0)).rejects.toThrow(RangeError);
  expect(simulation.maxCatchUpTicks).toBe(9);
});
