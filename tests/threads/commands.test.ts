import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CapacityExceededError } from '../../src/render-main/index.js';
import { connectToy, ticksPass, type ToyHandle } from '../fixtures/threads.js';

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

/** The loop runs on after whatever happened. */
async function expectRunning(): Promise<void> {
  await ticksPass(simulation);
  expect(simulation.state).toBe('running');
}

describe('a command', () => {
  test('resolves with what it returns, cloned', async () => {
    const value = { list: [1, 2, 3], text: 'ü', nothing: undefined, when: new Date(5) };
    expect(await simulation.commands.echo(value)).toEqual(value);
    expect(await simulation.commands.later('in a while')).toBe('in a while');
  });

  test("rejects with what it throws: name, message and the worker's stack", async () => {
    const error = await errorOf(simulation.commands.fail('too far'));
    expect([error.name, error.message]).toEqual(['RangeError', 'too far']);
    expect(error.stack).toContain('toy-simulation');
    await expectRunning();
  });

  test.each(['text', 7, null, undefined])(
    'that throws %o rejects with an error',
    async (thrown) => {
      expect((await errorOf(simulation.commands.failWith(thrown))).message).toBe(String(thrown));
    },
  );

  test('that returns what cannot be cloned rejects', async () => {
    expect((await errorOf(simulation.commands.unclonable())).message).toMatch(/unserializable/i);
    await expectRunning();
  });

  test('that is given what cannot be cloned rejects', async () => {
    expect((await errorOf(simulation.commands.echo(() => {}))).message).toMatch(
      /could not be cloned/,
    );
    await expectRunning();
  });

  test('that asks for more bodies than there are slots rejects, and the rest runs on', async () => {
    const error = await errorOf(simulation.commands.fill(1000));
    expect(error).toBeInstanceOf(CapacityExceededError);
    expect(error.message).toMatch(/all 64 bodies/);
    expect(await simulation.commands.bodyCount()).toBe(64);
    await expectRunning();
    await simulation.commands.rebuild();
    expect(await simulation.commands.bodyCount()).toBe(16);
  });

  test('that writes no number is counted, and its body stays', async () => {
    const { invalidPoses } = simulation.stats();
    expect(await simulation.commands.breakPose()).toBe(false);
    await ticksPass(simulation);
    expect(simulation.stats().invalidPoses).toBe(invalidPoses + 1);
  });
});

test('commands can only be those of the simulation', () => {
  expect(Object.isFrozen(simulation.commands)).toBe(true);
  expect(Object.keys(simulation.commands)).toContain('echo');
  expect(Object.keys(simulation.commands)).not.toContain('constructor');
});
