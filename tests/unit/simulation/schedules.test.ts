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

const HASH_EVERY = 5;

type Kind =
  | 'input'
  | 'push'
  | 'wait'
  | 'stall'
  | 'stallStep'
  | 'pause'
  | 'scale'
  | 'rate'
  | 'catchUp';
const KINDS: readonly { weight: number; arbitrary: fc.Arbitrary<Kind> }[] = (
  [
    ['input', 6],
    ['push', 3],
    ['wait', 4],
    ['stall', 1],
    ['stallStep', 1],
    ['pause', 1],
    ['scale', 1],
    ['rate', 1],
    ['catchUp', 1],
  ] as const
).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) }));

const schedules = fc.array(
  fc.record({
    kind: fc.oneof(...KINDS),
    /** A time in ms, a number of steps, a point, of which some do not exist, or which value is set. */
    n: fc.nat({ max: 20 }),
    x: fc.double({ min: -1, max: 1, noNaN: true }),
  }),
  { minLength: 10, maxLength: 40 },
);
type Schedule = typeof schedules extends fc.Arbitrary<infer Value> ? Value : never;

/** Does everything of a schedule, and gets every input into a tick. */
async function perform(time: VirtualTime, simulation: ToyHandle, schedule: Schedule) {
  let [inputs, pushes, answers] = [0, 0, 0];
  const countAnswer = (): void => {
    answers += 1;
  };
  for (const { kind, n, x } of schedule) {
    switch (kind) {
      case 'input': {
        const input = { kind: 'custom', code: inputs, device: 0, x, y: 0, z: 0, w: 0 } as const;
        expect(simulation.inputs.push(input, time.nowMs - 2 * n)).toBe(true);
        inputs += 1;
        break;
      }
      case 'push':
        simulation.commands.push(n, x).then(countAnswer, countAnswer);
        pushes += 1;
        break;
      case 'wait':
        await time.advance(n / 2);
        break;
      case 'stall':
      case 'stallStep':
        await time.until(simulation.queries[kind](n / 2));
        break;
      case 'scale':
        await time.until(simulation.setTimeScale([0.5, 1, 3][n % 3] ?? 1));
        break;
      case 'rate':
        await time.until(simulation.setTickRate([250, 333, 1000][n % 3] ?? 250));
        break;
      case 'catchUp':
        await time.until(simulation.setMaxCatchUpTicks([1, 5, 100][n % 3] ?? 1));
        break;
      default:
        await time.until(simulation.pause());
        await time.advance(n);
        if (n % 6 > 0) await time.until(simulation.step(n % 6));
        await time.until(simulation.resume());
    }
  }
  await time.until(simulation.pause());
  await time.until(simulation.step());
  // Answers arrive in order: those to the pushes are there before this one.
  await time.until(simulation.queries.bodyCount());
  return { inputs, pushes, answers };
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
