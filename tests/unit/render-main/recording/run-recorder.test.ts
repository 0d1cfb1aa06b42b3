import { beforeEach, expect, test } from 'vitest';
import { RunRecorder } from '../../../../src/render-main/recording/run-recorder.js';
import type { RecordingEntry, SavedState } from '../../../../src/shared/recording/recording.js';
import { smallRecording } from '../../../fixtures/recordings.js';

const { run: RUN } = smallRecording;
const KEPT_TICKS = 100;
/** More than any test here adds. */
const limitBytes = 2 ** 20;

const step = (tick: number): RecordingEntry => ({ kind: 'step', tick, dt: 0.5 });
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

test('a recorder continues from a given recording, which it leaves unchanged, without the calls that another page made', () => {
  const given = { kind: 'command', tick: 10, name: 'jump', args: '[]' } as const;
  const [command, later] = [
    { ...given, call: 7 },
    { ...given, tick: 20, call: 7 },
  ];
  const [entries, states] = [[step(6), command], [stateAt(12)]];
  recorder.adopt({ run: RUN, start: stateAt(5), lastTick: 20, entries, states });
  recorder.add([later]);
  addStates(20);
  expect([entries, states]).toEqual([[step(6), command], [stateAt(12)]]);
  expect(recorder.recording(20)).toEqual({
    run: RUN,
    start: stateAt(5),
    lastTick: 20,
    entries: [step(6), given, later],
    states: [stateAt(12), stateAt(20)],
  });
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
