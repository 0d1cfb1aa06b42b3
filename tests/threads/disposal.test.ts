import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  SimulationDisposedError,
  connect,
  fromNodeWorker,
  type ConnectOptions,
} from '../../src/render-main/index.js';
import { sleep } from '../fixtures/busy.js';
import { HeldToy } from '../fixtures/held-toy.js';
import { openGate } from '../fixtures/step-gate.js';
import { connectToy, startThread, type ToyHandle } from '../fixtures/threads.js';
import type { ToyThreadData } from '../fixtures/workers/toy.worker.js';

const OPTIONS: ConnectOptions = { tickRateHz: 60, capacity: 64 };

/** A simulation, and a promise for the end of its thread. */
async function connectWatched(options: ConnectOptions = OPTIONS, data: ToyThreadData = {}) {
  const thread = startThread('toy', data);
  const ended = new Promise<number>((resolve) => thread.once('exit', resolve));
  const simulation = (await connect(() => fromNodeWorker(thread), options)) as unknown as ToyHandle;
  return { simulation, ended };
}

/** Why a call was not answered. Listens immediately, so that no rejection is unhandled. */
const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it was answered',
    (reason: unknown) => reason,
  );
const disposed = expect.any(SimulationDisposedError) as unknown;

/** A worker that is in a step until the gate is opened. */
async function heldInStep() {
  const toy = await HeldToy.connect(OPTIONS);
  const kinds: string[] = [];
  toy.simulation.on('status', ({ kind }) => {
    // The worker evaluates by the real clock how well it keeps up, and its step is held for as long
    // as the test takes.
    if (!/gap|watchdog/.test(kind)) kinds.push(kind);
  });
  await toy.hold();
  return { simulation: toy.simulation, clock: toy.clock, gate: toy.gate, statuses: () => kinds };
}

describe('disposing', () => {
  test('ends the thread, and rejects all later calls', async () => {
    const { simulation, ended } = await connectWatched();
    await simulation.dispose();
    await ended;
    expect(simulation.state).toBe('disposed');
    const later = [
      simulation.pause(),
      simulation.resume(),
      simulation.queries.echo(1),
      simulation.step(),
    ];
    expect(await Promise.all(later.map(reasonOf))).toEqual(later.map(() => disposed));
    // Reading stays possible: the memory is still there.
    const { tick } = simulation.stats();
    expect(simulation.stats()).toMatchObject({ state: 'disposed', tick });
  });

  test('twice is the same disposal', async () => {
    const simulation = await connectToy(OPTIONS);
    const first = simulation.dispose();
    expect(simulation.dispose()).toBe(first);
    await first;
    expect(simulation.dispose()).toBe(first);
  });

  test('rejects the calls that are pending', async () => {
    const simulation = await connectToy(OPTIONS);
    const pending = [
      simulation.queries.never(),
      simulation.queries.echo(1),
      simulation.pause(),
      simulation.setTickRate(30),
    ].map(reasonOf);
    await simulation.dispose();
    expect(await Promise.all(pending)).toEqual([disposed, disposed, disposed, disposed]);
  });

  test('rejects a resume that is aligning the clocks', async () => {
    const simulation = await connectToy({ ...OPTIONS, startPaused: true });
    const resuming = reasonOf(simulation.resume());
    await simulation.dispose();
    expect(await resuming).toEqual(disposed);
  });

  test('rejects steps that have not run', async () => {
    const { simulation, ended } = await connectWatched(
      { ...OPTIONS, startPaused: true },
      { stepCostMs: 2 },
    );
    const stepping = reasonOf(simulation.step(10_000));
    await simulation.dispose();
    expect(await stepping).toEqual(disposed);
    await ended;
    expect(simulation.stats().tick).toBeLessThan(10_000);
  });

  // The page's clock is frozen, so the limit on the worker's answer never expires: it has reported
  // that it stops.
  test.each<[string, ConnectOptions]>([
    ['a paused worker', { startPaused: true }],
    ['a sleeping worker: a tick may be far away', { tickRateHz: 1, timeScale: 0.01 }],
    ['a running worker', {}],
  ])('wakes %s, and waits until it stops', async (_, options) => {
    const { simulation, clock } = await HeldToy.connect({ ...OPTIONS, ...options });
    const startMs = clock.now();
    await simulation.dispose();
    expect([simulation.state, clock.now()]).toEqual(['disposed', startMs]);
  });

  test('does not wait for a worker that has failed, which no longer answers', async () => {
    const { simulation, clock } = await HeldToy.connect({ ...OPTIONS, startPaused: true });
    await simulation.queries.failInNextTick('broken');
    await expect(simulation.step()).rejects.toThrow(/broken/);
    const startMs = clock.now();
    await simulation.dispose();
    expect([simulation.state, clock.now()]).toEqual(['disposed', startMs]);
  });

  test('waits for a worker on a machine that is suspended', async () => {
    const { simulation, clock, gate, ...toy } = await heldInStep();
    const disposal = simulation.dispose();
    let isOver = false;
    void disposal.then(() => {
      isOver = true;
    });
    // Each counts as one check, of which the limit has twenty.
    for (let count = 0; count < 10; count++) {
      clock.standStill(5000);
      await sleep(10);
    }
    expect(isOver).toBe(false);
    openGate(gate);
    await disposal;
    expect(toy.statuses()).toEqual(['disposed']);
  });

  test('ends a worker that is too busy to receive the request', async () => {
    const { simulation, ended } = await connectWatched();
    const stalled = reasonOf(simulation.queries.stall(60_000));
    await simulation.dispose();
    expect(await stalled).toEqual(disposed);
    await ended;
  });

  test('tolerates a simulation that throws when it is disposed', async () => {
    const { simulation, ended } = await connectWatched(OPTIONS, { disposeError: 'leak' });
    await simulation.dispose();
    await ended;
    expect(simulation.state).toBe('disposed');
  });

  test('is reported once', async () => {
    const simulation = await connectToy(OPTIONS);
    let cleanups = 0;
    simulation.on('status', ({ kind }) => {
      if (kind === 'disposed') cleanups += 1;
    });
    await Promise.all([simulation.dispose(), simulation.dispose()]);
    expect(cleanups).toBe(1);
  });

  test('completes even if its handler throws, or disposes again', async () => {
    const reportError = vi.fn<(error: unknown) => void>();
    vi.stubGlobal('reportError', reportError);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { simulation, ended } = await connectWatched();
    const pending = reasonOf(simulation.queries.never());
    const error = new Error('from a handler');
    const within: unknown[] = [];
    simulation.on('status', () => {
      throw error;
    });
    simulation.on('status', () => within.push(simulation.state, simulation.dispose()));
    const disposal = simulation.dispose();
    expect(within).toEqual(['disposed', disposal]);
    await disposal;
    await ended;
    expect(await pending).toEqual(disposed);
    expect(reportError.mock.calls).toEqual([[error]]);
  });
});
