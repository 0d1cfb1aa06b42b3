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

/** Each case ends with a simulation that continues, or with an error that says why it does not. */
async function expectNoneHangs(cases: readonly (readonly HostileStep[])[]): Promise<void> {
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
}

const runs = { do: 'run', frames: 3 } as const;

test.each(Object.entries(CONTROL))(
  'no value of the control word %s makes a simulation hang',
  async (_, at) => {
    await expectNoneHangs(WORDS.map((value) => [{ do: 'word', at, value }]));
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
  const first = layout.statisticsOffset / 4;
  const last = layout.statusOffset / 4;
  for (const value of [...WORDS, undefined]) {
    const steps = Array.from({ length: last - first }, (_, word): HostileStep => ({
      do: 'word',
      at: first + word,
      value: value ?? anyWord(),
    }));
    await run.play(steps);
    const { ticks, stepMs } = run.simulation.stats();
    expect(typeof ticks).toBe('number');
    expect(typeof stepMs.p99).toBe('number');
  }
  expect(await run.outcome()).toBeUndefined();
});

const slots = Array.from({ length: SLOT_COUNT }, (_, slot) => slot);
const ofSlot = (slot: number, bytes: number): number =>
  (layout.slotsOffset + slot * layout.slotBytes + bytes) / 8;

test.each(Object.entries(SLOT_HEADER))(
  'no value of the field %s of snapshots and statuses makes a simulation hang',
  async (_, field) => {
    await expectNoneHangs(
      FLOATS.map((value) => [
        ...slots.flatMap((slot): HostileStep[] => [
          { do: 'float', at: ofSlot(slot, 0) + field, value },
          { do: 'float', at: layout.statusOffset / 8 + slot * 16 + field, value },
        ]),
        runs,
      ]),
    );
  },
);

test.each(Object.entries(STATE_HEADER))(
  'no value of the field %s of states makes a simulation hang',
  async (_, field) => {
    await expectNoneHangs(
      FLOATS.map((value) =>
        slots.flatMap((slot) =>
          Array.from({ length: layout.stateCapacity }, (__, state): HostileStep => ({
            do: 'float',
            at: ofSlot(slot, layout.stateHeadersOffset) + state * 8 + field,
            value,
          })),
        ),
      ),
    );
  },
);

test.each([
  ['inputs', layout.inputsOffset, layout.inputWords],
  ['events', layout.eventsOffset, layout.eventWords],
])('no content of the ring of %s makes a simulation hang', async (_, offset, words) => {
  await expectNoneHangs(
    [...WORDS, undefined].map((value) =>
      Array.from({ length: words }, (__, word): HostileStep => ({
        do: 'word',
        at: offset / 4 + word,
        value: value ?? anyWord(),
      })),
    ),
  );
});
