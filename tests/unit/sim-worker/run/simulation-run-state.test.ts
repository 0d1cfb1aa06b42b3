import { beforeEach, expect, test, vi } from 'vitest';
import type { SavedState } from '../../../../src/shared/recording/recording.js';
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

type Run = Awaited<ReturnType<typeof createToyRun>>['run'];

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

test.each<[string, boolean, (toy: RunToy) => void]>([
  [
    'a pose',
    true,
    ({ context, ids }) => context.bodies.setPose(present(ids[0]), 0, 0, 0, 0, 0, 1, 0),
  ],
  ['sleep', true, ({ context, ids }) => context.bodies.setAsleep(present(ids[0]), true)],
  ['chance', true, ({ context }) => void context.random.next()],
  ['what the simulation adds', true, ({ speeds }) => void speeds.fill(1)],
  ['a body more', true, ({ context }) => void context.bodies.spawn(poseAt(9))],
  ['a body less', true, ({ context, ids }) => void context.bodies.despawn(present(ids[2]))],
  [
    'a body that has moved by one bit',
    true,
    ({ context, ids }) => context.bodies.setPose(present(ids[2]), 2 + 2 ** -22, 0, 0, 0, 0, 0, 1),
  ],
  ['teleports', false, ({ context, ids }) => context.bodies.teleport(present(ids[1]), poseAt(1))],
  [
    'who had the slots before',
    false,
    (built) => {
      const { random } = built.context;
      const { state } = random;
      random.state = 7;
      built.reset();
      random.state = state;
    },
  ],
  [
    'poses that were refused',
    false,
    ({ context, ids }) => context.bodies.setPose(present(ids[0]), Number.NaN, 0, 0, 0, 0, 0, 1),
  ],
])('whether the hash of a run includes %s: %s', async (_, isIncluded, change) => {
  const { run } = await createToyRun({}, toy);
  const before = run.hash();
  expect(run.hash()).toBe(before);
  change(toy);
  expect(run.hash() !== before).toBe(isIncluded);
});

test('a saved state restores the run, in the same simulation and in a new one', async () => {
  const { run } = await createToyRun({}, toy);
  runOn(run, 7);
  const [state, hash, simulatedSeconds] = [run.save(), run.hash(), run.simulatedSeconds];
  const after = runOn(run, 5);
  run.restore(state);
  expect([run.tick, run.hash(), run.simulatedSeconds]).toEqual([7, hash, simulatedSeconds]);
  expect(runOn(run, 5)).toEqual(after);
  const { run: another } = await createToyRun({ seed: 3, setup: 5 });
  runOn(another, 2);
  another.restore(state);
  expect([another.tick, another.hash(), another.simulatedSeconds]).toEqual([
    7,
    hash,
    simulatedSeconds,
  ]);
  expect(another.description).toMatchObject({ seed: 7, setup: null });
  expect(runOn(another, 5)).toEqual(after);
});

test('a saved state that the simulation refuses changes nothing', async () => {
  const { run } = await createToyRun({ valueCount: 2 }, toy);
  runOn(run, 2);
  const early = run.save();
  runOn(run, 4);
  run.values.set([3, 4]);
  const before = [run.tick, run.simulatedSeconds, run.dt, run.hash(), run.save()];
  toy.restoreError = new Error('not mine');
  expect(() => run.restore(early)).toThrow('not mine');
  expect([...run.values]).toEqual([3, 4]);
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
