/**
 * Workers that throw, hang or die, in real threads. No limit here uses real time: a step is held by
 * a gate, and the page's clock passes when a test advances it.
 */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { replay } from '../../src/sim-worker/index.js';
import {
  CallTimeoutError,
  WorkerFailedError,
  type SimulationStatus,
} from '../../src/render-main/index.js';
import { withResolvers } from '../../src/render-main/util/promises.js';
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

const input = (code: number, x: number) =>
  ({ kind: 'custom', code, device: 0, x, y: 0, z: 0, w: 0 }) as const;

/** Records events, and resolves when one has occurred. */
function follow(simulation: ToyHandle) {
  const statuses: SimulationStatus[] = [];
  const waiting: { kind: string; resolve: (status: SimulationStatus) => void }[] = [];
  simulation.on('status', (status) => {
    statuses.push(status);
    for (const { kind, resolve } of waiting) if (kind === status.kind) resolve(status);
  });
  return {
    statuses,
    /** Except for how well it keeps up, which depends on this machine. */
    kinds: () => statuses.map(({ kind }) => kind).filter((kind) => !/gap|watchdog/.test(kind)),
    next: (kind: string): Promise<SimulationStatus> =>
      new Promise((resolve) => waiting.push({ kind, resolve })),
  };
}

/** Sends numbered inputs for a while, each of which changes the run. */
async function play(simulation: ToyHandle, from: number, count: number): Promise<void> {
  for (let code = from; code < from + count; code++) {
    expect(simulation.inputs.push(input(code, 0.01), performance.now())).toBe(true);
    await sleep(2);
  }
}

/**
 * Every input that was pushed is in the recording, once and in order, and the recording leads to
 * where it is.
 */
async function expectNothingLost(simulation: ToyHandle, count: number): Promise<void> {
  await simulation.pause();
  // All that have a hash.
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

describe('a worker that throws in a tick', () => {
  test('is replaced by one that continues after the last tick, with every input', async () => {
    const { simulation } = await HeldToy.connect(OPTIONS);
    const seen = follow(simulation);
    await play(simulation, 0, 100);
    const restarted = seen.next('restarted');
    const pending = watch(simulation.queries.never());
    void simulation.queries.failInNextTick('bad luck').catch(() => {});
    await play(simulation, 100, 60);
    expect(await pending.settled).toBeInstanceOf(WorkerFailedError);
    const status = await restarted;
    expect(status).toMatchObject({ kind: 'restarted', skippedInputs: 0 });
    await play(simulation, 160, 40);
    expect(seen.kinds()).toEqual(['restarting', 'restarted']);
    expect(simulation.state).toBe('running');
    await expectNothingLost(simulation, 200);
  });

  test('that cannot be saved is replayed from its start', async () => {
    const { simulation } = await HeldToy.connect(OPTIONS, { cannotSave: true });
    const seen = follow(simulation);
    expect(simulation.canSave).toBe(false);
    await play(simulation, 0, 60);
    const restarted = seen.next('restarted');
    void simulation.queries.failInNextTick('bad luck').catch(() => {});
    const status = await restarted;
    const { tick } = status as Extract<SimulationStatus, { kind: 'restarted' }>;
    expect(status).toMatchObject({ skippedInputs: 0, replayedTicks: tick });
    await play(simulation, 60, 20);
    await expectNothingLost(simulation, 80);
  });

  test('with the same input again is restarted without it, and its command rejects', async () => {
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
      message: expect.stringMatching(
        /^the command "poison" was skipped because tick \d+/,
      ) as string,
    });
    // The previous one may have failed while it started: then its start was never reported.
    await eventually(() =>
      expect(seen.statuses.findLast(({ kind }) => kind === 'restarted')).toMatchObject({
        skippedInputs: 1,
      }),
    );
    expect(simulation.state).toBe('running');
    expect(recorded(simulation, 'poison')).toEqual([]);
    await play(simulation, 20, 20);
    await expectNothingLost(simulation, 40);
  });

  test('answers the commands of that tick when the next one has applied them', async () => {
    const { simulation } = await HeldToy.connect({ ...OPTIONS, startPaused: true });
    const restarted = follow(simulation).next('restarted');
    await simulation.queries.failInNextTick('bad luck');
    const push = watch(simulation.commands.push(3, 0.5));
    const step = watch(simulation.step());
    expect(await step.settled).toBeInstanceOf(WorkerFailedError);
    expect(await restarted).toMatchObject({ tick: 0, skippedInputs: 0 });
    expect(push.outcome).toBe('pending');
    expect(await simulation.step()).toBe(1);
    expect(await push.settled).toEqual({ value: expect.any(Number) as number });
    expect(recorded(simulation, 'push')).toEqual([[3, 0.5]]);
  });
});

/** One call of each kind, to a worker that does not answer. */
function callEverything(simulation: ToyHandle) {
  return {
    query: watch(simulation.queries.echo('there')),
    command: watch(simulation.commands.push(1, 0.25)),
    save: watch(simulation.save()),
    rate: watch(simulation.setTickRate(120)),
    scale: watch(simulation.setTimeScale(0.5)),
    catchUp: watch(simulation.setMaxCatchUpTicks(7)),
    pause: watch(simulation.pause()),
  };
}
const outcomesOf = (calls: ReturnType<typeof callEverything>): unknown[] =>
  Object.values(calls).map(({ outcome }) => outcome);
const settled = (calls: ReturnType<typeof callEverything>): Promise<unknown> =>
  Promise.all(Object.values(calls).map((call) => call.settled));
const hung = expect.objectContaining({ name: 'WorkerFailedError', stage: 'hang' }) as unknown;
const done = { value: undefined };

describe('a worker that hangs in a step', () => {
  test('is reported, and calls wait; when it recovers, it executes them', async () => {
    const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none' });
    const { simulation } = toy;
    const seen = follow(simulation);
    await play(simulation, 0, 20);
    const before = watch(simulation.queries.never());
    await toy.stall();
    expect(seen.kinds()).toEqual(['stalled']);
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
    expect(seen.kinds()).toEqual(['stalled', 'recovered']);
    expect(outcomesOf(calls)).toEqual([
      { value: 'there' },
      { value: expect.any(Number) as number },
      { value: expect.objectContaining({ tick: expect.any(Number) as number }) as unknown },
      done,
      done,
      done,
      done,
    ]);
    expect(before.outcome).toBe('pending');
    expect(simulation.stats()).toMatchObject({ state: 'paused', tickRateHz: 120, timeScale: 0.5 });
    expect(recorded(simulation, 'push')).toEqual([[1, 0.25]]);
    await expectNothingLost(simulation, 40);
  });

  test('is given up and replaced: calls that the next one executes resolve, and the others have no effect', async () => {
    const toy = await HeldToy.connect(OPTIONS);
    const { simulation } = toy;
    const seen = follow(simulation);
    await play(simulation, 0, 60);
    const restarted = seen.next('restarted');
    await toy.stall();
    expect(seen.kinds()).toEqual(['stalled']);
    const calls = callEverything(simulation);
    await play(simulation, 60, 30);
    expect(outcomesOf(calls)).toEqual(outcomesOf(calls).map(() => 'pending'));
    toy.clock.pass(GIVE_UP_MS - STALL_MS);
    expect(simulation.state).toBe('restarting');
    expect(await restarted).toMatchObject({ skippedInputs: 0 });
    expect(simulation.state).toBe('paused');
    await simulation.step();
    await settled(calls);
    expect(outcomesOf(calls)).toEqual([
      hung,
      { value: expect.any(Number) as number },
      hung,
      done,
      done,
      done,
      done,
    ]);
    expect(simulation.stats()).toMatchObject({ state: 'paused', tickRateHz: 120, timeScale: 0.5 });
    await simulation.resume();
    await play(simulation, 90, 30);
    expect(seen.kinds()).toEqual(['stalled', 'restarting', 'restarted']);
    expect(recorded(simulation, 'push')).toEqual([[1, 0.25]]);
    await expectNothingLost(simulation, 120);
  });

  test('that is resumed while it hangs continues when it recovers', async () => {
    const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none', startPaused: true });
    const { simulation } = toy;
    await simulation.queries.holdStep();
    const stepping = watch(simulation.step());
    await toy.isHeld(1);
    toy.clock.pass(STALL_MS);
    const resuming = watch(simulation.resume());
    await toy.comesBack();
    expect(await stepping.settled).toEqual({ value: 1 });
    expect(await resuming.settled).toEqual(done);
    await ticksPass(simulation);
    expect(simulation.state).toBe('running');
  });

  test('that is resumed while it hangs and then replaced runs', async () => {
    const toy = await HeldToy.connect({ ...OPTIONS, startPaused: true });
    const { simulation } = toy;
    const restarted = follow(simulation).next('restarted');
    await simulation.queries.holdStep();
    const stepping = watch(simulation.step());
    await toy.isHeld(1);
    const resuming = watch(simulation.resume());
    toy.clock.pass(GIVE_UP_MS);
    expect(await stepping.settled).toEqual(hung);
    await restarted;
    expect(await resuming.settled).toEqual(done);
    await ticksPass(simulation);
    expect(simulation.state).toBe('running');
  });

  test('goes back in its run when it recovers, and leaves no pause behind', async () => {
    const toy = await HeldToy.connect({
      ...OPTIONS,
      recovery: 'none',
      recording: { ...OPTIONS.recording, rewindSeconds: 60 },
    });
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

  test('without a status handler is reported on the console', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none' }, {}, false);
    await toy.stall();
    await toy.comesBack();
    expect(warn.mock.calls).toEqual([[expect.stringContaining('in one step') as string]]);
  });

  test('that is disposed rejects waiting calls', async () => {
    const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none' });
    const { simulation } = toy;
    await toy.stall();
    const calls = callEverything(simulation);
    const disposal = simulation.dispose();
    await settled(calls);
    expect(outcomesOf(calls)).toEqual(
      outcomesOf(calls).map(() => expect.objectContaining({ name: 'SimulationDisposedError' })),
    );
    toy.open();
    await disposal;
  });
});

test('a suspended machine, page and worker, makes no worker hang', async () => {
  const toy = await HeldToy.connect(OPTIONS);
  const { simulation } = toy;
  const seen = follow(simulation);
  for (let count = 0; count < 5; count++) {
    await toy.hold();
    toy.clock.standStill(5000);
    toy.open();
    await ticksPass(simulation);
  }
  expect(seen.kinds()).toEqual([]);
});

/** The limits, the error of the call, and its cause. */
const ends = () => {
  const controller = new AbortController();
  const reason = new Error('no longer wanted');
  return {
    options: { signal: controller.signal },
    abort: () => controller.abort(reason),
    reason,
  };
};

describe('a call to a hanging worker that ends by its signal or timeout', () => {
  test('rejects with the reason, and is not executed when the worker recovers', async () => {
    const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none' });
    const { simulation } = toy;
    await toy.stall();
    const { options, abort, reason } = ends();
    const calls = [
      simulation.commandsWith(options).push(1, 7),
      simulation.commandsWith(options).fill(3),
      simulation.queriesWith(options).failInNextTick('was not withdrawn'),
      simulation.setTickRate(30, options),
      simulation.setTimeScale(2, options),
      simulation.setMaxCatchUpTicks(9, options),
      simulation.pause(options),
      simulation.save(options),
    ].map(watch);
    const { state } = simulation;
    abort();
    await Promise.all(calls.map((call) => call.settled));
    expect(calls.map(({ outcome }) => outcome)).toEqual(calls.map(() => reason));
    const kept = watch(simulation.commands.push(2, 8));
    await toy.comesBack();
    await kept.settled;
    await ticksPass(simulation);
    expect([state, simulation.state]).toEqual(['stalled', 'running']);
    expect(simulation.stats()).toMatchObject({ tickRateHz: 240, timeScale: 1, bodies: 16 });
    expect(recorded(simulation, 'push')).toEqual([[2, 8]]);
    await expectNothingLost(simulation, 0);
  });

  test('is not executed by the worker that replaces it', async () => {
    const toy = await HeldToy.connect(OPTIONS);
    const { simulation } = toy;
    const restarted = follow(simulation).next('restarted');
    await toy.stall();
    const { options, abort, reason } = ends();
    const calls = [
      simulation.commandsWith(options).push(1, 7),
      simulation.setTickRate(30, options),
      simulation.pause(options),
    ].map(watch);
    abort();
    toy.clock.pass(GIVE_UP_MS - STALL_MS);
    await restarted;
    await Promise.all(calls.map((call) => call.settled));
    expect(calls.map(({ outcome }) => outcome)).toEqual(calls.map(() => reason));
    await ticksPass(simulation);
    expect(simulation.stats()).toMatchObject({ state: 'running', tickRateHz: 240 });
    expect(recorded(simulation, 'push')).toEqual([]);
  });

  test('rejects after its timeout', async () => {
    const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none' });
    const { simulation } = toy;
    await toy.stall();
    const calls = [
      simulation.commandsWith({ timeoutMs: 1 }).push(1, 7),
      simulation.pause({ timeoutMs: 1 }),
      simulation.commandsWith({ timeoutMs: 600_000 }).push(2, 8),
    ].map(watch);
    const [push, pause, patient] = calls;
    expect(await push?.settled).toBeInstanceOf(CallTimeoutError);
    expect(await pause?.settled).toMatchObject({
      message: expect.stringMatching(/^the call "pause" was withdrawn.*timeoutMs of 1$/) as string,
    });
    await toy.comesBack();
    await patient?.settled;
    expect(recorded(simulation, 'push')).toEqual([[2, 8]]);
    expect(simulation.state).toBe('running');
  });

  test('cancels a resume, and leaves a paused simulation paused', async () => {
    const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none', startPaused: true });
    const { simulation } = toy;
    await simulation.queries.holdStep();
    const stepping = watch(simulation.step());
    await toy.isHeld(1);
    toy.clock.pass(STALL_MS);
    const { options, abort, reason } = ends();
    const resuming = watch(simulation.resume(options));
    const more = watch(simulation.step(5, options));
    abort();
    expect([await resuming.settled, await more.settled]).toEqual([reason, reason]);
    await toy.comesBack();
    expect(await stepping.settled).toEqual({ value: 1 });
    // The worker has executed all earlier calls.
    expect(await simulation.queries.echo('there')).toBe('there');
    expect(simulation.stats()).toMatchObject({ state: 'paused', tick: 1 });
  });

  test('waits for the tick that has taken it, which ends', async () => {
    const toy = await HeldToy.connect({ ...OPTIONS, recovery: 'none' });
    const { simulation } = toy;
    const { options, abort } = ends();
    const held = watch(simulation.commandsWith(options).holdInRun());
    await toy.isHeld(1);
    toy.clock.pass(STALL_MS);
    abort();
    await sleep(20);
    expect(held.outcome).toBe('pending');
    await toy.comesBack();
    expect(await held.settled).toEqual(done);
    expect(recorded(simulation, 'holdInRun')).toEqual([[]]);
  });

  test('is dropped if the tick that has taken it never ends', async () => {
    const toy = await HeldToy.connect(OPTIONS);
    const { simulation } = toy;
    const restarted = follow(simulation).next('restarted');
    const { options, abort, reason } = ends();
    const held = watch(simulation.commandsWith(options).holdInRun());
    await toy.isHeld(1);
    abort();
    toy.clock.pass(GIVE_UP_MS);
    expect(await held.settled).toBe(reason);
    await restarted;
    await ticksPass(simulation);
    expect(recorded(simulation, 'holdInRun')).toEqual([]);
  });
});

test('a worker that dies is replaced', async () => {
  const { simulation } = await HeldToy.connect(OPTIONS);
  const seen = follow(simulation);
  await play(simulation, 0, 50);
  const restarted = seen.next('restarted');
  void simulation.queries.exit().catch(() => {});
  expect(await restarted).toMatchObject({ skippedInputs: 0 });
  await play(simulation, 50, 50);
  await expectNothingLost(simulation, 100);
});

test('a worker that dies while a recording is shown leaves the run where it was, also before there is another worker', async () => {
  const { simulation } = await HeldToy.connect({ ...OPTIONS, startPaused: true });
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
  const { promise: restarted, resolve } = withResolvers<void>();
  simulation.on('status', ({ kind }) => {
    // The replay is closed by then.
    if (kind === 'restarting') setImmediate(() => positions.push(where()));
    if (kind !== 'restarted') return;
    positions.push(where());
    resolve();
  });
  void simulation.queries.exit().catch(() => {});
  await restarted;
  expect(positions).toEqual([
    [30, 30, 30],
    [30, 30, 30],
  ]);
  expect(await simulation.step(1)).toBe(31);
});
