import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { replay, type Simulation } from '../../src/sim-worker/index.js';
import { WorkerFailedError, type SimulationStatus } from '../../src/render-main/index.js';
import { sleep } from '../fixtures/busy.js';
import { connectToyForTest, ticksPass, type ToyHandle } from '../fixtures/threads.js';
import { createToy } from '../fixtures/toy-simulation.js';

const OPTIONS = {
  tickRateHz: 240,
  capacity: 64,
  recovery: 'restart',
  saveEveryS: 0.25,
  // Longer than a busy machine keeps a thread from running.
  hangLimitMs: 5000,
  restartAfterMs: 10_000,
  hashEveryTicks: 20,
} as const;

/** For workers that do hang. */
const IMPATIENT = { ...OPTIONS, hangLimitMs: 300, restartAfterMs: 600 } as const;

const input = (code: number, x: number) =>
  ({ kind: 'custom', code, device: 0, x, y: 0, z: 0, w: 0 }) as const;

/** Notes what happens, and resolves when something has. */
function follow(simulation: ToyHandle) {
  const statuses: SimulationStatus[] = [];
  const waiting: { kind: string; resolve: (status: SimulationStatus) => void }[] = [];
  simulation.onStatus((status) => {
    statuses.push(status);
    for (const { kind, resolve } of waiting) if (kind === status.kind) resolve(status);
  });
  return {
    statuses,
    /** But for how well it keeps up, which is this machine's business. */
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

/** Every input that was pushed is in the recording, once and in order, and the recording leads to where it is. */
async function expectNothingLost(simulation: ToyHandle, count: number): Promise<void> {
  await simulation.pause();
  await simulation.step(2);
  const recording = simulation.recording();
  const codes = recording.entries.flatMap((entry) =>
    entry.kind === 'input' ? [entry.input.code] : [],
  );
  expect(codes).toEqual(Array.from({ length: count }, (_, code) => code));
  const report = await replay(createToy() as unknown as Simulation, recording);
  expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
  expect(report.hashes).toBeGreaterThan(0);
}

describe('a worker that throws in a tick', () => {
  test('is replaced by one that goes on after the last tick, with every input', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    const seen = follow(simulation);
    await play(simulation, 0, 100);
    const restarted = seen.next('restarted');
    const pending = simulation.commands.never().catch((error: unknown) => error);
    void simulation.commands.failInNextTick('bad luck').catch(() => {});
    await play(simulation, 100, 60);
    expect(await pending).toBeInstanceOf(WorkerFailedError);
    const status = await restarted;
    expect(status).toMatchObject({ kind: 'restarted', skippedOrders: 0 });
    await play(simulation, 160, 40);
    expect(seen.kinds()).toEqual(['restarting', 'restarted']);
    expect(simulation.state).toBe('running');
    await expectNothingLost(simulation, 200);
  });

  test('that cannot be saved is brought there from its start', async () => {
    const simulation = await connectToyForTest(OPTIONS, { cannotSave: true });
    const seen = follow(simulation);
    expect(simulation.canSave).toBe(false);
    await play(simulation, 0, 60);
    const restarted = seen.next('restarted');
    void simulation.commands.failInNextTick('bad luck').catch(() => {});
    const status = await restarted;
    const { tick } = status as Extract<SimulationStatus, { kind: 'restarted' }>;
    expect(status).toMatchObject({ skippedOrders: 0, replayedTicks: tick });
    await play(simulation, 60, 20);
    await expectNothingLost(simulation, 80);
  });

  test('with the same input again is restarted without it', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    const seen = follow(simulation);
    await play(simulation, 0, 20);
    // In a tick of its own: what a tick was given is left out as a whole.
    await ticksPass(simulation);
    const restarted = seen.next('restarted');
    // The command itself is well; the step after it is not, and is not with it again.
    await simulation.commands.poison('poison');
    expect(await restarted).toMatchObject({ skippedOrders: 0 });
    await seen.next('restarted');
    expect(simulation.state).toBe('running');
    expect(seen.statuses.findLast(({ kind }) => kind === 'restarted')).toMatchObject({
      skippedOrders: 1,
    });
    await play(simulation, 20, 20);
    await expectNothingLost(simulation, 40);
  });
});

describe('a worker that hangs in a step', () => {
  test('is noticed, given up and replaced', async () => {
    const simulation = await connectToyForTest(IMPATIENT);
    const seen = follow(simulation);
    await play(simulation, 0, 100);
    const stalled = seen.next('stalled');
    const restarted = seen.next('restarted');
    const pending = simulation.commands.never().catch((error: unknown) => error);
    void simulation.commands.hang().catch(() => {});
    expect(await stalled).toMatchObject({ kind: 'stalled' });
    expect(simulation.state).toBe('stalled');
    const error = await pending;
    expect(error).toBeInstanceOf(WorkerFailedError);
    expect((error as WorkerFailedError).stage).toBe('hang');
    await play(simulation, 100, 30);
    await restarted;
    await play(simulation, 130, 30);
    expect(seen.kinds()).toEqual(['stalled', 'restarting', 'restarted']);
    await expectNothingLost(simulation, 160);
  });

  test('and comes back, goes on as if nothing had been', async () => {
    const simulation = await connectToyForTest({ ...IMPATIENT, recovery: 'none' });
    const seen = follow(simulation);
    const recovered = seen.next('recovered');
    await play(simulation, 0, 20);
    await simulation.commands.stallStep(800);
    await play(simulation, 20, 20);
    await recovered;
    expect(seen.kinds().slice(0, 2)).toEqual(['stalled', 'recovered']);
    expect(await simulation.commands.echo('there')).toBe('there');
    // As many as have a hash.
    await ticksPass(simulation, OPTIONS.hashEveryTicks);
    await expectNothingLost(simulation, 40);
  });
});

test('a worker that hangs is told of on the console where nobody else is told', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const simulation = await connectToyForTest({ ...IMPATIENT, recovery: 'none' });
  await simulation.commands.stallStep(800);
  await vi.waitFor(() => expect(warn).toHaveBeenCalled(), 20_000);
  expect(warn.mock.calls).toEqual([[expect.stringContaining('does not end') as string]]);
  await ticksPass(simulation);
  await expect(simulation.resume()).resolves.toBeUndefined();
});

test('a worker that is resumed while it hangs goes on when it comes back', async () => {
  const simulation = await connectToyForTest({
    ...IMPATIENT,
    recovery: 'none',
    startPaused: true,
  });
  const seen = follow(simulation);
  const recovered = seen.next('recovered');
  await simulation.commands.stallStep(1500);
  const stepping = simulation.step();
  // Hung already, it rejects this call too.
  const resuming = simulation.resume().catch(() => {});
  await expect(stepping).rejects.toMatchObject({ stage: 'hang' });
  await Promise.all([resuming, recovered]);
  await ticksPass(simulation);
  expect(simulation.state).toBe('running');
});

test('going back in a worker that hangs rejects, and leaves no pause behind', async () => {
  const simulation = await connectToyForTest({ ...IMPATIENT, recovery: 'none', rewindS: 60 });
  await ticksPass(simulation, 20);
  const seen = follow(simulation);
  const recovered = seen.next('recovered');
  const stalled = seen.next('stalled');
  await simulation.commands.stallStep(1500);
  await sleep(20);
  await expect(simulation.goTo(5)).rejects.toMatchObject({ stage: 'hang' });
  await Promise.all([stalled, recovered]);
  await ticksPass(simulation);
  expect(simulation.state).toBe('running');
});

test('a worker that dies is replaced', async () => {
  const simulation = await connectToyForTest(OPTIONS);
  const seen = follow(simulation);
  await play(simulation, 0, 50);
  const restarted = seen.next('restarted');
  void simulation.commands.exit().catch(() => {});
  expect(await restarted).toMatchObject({ skippedOrders: 0 });
  await play(simulation, 50, 50);
  await expectNothingLost(simulation, 100);
});
