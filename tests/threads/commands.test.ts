import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CapacityExceededError, replay } from '../../src/sim-worker/index.js';
import { connectToy, connectToyForTest, ticksPass, type ToyHandle } from '../fixtures/threads.js';
import { createToy } from '../fixtures/toy-simulation.js';

let simulation: ToyHandle;
beforeAll(async () => {
  simulation = await connectToy({ tickRateHz: 60, capacity: 64 });
});
afterAll(() => simulation.dispose());

const errorOf = async (promise: Promise<unknown>): Promise<Error> => {
  const reason: unknown = await promise.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(Error);
  return reason as Error;
};

/** The loop continues whatever happened. */
async function expectRunning(): Promise<void> {
  await ticksPass(simulation);
  expect(simulation.state).toBe('running');
}

describe('a query', () => {
  test('resolves with a clone of its result', async () => {
    const value = { list: [1, 2, 3], text: 'ü', nothing: undefined, when: new Date(5) };
    expect(await simulation.queries.echo(value)).toEqual(value);
    expect(await simulation.queries.later('in a while')).toBe('in a while');
  });

  test("rejects with its error: name, message and the worker's stack", async () => {
    const error = await errorOf(simulation.queries.fail('too far'));
    expect([error.name, error.message]).toEqual(['RangeError', 'too far']);
    expect(error.stack).toContain('toy-simulation');
    await expectRunning();
  });

  test.each(['text', 7, null, undefined])(
    'that throws %o rejects with an error',
    async (thrown) => {
      expect((await errorOf(simulation.queries.failWith(thrown))).message).toBe(String(thrown));
    },
  );

  test('whose result cannot be cloned rejects', async () => {
    expect((await errorOf(simulation.queries.unclonable())).message).toMatch(/unserializable/i);
    await expectRunning();
  });

  test('with an argument that cannot be cloned rejects', async () => {
    expect((await errorOf(simulation.queries.echo(() => {}))).message).toMatch(
      /could not be cloned/,
    );
    await expectRunning();
  });

  test('that changes the run rejects by name, and the run continues and replays', async () => {
    const checked = await connectToyForTest({ tickRateHz: 240, recording: { hashEveryTicks: 1 } });
    await ticksPass(checked);
    const spawned = await errorOf(checked.queries.spawnInQuery());
    expect(spawned.message).toMatch(/^the query "spawnInQuery" has spawned a body: .* a command$/);
    const drawn = await errorOf(checked.queries.drawInQuery());
    expect(drawn.message).toMatch(/^the query "drawInQuery" has drawn from context.random: /);
    const asked = checked.stats().tick;
    await ticksPass(checked);
    // The random numbers it draws show whether the queries did.
    await checked.commands.push(1, 0.5);
    await checked.pause();
    expect(checked.stats()).toMatchObject({ bodies: 16 });
    const recording = checked.recording();
    expect(recording.lastTick).toBeGreaterThan(asked);
    const report = await replay(createToy(), recording);
    expect(report).toMatchObject({ hashes: recording.lastTick, differsAt: undefined });
  });
});

describe('a command', () => {
  test('resolves with its result, and rejects with its error', async () => {
    expect(await simulation.commands.push(1, 0.5)).toBeTypeOf('number');
    const error = await errorOf(simulation.commands.push(99, 1));
    expect([error.name, error.message]).toEqual(['RangeError', 'there is no point 99']);
  });

  test('that spawns more bodies than there are slots rejects, and the run continues', async () => {
    const error = await errorOf(simulation.commands.fill(1000));
    expect(error).toBeInstanceOf(CapacityExceededError);
    expect(error.message).toMatch(/all 64 bodies/);
    expect(await simulation.queries.bodyCount()).toBe(64);
    await expectRunning();
    await simulation.queries.rebuild();
    expect(await simulation.queries.bodyCount()).toBe(16);
  });

  test('that writes a NaN is counted, and its body stays', async () => {
    const { invalidPoses } = simulation.stats();
    expect(await simulation.commands.breakPose()).toBe(false);
    await ticksPass(simulation);
    expect(simulation.stats().invalidPoses).toBe(invalidPoses + 1);
  });
});

test.each(['commands', 'queries'] as const)("%s must be one of the simulation's", (kind) => {
  expect(Object.isFrozen(simulation[kind])).toBe(true);
  const names = Object.keys(simulation[kind]);
  expect(names).toContain(kind === 'commands' ? 'push' : 'echo');
  expect(names).not.toContain(kind === 'commands' ? 'echo' : 'push');
  expect(names).not.toContain('constructor');
});
