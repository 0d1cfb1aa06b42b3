import { beforeEach, describe, expect, test, vi } from 'vitest';
import { RecordingFormatError } from '../../../../src/shared/util/recording-format-error.js';
import { resetRun, restoreRun, saveRun } from '../../../../src/sim-worker/run/saved-run.js';
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

describe('the hash', () => {
  test('is the same for the same run, and another after each tick', async () => {
    const hashes = runOn((await createToyRun()).run, 6);
    expect(runOn((await createToyRun()).run, 6)).toEqual(hashes);
    expect(new Set(hashes).size).toBe(6);
  });

  test.each<[string, (toy: RunToy) => void]>([
    ['a pose', ({ context, ids }) => context.bodies.setPose(present(ids[0]), 0, 0, 0, 0, 0, 1, 0)],
    ['sleep', ({ context, ids }) => context.bodies.setAsleep(present(ids[0]), true)],
    ['chance', ({ context }) => void context.random.next()],
    ['what the simulation adds', ({ speeds }) => void speeds.fill(1)],
    ['a body more', ({ context }) => void context.bodies.spawn(poseAt(9))],
    ['a body less', ({ context, ids }) => void context.bodies.despawn(present(ids[2]))],
    [
      'a body that has moved by one bit',
      ({ context, ids }) => context.bodies.setPose(present(ids[2]), 2 + 2 ** -22, 0, 0, 0, 0, 0, 1),
    ],
  ])('includes %s', async (_, change) => {
    const { run } = await createToyRun({}, toy);
    const before = run.hash();
    expect(run.hash()).toBe(before);
    change(toy);
    expect(run.hash()).not.toBe(before);
  });

  test.each<[string, (toy: RunToy) => void]>([
    ['teleports', ({ context, ids }) => context.bodies.teleport(present(ids[1]), poseAt(1))],
    [
      'who had the slots before',
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
      ({ context, ids }) => context.bodies.setPose(present(ids[0]), Number.NaN, 0, 0, 0, 0, 0, 1),
    ],
  ])('does not include %s', async (_, change) => {
    const { run } = await createToyRun({}, toy);
    const before = run.hash();
    change(toy);
    expect(run.hash()).toBe(before);
  });
});

describe('a saved state', () => {
  test('restores the run, in the same simulation and in a new one', async () => {
    const { run } = await createToyRun({}, toy);
    runOn(run, 7);
    const [state, hash, simulatedSeconds] = [saveRun(run), run.hash(), run.simulatedSeconds];
    const after = runOn(run, 5);
    restoreRun(run, state);
    expect([run.tick, run.hash(), run.simulatedSeconds]).toEqual([7, hash, simulatedSeconds]);
    expect(runOn(run, 5)).toEqual(after);
    const { run: another } = await createToyRun({ seed: 3, setup: 5 });
    runOn(another, 2);
    restoreRun(another, state);
    expect([another.tick, another.hash(), another.simulatedSeconds]).toEqual([
      7,
      hash,
      simulatedSeconds,
    ]);
    expect(another.description).toMatchObject({ seed: 7, setup: null });
    expect(runOn(another, 5)).toEqual(after);
  });

  test('has the number of its tick', async () => {
    const { run } = await createToyRun({}, toy);
    runOn(run, 2);
    expect(saveRun(run).tick).toBe(2);
  });

  test('that the simulation refuses changes nothing', async () => {
    const { run } = await createToyRun({ valueCount: 2 }, toy);
    runOn(run, 2);
    const early = saveRun(run);
    runOn(run, 4);
    run.values.set([3, 4]);
    const before = [run.tick, run.simulatedSeconds, run.dt, run.hash(), saveRun(run)];
    toy.restoreError = new Error('not mine');
    expect(() => restoreRun(run, early)).toThrow('not mine');
    expect([...run.values]).toEqual([3, 4]);
    expect([run.tick, run.simulatedSeconds, run.dt, run.hash(), saveRun(run)]).toEqual(before);
    const { run: untouched } = await createToyRun();
    runOn(untouched, 6);
    expect(runOn(run, 3)).toEqual(runOn(untouched, 3));
  });

  test('of another run that its simulation refuses leaves seed and setup unchanged', async () => {
    const { run: other } = await createToyRun({ seed: 99, setup: 1 });
    const { run } = await createToyRun({}, toy);
    toy.restoreError = new Error('not mine');
    const before = [run.description, run.hash()];
    expect(() => restoreRun(run, saveRun(other))).toThrow('not mine');
    expect([run.description, run.hash()]).toEqual(before);
  });

  test('of another engine is refused, and nothing is changed', async () => {
    const { run } = await createToyRun({}, toy);
    const state = saveRun(run);
    runOn(run, 2);
    const hash = run.hash();
    toy.engineName = 'toy 2';
    expect(() => restoreRun(run, state)).toThrow(
      'it was made with the engine "toy 1", and this simulation runs on "toy 2"',
    );
    expect([run.tick, run.hash()]).toEqual([2, hash]);
  });

  test('of more bodies than there is room for is refused, and nothing is changed', async () => {
    const { run: large } = await createToyRun({ setup: 8 });
    const { run } = await createToyRun({ capacity: 4 }, toy);
    const before = [run.description, run.hash()];
    expect(() => restoreRun(run, saveRun(large))).toThrow(/capacity/);
    expect([run.description, run.hash()]).toEqual(before);
  });

  test('that is damaged is refused, and nothing is changed', async () => {
    const { run } = await createToyRun({}, toy);
    const state = saveRun(run);
    const before = run.hash();
    expect(() => restoreRun(run, { tick: 0, bytes: state.bytes.slice(0, -1) })).toThrow(
      RecordingFormatError,
    );
    expect(run.hash()).toBe(before);
  });

  test('needs a simulation that can save and restore', async () => {
    const { run: able } = await createToyRun();
    const { run } = await createToyRun({}, { init: () => {}, step: () => {} });
    expect([able.canSave, run.canSave]).toEqual([true, false]);
    expect(() => saveRun(run)).toThrow(/cannot be saved: give it save\(\) and restore\(\)/);
    expect(() => restoreRun(run, saveRun(able))).toThrow(/cannot be saved/);
  });

  test('does not report a pose that became invalid before the restore', async () => {
    const { run } = await createToyRun({ invalidPosePolicy: 'remove' }, toy);
    const state = saveRun(run);
    toy.context.bodies.setPose(present(toy.ids[0]), Number.NaN, 0, 0, 0, 0, 0, 1);
    restoreRun(run, state);
    run.runTick(STEP_SECONDS);
    expect(run.bodies.bodyCount).toBe(3);
  });

  test('makes the journal record the step again', async () => {
    const { run, journal } = await createToyRun({}, toy);
    run.runTick(STEP_SECONDS);
    restoreRun(run, saveRun(run));
    run.runTick(STEP_SECONDS);
    expect(journal.ofKind('step').map(({ tick }) => tick)).toEqual([1, 2]);
  });
});

describe('building the beginning of a run', () => {
  const BEGINNING = { seed: 7, setup: null, generation: 0 };

  test('gives the same state as a new simulation', async () => {
    const { run } = await createToyRun({}, toy);
    const hashes = runOn((await createToyRun()).run, 5);
    runOn(run, 9);
    resetRun(run, BEGINNING);
    expect([run.tick, run.simulatedSeconds]).toEqual([0, 0]);
    expect(runOn(run, 5)).toEqual(hashes);
  });

  test('assigns the same ids again: a recorded command may name one', async () => {
    const { run } = await createToyRun({}, toy);
    const { ids } = toy;
    run.runTick(STEP_SECONDS);
    resetRun(run, BEGINNING);
    expect(toy.ids).toEqual(ids);
  });

  test.each(['reset', 'restore'] as const)(
    'by a %s that is not done when it returns is refused',
    async (name) => {
      const { run } = await createToyRun({}, toy);
      run.runTick(STEP_SECONDS);
      const state = saveRun(run);
      vi.spyOn(toy, name).mockImplementation(async () => {});
      const order =
        name === 'reset' ? () => resetRun(run, BEGINNING) : () => restoreRun(run, state);
      expect(order).toThrow(`${name} returned a promise`);
      expect(run.tick).toBe(1);
    },
  );

  test('uses another seed and setup', async () => {
    const { run } = await createToyRun({}, toy);
    resetRun(run, { seed: 3, setup: 5, generation: 0 });
    const { run: other } = await createToyRun({ seed: 3, setup: 5 });
    expect(run.hash()).toBe(other.hash());
    expect(run.description).toMatchObject({ seed: 3, setup: 5 });
  });

  test('is skipped for a simulation that was just made', async () => {
    const { run } = await createToyRun({}, toy);
    resetRun(run, BEGINNING);
    expect(toy.log).not.toContain('reset');
    run.runTick(STEP_SECONDS);
    resetRun(run, BEGINNING);
    expect(toy.log).toContain('reset');
  });

  test('is skipped after another position was refused: nothing has changed', async () => {
    const { run: other } = await createToyRun({ seed: 99, setup: 1 });
    const { run } = await createToyRun({}, toy);
    toy.restoreError = new Error('not mine');
    expect(() => restoreRun(run, saveRun(other))).toThrow('not mine');
    resetRun(run, BEGINNING);
    expect(toy.log).not.toContain('reset');
    run.runTick(STEP_SECONDS);
    expect(() => restoreRun(run, saveRun(other))).toThrow('not mine');
    resetRun(run, BEGINNING);
    expect(toy.log).toContain('reset');
  });

  test('is done even without a tick, if a state was restored in between', async () => {
    const { run: other } = await createToyRun();
    runOn(other, 4);
    const { run } = await createToyRun({}, toy);
    const beginning = run.hash();
    restoreRun(run, saveRun(other));
    resetRun(run, BEGINNING);
    expect([run.tick, run.hash()]).toEqual([0, beginning]);
  });

  test('needs a simulation that supports it, once it has run', async () => {
    const { run } = await createToyRun({}, { init: () => {}, step: () => {} });
    expect(() => resetRun(run, BEGINNING)).not.toThrow();
    expect(() => resetRun(run, { ...BEGINNING, seed: 8 })).toThrow(/give it a reset\(\)/);
    run.runTick(STEP_SECONDS);
    expect(() => resetRun(run, BEGINNING)).toThrow(/give it a reset\(\)/);
    expect(run.tick).toBe(1);
  });
});

test('a state with the wrong tick number is refused, and nothing changes', async () => {
  const { run } = await createToyRun();
  run.runTick(STEP_SECONDS);
  const state = saveRun(run);
  run.runTick(STEP_SECONDS);
  const before = saveRun(run);
  expect(() => restoreRun(run, { ...state, tick: Number.MAX_SAFE_INTEGER })).toThrow(
    /this state is of tick 1, and is said to be of tick 9007199254740991/,
  );
  expect(saveRun(run)).toEqual(before);
});
