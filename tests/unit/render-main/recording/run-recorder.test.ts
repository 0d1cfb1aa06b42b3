import { beforeEach, expect, test } from 'vitest';
import { RunRecorder } from '../../../../src/render-main/recording/run-recorder.js';
import type {
  Recording,
  RecordingEntry,
  SavedState,
} from '../../../../src/shared/recording/recording.js';
import { smallRecording } from '../../../fixtures/recordings.js';
import { inputOf } from '../../../fixtures/run-toy.js';

const { run: RUN } = smallRecording;
const KEPT_TICKS = 100;
/** More than any test here adds. */
const limitBytes = 2 ** 20;

const input = (tick: number): RecordingEntry => ({ kind: 'input', tick, input: inputOf(tick, 1) });
const step = (tick: number, dt = 0.5): RecordingEntry => ({ kind: 'step', tick, dt });
const stateAt = (tick: number): SavedState => ({ tick, bytes: Uint8Array.of(tick & 0xff) });
const restart = { kind: 'restart', run: RUN, restarts: 0 } as const;

let recorder: RunRecorder;
beforeEach(() => {
  recorder = new RunRecorder({ keptTicks: () => KEPT_TICKS, limitBytes });
});

const addStates = (...ticks: number[]): void => {
  recorder.add(ticks.map((tick) => ({ kind: 'state', state: stateAt(tick) })));
};
const stateTicks = (): number[] => recorder.recording(1e9).states.map(({ tick }) => tick);

test('a recorder has nothing before a run has begun', () => {
  expect([recorder.run, recorder.earliestTick, recorder.fullAt]).toEqual([undefined, 0, undefined]);
  expect(() => recorder.recording(0)).toThrow(/nothing has been recorded yet/);
});

test('a recorder forgets the run before when another begins', () => {
  recorder.add([restart, step(1), input(3)]);
  addStates(4);
  const other = { ...RUN, seed: 2 };
  recorder.add([{ kind: 'restart', run: other, restarts: 1 }, input(1)]);
  expect(recorder.recording(9)).toEqual({
    run: other,
    start: undefined,
    lastTick: 9,
    entries: [input(1)],
    states: [],
  });
});

test('a recorder continues from a given state', () => {
  recorder.add([restart, input(1)]);
  recorder.startFrom(RUN, stateAt(70));
  recorder.add([input(71)]);
  expect(recorder.earliestTick).toBe(70);
  expect(recorder.recording(80)).toMatchObject({ start: stateAt(70), entries: [input(71)] });
});

test('a recorder continues from a given recording, and leaves that unchanged', () => {
  const recording = {
    run: RUN,
    start: stateAt(5),
    lastTick: 20,
    entries: [step(6), input(10), input(15)],
    states: [stateAt(12)],
  };
  recorder.adopt(recording);
  recorder.add([input(20)]);
  addStates(20);
  expect([recording.entries.length, recording.states.length]).toEqual([3, 1]);
  recorder.truncate(12);
  recorder.add([input(13)]);
  expect(recorder.recording(13)).toMatchObject({
    start: stateAt(5),
    entries: [step(6), input(10), input(13)],
    states: [stateAt(12)],
  });
});

test('a recorder takes no pending calls from a recording, whose numbers belong to another page', () => {
  const given = { kind: 'command', tick: 3, name: 'jump', args: '[]' } as const;
  const command = { ...given, call: 7 };
  const recording: Recording = {
    run: restart.run,
    start: undefined,
    lastTick: 3,
    entries: [command],
    states: [],
  };
  recorder.adopt(recording);
  recorder.add([{ ...command, tick: 4 }]);
  expect(recorder.recording(4).entries).toEqual([given, { ...command, tick: 4 }]);
  expect(recording.entries).toEqual([command]);
});

test('saved states are kept for the span, and the one from which the whole span can be reached', () => {
  recorder.add([restart]);
  addStates(50, 100, 150, 200);
  expect(stateTicks()).toEqual([100, 150, 200]);
  // The start itself was a usable state until one after it was forgotten.
  addStates(230);
  expect(stateTicks()).toEqual([100, 150, 200, 230]);
  addStates(250);
  expect(stateTicks()).toEqual([150, 200, 230, 250]);
  expect(recorder.earliestTick).toBe(150);
});

test('without a span, only the newest saved state is kept, for a restart', () => {
  recorder = new RunRecorder({ keptTicks: () => 0, limitBytes });
  recorder.add([restart]);
  addStates(50, 100, 150);
  expect(stateTicks()).toEqual([150]);
});

test('saved states are kept for the span as it is at each of them', () => {
  let keptTicks = 100;
  recorder = new RunRecorder({ keptTicks: () => keptTicks, limitBytes });
  recorder.add([restart]);
  addStates(50, 100, 150);
  keptTicks = 20;
  addStates(160);
  expect(stateTicks()).toEqual([100, 150, 160]);
  addStates(200);
  expect(stateTicks()).toEqual([160, 200]);
});
