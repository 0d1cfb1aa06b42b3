/**
 * Runs that are longer than their recording may be, in virtual time: what it reports about them is
 * true.
 */
import { expect, test } from 'vitest';
import type { RecordingOptions } from '../../../src/render-main/api/connect-options.js';
import type { Recording } from '../../../src/shared/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { inputOf } from '../../fixtures/run-toy.js';
import { OPTIONS, expectReplays, stepped } from '../../fixtures/stepped-toy.js';
import { replayed } from '../../fixtures/toy-recording.js';
import { createToy, type ToyOptions } from '../../fixtures/toy-simulation.js';
import { connectLocally, type VirtualTime } from '../../fixtures/virtual-time.js';

/** Limit of a recording that has hardly more than its hashes, of 9 bytes each: some 350 ticks. */
const limitBytes = 4096;
/** A state of the toy has 3 kB: these two begin and end a recording. */
const SAVABLE_LIMIT = 10_000;
const CANNOT_SAVE: ToyOptions = { cannotSave: true };

/** Runs this many ticks, with an input and a command now and then. */
async function played(ticks: number, limits: RecordingOptions, toy: ToyOptions = {}) {
  const recording = { ...OPTIONS.recording, ...limits };
  const connected = await stepped({ whenHidden: 'run', recording }, toy);
  const { time, simulation } = connected;
  while (simulation.stats().tick < ticks) {
    const { tick } = simulation.stats();
    simulation.inputs.push(inputOf(tick % 16, 0.25), time.nowMs);
    const push = simulation.commands.push(tick % 16, 0.125);
    await time.until(simulation.step(Math.min(10, ticks - tick)));
    await time.until(push);
  }
  return connected;
}

test('a run that cannot be saved has a recording that ends with its last complete tick, reports it, and replays', async () => {
  const { simulation, statuses } = await played(500, { limitBytes }, CANNOT_SAVE);
  const recording = simulation.recording();
  const { lastTick } = recording;
  expect(lastTick).toBeGreaterThan(300);
  expect(lastTick).toBeLessThan(400);
  expect(statuses).toEqual([{ kind: 'recording-full', tick: lastTick, limitBytes }]);
  expect(recording).toMatchObject({ start: undefined, isComplete: false });
  // Every tick has its hash: none is missing, and none is beyond the end.
  const hashed = recording.entries.flatMap(({ kind, tick }) => (kind === 'hash' ? tick : []));
  expect(hashed).toEqual(Array.from({ length: lastTick }, (_, at) => at + 1));
  const { isRecordingFull, recordingBytes, tick } = simulation.stats();
  expect([isRecordingFull, tick]).toEqual([true, 500]);
  expect(recordingBytes).toBeLessThanOrEqual(limitBytes);
  expect(simulation.rewindRange).toEqual({ from: 0, to: lastTick });
  await expectReplays(recording);
});

test('a run that cannot be saved cannot seek beyond its recording, and continues from any tick in it', async () => {
  const { time, simulation } = await played(500, { limitBytes }, CANNOT_SAVE);
  const { lastTick } = simulation.recording();
  const sum = await time.until(simulation.queries.sum());
  for (const tick of [lastTick + 1, 500]) {
    await expect(time.until(simulation.seek(tick))).rejects.toThrow(
      `no way to tick ${tick}: the recording was full at tick ${lastTick}`,
    );
    expect(simulation.stats().tick).toBe(500);
    expect(await time.until(simulation.queries.sum())).toBe(sum);
  }
  await expect(time.until(simulation.seek(501))).rejects.toThrow(/^tick must be .* 0 to 500/);
  expect(await time.until(simulation.seek(lastTick))).toMatchObject({ differsAt: undefined });
  await time.until(simulation.seek(50));
  await time.until(simulation.step(20));
  expect(simulation.stats()).toMatchObject({ tick: 70, isRecordingFull: false });
  const recording = simulation.recording();
  expect(recording.lastTick).toBe(70);
  expect(recording).not.toHaveProperty('isComplete');
  await expectReplays(recording);
});

test.each([
  ['and is saved when that is of use', {}],
  ['and is saved again and again', { rewindSeconds: 1, saveEverySeconds: 0.5 }],
])(
  'a run that can be saved %s has a recording of its newest part, which replays',
  async (_, saving) => {
    const limits = { limitBytes: SAVABLE_LIMIT, ...saving };
    const { simulation, statuses } = await played(700, limits);
    const recording = simulation.recording();
    const { start } = recording;
    expect(statuses).toEqual([]);
    expect([recording.lastTick, simulation.stats().isRecordingFull]).toEqual([700, false]);
    expect(recording).not.toHaveProperty('isComplete');
    const first = start?.tick ?? 0;
    expect(first).toBeGreaterThan(100);
    // A large part of what fits.
    expect(first).toBeLessThanOrEqual(630);
    expect(simulation.stats().recordingBytes).toBeLessThanOrEqual(SAVABLE_LIMIT);
    expect(simulation.rewindRange.from).toBeGreaterThanOrEqual(first);
    expect(simulation.rewindRange.to).toBe(700);
    await expectReplays(recording);
  },
);

test("a run that can be saved can seek backwards to the recording's start, and no further", async () => {
  const { time, simulation } = await played(700, { limitBytes: SAVABLE_LIMIT });
  const first = simulation.recording().start?.tick ?? 0;
  expect(first).toBeGreaterThan(0);
  const sum = await time.until(simulation.queries.sum());
  await expect(time.until(simulation.seek(first - 1))).rejects.toThrow(RangeError);
  expect(await time.until(simulation.seek(700))).toMatchObject({ differsAt: undefined });
  expect(await time.until(simulation.queries.sum())).toBe(sum);
  expect(await time.until(simulation.seek(first))).toMatchObject({ differsAt: undefined });
  await time.until(simulation.step(5));
  const recording = simulation.recording();
  expect(recording).toMatchObject({ lastTick: first + 5, start: { tick: first } });
  await expectReplays(recording);
});

/**
 * Ticks that catch up in one pass, whose journals are in transit while the page reads what has been
 * published.
 */
test('a recording that is read while entries arrive ends at its last complete tick', async () => {
  let onStep: (() => void) | undefined;
  const create = ({ spend }: VirtualTime) =>
    runLocally(
      createToy({ stepCostMs: 1 }, (ms) => {
        spend(ms);
        onStep?.();
      }),
    );
  const { time, simulation } = await connectLocally(create, { ...OPTIONS, whenHidden: 'run' });
  await time.until(simulation.resume());
  const asked: { readonly tick: number; readonly recording: Recording }[] = [];
  onStep = () => {
    asked.push({ tick: simulation.stats().tick, recording: simulation.recording() });
  };
  for (let round = 0; round < 5; round++) {
    // One for each tick that is then late.
    for (const code of [1, 2, 3, 4, 5]) {
      time.spend(18);
      simulation.inputs.push(inputOf(code, 0.5), time.nowMs);
    }
    await time.wakeLate(0);
    await time.advance(50);
  }
  onStep = undefined;
  await time.until(simulation.pause());
  const whole = simulation.recording();
  // Some of them had not arrived yet: the ticks were done, but their inputs had not been reported
  // to the page.
  expect(asked.some(({ tick, recording }) => recording.lastTick < tick)).toBe(true);
  for (const { recording } of asked) {
    const { lastTick } = recording;
    expect(recording.entries.filter(({ kind }) => kind !== 'hash')).toEqual(
      whole.entries.filter(({ kind, tick }) => kind !== 'hash' && tick <= lastTick),
    );
    // The hash of the last tick may not have arrived.
    expect(await replayed(recording)).toMatchObject({ tick: lastTick, differsAt: undefined });
  }
});
