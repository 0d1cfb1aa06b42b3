/**
 * A replay that is shown, as the application holds it: what it reports, and what its methods do, in
 * virtual time.
 */
import { expect, test } from 'vitest';
import type { CallOptions, Replay } from '../../../src/render-main/index.js';
import type { SavedState } from '../../../src/shared/index.js';
import { inputOf } from '../../fixtures/run-toy.js';
import { takeTurn } from '../../fixtures/scripted-host.js';
import { warningsOfTest } from '../../fixtures/worlds.js';
import { STEPPED, expectRun, failureOf, stepped } from '../../fixtures/stepped-toy.js';

/** The comparison of a replay in which every tick has a hash. */
const equalUpTo = (tick: number, hashes = tick) => ({
  tick,
  hashes,
  differsAt: undefined,
  equalUpTo: hashes === 0 ? 0 : tick,
});

/** A paused run of 30 ticks, and its replay at its start. */
async function opened(hashEveryTicks = 1) {
  const toy = await stepped({ recording: { hashEveryTicks } });
  const replay = await toy.time.until(toy.simulation.openReplay(toy.recording));
  return { ...toy, replay };
}
type Toy = Awaited<ReturnType<typeof opened>>;

test('openReplay shows the start of the recording, plays if the simulation runs, and waits for resume if it is paused', async () => {
  const { time, simulation, recording, replay } = await opened();
  expect(simulation.replay).toBe(replay);
  expect(replay).toMatchObject({ recording, state: 'paused', report: equalUpTo(0) });
  expect(simulation.recording()).toBe(recording);
  await time.advance(200);
  expect([replay.state, simulation.stats().tick]).toEqual(['paused', 0]);
  await time.until(simulation.resume());
  await time.advance(200);
  expect(replay.state).toBe('playing');
  expect(simulation.stats().tick).toBeGreaterThan(5);
  const again = await time.until(simulation.openReplay(replay.recording));
  expect([again.state, replay.state]).toEqual(['playing', 'closed']);
  await time.advance(200);
  expect([again.state, again.report.tick > 5]).toEqual(['playing', true]);
});

test.each([
  [
    'openReplay',
    ({ simulation, recording }: Toy, options: CallOptions) =>
      simulation.openReplay({ ...recording }, options),
  ],
  ['close', ({ replay }: Toy, options: CallOptions) => replay.close(options)],
])('of a replay, %s that is stopped before its turn leaves what is shown', async (_, call) => {
  const toy = await opened();
  const { time, simulation, replay } = toy;
  const seeking = replay.seek(25);
  const controller = new AbortController();
  const { reason } = failureOf(call(toy, { signal: controller.signal }));
  await takeTurn();
  const unwanted = new Error('no longer wanted');
  controller.abort(unwanted);
  expect(await reason).toBe(unwanted);
  expect(await time.until(seeking)).toEqual(equalUpTo(25));
  expect([simulation.replay, replay.state]).toEqual([replay, 'paused']);
  expect(await time.until(simulation.step(2))).toBe(27);
  expect(await time.until(replay.close())).toEqual(equalUpTo(27));
  expect([simulation.replay, replay.state]).toEqual([undefined, 'closed']);
});

test('the report of a replay is sent with each hash, without a request, and at the end', async () => {
  const { time, simulation, replay } = await opened(7);
  const seen: unknown[] = [replay.report];
  for (let tick = 1; tick <= STEPPED; tick++) {
    await time.until(simulation.step());
    if (replay.report !== seen.at(-1)) seen.push(replay.report);
  }
  expect(seen).toEqual([
    equalUpTo(0),
    equalUpTo(7, 1),
    equalUpTo(14, 2),
    equalUpTo(21, 3),
    equalUpTo(28, 4),
    { tick: 30, hashes: 4, differsAt: undefined, equalUpTo: 28 },
  ]);
  expect(await replay.ended).toBe(replay.report);
});

test('the report of a replay is sent with a seek, continues to count from there, and stays when the replay is closed', async () => {
  const { time, simulation, replay } = await opened();
  expect(await time.until(replay.seek(12))).toEqual(equalUpTo(12));
  expect(replay.report).toEqual(equalUpTo(12));
  await time.until(simulation.step(3));
  expect(replay.report).toEqual(equalUpTo(15));
  await time.until(replay.seek(4));
  expect(replay.report).toEqual(equalUpTo(4));
  await time.until(replay.close());
  await time.until(simulation.step(9));
  expect(replay.report).toEqual(equalUpTo(4));
});

test('a difference that a seek has passed is on the console, and stays in the report of a replay', async () => {
  const warnings = warningsOfTest();
  const { time, simulation, recording } = await stepped();
  const entries = recording.entries.map((entry) =>
    entry.kind === 'hash' && entry.tick === 8 ? { ...entry, hash: '0'.repeat(16) } : entry,
  );
  const replay = await time.until(simulation.openReplay({ ...recording, entries }));
  await time.until(replay.seek(10));
  expect(warnings()).toEqual([expect.stringContaining('from tick 8 on')]);
  await time.until(simulation.step(20));
  const report = { tick: STEPPED, hashes: STEPPED, differsAt: 8, equalUpTo: 7 };
  expect(await time.until(replay.ended)).toEqual(report);
});

test('a replay that differs says so on the console, and what differs at the first saved state', async () => {
  const warnings = warningsOfTest();
  const saving = { rewindSeconds: 10, saveEverySeconds: 0.1, hashEveryTicks: 1 };
  const { time, simulation, recording } = await stepped({ recording: saving });
  const run = { ...recording.run, seed: 99 };
  const first = recording.states[0] as SavedState;
  const replay = await time.until(simulation.openReplay({ ...recording, run }));
  expect([replay.report.difference, warnings()]).toEqual([undefined, []]);
  await time.until(simulation.step(STEPPED));
  const { differsAt, difference } = await time.until(replay.ended);
  expect(differsAt).toBe(1);
  expect(difference).toBe(
    `at tick ${first.tick}, no body differs, but something else of the state`,
  );
  expect(replay.report.difference).toBe(difference);
  expect(warnings()).toEqual([
    expect.stringContaining('a replay differs from its recording from tick 1 on'),
    `betwixt: ${difference}`,
  ]);
});

test('a replay resolves `ended` at its last tick, where it stops', async () => {
  const { time, simulation, statuses, replay } = await opened();
  await time.until(simulation.resume());
  const report = await time.until(replay.ended);
  expect(report).toEqual(equalUpTo(STEPPED));
  expect([replay.state, simulation.state]).toEqual(['ended', 'paused']);
  expect(statuses).toEqual([{ kind: 'replayed', report }]);
  await expect(time.until(simulation.resume())).rejects.toThrow(
    'replay.seek() goes to a tick of it',
  );
});

test('the end of a replay is reached and left by a seek, and reported again as a status, while `ended` does not change', async () => {
  const { time, simulation, statuses, replay } = await opened();
  const first = await time.until(replay.seek(STEPPED));
  expect(await time.until(replay.ended)).toEqual(first);
  expect(replay.state).toBe('ended');
  await time.until(replay.seek(20));
  expect(replay.state).toBe('paused');
  await time.until(simulation.step(10));
  expect(replay.state).toBe('ended');
  expect(statuses.map(({ kind }) => kind)).toEqual(['replayed', 'replayed']);
  expect(await replay.ended).toEqual(first);
});

test('a replay refuses inputs, ends by close before its last tick, and the run continues from there', async () => {
  const { time, simulation, replay } = await opened();
  expect(simulation.inputs.push(inputOf(1, 1), time.nowMs)).toBe(false);
  await time.until(replay.seek(12));
  const report = await time.until(replay.close());
  expect(report).toEqual(equalUpTo(12));
  expect(await time.until(replay.ended)).toEqual(report);
  expect([replay.state, simulation.replay]).toEqual(['closed', undefined]);
  for (const call of [() => replay.seek(3), () => replay.close()]) {
    await expect(time.until(call())).rejects.toThrow('this replay is closed: its run was given');
  }
  await expectRun(time, simulation, 12);
});

const REPLACED = 'another replay was opened';
const RESTARTED = 'a query restarted the run';

test.each<[string, why: string, (toy: Toy) => Promise<unknown>, statuses?: object[]]>([
  [
    'replaced by another',
    REPLACED,
    ({ time, simulation, recording }) => time.until(simulation.openReplay({ ...recording })),
  ],
  [
    'replaced by a state',
    REPLACED,
    async ({ time, simulation }) =>
      time.until(simulation.restore(await time.until(simulation.save()))),
  ],
  [
    'disposed with its simulation',
    'the simulation was disposed',
    ({ time, simulation }) => time.until(simulation.dispose()),
    [{ kind: 'disposed' }],
  ],
  [
    'ended by a new run',
    RESTARTED,
    async ({ time, simulation }) => {
      await time.until(simulation.queries.rebuild());
      await expectRun(time, simulation, 0);
    },
    [{ kind: 'replay-stopped', error: new Error(RESTARTED) }],
  ],
])(
  'a replay that was %s rejects `ended`, refuses its calls, says why, and changes nothing',
  async (_, why, leave, reported = []) => {
    const toy = await opened();
    const { time, simulation, replay, statuses } = toy;
    await time.until(replay.seek(5));
    await leave(toy);
    // An unhandled rejection of `ended` would fail the run.
    for (let turn = 0; turn < 5; turn++) await takeTurn();
    const shown = simulation.replay;
    const { tick } = simulation.stats();
    for (const call of [() => replay.seek(3), () => replay.close()]) {
      await expect(time.until(call())).rejects.toThrow(why);
      expect([simulation.replay, simulation.stats().tick]).toEqual([shown, tick]);
    }
    await expect(replay.ended).rejects.toThrow(why);
    expect(replay.state).toBe('closed');
    expect(statuses.filter(({ kind }) => kind !== 'jumped')).toMatchObject(reported);
  },
);

test('a seek that was requested while a replay was shown is refused if an earlier call has ended it', async () => {
  const { time, simulation, recording, replay } = await opened();
  const opening = simulation.openReplay({ ...recording });
  const { reason } = failureOf(replay.seek(20));
  const { reason: close } = failureOf(replay.close());
  const next: Replay = await time.until(opening);
  expect(String(await time.until(reason))).toContain('this replay is closed');
  expect(String(await time.until(close))).toContain('this replay is closed');
  expect([simulation.replay, next.state, simulation.stats().tick]).toEqual([next, 'paused', 0]);
});

test("while a recording is shown, a seek of the run is refused with a hint to the replay's seek, and has no effect", async () => {
  const { time, simulation, replay } = await opened();
  await time.until(replay.seek(12));
  await expect(time.until(simulation.seek(5))).rejects.toThrow(
    'replay.seek() goes to a tick of it',
  );
  expect([simulation.replay, simulation.stats().tick]).toEqual([replay, 12]);
  expect(simulation.rewindRange).toEqual({ from: 0, to: STEPPED });
});

test.each([-1, STEPPED + 1, 1.5])('a seek in a replay to tick %s is refused', async (tick) => {
  const { time, simulation, replay } = await opened();
  await expect(time.until(replay.seek(tick))).rejects.toThrow(
    /tick must be a whole number from 0 to 30/,
  );
  expect([replay.state, simulation.stats().tick]).toEqual(['paused', 0]);
});
