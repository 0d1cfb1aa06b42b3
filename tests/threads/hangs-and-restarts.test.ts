/**
 * Workers that throw, hang or die, in real threads, and what replaces them. No limit here uses real
 * time: a step is held by a gate, and the page's clock passes when a test advances it. Everything
 * that does not need a thread is tested in virtual time.
 */
import { expect, onTestFinished, test, vi } from 'vitest';
import { replay } from '../../src/sim-worker/index.js';
import { WorkerFailedError, type SimulationStatus } from '../../src/render-main/index.js';
import { sleep } from '../fixtures/busy.js';
import { eventually } from '../fixtures/eventually.js';
import { GIVE_UP_MS, HeldToy, STALL_MS } from '../fixtures/held-toy.js';
import { ticksPass, type ToyHandle } from '../fixtures/threads.js';
import { createToy } from '../fixtures/toy-simulation.js';

const OPTIONS = {
  tickRateHz: 240,
  capacity: 64,
  recovery: 'restart',
  recording: { rewindSeconds: 0, saveEverySeconds: 0.25, hashEveryTicks: 20 },
} as const;

/** Statuses, except for how well it keeps up, which depends on this machine. */
function follow(simulation: ToyHandle) {
  const statuses: SimulationStatus[] = [];
  simulation.on('status', (status) => {
    if (!/gap|slow/.test(status.kind)) statuses.push(status);
  });
  return {
    kinds: () => statuses.map(({ kind }) => kind),
    /** Resolves when no other worker is being started. */
    restarted: () =>
      eventually(() => {
        const status = statuses.findLast(({ kind }) => kind.startsWith('restart'));
        expect(status?.kind).toBe('restarted');
        return status as Extract<SimulationStatus, { kind: 'restarted' }>;
      }, 'a restart'),
  };
}

/** Sends numbered inputs for a while, each of which changes the run. */
async function play(simulation: ToyHandle, from: number, count: number): Promise<void> {
  for (let code = from; code < from + count; code++) {
    const input = { kind: 'custom', code, device: 0, x: 0.01, y: 0, z: 0, w: 0 } as const;
    expect(simulation.inputs.push(input, performance.now())).toBe(true);
    await sleep(2);
  }
}

/** Every input is in the recording, once and in order, and it leads to where the run is. */
async function expectNothingLost(simulation: ToyHandle, count: number): Promise<void> {
  await simulation.pause();
  // Beyond the next hash.
  await simulation.step(OPTIONS.recording.hashEveryTicks);
  const recording = simulation.recording();
  const codes = recording.entries.flatMap((entry) =>
    entry.kind === 'input' ? [entry.input.code] : [],
  );
  expect(codes).toEqual(Array.from({ length: count }, (_, code) => code));
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(0);
}

/** Arguments of the commands of a name in the recording. */
const recorded = (simulation: ToyHandle, name: string): unknown[] =>
  simulation
    .recording()
    .entries.flatMap((entry) =>
      entry.kind === 'command' && entry.name === name ? [JSON.parse(entry.args)] : [],
    );

/** The outcome of a call. Listens immediately, so that no rejection is unhandled. */
function watch(promise: Promise<unknown>) {
  const watched = { outcome: 'pending' as unknown, settled: Promise.resolve<unknown>(undefined) };
  watched.settled = promise.then(
    (value) => (watched.outcome = { value }),
    (reason: unknown) => (watched.outcome = reason),
  );
  return watched;
}

test('a worker that throws in a tick is replaced by one that continues with every input', async () => {
  const { simulation } = await HeldToy.connect(OPTIONS);
  const seen = follow(simulation);
  await play(simulation, 0, 60);
  const pending = watch(simulation.queries.never());
  simulation.queries.failInNextTick('bad luck').catch(() => {});
  await play(simulation, 60, 40);
  expect(await pending.settled).toBeInstanceOf(WorkerFailedError);
  expect(await seen.restarted()).toMatchObject({ skippedInputs: 0 });
  await play(simulation, 100, 30);
  expect(seen.kinds()).toEqual(['restarting', 'restarted']);
  expect(simulation.state).toBe('running');
  await expectNothingLost(simulation, 130);
});

test('a worker that throws and cannot be saved is replayed from its start', async () => {
  const { simulation } = await HeldToy.connect(OPTIONS, { cannotSave: true });
  const seen = follow(simulation);
  await play(simulation, 0, 40);
  simulation.queries.failInNextTick('bad luck').catch(() => {});
  const status = await seen.restarted();
  expect(status).toMatchObject({ skippedInputs: 0, replayedTicks: status.tick });
  await play(simulation, 40, 20);
  await expectNothingLost(simulation, 60);
});

test('a worker that throws at the same command again is restarted without it', async () => {
  const { simulation } = await HeldToy.connect(OPTIONS);
  const seen = follow(simulation);
  await play(simulation, 0, 20);
  // In its own tick: the inputs of a tick are dropped as a whole.
  await eventually(() => expect(simulation.stats().inputs).toBe(20));
  // The command itself succeeds; the step after it throws, and does not without it.
  const poison = watch(simulation.commands.poison('poison'));
  expect(await poison.settled).toMatchObject({
    name: 'WorkerFailedError',
    stage: 'tick',
    message: expect.stringMatching(/^the command "poison" was skipped because tick \d+/) as string,
  });
  // The previous one may have failed while it started: then its start was never reported.
  await eventually(async () => expect((await seen.restarted()).skippedInputs).toBe(1));
  expect(recorded(simulation, 'poison')).toEqual([]);
  await play(simulation, 20, 20);
  await expectNothingLost(simulation, 40);
});

test('a worker that dies is replaced by one that continues with every input', async () => {
  const { simulation } = await HeldToy.connect(OPTIONS);
  const seen = follow(simulation);
  await play(simulation, 0, 40);
  simulation.queries.exit().catch(() => {});
  expect(await seen.restarted()).toMatchObject({ skippedInputs: 0 });
  await play(simulation, 40, 40);
  await expectNothingLost(simulation, 80);
});

test('a worker that dies while a recording is shown leaves the run where it was', async () => {
  const { simulation } = await HeldToy.connect({ ...OPTIONS, startPaused: true });
  const seen = follow(simulation);
  await simulation.step(10);
  const short = simulation.recording();
  await simulation.step(20);
  const shown = await simulation.openReplay(short);
  await shown.seek(4);
  const where = () => [
    simulation.stats().tick,
    simulation.recording().lastTick,
    simulation.rewindRange.to,
  ];
  const positions: number[][] = [];
  simulation.on('status', ({ kind }) => {
    // The replay is closed by then, and there is no other worker yet.
    if (kind === 'restarting') setImmediate(() => positions.push(where()));
  });
  simulation.queries.exit().catch(() => {});
  await seen.restarted();
  expect([...positions, where()]).toEqual([
    [30, 30, 30],
    [30, 30, 30],
  ]);
  expect(await simulation.step(1)).toBe(31);
});

/** One call of each kind, to a worker that does not answer. */
const callEverything = (simulation: ToyHandle) =>
  [
    simulation.queries.echo('there'),
    simulation.commands.push(1, 0.25),
    simulation.save(),
    simulation.setTickRate(120),
    simulation.setTimeScale(0.5),
    simulation.setMaxCatchUpTicks(7),
    simulation.pause(),
  ].map(watch);

const outcomesOf = (calls: ReturnType<typeof callEverything>): unknown[] =>
  calls.map(({ outcome }) => outcome);
const settled = (calls: ReturnType<typeof callEverything>): Promise<unknown> =>
  Promise.all(calls.map((call) => call.settled));
const hung = expect.objectContaining({ name: 'WorkerFailedError', stage: 'hang' }) as unknown;
const done = { value: undefined };
const aNumber = { value: expect.any(Number) as number };

test('a worker that hangs in a step and recovers executes the calls that wait', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none' }, {}, false);
  const { simulation } = toy;
  await play(simulation, 0, 20);
  await toy.stall();
  // There is no handler of the status.
  expect(warn.mock.calls).toEqual([[expect.stringContaining('in one step') as string]]);
  expect(simulation.state).toBe('stalled');
  expect(simulation.sample(performance.now()).hasState).toBe(true);
  const calls = callEverything(simulation);
  await play(simulation, 20, 20);
  // However long: it is never given up.
  toy.clock.pass(60_000);
  await sleep(20);
  expect(outcomesOf(calls)).toEqual(outcomesOf(calls).map(() => 'pending'));
  await toy.comesBack();
  await settled(calls);
  const saved = expect.objectContaining({ tick: expect.any(Number) as number }) as unknown;
  expect(outcomesOf(calls)).toEqual([
    { value: 'there' },
    aNumber,
    { value: saved },
    done,
    done,
    done,
    done,
  ]);
  expect(simulation.stats()).toMatchObject({ state: 'paused', tickRateHz: 120, timeScale: 0.5 });
  expect(recorded(simulation, 'push')).toEqual([[1, 0.25]]);
  await expectNothingLost(simulation, 40);
});

test('a worker that hangs and is given up is replaced, and the next one executes what waits', async () => {
  const toy = await HeldToy.connect(OPTIONS);
  const { simulation } = toy;
  const seen = follow(simulation);
  await play(simulation, 0, 40);
  await toy.stall();
  const calls = callEverything(simulation);
  await play(simulation, 40, 20);
  expect(outcomesOf(calls)).toEqual(outcomesOf(calls).map(() => 'pending'));
  toy.clock.pass(GIVE_UP_MS - STALL_MS);
  expect(simulation.state).toBe('restarting');
  expect(await seen.restarted()).toMatchObject({ skippedInputs: 0 });
  expect(simulation.state).toBe('paused');
  await simulation.step();
  await settled(calls);
  expect(outcomesOf(calls)).toEqual([hung, aNumber, hung, done, done, done, done]);
  expect(simulation.stats()).toMatchObject({ state: 'paused', tickRateHz: 120, timeScale: 0.5 });
  await simulation.resume();
  await play(simulation, 60, 20);
  expect(seen.kinds()).toEqual(['stalled', 'restarting', 'restarted']);
  expect(recorded(simulation, 'push')).toEqual([[1, 0.25]]);
  await expectNothingLost(simulation, 80);
});

test('a worker that hangs is given up at once by replaceWorker', async () => {
  const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none' });
  const { simulation } = toy;
  const seen = follow(simulation);
  await play(simulation, 0, 20);
  await toy.stall();
  toy.clock.pass(GIVE_UP_MS);
  const replacing = simulation.replaceWorker();
  await play(simulation, 20, 10);
  await replacing;
  expect(seen.kinds()).toEqual(['stalled', 'restarting', 'restarted']);
  await expectNothingLost(simulation, 30);
});

test.each([
  ['recovers', 'none'],
  ['is replaced', 'restart'],
] as const)(
  'a resume while a worker hangs in a step takes effect when it %s',
  async (how, recovery) => {
    const toy = await HeldToy.connect({ ...OPTIONS, recovery, startPaused: true });
    const { simulation } = toy;
    await simulation.queries.holdStep();
    const stepping = watch(simulation.step());
    await toy.isHeld(1);
    toy.clock.pass(STALL_MS);
    const resuming = watch(simulation.resume());
    if (how === 'recovers') await toy.comesBack();
    else toy.clock.pass(GIVE_UP_MS - STALL_MS);
    expect(await stepping.settled).toEqual(how === 'recovers' ? { value: 1 } : hung);
    expect(await resuming.settled).toEqual(done);
    await ticksPass(simulation);
    expect(simulation.state).toBe('running');
  },
);

test('a seek to a worker that hangs waits until it recovers, and leaves no pause behind', async () => {
  const recording = { ...OPTIONS.recording, rewindSeconds: 60 };
  const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none', recording });
  const { simulation } = toy;
  await ticksPass(simulation, 20);
  await toy.stall();
  const going = watch(simulation.seek(5));
  await sleep(20);
  expect(going.outcome).toBe('pending');
  await toy.comesBack();
  expect(await going.settled).toMatchObject({ value: { tick: 5 } });
  await ticksPass(simulation);
  expect(simulation.state).toBe('running');
});

test('disposing a simulation whose worker hangs rejects the calls that wait', async () => {
  const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none' });
  await toy.stall();
  const calls = callEverything(toy.simulation);
  const disposal = toy.simulation.dispose();
  await settled(calls);
  expect(outcomesOf(calls)).toEqual(
    outcomesOf(calls).map(() => expect.objectContaining({ name: 'SimulationDisposedError' })),
  );
  toy.open();
  await disposal;
});

test('a suspended machine, page and worker, makes no worker hang', async () => {
  const toy = await HeldToy.connect(OPTIONS);
  const seen = follow(toy.simulation);
  for (let count = 0; count < 5; count++) {
    await toy.hold();
    toy.clock.standStill(5000);
    toy.open();
    await ticksPass(toy.simulation);
  }
  expect(seen.kinds()).toEqual([]);
});
