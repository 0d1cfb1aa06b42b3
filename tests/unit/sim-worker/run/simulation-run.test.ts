import { beforeEach, expect, test, vi } from 'vitest';
import type { BodyId } from '../../../../src/shared/memory/body-meta.js';
import type { SimulationContext } from '../../../../src/sim-worker/index.js';
import type { SavedState } from '../../../../src/shared/recording/recording.js';
import type { Json } from '../../../../src/shared/util/json.js';
import { poseAt } from '../../../fixtures/poses.js';
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
  // Nothing is sent twice, and no empty message.
  expect(toy.log.slice(4)).toEqual(['step 2', 'sent']);
  expect(run.journal?.sent).toBe(4);
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
  ['a command that returns a promise', 'later', [], 'TypeError: the command "later" returned a'],
  ['a command that restarts the run', 'restart', [], 'Error: restart() may not be called in a'],
])('a tick continues after %s', async (_, name, args, message) => {
  const commands = { ...toy.commands, later: async () => 1 };
  const { run, outcomes } = await createToyRun({}, Object.assign(toy, { commands }));
  run.runTick(STEP_SECONDS, {
    inputs: [],
    commands: [commandOf(name, args, 1), commandOf('push', [0, 1], 2)],
  });
  expect(outcomes.map((outcome) => ('error' in outcome ? String(outcome.error) : 'fine'))).toEqual([
    expect.stringContaining(message),
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

const spoil = (body: BodyId): void => {
  toy.onStep = ({ bodies }) => void bodies.setPose(body, Number.NaN, 0, 0, 0, 0, 0, 1);
};

test.each([
  ['freeze', 'does that', ['freeze 1'], true],
  ['remove', 'does that', ['remove 1'], false],
  ['remove', 'cannot', [], false],
  ['stop', 'does that', [], true],
] as const)(
  'a body whose pose becomes invalid is treated by the policy %s, once, before the hash, if the engine %s',
  async (invalidPosePolicy, engine, reported, isAlive) => {
    if (engine === 'cannot') Object.assign(toy, { onInvalidPose: undefined });
    const onInvalidPose = vi.fn<(body: BodyId, tag: Json) => void>();
    const { run, journal } = await createToyRun({ invalidPosePolicy, hashEveryTicks: 1 }, toy, {
      onInvalidPose,
    });
    const body = present(toy.ids[1]);
    spoil(body);
    toy.log.length = 0;
    run.runTick(STEP_SECONDS);
    expect(toy.log).toEqual(['sent', 'step 1', ...reported, 'sent']);
    expect(journal.ofKind('hash')).toEqual([{ kind: 'hash', tick: 1, hash: run.hash() }]);
    expect(run.bodies.isAlive(body)).toBe(isAlive);
    expect(onInvalidPose.mock.calls).toEqual([[body, 'toy 1']]);
    toy.onStep = () => {};
    run.runTick(STEP_SECONDS);
    expect(onInvalidPose).toHaveBeenCalledTimes(1);
  },
);

type Run = Awaited<ReturnType<typeof createToyRun>>['run'];

/** Where a run is. */
const placeOf = (run: Run) => [run.tick, run.hash(), run.simulatedSeconds];

/** Runs ticks with an input each, and returns the hash after each. */
function runOn(run: Run, ticks: number): string[] {
  return Array.from({ length: ticks }, () => {
    const tick = run.tick + 1;
    run.runTick(STEP_SECONDS * (tick > 5 ? 2 : 1), {
      inputs: tick % 2 === 0 ? [inputOf(tick, 0.25, 0.5)] : [],
      commands: tick % 3 === 0 ? [commandOf('push', [tick % 3, 0.5])] : [],
    });
    return run.hash();
  });
}

/** By one bit more than 2, where the third body is. */
const BIT = 2 + 2 ** -22;
type Change = (
  context: SimulationContext,
  ids: readonly [BodyId, BodyId, BodyId],
  built: RunToy,
) => void;
test.each<[string, boolean, Change]>([
  ['a pose', true, ({ bodies }, [first]) => bodies.setPose(first, 0, 0, 0, 0, 0, 1, 0)],
  ['sleep', true, ({ bodies }, [first]) => bodies.setAsleep(first, true)],
  ['chance', true, ({ random }) => void random.next()],
  ['what the simulation adds', true, (_, _ids, { speeds }) => void speeds.fill(1)],
  ['a body more', true, ({ bodies }) => void bodies.spawn(poseAt(9))],
  ['a body less', true, ({ bodies }, ids) => void bodies.despawn(ids[2])],
  ['a bit of a place', true, ({ bodies }, ids) => bodies.setPose(ids[2], BIT, 0, 0, 0, 0, 0, 1)],
  ['teleports', false, ({ bodies }, [, second]) => bodies.teleport(second, poseAt(1))],
  [
    'who had the slots before',
    false,
    ({ random }, _, built) => {
      const { state } = random;
      random.state = 7;
      built.reset();
      random.state = state;
    },
  ],
  ['refused poses', false, ({ bodies }, [id]) => bodies.setPose(id, Number.NaN, 0, 0, 0, 0, 0, 1)],
])('whether the hash of a run includes %s: %s', async (_, isIncluded, change) => {
  const { run } = await createToyRun({}, toy);
  const before = run.hash();
  expect(run.hash()).toBe(before);
  change(toy.context, toy.ids as [BodyId, BodyId, BodyId], toy);
  expect(run.hash() !== before).toBe(isIncluded);
});

test('a saved state restores the run, in the same simulation and in a new one', async () => {
  const { run } = await createToyRun({}, toy);
  runOn(run, 7);
  const [state, place] = [run.save(), placeOf(run)];
  const after = runOn(run, 5);
  run.restore(state);
  expect([run.tick, placeOf(run)]).toEqual([7, place]);
  expect(runOn(run, 5)).toEqual(after);
  const { run: another } = await createToyRun({ seed: 3, setup: 5 });
  runOn(another, 2);
  another.restore(state);
  expect(placeOf(another)).toEqual(place);
  expect(another.description).toMatchObject({ seed: 7, setup: null });
  expect(runOn(another, 5)).toEqual(after);
});

test('values are saved, and are there again when the simulation is restored', async () => {
  const { run } = await createToyRun({ valueCount: 3 }, toy);
  run.values.set([1, -0, 0]);
  const state = run.save();
  const position = run.checkpoint();
  run.values.set([2, 3, 4]);
  run.restore(state);
  expect([...run.values]).toEqual([1, -0, 0]);
  run.values.set([2, 3, 4]);
  let seen: unknown[] = [];
  run.moveTo(position, () => (seen = [...run.values]));
  expect(seen).toEqual([1, -0, 0]);
  toy.context.restart();
  expect([...run.values]).toEqual([0, 0, 0]);
  const { run: fewer } = await createToyRun({ valueCount: 2 });
  fewer.values.set([8, 9]);
  expect(() => fewer.restore(state)).toThrow(
    'the saved state has 3 values, and this run has 2: the option display.values must be the same',
  );
  expect([...fewer.values]).toEqual([8, 9]);
});

test('a step has its inputs in what is held, and a command does not have them yet', async () => {
  const { run } = await createToyRun({}, toy);
  const seen: string[] = [];
  const { input } = toy.context;
  const look = (): void => void seen.push(`${input.isDown(1)} ${input.wasPressed(1)}`);
  toy.onStep = look;
  Object.assign(toy.commands, { look });
  const commands = [commandOf('look', [])];
  const keydown = { ...inputOf(1, 0), kind: 'keydown' } as const;
  run.runTick(STEP_SECONDS, { inputs: [keydown], commands });
  run.runTick(STEP_SECONDS, { inputs: [], commands });
  expect(seen).toEqual(['false false', 'true true', 'true true', 'true false']);
});

test('what is held is saved, is there when the simulation is restored, and is not at a beginning', async () => {
  const { run } = await createToyRun({}, toy);
  const { input } = toy.context;
  run.runTick(STEP_SECONDS, { inputs: [{ ...inputOf(1, 0), kind: 'keydown' }], commands: [] });
  const [state, position] = [run.save(), run.checkpoint()];
  const seen: boolean[] = [];
  const look = (): void => void seen.push(input.isDown(1));
  vi.spyOn(toy, 'restore').mockImplementation(look);
  vi.spyOn(toy, 'reset').mockImplementation(look);
  input.clear();
  run.restore(state);
  toy.context.restart();
  run.moveTo(position, look);
  expect(seen).toEqual([true, false, true]);
});

test('a saved state that the simulation refuses changes nothing', async () => {
  const { run } = await createToyRun({ valueCount: 2 }, toy);
  runOn(run, 2);
  const early = run.save();
  runOn(run, 4);
  run.values.set([3, 4]);
  run.input.apply([{ ...inputOf(1, 0), kind: 'keydown' }]);
  const before = [run.tick, run.simulatedSeconds, run.dt, run.hash(), run.save()];
  toy.restoreError = new Error('not mine');
  expect(() => run.restore(early)).toThrow('not mine');
  expect([...run.values, run.input.isDown(1)]).toEqual([3, 4, true]);
  expect([run.tick, run.simulatedSeconds, run.dt, run.hash(), run.save()]).toEqual(before);
  const { run: untouched } = await createToyRun();
  runOn(untouched, 6);
  expect(runOn(run, 3)).toEqual(runOn(untouched, 3));
});

test('a saved state that is not one of this run is refused, and nothing changes', async () => {
  const { run } = await createToyRun({ capacity: 4 }, toy);
  const { run: large } = await createToyRun({ setup: 8 });
  const { run: other } = await createToyRun({ seed: 99, setup: 1 });
  run.runTick(STEP_SECONDS);
  const state = run.save();
  runOn(run, 2);
  const before = [run.description, run.save()];
  const refused = (wrong: SavedState, why: RegExp): void => {
    expect(() => run.restore(wrong)).toThrow(why);
    expect([run.description, run.save()]).toEqual(before);
  };
  refused(large.save(), /capacity/);
  refused({ tick: 1, bytes: state.bytes.slice(0, -1) }, /this saved state is cut off/);
  refused({ ...state, tick: 2 }, /this state is of tick 1, and is said to be of tick 2/);
  toy.restoreError = new Error('not mine');
  refused(other.save(), /not mine/);
  toy.engineName = 'toy 2';
  expect(() => run.restore(state)).toThrow(
    'it was made with the engine "toy 1", and this simulation runs on "toy 2"',
  );
  toy.engineName = 'toy 1';
  expect([run.description, run.save()]).toEqual(before);
});

test('a saved state needs a simulation that can save and restore', async () => {
  const { run: able } = await createToyRun();
  const { run } = await createToyRun({}, { init: () => {}, step: () => {} });
  expect([able.canSave, run.canSave]).toEqual([true, false]);
  expect(() => run.save()).toThrow(/cannot be saved: give it save\(\) and restore\(\)/);
  expect(() => run.restore(able.save())).toThrow(/cannot be saved/);
  const bufferSaver = { init() {}, step() {}, save: () => new ArrayBuffer(4), restore() {} };
  const { run: wrong } = await createToyRun({}, bufferSaver as never);
  expect(() => wrong.save()).toThrow('what save() returns must be a Uint8Array, but is');
});

test('a restored state does not report a pose that became invalid before', async () => {
  const { run } = await createToyRun({ invalidPosePolicy: 'remove' }, toy);
  const state = run.save();
  toy.context.bodies.setPose(present(toy.ids[0]), Number.NaN, 0, 0, 0, 0, 0, 1);
  run.restore(state);
  run.runTick(STEP_SECONDS);
  expect(run.bodies.bodyCount).toBe(3);
});

test('a restored state makes the journal record the step again', async () => {
  const { run, journal } = await createToyRun({}, toy);
  run.runTick(STEP_SECONDS);
  run.restore(run.save());
  run.runTick(STEP_SECONDS);
  expect(journal.ofKind('step').map(({ tick }) => tick)).toEqual([1, 2]);
});

const BEGINNING = { seed: 7, setup: null, generation: 0 };

test('building the beginning of a run gives the same state and ids as a new simulation, with another seed and setup too', async () => {
  const { run } = await createToyRun({}, toy);
  const hashes = runOn((await createToyRun()).run, 5);
  const { ids } = toy;
  runOn(run, 9);
  run.reset(BEGINNING);
  expect([run.tick, run.simulatedSeconds]).toEqual([0, 0]);
  // A recorded command may name one.
  expect(toy.ids).toEqual(ids);
  expect(runOn(run, 5)).toEqual(hashes);
  run.reset({ seed: 3, setup: 5, generation: 0 });
  const { run: other } = await createToyRun({ seed: 3, setup: 5 });
  expect(run.hash()).toBe(other.hash());
  expect(run.description).toMatchObject({ seed: 3, setup: 5 });
});

test.each(['reset', 'restore'] as const)(
  'a run is not built by a %s that is not done when it returns',
  async (name) => {
    const { run } = await createToyRun({}, toy);
    run.runTick(STEP_SECONDS);
    const state = run.save();
    vi.spyOn(toy, name).mockImplementation(async () => {});
    const order = name === 'reset' ? () => run.reset(BEGINNING) : () => run.restore(state);
    expect(order).toThrow(`${name} returned a promise`);
    expect(run.tick).toBe(1);
  },
);

test('building the beginning of a run is skipped if nothing has changed since', async () => {
  const { run: other } = await createToyRun({ seed: 99, setup: 1 });
  const { run } = await createToyRun({}, toy);
  toy.restoreError = new Error('not mine');
  expect(() => run.restore(other.save())).toThrow('not mine');
  run.reset(BEGINNING);
  expect(toy.log).not.toContain('reset');
  run.runTick(STEP_SECONDS);
  expect(() => run.restore(other.save())).toThrow('not mine');
  run.reset(BEGINNING);
  expect(toy.log).toContain('reset');
});

test('the beginning of a run is built even without a tick, if a state was restored in between', async () => {
  const { run: other } = await createToyRun();
  runOn(other, 4);
  const { run } = await createToyRun({}, toy);
  const beginning = run.hash();
  run.restore(other.save());
  run.reset(BEGINNING);
  expect([run.tick, run.hash()]).toEqual([0, beginning]);
});

test('building the beginning of a run needs a simulation that supports it, once it has run', async () => {
  const { run } = await createToyRun({}, { init: () => {}, step: () => {} });
  expect(() => run.reset(BEGINNING)).not.toThrow();
  expect(() => run.reset({ ...BEGINNING, seed: 8 })).toThrow(/give it a reset\(\)/);
  run.runTick(STEP_SECONDS);
  expect(() => run.reset(BEGINNING)).toThrow(/give it a reset\(\)/);
  expect(run.tick).toBe(1);
});
