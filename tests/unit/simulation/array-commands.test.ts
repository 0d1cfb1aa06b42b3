/** Commands with typed arrays: large ones, and many, of a simulation that is stepped. */
import { expect, test } from 'vitest';
import { decodeRecording, encodeRecording, type TypedArray } from '../../../src/shared/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { connectToyForTest, type ToyHandle } from '../../fixtures/threads.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import { ONE_OF_EACH } from '../../fixtures/typed-arrays.js';

const OPTIONS = {
  startPaused: true,
  recording: { hashEveryTicks: 1, rewindSeconds: 60, saveEverySeconds: 0.1 },
} as const;

function totalOf(array: TypedArray): number {
  let total = 0;
  for (const value of array) total += value;
  return total;
}

/** Makes calls, runs one tick, and returns the answers. */
async function callInOneTick(
  simulation: ToyHandle,
  calls: (commands: ToyHandle['commands']) => Promise<string>[],
): Promise<string[]> {
  const answers = calls(simulation.commands);
  await simulation.step();
  return Promise.all(answers);
}

/** The arrays in the recording, in order. */
const recordedArrays = (simulation: ToyHandle): (TypedArray | undefined)[] =>
  simulation.recording().entries.flatMap((entry) => (entry.kind === 'command' ? [entry.data] : []));

/** The recording replays with equal hashes, through a file. */
async function expectReplays(simulation: ToyHandle): Promise<void> {
  const recording = decodeRecording(encodeRecording(simulation.recording()));
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ hashes: recording.lastTick, differsAt: undefined });
}

test('a command receives a copy of a typed array, which it may change, and the recording has the original', async () => {
  const simulation = await connectToyForTest(OPTIONS);
  const answers = await callInOneTick(simulation, (commands) =>
    ONE_OF_EACH.flatMap((array) => [
      commands.pushBy(array),
      commands.pushAll('labelled', array.subarray(1, 2)),
      commands.pushAll('empty', array.subarray(0, 0)),
    ]),
  );
  expect(answers).toEqual(
    ONE_OF_EACH.flatMap((array) => {
      const kind = array[Symbol.toStringTag];
      return [
        ` ${kind} ${array.length} ${totalOf(array)}`,
        `labelled ${kind} 1 ${array[1]}`,
        `empty ${kind} 0 0`,
      ];
    }),
  );
  const given = ONE_OF_EACH.flatMap((array) => [array, array.slice(1, 2), array.slice(0, 0)]);
  expect(recordedArrays(simulation)).toStrictEqual(given);
  await expectReplays(simulation);
});

test('a typed array of 80 kB is recorded, saved, replayed, and passed by seeking', async () => {
  const simulation = await connectToyForTest(OPTIONS);
  const array = Float32Array.from({ length: 20_000 }, (_, index) => index / 7);
  await simulation.step(2);
  const [answer] = await callInOneTick(simulation, (commands) => [commands.pushBy(array)]);
  expect(answer).toMatch(/^ Float32Array 20000 \d/);
  await simulation.step(9);
  expect(recordedArrays(simulation)).toStrictEqual([array]);
  expect(simulation.stats().recordingBytes).toBeGreaterThan(80_000);
  await expectReplays(simulation);

  const recording = simulation.recording();
  const other = await connectToyForTest(OPTIONS);
  const shown = await other.openReplay(recording);
  expect(await shown.seek(2)).toMatchObject({ tick: 2, differsAt: undefined });
  expect(await shown.seek(12)).toMatchObject({ tick: 12, differsAt: undefined });
  await shown.close();
  // Back to before the command, and over it again, by what the page has recorded.
  const seen = await simulation.seek(10);
  expect(seen).toMatchObject({ tick: 10, differsAt: undefined });
  await expectReplays(simulation);
});

test('hundreds of commands per frame all arrive, are answered, recorded and replayed', async () => {
  const [frames, calls] = [3, 600];
  const simulation = await connectToyForTest(OPTIONS);
  const bytes: number[] = [];
  for (let frame = 0; frame < frames; frame++) {
    const answers = await callInOneTick(simulation, (commands) =>
      Array.from({ length: calls }, (_, call) => commands.pushBy(Float32Array.of(frame, call))),
    );
    // Each by its own command.
    expect(answers).toEqual(
      Array.from({ length: calls }, (_, call) => ` Float32Array 2 ${frame + call}`),
    );
    bytes.push(simulation.stats().recordingBytes);
  }
  expect(simulation.stats()).toMatchObject({ refusedInputs: 0, timedCommands: frames * calls });
  const arrays = recordedArrays(simulation);
  expect(arrays).toHaveLength(frames * calls);
  expect(arrays.map((array) => Array.from(array ?? []))).toEqual(
    Array.from({ length: frames * calls }, (_, index) => [
      Math.floor(index / calls),
      index % calls,
    ]),
  );
  // An entry takes its two numbers and a little more; so do the saved states.
  expect(((bytes.at(-1) ?? 0) - (bytes[0] ?? 0)) / (frames * calls)).toBeLessThan(24);
  await expectReplays(simulation);
});
