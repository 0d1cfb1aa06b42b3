/** What commands and queries return, and what their errors leave, in virtual time. */
import { expect, test } from 'vitest';
import { CapacityExceededError, replay } from '../../../src/sim-worker/index.js';
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

test('a query that changes the run rejects by name, and the run continues and replays', async () => {
  const { time, simulation } = await connectInVirtualTime({ recording: { hashEveryTicks: 1 } });
  await time.advance(100);
  const failed = (call: Promise<unknown>) => time.until(call.catch((error: unknown) => `${error}`));
  expect(await failed(simulation.queries.spawnInQuery())).toMatch(
    /the query "spawnInQuery" has spawned a body: .* a command$/,
  );
  expect(await failed(simulation.queries.drawInQuery())).toMatch(
    /the query "drawInQuery" has drawn from context.random: /,
  );
  const asked = simulation.stats().tick;
  await time.advance(100);
  // The random numbers it draws show whether the queries did.
  await time.until(simulation.commands.push(1, 0.5));
  await time.until(simulation.pause());
  expect(simulation.stats()).toMatchObject({ bodies: 16 });
  const recording = simulation.recording();
  expect(recording.lastTick).toBeGreaterThan(asked);
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ hashes: recording.lastTick, differsAt: undefined });
});

test('commands are applied on a tick, return their results, and are recorded', async () => {
  const { time, simulation } = await connectInVirtualTime({ startPaused: true });
  const answers = [simulation.commands.push(0, 0.5), simulation.commands.push(1, 0.25)];
  await time.until(simulation.step());
  const [one, other] = await Promise.all(answers);
  expect(one).toBeTypeOf('number');
  expect(one).not.toBe(other);
  expect(simulation.recording().entries).toMatchObject([
    { kind: 'step', tick: 1 },
    { kind: 'command', tick: 1, name: 'push', args: '[0,0.5]' },
    { kind: 'command', tick: 1, name: 'push', args: '[1,0.25]' },
  ]);
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

test('a command that writes a NaN is counted, and its body stays', async () => {
  const { time, simulation, expectRunning } = await connectRunning();
  expect(await time.until(simulation.commands.breakPose())).toBe(false);
  await expectRunning();
  expect(simulation.stats()).toMatchObject({ invalidPoses: 1, bodies: 16 });
});

test('commands accept only plain data and typed arrays', async () => {
  const { simulation } = await connectInVirtualTime({ startPaused: true });
  const push = simulation.commands.push as (...args: unknown[]) => Promise<unknown>;
  for (const wrong of [Number.NaN, () => {}, new Date(0), 1n]) {
    await expect(push(wrong)).rejects.toThrow(TypeError);
  }
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
