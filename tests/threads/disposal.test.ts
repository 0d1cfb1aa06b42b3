/** The end of a real worker: asleep, paused, busy, held in a step, or failed. */
import { expect, test } from 'vitest';
import {
  SimulationDisposedError,
  connect,
  fromNodeWorker,
  type ConnectOptions,
} from '../../src/render-main/index.js';
import { HeldToy } from '../fixtures/held-toy.js';
import { startThread, type ToyHandle } from '../fixtures/threads.js';
import type { ToyThreadData } from '../fixtures/workers/toy.worker.js';

const OPTIONS: ConnectOptions = { tickRateHz: 60, capacity: 64 };

/** A simulation, and a promise for the end of its thread. */
async function connectWatched(options: ConnectOptions = {}, data: ToyThreadData = {}) {
  const thread = startThread('toy', data);
  const ended = new Promise<number>((resolve) => thread.once('exit', resolve));
  const handle = await connect(() => fromNodeWorker(thread), { ...OPTIONS, ...options });
  return { simulation: handle as unknown as ToyHandle, ended };
}

/** Why a call was not answered. Listens immediately, so that no rejection is unhandled. */
const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it was answered',
    (reason: unknown) => reason,
  );
const disposed = expect.any(SimulationDisposedError) as unknown;

test('disposing ends the thread, and rejects pending and later calls', async () => {
  const { simulation, ended } = await connectWatched();
  let reported = 0;
  simulation.on('status', ({ kind }) => {
    if (kind === 'disposed') reported += 1;
  });
  const pending = [
    simulation.queries.never(),
    simulation.queries.echo(1),
    simulation.pause(),
    simulation.setTickRate(30),
  ].map(reasonOf);
  const disposal = simulation.dispose();
  expect(simulation.dispose()).toBe(disposal);
  await disposal;
  await ended;
  expect([simulation.state, reported]).toEqual(['disposed', 1]);
  const later = [simulation.resume(), simulation.queries.echo(1), simulation.step()].map(reasonOf);
  expect(await Promise.all([...pending, ...later])).toEqual(Array(7).fill(disposed));
  // Reading stays possible: the memory is still there.
  const { tick } = simulation.stats();
  expect(simulation.stats()).toMatchObject({ state: 'disposed', tick });
});

test('disposing rejects a resume that is aligning the clocks', async () => {
  const { simulation, ended } = await connectWatched();
  await simulation.pause();
  await simulation.resume();
  await simulation.pause();
  const resuming = reasonOf(simulation.resume());
  await simulation.dispose();
  expect(await resuming).toEqual(disposed);
  await ended;
});

// The page's clock is frozen, so the limit on the worker's answer never expires: it has reported
// that it stops.
test.each<[string, ConnectOptions]>([
  ['a paused worker', { startPaused: true }],
  ['a sleeping worker whose next tick is far away', { tickRateHz: 1, timeScale: 0.01 }],
  ['a running worker', {}],
])('disposing wakes %s, and waits until it stops', async (_, options) => {
  const { simulation, clock } = await HeldToy.connect({ ...OPTIONS, ...options });
  const startMs = clock.now();
  await simulation.dispose();
  expect([simulation.state, clock.now()]).toEqual(['disposed', startMs]);
});

test('disposing does not wait for a worker that has failed, which no longer answers', async () => {
  const { simulation, clock } = await HeldToy.connect({ ...OPTIONS, startPaused: true });
  await simulation.queries.failInNextTick('broken');
  await expect(simulation.step()).rejects.toThrow(/broken/);
  const startMs = clock.now();
  await simulation.dispose();
  expect([simulation.state, clock.now()]).toEqual(['disposed', startMs]);
});

test('disposing ends a worker that is too busy to receive the request', async () => {
  const { simulation, ended } = await connectWatched();
  const stalled = reasonOf(simulation.queries.stall(60_000));
  await simulation.dispose();
  expect(await stalled).toEqual(disposed);
  await ended;
});

test('disposing completes though the simulation throws in its own dispose', async () => {
  const { simulation, ended } = await connectWatched({}, { disposeError: 'leak' });
  await simulation.dispose();
  await ended;
  expect(simulation.state).toBe('disposed');
});
