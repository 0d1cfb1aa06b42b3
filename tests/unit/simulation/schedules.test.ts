/** Whatever is done to a simulation, and whenever, its recording replays identically. In virtual time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeRecording,
  encodeRecording,
  type Recording,
  type RecordingEntry,
  type ReplayReport,
} from '../../../src/shared/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { present } from '../../fixtures/present.js';
import { seededRandom } from '../../fixtures/seeded-random.js';
import type { ToyHandle } from '../../fixtures/threads.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import { recordToy } from '../../fixtures/toy-recording.js';
import { connectInVirtualTime, type VirtualTime } from '../../fixtures/virtual-time.js';
import { stepsOf, walk, type Operations } from '../../fixtures/walk.js';

const HASH_EVERY = 5;

/** A simulation, and what was sent to it. */
interface Play {
  readonly time: VirtualTime;
  readonly simulation: ToyHandle;
  inputs: number;
  pushes: number;
  answers: number;
}

/** A call with one of three values. */
const set =
  (name: 'setTimeScale' | 'setTickRate' | 'setMaxCatchUpTicks', ...values: number[]) =>
  ({ time, simulation }: Play, n: number) =>
    time.until(simulation[name](values[n % 3] ?? 1));
const stallIn =
  (name: 'stall' | 'stallStep') =>
  ({ time, simulation }: Play, n: number) =>
    time.until(simulation.queries[name](n / 2));

const OPERATIONS: Operations<Play, { readonly x: number }> = {
  input: [
    6,
    (play, n, { x }) => {
      const code = play.inputs++;
      const input = { kind: 'custom', code, device: 0, x, y: 0, z: 0, w: 0 } as const;
      expect(play.simulation.inputs.push(input, play.time.nowMs - 2 * n)).toBe(true);
    },
  ],
  push: [
    3,
    (play, n, { x }) => {
      const countAnswer = (): void => void play.answers++;
      // Some points do not exist.
      play.simulation.commands.push(n, x).then(countAnswer, countAnswer);
      play.pushes += 1;
    },
  ],
  wait: [4, ({ time }, n) => time.advance(n / 2)],
  stall: stallIn('stall'),
  stallStep: stallIn('stallStep'),
  scale: set('setTimeScale', 0.5, 1, 3),
  rate: set('setTickRate', 250, 333, 1000),
  catchUp: set('setMaxCatchUpTicks', 1, 5, 100),
  async pause({ time, simulation }, n) {
    await time.until(simulation.pause());
    await time.advance(n);
    if (n % 6 > 0) await time.until(simulation.step(n % 6));
    await time.until(simulation.resume());
  },
};
const schedules = stepsOf(OPERATIONS, {
  minLength: 10,
  maxLength: 24,
  max: 20,
  more: { x: fc.double({ min: -1, max: 1, noNaN: true }) },
});
type Schedule = typeof schedules extends fc.Arbitrary<infer Steps> ? Steps : never;

/** Does everything of a schedule, and gets every input into a tick. */
async function perform(time: VirtualTime, simulation: ToyHandle, schedule: Schedule) {
  const play: Play = { time, simulation, inputs: 0, pushes: 0, answers: 0 };
  await walk(OPERATIONS, play, schedule);
  await time.until(simulation.pause());
  await time.until(simulation.step());
  // Answers arrive in order: those to the pushes are there before this one.
  await time.until(simulation.queries.bodyCount());
  return play;
}

const codesOf = ({ entries }: Recording): number[] =>
  entries.flatMap((entry) => (entry.kind === 'input' ? [entry.input.code] : []));

/** As it is read from a file. */
function withoutCall(entry: RecordingEntry): RecordingEntry {
  if (entry.kind !== 'command') return entry;
  const { kind, tick, name, args } = entry;
  return { kind, tick, name, args };
}

/** Runs a schedule from tick 0. @returns Its last state. @throws Error for each deviation. */
async function checkSchedule(
  time: VirtualTime,
  simulation: ToyHandle,
  schedule: Schedule,
): Promise<number> {
  await time.until(simulation.queries.rebuild());
  await time.until(simulation.resume());
  const sent = await perform(time, simulation, schedule);
  const recording = simulation.recording();
  expect(sent.answers).toBe(sent.pushes);
  expect(recording.lastTick).toBe(simulation.stats().tick);

  // None is lost, and none arrives twice.
  const codes = codesOf(recording);
  expect(codes.toSorted((a, b) => a - b)).toEqual(Array.from({ length: sent.inputs }, (_, i) => i));
  expect(recording.entries.filter(({ kind }) => kind === 'command')).toHaveLength(sent.pushes);
  const read = decodeRecording(encodeRecording(recording));
  expect(read).toEqual({ ...recording, entries: recording.entries.map(withoutCall) });

  const toy = createToy();
  const { given, sum } = present(toy.queries);
  expect(await replay(toy, read)).toEqual({
    tick: recording.lastTick,
    hashes: Math.floor(recording.lastTick / HASH_EVERY),
    differsAt: undefined,
    equalUpTo: recording.lastTick - (recording.lastTick % HASH_EVERY),
  });
  // The steps received identical inputs, in the same order.
  expect(given().flatMap(({ inputs }) => inputs.map(({ code }) => code))).toEqual(codes);
  expect(sum()).toBe(await time.until(simulation.queries.sum()));
  return sum();
}

test('whatever is done to a simulation, its recording runs identically', async () => {
  const { time, simulation } = await connectInVirtualTime({
    tickRateHz: 333,
    capacity: 64,
    recording: { hashEveryTicks: HASH_EVERY },
  });
  const states = new Set<number>();
  await fc.assert(
    fc.asyncProperty(schedules, async (schedule) => {
      states.add(await checkSchedule(time, simulation, schedule));
    }),
    { numRuns: 16, endOnFailure: true },
  );
  // They were not all the same run.
  expect(states.size).toBeGreaterThan(12);
});

const recorded = await recordToy(200);
const IDENTICAL: ReplayReport = { tick: 200, hashes: 20, differsAt: undefined, equalUpTo: 200 };
const WAITING = { capacity: 64, startPaused: true } as const;

test('a run is the same displayed at 30 and 144 frames a second', async () => {
  const { time, simulation } = await connectInVirtualTime({ ...WAITING, timeScale: 3 });
  for (const frameRateHz of [30, 144]) {
    const { ended } = await time.until(simulation.openReplay(recorded));
    let report: ReplayReport | undefined;
    void ended.then((ends) => (report = ends));
    await time.until(simulation.resume());
    const shown = new Set<number>();
    while (report === undefined) {
      await time.advance(1000 / frameRateHz);
      shown.add(simulation.sample(time.nowMs).tick);
    }
    expect({ frameRateHz, ...report }).toEqual({ frameRateHz, ...IDENTICAL });
    expect(shown.size).toBeGreaterThan(20);
  }
});

test.each([
  ['in slow motion', { tickRateHz: 1000, timeScale: 0.5 }],
  ['in fast motion', { tickRateHz: 250, timeScale: 3 }],
  ['without catching up', { tickRateHz: 1000, maxCatchUpTicks: 1 }],
  ['catching up a hundred ticks', { tickRateHz: 1000, maxCatchUpTicks: 100 }],
])('a run is the same %s, with turns and steps delayed at random', async (_, options) => {
  const { time, simulation } = await connectInVirtualTime({ ...WAITING, ...options });
  const { ended } = await time.until(simulation.openReplay(recorded));
  let report: ReplayReport | undefined;
  void ended.then((ends) => (report = ends));
  await time.until(simulation.resume());
  const random = seededRandom(11);
  while (report === undefined) {
    const { stall, stallStep } = simulation.queries;
    await time.until((random() < 0.5 ? stall : stallStep)(15 * random()));
    await time.advance(10 * random());
  }
  expect(report).toEqual(IDENTICAL);
});
