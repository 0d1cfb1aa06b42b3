/** Each word of the memory between page and worker, set to an invalid value. */
import { expect, onTestFinished, test } from 'vitest';
import { WorkerFailedError, type ConnectOptions } from '../../../src/render-main/index.js';
import {
  CONTROL,
  SLOT_COUNT,
  SLOT_HEADER,
  STATE_HEADER,
  WORKER_PHASE,
  layoutOf,
} from '../../../src/shared/memory/layout.js';
import { HostileRun, type HostileStep } from '../../fixtures/hostile-run.js';
import { seededRandom } from '../../fixtures/seeded-random.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';

const random = seededRandom(12);
const anyWord = (): number => Math.floor((random() - 0.5) * 2 ** 32);
const WORDS = [-1, 2 ** 31 - 1, anyWord()];
const FLOATS = [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e300];

const layout = layoutOf(4, 4, { inputWords: 256, eventWords: 256 });

/** Modules load while it connects. Afterwards, time passes without looking for any. */
async function connect(time: VirtualTime, options?: ConnectOptions): Promise<HostileRun> {
  let { pass } = time;
  const run = await HostileRun.connect('local', (ms) => pass(ms), options);
  pass = (ms) => time.advance(ms);
  return run;
}

async function connected(options: ConnectOptions = {}): Promise<HostileRun> {
  const run = await connect(new VirtualTime(), options);
  onTestFinished(() => run.dispose());
  await run.frames(10);
  return run;
}

const slots = Array.from({ length: SLOT_COUNT }, (_, slot) => slot);
const ofSlot = (slot: number, bytes: number): number =>
  (layout.slotsOffset + slot * layout.slotBytes + bytes) / 8;

const float = (at: number, value: number): HostileStep => ({ do: 'float', at, value });
const inSlots = (field: number, value: number): HostileStep[] =>
  slots.flatMap((slot) => [
    float(ofSlot(slot, 0) + field, value),
    float(layout.statusOffset / 8 + slot * 16 + field, value),
  ]);
const inStates = (field: number, value: number): HostileStep[] =>
  slots.flatMap((slot) =>
    Array.from({ length: layout.stateCapacity }, (_, state) =>
      float(ofSlot(slot, layout.stateHeadersOffset) + state * 8 + field, value),
    ),
  );
/** All words of a part of the memory. Undefined: each is another one. */
const wordsOf = (offset: number, words: number, value: number | undefined): HostileStep[] =>
  Array.from({ length: words }, (_, word) => ({
    do: 'word',
    at: offset / 4 + word,
    value: value ?? anyWord(),
  }));

const RINGS = [
  ['inputs', layout.inputsOffset, layout.inputWords],
  ['events', layout.eventsOffset, layout.eventWords],
] as const;

const runs = { do: 'run', frames: 3 } as const;

test.each<[string, HostileStep[][]]>([
  ...Object.entries(CONTROL).map(([name, at]): [string, HostileStep[][]] => [
    `control word ${name}`,
    WORDS.map((value) => [{ do: 'word', at, value }]),
  ]),
  ...Object.entries(SLOT_HEADER).map(([name, field]): [string, HostileStep[][]] => [
    `field ${name} of snapshots and statuses`,
    FLOATS.map((value) => [...inSlots(field, value), runs]),
  ]),
  ...Object.entries(STATE_HEADER).map(([name, field]): [string, HostileStep[][]] => [
    `field ${name} of states`,
    FLOATS.map((value) => inStates(field, value)),
  ]),
  ...RINGS.map(([name, offset, words]): [string, HostileStep[][]] => [
    `word in the ring of ${name}`,
    [...WORDS, undefined].map((value) => wordsOf(offset, words, value)),
  ]),
])(
  'no value of the %s makes a simulation hang: it continues, or ends with an error that says why not',
  async (_, cases) => {
    const time = new VirtualTime();
    for (const steps of cases) {
      const run = await connect(time);
      await run.frames(3);
      await run.play(steps);
      await run.frames(2);
      const outcome = await run.outcome();
      expect(outcome === undefined ? 'running' : 'failed').toBe(run.simulation.state);
      await run.dispose();
    }
  },
);

test.each([
  ['eventTail', -5, /ends of a queue/],
  ['eventTail', 2 ** 31 - 1, /ends of a queue/],
  ['inputHead', 12_345, /ends of a queue/],
  ['stopRequest', 1, /request to stop/],
  ['phase', WORKER_PHASE.stopped, /request to stop/],
  ['mailbox', 3, /a mailbox/],
  ['statusMailbox', -1, /a mailbox|a status/],
] as const)(
  'an invalid value ends the simulation with an error that names it: %s %d',
  async (name, value, says) => {
    const run = await connected();
    await run.play([{ do: 'word', at: CONTROL[name], value }, runs]);
    const error = await run.outcome();
    expect(error).toBeInstanceOf(WorkerFailedError);
    expect(error).toMatchObject({ stage: 'protocol', message: expect.stringMatching(says) });
    expect(run.simulation.state).toBe('failed');
    // The display is frozen.
    expect(run.simulation.sample(1e6).hasState).toBe(true);
  },
);

test('a worker whose memory is invalid is replaced if recovery is enabled', async () => {
  const run = await connected({ recovery: 'restart' });
  const { tick } = run.simulation.stats();
  await run.play([{ do: 'word', at: CONTROL.eventTail, value: -5 }, runs]);
  expect(await run.outcome()).toBeUndefined();
  expect(run.workers).toBe(2);
  expect(run.simulation.stats().tick).toBeGreaterThan(tick);
});

test('counters and histograms are read unchecked', async () => {
  const run = await connected();
  const words = (layout.statusOffset - layout.statisticsOffset) / 4;
  for (const value of [...WORDS, undefined]) {
    await run.play(wordsOf(layout.statisticsOffset, words, value));
    const { ticks, stepMs } = run.simulation.stats();
    expect(typeof ticks).toBe('number');
    expect(typeof stepMs.p99).toBe('number');
  }
  expect(await run.outcome()).toBeUndefined();
});
