/** Recordings, and calls that move the run, and what happens between them, in virtual time. Failures are tested next to this. */
import { expect, test } from 'vitest';
import { ReplayShownError } from '../../../src/render-main/index.js';
import { takeTurn } from '../../fixtures/scripted-host.js';
import { STEPPED, expectRun, failureOf, stepped } from '../../fixtures/stepped-toy.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

test('a step, a seek and a save begin where the one before has ended', async () => {
  const { time, simulation } = await stepped();
  const calls = [
    simulation.step(20),
    simulation.seek(40),
    simulation.save(),
    simulation.step(2),
    simulation.save(),
  ];
  const places = [50, { tick: 40 }, { tick: 40 }, 42, { tick: 42 }];
  expect(await time.until(Promise.all(calls))).toMatchObject(places);
  await expectRun(time, simulation, 42);
});

test.each([1, 1000])(
  'a step that a resume interrupts rejects, and reports how many ticks have not run (%s)',
  async (maxCatchUpTicks) => {
    const { time, simulation } = await stepped({ maxCatchUpTicks });
    const { reason } = failureOf(simulation.step(10_000));
    const resuming = simulation.resume();
    const { message } = (await time.until(reason)) as Error;
    const left = Number(
      /^the step ended with (\d+) ticks to go: it was resumed$/.exec(message)?.[1],
    );
    await time.until(resuming);
    await time.until(simulation.pause());
    const { tick, droppedTicks } = simulation.stats();
    expect(droppedTicks).toBe(0);
    expect(tick).toBeGreaterThanOrEqual(STEPPED + 10_000 - left);
    await expectRun(time, simulation, tick);
  },
);

test('a step that a new run interrupts rejects', async () => {
  const { time, simulation } = await stepped();
  const { reason } = failureOf(simulation.step(10_000));
  await takeTurn();
  await time.until(simulation.queries.rebuild());
  expect(String(await time.until(reason))).toContain('ticks to go: the run was started over');
  await expectRun(time, simulation, 0);
});

test('a run that a query restarts is not moved by a seek that was requested before', async () => {
  const { time, simulation } = await stepped();
  const { reason } = failureOf(simulation.seek(20));
  await takeTurn();
  await takeTurn();
  await time.until(simulation.queries.rebuild());
  expect(String(await time.until(reason))).toBe('Error: a query restarted the run');
  await expectRun(time, simulation, 0);
});

test('a resume behind a replay applies to that replay, though another is at its end', async () => {
  const { time, simulation, recording } = await stepped();
  for (let round = 0; round < 2; round++) {
    const opening = simulation.openReplay(recording);
    await time.until(simulation.resume());
    const { ended } = await time.until(opening);
    expect(await time.until(ended)).toMatchObject({
      tick: recording.lastTick,
      differsAt: undefined,
    });
  }
});

test('recordings and states that are refused leave the recording that is shown', async () => {
  const { time, simulation, recording } = await stepped();
  const replay = await time.until(simulation.openReplay(recording));
  await time.until(replay.seek(10));
  const foreign = { ...recording, run: { ...recording.run, engine: 'toy 9' } };
  const strange = { kind: 'command', tick: STEPPED, name: 'sum', args: '[]' } as const;
  const unknown = { ...recording, entries: [...recording.entries, strange] };
  const wrong = [{}, null, 'file', { ...recording, entries: undefined }] as never[];
  for (const [refused, why] of [
    [foreign, /engine "toy 9".*"toy 1"/s],
    [unknown, /calls "sum", but this simulation has no such command/],
    ...wrong.map((given) => [given, /^(the recording|lastTick|entries) must be /] as const),
  ] as const) {
    await expect(time.until(simulation.openReplay(refused))).rejects.toThrow(why);
    expect(simulation.replay).toBe(replay);
  }
  for (const given of wrong) {
    await expect(simulation.restore(given)).rejects.toThrow(/^state(\.tick)? must be /);
  }
  await time.until(simulation.step(20));
  expect(await time.until(replay.ended)).toMatchObject({ tick: STEPPED, differsAt: undefined });
});

const wanted = new Error('no longer wanted');

test('a seek whose caller no longer waits arrives, and those that have not begun do not', async () => {
  const { time, simulation } = await stepped();
  const controller = new AbortController();
  const { signal } = controller;
  const calls = [20, 12].map((tick) => failureOf(simulation.seek(tick, { signal })));
  for (let turn = 0; turn < 3; turn++) await takeTurn();
  controller.abort(wanted);
  for (const { reason } of calls) expect(await reason).toBe(wanted);
  expect(await time.until(simulation.step(1))).toBe(21);
  await expectRun(time, simulation, 21);
});

test('a seek ends with the simulation', async () => {
  const { time, simulation } = await stepped();
  const calls = [simulation.seek(25), simulation.seek(20), simulation.step(9)].map(failureOf);
  await takeTurn();
  await takeTurn();
  const disposal = simulation.dispose();
  for (const { reason } of calls) {
    expect(await time.until(reason)).toMatchObject({ name: 'SimulationDisposedError' });
  }
  await time.until(disposal);
});

const PAUSED = {
  tickRateHz: 240,
  recording: { hashEveryTicks: 10, rewindSeconds: 60, saveEverySeconds: 0.1 },
  startPaused: true,
} as const;

test('an overloaded simulation does not catch up after it is moved to another run', async () => {
  const { time, simulation } = await connectInVirtualTime({
    ...PAUSED,
    tickRateHz: 1000,
    timeScale: 100,
    maxCatchUpTicks: 1000,
  });
  await time.until(simulation.step(300));
  const recording = simulation.recording();
  await time.until(simulation.resume());
  await time.advance(10);
  await time.until(simulation.seek(100));
  const { ended } = await time.until(simulation.openReplay(recording));
  expect(await time.until(ended)).toMatchObject({ tick: 300, hashes: 30, differsAt: undefined });
});

test('a recording without ticks has ended as it begins, and nothing comes after its end', async () => {
  const { time, simulation } = await connectInVirtualTime(PAUSED);
  await time.until(simulation.step(30));
  await time.until(simulation.restore(await time.until(simulation.save())));
  const empty = simulation.recording();
  expect(empty.lastTick).toBe(empty.start?.tick);
  const shown = await time.until(simulation.openReplay(empty));
  expect(shown.state).toBe('ended');
  expect(await time.until(shown.ended)).toMatchObject({ tick: 30, hashes: 0 });
  await expect(simulation.resume()).rejects.toThrow(
    /replay\.close\(\) returns to the player's own run/,
  );
  await expect(simulation.commands.push(1, 1)).rejects.toBeInstanceOf(ReplayShownError);
  await time.until(shown.close());
  await time.until(simulation.resume());
  expect(simulation.state).toBe('running');
});
