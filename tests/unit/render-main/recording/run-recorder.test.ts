/**
 * A recorder, also one that receives more than it may hold: it begins at a saved state, or ends, and
 * is right in either case.
 */
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import {
  RunRecorder,
  type RecorderOptions,
} from '../../../../src/render-main/recording/run-recorder.js';
import type { Asset } from '../../../../src/shared/recording/asset.js';
import type { RecordingEntry, SavedState } from '../../../../src/shared/recording/recording.js';
import { expectSame } from '../../../fixtures/quick-checks.js';
import { smallRecording } from '../../../fixtures/recordings.js';

const restart = { kind: 'restart', run: smallRecording.run, restarts: 0 } as const;
/** The number of entries that fit. */
const LIMIT = 100;
const ENTRY_BYTES = 34;
/** The first after each reading takes a little more. */
const limitBytes = (LIMIT + 0.5) * ENTRY_BYTES;
/** With this many, it is half full. */
const HALF = LIMIT / 2 + 1;

const input = (tick: number, code = 1): RecordingEntry => ({
  kind: 'input',
  tick,
  input: { kind: 'custom', code, device: 0, x: 0.1, y: 0.1, z: 0.1, w: 0.1, fraction: 0 },
});
const stateAt = (tick: number, length = 16): SavedState => ({
  tick,
  bytes: new Uint8Array(length).fill(tick),
});

/** Named by the commands of the run. */
const assets = {
  needed: [] as readonly Asset[],
  neededBytes: 0,
  noteRun: () => {},
  noteEntry: () => {},
  needOnly: () => {},
};

let wanted: number;
let fullAt: number[];
let recorder: RunRecorder;
/** With these options, a run begins. */
function begin(options: Partial<RecorderOptions> = {}): void {
  wanted = 0;
  fullAt = [];
  assets.neededBytes = 0;
  recorder = new RunRecorder({
    keptTicks: () => 0,
    limitBytes,
    onStateWanted: () => void (wanted += 1),
    onFull: (tick) => void fullAt.push(tick),
    assets,
    ...options,
  });
  recorder.add([restart]);
}
beforeEach(() => begin());

/** One input for each of these ticks. */
function report(from: number, to: number): void {
  for (let tick = from; tick <= to; tick++) recorder.add([input(tick)]);
}

const addStates = (...ticks: number[]): void => {
  recorder.add(ticks.map((tick) => ({ kind: 'state', state: stateAt(tick) })));
};
const stateTicks = (): number[] => recorder.recording(1e9).states.map(({ tick }) => tick);

test('a recorder has nothing before a run has begun', () => {
  recorder = new RunRecorder({ keptTicks: () => 0, limitBytes });
  expect([recorder.run, recorder.earliestTick, recorder.fullAt]).toEqual([undefined, 0, undefined]);
  expect(() => recorder.recording(0)).toThrow(/nothing has been recorded yet/);
});

test('a recorder continues from a given recording, which it leaves unchanged, without the calls that another page made', () => {
  begin({ keptTicks: () => 100 });
  const step = { kind: 'step', tick: 6, dt: 0.5 } as const;
  const given = { kind: 'command', tick: 10, name: 'jump', args: '[]' } as const;
  const command = { ...given, call: 7 };
  const later = { ...command, tick: 20 };
  const [entries, states] = [[step, command], [stateAt(12)]];
  recorder.adopt({ run: restart.run, start: stateAt(5), lastTick: 20, entries, states });
  recorder.add([later]);
  addStates(20);
  expect([entries, states]).toEqual([[step, command], [stateAt(12)]]);
  expect(recorder.recording(20)).toEqual({
    run: restart.run,
    start: stateAt(5),
    lastTick: 20,
    entries: [step, given, later],
    states: [stateAt(12), stateAt(20)],
  });
});

test('saved states are kept for the span as it is at each of them, and the one from which all of it can be reached', () => {
  let keptTicks = 100;
  begin({ keptTicks: () => keptTicks });
  addStates(50, 100, 150, 200);
  expect(stateTicks()).toEqual([100, 150, 200]);
  // The start itself was a usable state until one after it was forgotten.
  addStates(230);
  expect(stateTicks()).toEqual([100, 150, 200, 230]);
  addStates(250);
  expect(stateTicks()).toEqual([150, 200, 230, 250]);
  expect(recorder.earliestTick).toBe(150);
  keptTicks = 20;
  addStates(260);
  expect(stateTicks()).toEqual([230, 250, 260]);
});

test('without a span, only the newest saved state is kept, for a restart', () => {
  addStates(50, 100, 150);
  expect(stateTicks()).toEqual([150]);
});

test('a recording without a saved state ends with the last complete tick, and reports it once', () => {
  report(1, LIMIT - 1);
  expect([recorder.fullAt, fullAt]).toEqual([undefined, []]);
  expect(recorder.recording(LIMIT - 1)).not.toHaveProperty('isComplete');
  // The first two inputs of the tick have room, and the third has not.
  recorder.add([{ kind: 'step', tick: LIMIT, dt: 0.5 }, input(LIMIT), input(LIMIT)]);
  report(LIMIT + 1, LIMIT + 500);
  expect([recorder.fullAt, fullAt]).toEqual([LIMIT - 1, [LIMIT - 1]]);
  const recording = recorder.recording(LIMIT + 500);
  expect(recording).toMatchObject({ lastTick: LIMIT - 1, isComplete: false });
  expect(recording.entries).toEqual(Array.from({ length: LIMIT - 1 }, (_, at) => input(at + 1)));
  expect(recorder.bytes).toBeLessThanOrEqual(limitBytes);
});

test('a recording without a saved state accepts a larger recording unchanged, and ends with it', () => {
  report(1, 50);
  const large = { ...recorder.recording(50), lastTick: 200 };
  const entries = Array.from({ length: 200 }, (_, at) => input(at + 1));
  recorder.adopt({ ...large, entries });
  expect(recorder.recording(200).entries).toHaveLength(200);
  recorder.add([input(201)]);
  expect(recorder.recording(300)).toMatchObject({ lastTick: 200, isComplete: false });
});

test('a state that could not be saved is requested again after 600 ticks, and not before', () => {
  begin({ limitBytes: 20 * LIMIT * ENTRY_BYTES });
  report(1, 10 * LIMIT);
  expect(wanted).toBe(1);
  recorder.noteFailedState();
  report(10 * LIMIT + 1, 10 * LIMIT + 599);
  expect(wanted).toBe(1);
  // Again only once, until this one has failed as well.
  report(10 * LIMIT + 600, 10 * LIMIT + 900);
  expect([wanted, recorder.fullAt]).toEqual([2, undefined]);
  recorder.addState(stateAt(10 * LIMIT + 900));
  report(10 * LIMIT + 901, 25 * LIMIT);
  expect(recorder.recording(25 * LIMIT)).not.toHaveProperty('isComplete');
});

test('a state that could not be saved is requested again of a full recording, which begins there', () => {
  report(1, LIMIT + 5);
  expect(wanted).toBe(2);
  recorder.noteFailedState();
  report(LIMIT + 6, LIMIT + 604);
  expect(wanted).toBe(2);
  report(LIMIT + 605, LIMIT + 700);
  expect(wanted).toBe(3);
  recorder.addState(stateAt(LIMIT + 700));
  expect(recorder.fullAt).toBeUndefined();
  expect(recorder.recording(LIMIT + 700)).toMatchObject({ start: stateAt(LIMIT + 700) });
});

test('a state that could not be saved does not delay the request of another run', () => {
  report(1, HALF);
  recorder.noteFailedState();
  recorder.add([restart]);
  report(1, HALF);
  expect(wanted).toBe(2);
});

test('a recording with saved states requests one at half of the limit, and begins there when it is full', () => {
  report(1, HALF - 1);
  expect(wanted).toBe(0);
  report(HALF, HALF);
  expect(wanted).toBe(1);
  recorder.addState(stateAt(HALF));
  report(HALF + 1, LIMIT + 1);
  // The next one has its half already.
  expect([wanted, fullAt]).toEqual([2, []]);
  const recording = recorder.recording(LIMIT + 1);
  expect(recording).toMatchObject({ start: stateAt(HALF), lastTick: LIMIT + 1, states: [] });
  expect(recording.entries.map(({ tick }) => tick)).toEqual(
    Array.from({ length: LIMIT / 2 }, (_, at) => HALF + 1 + at),
  );
  expect([recorder.startTick, recorder.earliestTick]).toEqual([HALF, HALF]);
});

test('a recording with saved states keeps half of its limit free as long as it continues', () => {
  for (let tick = 1; tick <= 20 * LIMIT; tick++) {
    const before = wanted;
    report(tick, tick);
    if (wanted > before) recorder.addState(stateAt(tick));
    expect(recorder.bytes).toBeGreaterThan(Math.min(0.45 * limitBytes, (tick - 1) * ENTRY_BYTES));
    expect(recorder.bytes).toBeLessThanOrEqual(limitBytes);
  }
  expect(fullAt).toEqual([]);
  expect(wanted).toBeGreaterThan(30);
});

test('a recording with saved states keeps the state at half next to the newest one', () => {
  for (let tick = 1; tick <= 90; tick++) {
    report(tick, tick);
    if (tick % 10 === 0) addStates(tick);
  }
  const { states } = recorder.recording(90);
  expect(states.map(({ tick }) => tick)).toEqual([50, 90]);
  // The state at half is too far away for the ticks in between.
  expect(recorder.earliestTick).toBe(90);
  expect(recorder.leadingTo(70)).toMatchObject({ from: stateAt(50), untilTick: 70 });
  expect(recorder.leadingTo(70).entries).toHaveLength(20);
});

test('a recording with saved states drops states in favour of entries, the oldest states first', () => {
  begin({ keptTicks: () => 1000 });
  const large = limitBytes / 4;
  for (let tick = 1; tick <= 50; tick++) {
    report(tick, tick);
    if (tick % 10 === 0) recorder.add([{ kind: 'state', state: stateAt(tick, large) }]);
    expect(recorder.bytes).toBeLessThanOrEqual(limitBytes);
  }
  const { start, entries, states } = recorder.recording(50);
  expect([start, entries.length]).toEqual([undefined, 50]);
  // The state at half, and the newest.
  expect(states.map(({ tick }) => tick)).toEqual([30, 50]);
  expect(recorder.earliestTick).toBe(50);
});

test('assets count towards the limit of a recording', () => {
  assets.neededBytes = limitBytes / 2;
  report(1, LIMIT);
  expect(fullAt).toEqual([LIMIT / 2]);
  expect(recorder.bytes).toBeGreaterThan(limitBytes - ENTRY_BYTES);
});

const isTickInput = ({ kind }: RecordingEntry): boolean => kind === 'input';

/** The entries of a tick. States of many sizes, some of which do not fit. */
const anyTick = fc.record({
  inputs: fc.nat({ max: 6 }),
  dt: fc.constantFrom(undefined, undefined, 0.5, 0.25),
  stateBytes: fc.constantFrom(undefined, undefined, undefined, 20, 200, 800),
  /** Undefined: the request is not answered yet. */
  answerBytes: fc.constantFrom(undefined, 20, 200, 2000),
  backTo: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.constantFrom(0.5, 0.9)),
  isNextRun: fc.nat({ max: 40 }).map((number) => number === 1),
  /** Some exceed the limit alone. */
  assetBytes: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat({ max: 2000 })),
});

test('whatever a recorder receives, it holds the end of the run, or its beginning if it reports so', () => {
  fc.assert(
    fc.property(
      fc.array(anyTick, { maxLength: 120, size: 'max' }),
      fc.integer({ min: 600, max: 6000 }),
      fc.constantFrom(0, 7, 1000),
      fc.boolean(),
      (ticks, limit, keptTicks, canSave) => {
        begin({ limitBytes: limit, keptTicks: () => keptTicks });
        let reported: RecordingEntry[] = [];
        let states: SavedState[] = [];
        let tick = 0;
        let answered = wanted;
        for (const {
          inputs,
          dt,
          stateBytes,
          answerBytes,
          backTo,
          isNextRun,
          assetBytes,
        } of ticks) {
          if (isNextRun) {
            recorder.add([restart]);
            [reported, states, tick, answered] = [[], [], 0, wanted];
          }
          tick += 1;
          const entries = Array.from({ length: inputs }, (_, code) => input(tick, code));
          if (dt !== undefined) entries.unshift({ kind: 'step', tick, dt });
          if (entries.length > 0) assets.neededBytes += assetBytes;
          // Some entries of a tick may arrive before others.
          recorder.add(entries.slice(0, 2));
          recorder.add(entries.slice(2));
          reported.push(...entries);
          if (canSave && stateBytes !== undefined) {
            const state = stateAt(tick, stateBytes);
            recorder.add([{ kind: 'state', state }]);
            states.push(state);
          }
          if (canSave && answerBytes !== undefined && wanted > answered) {
            answered = wanted;
            const state = stateAt(tick, answerBytes);
            recorder.addState(state);
            states.push(state);
          }
          // Assets come with entries, and cannot be dropped.
          const isStuck = recorder.fullAt !== undefined || entries.length === 0;
          expect(recorder.bytes <= limit || (assets.neededBytes > 0 && isStuck)).toBe(true);

          const recording = recorder.recording(tick);
          const { start, lastTick } = recording;
          const first = start?.tick ?? 0;
          expect(lastTick).toBe(recorder.fullAt ?? tick);
          expect(recording.isComplete).toBe(lastTick < tick ? false : undefined);
          const of = reported.filter((entry) => entry.tick > first && entry.tick <= lastTick);
          const holds = reported.findLast((entry) => entry.kind === 'step' && entry.tick <= first);
          const hasStep = of.some((entry) => entry.kind === 'step' && entry.tick === first + 1);
          if (holds !== undefined && !hasStep && lastTick > first) {
            of.unshift({ ...holds, tick: first + 1 });
          }
          expectSame(JSON.stringify(recording.entries), JSON.stringify(of));
          for (const state of [start ?? [], recording.states].flat()) {
            expectSame(states.includes(state), true);
          }
          const ticksOfStates = recording.states.map((state) => state.tick);
          expect(ticksOfStates).toEqual(ticksOfStates.toSorted((a, b) => a - b));
          for (const at of ticksOfStates) expect(at > first && at <= lastTick).toBe(true);
          expect(recorder.earliestTick >= first && recorder.earliestTick <= tick).toBe(true);

          const back = Math.round(first + (backTo ?? 0) * (lastTick - first));
          const way = recorder.leadingTo(back);
          expect(way.untilTick).toBe(back);
          const from = way.from?.tick ?? 0;
          expect(from === first || ticksOfStates.includes(from)).toBe(true);
          const between = of.filter(({ tick: at }) => at > from && at <= back);
          expectSame(
            JSON.stringify(way.entries.filter(isTickInput)),
            JSON.stringify(between.filter(isTickInput)),
          );
          if (backTo === undefined) continue;
          recorder.truncate(back);
          tick = back;
          reported = reported.filter((entry) => entry.tick <= back);
          states = states.filter((state) => state.tick <= back);
          answered = wanted;
          expect(recorder.fullAt).toBeUndefined();
        }
      },
    ),
    { numRuns: 20 },
  );
});
