/** A run without a loop: whatever it receives, a recording of it replays identically. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeRecording,
  encodeRecording,
  type Recording,
  type RecordingEntry,
} from '../../../src/shared/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { RunJournal } from '../../../src/sim-worker/run/journal.js';
import { commandOf, createToyRun, inputOf, ListJournal, RunToy } from '../../fixtures/run-toy.js';

const HASH_EACH = { hashEveryTicks: 1, capacity: 16 };
const number = fc.double({ min: -100, max: 100, noNaN: true });

/**
 * The inputs of each tick, its step, and before which ticks it is saved and continued in another
 * thread.
 */
const ticks = fc.array(
  fc.record({
    dt: fc.constantFrom(undefined, undefined, 1 / 60, 1 / 240),
    inputs: fc.array(fc.tuple(fc.integer(), number, fc.float({ min: 0, max: 1, noNaN: true })), {
      maxLength: 3,
    }),
    pushes: fc.array(fc.tuple(fc.nat({ max: 6 }), number), { maxLength: 2 }),
    isSaved: fc.nat({ max: 7 }).map((chance) => chance === 0),
  }),
  { minLength: 1, maxLength: 40 },
);
const runs = fc.record({ seed: fc.nat(), bodies: fc.nat({ max: 9 }), ticks });
type Run = typeof runs extends fc.Arbitrary<infer Value> ? Value : never;

/** @returns The entries that the run left, and the ticks at which it was continued. */
async function play(
  { seed, bodies, ticks: todo }: Run,
  createToyOfRun: () => RunToy,
  isTakenUp: boolean,
) {
  const journal = new ListJournal();
  const begin = () =>
    createToyRun({ ...HASH_EACH, seed, setup: bodies }, createToyOfRun(), {
      journal: new RunJournal(journal.send, { hashEveryTicks: 1, saveEveryTicks: 0 }),
    });
  let { run } = await begin();
  let dt = 1 / 64;
  for (const tick of todo) {
    if (isTakenUp && tick.isSaved) {
      const state = run.save();
      ({ run } = await begin());
      run.restore(state);
    }
    dt = tick.dt ?? dt;
    run.runTick(dt, {
      inputs: tick.inputs.map((values) => inputOf(...values)),
      commands: tick.pushes.map((args) => commandOf('push', args)),
    });
  }
  const entries = journal.items.filter(
    (item): item is RecordingEntry => item.kind !== 'restart' && item.kind !== 'state',
  );
  const recording: Recording = {
    run: run.description,
    start: undefined,
    lastTick: todo.length,
    entries,
    states: [],
  };
  return recording;
}

async function checkRun(run: Run, createToyOfRun: () => RunToy): Promise<void> {
  const recording = await play(run, createToyOfRun, false);
  expect(hashesOf(recording)).toHaveLength(run.ticks.length);
  expect(hashesOf(await play(run, createToyOfRun, true))).toEqual(hashesOf(recording));
  const read = decodeRecording(encodeRecording(recording));
  expect(await replay(createToyOfRun(), read)).toEqual({
    tick: run.ticks.length,
    hashes: run.ticks.length,
    differsAt: undefined,
    equalUpTo: run.ticks.length,
  });
}

test('a run without a loop is identical when replayed, and when saved and restored on the way', async () => {
  let ticksRun = 0;
  await fc.assert(
    fc.asyncProperty(runs, async (run) => {
      await checkRun(run, () => new RunToy());
      ticksRun += run.ticks.length;
    }),
    { numRuns: 25, seed: 1 },
  );
  expect(ticksRun).toBeGreaterThan(100);
});

test('a run without a loop differs when replayed if it uses another source of random numbers', async () => {
  const result = await fc.check(
    fc.asyncProperty(runs, (run) => checkRun(run, createUnseeded)),
    { numRuns: 10, endOnFailure: true },
  );
  expect(result.failed).toBe(true);
  expect(String(result.errorInstance)).toContain('to deeply equal');
});

const hashesOf = ({ entries }: Recording): RecordingEntry[] =>
  entries.filter(({ kind }) => kind === 'hash');

function createUnseeded(): RunToy {
  const toy = new RunToy();
  toy.onStep = ({ bodies }) => {
    const [id] = toy.ids;
    if (id !== undefined) bodies.setPose(id, Math.random(), 0, 0, 0, 0, 0, 1);
  };
  return toy;
}
