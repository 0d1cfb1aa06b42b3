import { beforeEach, expect, test, vi } from 'vitest';
import type { BodyId } from '../../../../src/shared/memory/body-meta.js';
import type { Json } from '../../../../src/shared/util/json.js';
import { present } from '../../../fixtures/present.js';
import {
  RunToy,
  STEP_SECONDS,
  commandOf,
  createToyRun,
  inputOf,
} from '../../../fixtures/run-toy.js';

let toy: RunToy;
beforeEach(() => {
  toy = new RunToy();
});

test('a tick is journaled before it runs, and its hash and state after it', async () => {
  const { run, journal } = await createToyRun({ hashEveryTicks: 1, saveEveryTicks: 2 }, toy);
  toy.log.length = 0;
  run.runTick(STEP_SECONDS, { inputs: [inputOf(1, 2)], commands: [commandOf('push', [0, 1])] });
  expect(toy.log).toEqual(['sent', 'push 0 1', 'step 1', 'sent']);
  run.runTick(STEP_SECONDS);
  expect(journal.items).toEqual([
    { kind: 'restart', run: run.description, restarts: 0 },
    { kind: 'step', tick: 1, dt: STEP_SECONDS },
    { kind: 'command', tick: 1, name: 'push', args: '[0,1]', call: 0 },
    { kind: 'input', tick: 1, input: inputOf(1, 2) },
    { kind: 'hash', tick: 1, hash: expect.stringMatching(/^[0-9a-f]{16}$/) as string },
    { kind: 'hash', tick: 2, hash: run.hash() },
    { kind: 'state', state: run.save() },
  ]);
});

test.each([
  ['a command that throws', 'push', [99, 1], 'RangeError: there is no body 99'],
  ['an unknown command', 'pull', [], 'RangeError: there is no command "pull"'],
  ['a query', 'look', [], 'RangeError: there is no command "look"'],
  ['what only looks like one', 'constructor', [], 'RangeError: there is no command "constructor"'],
])('a tick continues after %s', async (_, name, args, message) => {
  const { run, outcomes } = await createToyRun({}, toy);
  run.runTick(STEP_SECONDS, {
    inputs: [],
    commands: [commandOf(name, args, 1), commandOf('push', [0, 1], 2)],
  });
  expect(outcomes.map((outcome) => ('error' in outcome ? String(outcome.error) : 'fine'))).toEqual([
    message,
    'fine',
  ]);
  expect([run.tick, toy.log.at(-1)]).toEqual([1, 'step 1']);
});

test('a tick that throws does not count, though its inputs are in the journal', async () => {
  const { run, journal } = await createToyRun({ hashEveryTicks: 1 }, toy);
  toy.onStep = () => {
    throw new Error('boom');
  };
  expect(() => run.runTick(STEP_SECONDS, { inputs: [inputOf(1, 1)], commands: [] })).toThrow(
    'boom',
  );
  expect(run.tick).toBe(0);
  expect(journal.ofKind('input')).toEqual([{ kind: 'input', tick: 1, input: inputOf(1, 1) }]);
  expect(journal.ofKind('hash')).toEqual([]);
});

test("a tick whose step returns a promise fails, and the promise's rejection has no effect", async () => {
  const { run } = await createToyRun({}, toy);
  // Not a spy: it would handle the promise.
  toy.step = () => Promise.reject(new Error('later'));
  expect(() => run.runTick(STEP_SECONDS)).toThrow(/^step returned a promise.*wait in init/);
  expect(run.tick).toBe(0);
});

test('a tick refuses a command that returns a promise, and continues', async () => {
  const commands = { ...toy.commands, later: async () => 1 };
  const { run, outcomes } = await createToyRun({}, Object.assign(toy, { commands }));
  run.runTick(STEP_SECONDS, { inputs: [], commands: [commandOf('later', [], 1)] });
  expect(String((outcomes[0] as { error: unknown }).error)).toMatch(
    /^TypeError: the command "later" returned a promise/,
  );
  expect(run.tick).toBe(1);
});

test('a tick journals nothing while the journal is off, and its step when it is on again', async () => {
  const { run, journal } = await createToyRun({ hashEveryTicks: 1 }, toy);
  run.runTick(STEP_SECONDS);
  run.journal?.setOn(false);
  const before = journal.items.length;
  run.runTick(0.5, { inputs: [inputOf(1, 1)], commands: [] });
  expect(journal.items).toHaveLength(before);
  run.journal?.setOn(true);
  run.runTick(0.5);
  expect(journal.items.slice(before)).toEqual([
    { kind: 'step', tick: 3, dt: 0.5 },
    { kind: 'hash', tick: 3, hash: run.hash() },
  ]);
});

test('simulated time does not accumulate rounding', async () => {
  const { run } = await createToyRun({ dt: 0.1 });
  for (let tick = 0; tick < 1000; tick++) run.runTick(0.1);
  expect(run.simulatedSeconds).toBe(1000 * 0.1);
});

test('simulated time continues across changes of the step', async () => {
  const { run } = await createToyRun({ dt: 0.5 });
  const seen = [0.5, 0.5, 0.25, 0.25, 0.25, 1].map((dt) => {
    run.runTick(dt);
    return run.simulatedSeconds;
  });
  expect(seen).toEqual([0.5, 1, 1.25, 1.5, 1.75, 2.75]);
  // Between two ticks the time is that of the last one.
  run.dt = 8;
  expect([run.simulatedSeconds, toy.log]).toEqual([2.75, []]);
  run.runTick(8);
  expect(run.simulatedSeconds).toBe(10.75);
});

test('a restart begins a run with the given seed and setup, or the previous ones', async () => {
  const onRestart = vi.fn<() => void>();
  const { run, journal } = await createToyRun({}, toy, { onRestart });
  const first = toy.context.random.state;
  run.runTick(0.5);
  toy.context.restart({ seed: 9, setup: [1, 'two'] });
  expect([run.tick, run.simulatedSeconds, onRestart.mock.calls.length]).toEqual([0, 0, 1]);
  expect([toy.context.seed, toy.context.setup]).toEqual([9, [1, 'two']]);
  expect(journal.items.at(-1)).toEqual({ kind: 'restart', run: run.description, restarts: 1 });
  run.runTick(0.5);
  expect(journal.items.at(-1)).toEqual({ kind: 'step', tick: 1, dt: 0.5 });
  toy.context.restart({ seed: 7 });
  expect([toy.context.seed, toy.context.setup]).toEqual([7, [1, 'two']]);
  // Rebuilt from the seed, as the first time.
  expect(toy.context.random.state).toBe(first);
});

test('no id comes back after a restart, nor after another, before which a slot was used again', async () => {
  await createToyRun({}, toy);
  const { bodies } = toy.context;
  const ids = [...toy.ids];
  toy.context.restart();
  ids.push(...toy.ids);
  bodies.despawn(present(toy.ids[0]));
  ids.push(bodies.spawn({ x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 }));
  toy.context.restart();
  ids.push(...toy.ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a restart within a step is an error, and has no effect', async () => {
  const { run, journal } = await createToyRun({}, toy);
  run.runTick(STEP_SECONDS);
  const restart = (): void => toy.context.restart({ seed: 3 });
  toy.onStep = restart;
  expect(() => run.runTick(STEP_SECONDS)).toThrow(/may not be called in a step or a command/);
  expect([run.tick, toy.context.seed, journal.ofKind('restart').length]).toEqual([1, 7, 1]);
  // Not permanently: between two ticks it may be called.
  expect(restart).not.toThrow();
  expect(run.tick).toBe(0);
});

test('a restart is refused where it would not be followed, as in a room', async () => {
  const { run } = await createToyRun({}, toy, { onRestart: undefined });
  run.runTick(STEP_SECONDS);
  expect(() => toy.context.restart()).toThrow(/may not be called/);
  expect(run.tick).toBe(1);
});

test('a restart within a command is an error of the command', async () => {
  const { run, outcomes } = await createToyRun({}, toy);
  run.runTick(STEP_SECONDS);
  run.runTick(STEP_SECONDS, { inputs: [], commands: [commandOf('restart', [], 4)] });
  expect(outcomes).toMatchObject([{ call: 4, error: { message: /use a query/ } }]);
  expect(run.tick).toBe(2);
});

const spoil = (body: BodyId): void => {
  toy.onStep = ({ bodies }) => void bodies.setPose(body, Number.NaN, 0, 0, 0, 0, 0, 1);
};

test.each([
  ['freeze', ['freeze 1'], true],
  ['remove', ['remove 1'], false],
  ['stop', [], true],
] as const)(
  'a body whose pose becomes invalid is treated by the policy %s, once',
  async (invalidPosePolicy, reported, isAlive) => {
    const onInvalidPose = vi.fn<(body: BodyId, tag: Json) => void>();
    const { run } = await createToyRun({ invalidPosePolicy }, toy, { onInvalidPose });
    const body = present(toy.ids[1]);
    spoil(body);
    toy.log.length = 0;
    run.runTick(STEP_SECONDS);
    expect(toy.log).toEqual(['sent', 'step 1', ...reported]);
    expect(run.bodies.isAlive(body)).toBe(isAlive);
    expect(onInvalidPose.mock.calls).toEqual([[body, 'toy 1']]);
    toy.onStep = () => {};
    run.runTick(STEP_SECONDS);
    expect(onInvalidPose).toHaveBeenCalledTimes(1);
  },
);

test('a body whose pose becomes invalid is removed from the display if the engine has no other way', async () => {
  const { run } = await createToyRun(
    { invalidPosePolicy: 'remove' },
    Object.assign(toy, { onInvalidPose: undefined }),
  );
  spoil(present(toy.ids[1]));
  run.runTick(STEP_SECONDS);
  expect(run.bodies.bodyCount).toBe(2);
});

test('a body whose pose becomes invalid is removed before the hash', async () => {
  const { run, journal } = await createToyRun(
    { invalidPosePolicy: 'remove', hashEveryTicks: 1 },
    toy,
  );
  spoil(present(toy.ids[1]));
  run.runTick(STEP_SECONDS);
  expect(journal.ofKind('hash')).toEqual([{ kind: 'hash', tick: 1, hash: run.hash() }]);
});
