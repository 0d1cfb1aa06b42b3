import { expect, test } from 'vitest';
import { segmentFrom } from '../../../../src/render-main/session/replay.js';
import type {
  Recording,
  RecordingEntry,
  SavedState,
} from '../../../../src/shared/recording/recording.js';
import { smallRecording } from '../../../fixtures/recordings.js';
import { inputOf } from '../../../fixtures/run-toy.js';

const { run } = smallRecording;
const input = (tick: number): RecordingEntry => ({ kind: 'input', tick, input: inputOf(tick, 1) });
const step = (tick: number, dt = 0.5): RecordingEntry => ({ kind: 'step', tick, dt });
const stateAt = (tick: number): SavedState => ({ tick, bytes: Uint8Array.of(tick & 0xff) });

const later = [input(21), input(30)];
const recording: Recording = {
  run,
  start: undefined,
  lastTick: 40,
  entries: [step(1), input(5), step(12, 0.25), input(15), input(20), ...later],
  states: [stateAt(10), stateAt(20), stateAt(30)],
};
const checkpoints = [10, 20, 30];
const all = { run, from: undefined, entries: recording.entries, shownUntil: 40, checkpoints };

test('a recording that is shown from a tick begins at the nearest saved state, and has the steps of all ticks before', () => {
  const segment = { run, from: stateAt(20), shownUntil: 40, checkpoints };
  const entries = [step(1), step(12, 0.25), ...later];
  expect(segmentFrom(recording, 22)).toEqual({ ...segment, entries, untilTick: 22 });
  expect(segmentFrom(recording, 20)).toEqual({ ...segment, entries, untilTick: 20 });
});

test('a recording that is shown from a tick before the first saved state begins at the start, with all entries', () => {
  for (const untilTick of [0, 9]) {
    expect(segmentFrom(recording, untilTick)).toEqual({ ...all, untilTick });
  }
  const start = stateAt(5);
  const entries = recording.entries.filter((entry) => entry !== recording.entries[1]);
  const segment = { ...all, from: start, entries };
  expect(segmentFrom({ ...recording, start }, 9)).toEqual({ ...segment, untilTick: 9 });
});
