/** Whatever is done to a simulation, and whenever, its recording replays identically. */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, fromNodeWorker } from '../../src/render-main/index.js';
import {
  type Recording,
  type RecordingEntry,
  decodeRecording,
  encodeRecording,
} from '../../src/shared/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { present } from '../fixtures/present.js';
import { perform, schedules, type Action } from '../fixtures/schedules.js';
import { PATIENT, connectToyForTest, startThread, type ToyHandle } from '../fixtures/threads.js';
import { createToy } from '../fixtures/toy-simulation.js';

const HASH_EVERY = 5;

describe('a run in a worker', () => {
  const options = { tickRateHz: 333, capacity: 64, recording: { hashEveryTicks: HASH_EVERY } };

  /** Runs a schedule from tick 0. @throws Error for each deviation. */
  async function checkSchedule(
    simulation: ToyHandle,
    actions: readonly Action[],
    states: unknown[],
  ): Promise<void> {
    await simulation.queries.rebuild();
    await simulation.resume();
    const sent = await perform(simulation, actions);
    const recording = simulation.recording();
    expect(sent.answers).toBe(sent.pushes);
    expect(recording.lastTick).toBe(simulation.stats().tick);

    // None is lost, and none arrives twice.
    const codes = codesOf(recording);
    expect(codes.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: sent.inputs }, (_, i) => i),
    );
    expect(recording.entries.filter(({ kind }) => kind === 'command')).toHaveLength(sent.pushes);

    const read = decodeRecording(encodeRecording(recording));
    expect(read).toEqual({ ...recording, entries: recording.entries.map(withoutCall) });

    const toy = createToy();
    const { given, sum } = present(toy.queries);
    const report = await replay(toy, read);
    expect(report).toEqual({
      tick: recording.lastTick,
      hashes: Math.floor(recording.lastTick / HASH_EVERY),
      differsAt: undefined,
      equalUpTo: recording.lastTick - (recording.lastTick % HASH_EVERY),
    });
    // The steps received identical inputs, in the same order.
    expect(given().flatMap(({ inputs }) => inputs.map(({ code }) => code))).toEqual(codes);
    expect(sum()).toBe(await simulation.queries.sum());
    states.push(sum());
  }

  test('is recorded such that it runs identically in another thread', async () => {
    const simulation = await connectToyForTest(options);
    const states: unknown[] = [];
    await fc.assert(
      fc.asyncProperty(schedules, (actions) => checkSchedule(simulation, actions, states)),
      { numRuns: 24, endOnFailure: true },
    );
    // They were not all the same run.
    expect(new Set(states).size).toBeGreaterThan(18);
  });

  test('is detected when it uses another source of random numbers', async () => {
    const simulation = (await connect(() => fromNodeWorker(startThread('unseeded')), {
      ...PATIENT,
      ...options,
    })) as unknown as ToyHandle;
    onTestFinished(() => simulation.dispose());
    const result = await fc.check(
      fc.asyncProperty(schedules, (actions) => checkSchedule(simulation, actions, [])),
      { numRuns: 10, endOnFailure: true },
    );
    expect(result.failed).toBe(true);
    expect(String(result.errorInstance)).toContain('to deeply equal');
  });
});

function codesOf({ entries }: Recording): number[] {
  return entries.flatMap((entry) => (entry.kind === 'input' ? [entry.input.code] : []));
}

/** As it is read from a file. */
function withoutCall(entry: RecordingEntry): RecordingEntry {
  if (entry.kind !== 'command') return entry;
  const { kind, tick, name, args } = entry;
  return { kind, tick, name, args };
}
