/** Calls that move the run, and what happens between them, in virtual time. */
import { expect, test } from 'vitest';
import { takeTurn } from '../../fixtures/scripted-host.js';
import { STEPPED, expectRun, failureOf, stepped } from '../../fixtures/stepped-toy.js';

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

test('a run that a query restarts closes a replay that is shown, which is reported', async () => {
  const { time, simulation, recording, statuses } = await stepped();
  const replay = await time.until(simulation.openReplay(recording));
  const { reason } = failureOf(replay.ended);
  await time.until(simulation.step(10));
  await time.until(simulation.queries.rebuild());
  expect(String(await time.until(reason))).toBe('Error: a query restarted the run');
  expect(statuses).toMatchObject([{ kind: 'replay-stopped', error: await reason }]);
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

test('a recording that is refused leaves the one that is shown', async () => {
  const { time, simulation, recording } = await stepped();
  const replay = await time.until(simulation.openReplay(recording));
  await time.until(replay.seek(10));
  const foreign = { ...recording, run: { ...recording.run, engine: 'toy 9' } };
  const strange = { kind: 'command', tick: STEPPED, name: 'sum', args: '[]' } as const;
  const unknown = { ...recording, entries: [...recording.entries, strange] };
  for (const [refused, why] of [
    [foreign, /engine "toy 9".*"toy 1"/s],
    [unknown, /calls "sum", but this simulation has no such command/],
  ] as const) {
    await expect(time.until(simulation.openReplay(refused))).rejects.toThrow(why);
    expect(simulation.replay).toBe(replay);
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
