/**
 * The worker's sleep and its doorbell in real threads: what wakes it, and what does not. When it
 * wakes up is tested in virtual time, and how late in tests/real-time.
 */
import { releaseProxy, wrap, type Endpoint } from 'comlink';
import { expect, onTestFinished, test } from 'vitest';
import { connect, fromNodeWorker } from '../../src/render-main/index.js';
import {
  PATIENT,
  connectToyForTest,
  startThread,
  ticksMatchTime,
  ticksPass,
  type ToyHandle,
} from '../fixtures/threads.js';

/** A tick every 100 s: a call that waited for the next one would be noticed. */
const RARELY = { tickRateHz: 1, timeScale: 0.01, capacity: 64 } as const;
const CALLS = 50;

/** Blocks this thread. What is read from shared memory changes while nothing else runs here. */
function blockUntil(isSo: () => boolean): void {
  const endMs = performance.now() + 60_000;
  while (!isSo()) {
    if (performance.now() > endMs) throw new Error(`waited a minute for ${String(isSo)}`);
  }
}

test('calls are answered in order, whether they reach a sleeping worker by memory or by message', async () => {
  const simulation = await connectToyForTest(RARELY);
  const answered: number[] = [];
  const { queries } = simulation;
  // Without a value that JSON would change, the first of several goes through the memory.
  const kinds = [
    () => queries.echo(1),
    () => queries.echo(Number.NaN),
    () => queries.echo('x'.repeat(2000)),
    () => simulation.setMaxCatchUpTicks(5),
  ];
  for (let round = 0; round < CALLS; round++) {
    const first = round % kinds.length;
    const calls = [...kinds.slice(first), ...kinds.slice(0, first)];
    answered.length = 0;
    await Promise.all(calls.map(async (call, index) => answered.push((await call(), index))));
    expect(answered).toEqual([0, 1, 2, 3]);
  }
  // Some of them may have to wait for a second pass, but not for tick after tick.
  expect(simulation.stats().tick).toBeLessThan(CALLS / 2);
});

test('a worker runs its ticks while the thread of the page is blocked', async () => {
  const simulation = await connectToyForTest({ tickRateHz: 60, capacity: 64 });
  for (let block = 0; block < 3; block++) {
    const { tick } = simulation.stats();
    blockUntil(() => simulation.stats().tick > tick + 8);
  }
  const { simulatedS, tick } = await ticksMatchTime(simulation);
  expect(simulatedS).toBeCloseTo(tick / 60, 9);
});

test('a pause stops the ticks while the thread of the page is blocked', async () => {
  const simulation = await connectToyForTest({ tickRateHz: 60, capacity: 64 });
  await ticksPass(simulation);
  const pausing = simulation.pause();
  blockUntil(() => {
    const readMs = performance.now();
    const { elapsedMs } = simulation.stats();
    while (performance.now() === readMs);
    return simulation.stats().elapsedMs === elapsedMs;
  });
  const { tick } = simulation.stats();
  await pausing;
  expect(simulation.stats()).toMatchObject({ tick, state: 'paused' });
});

interface Own {
  double(value: number): number;
  laterDouble(value: number): Promise<number>;
}

test("a script's own timers and messages get turns, the library ignores them, and releasing the script's proxy ends nothing", async () => {
  const worker = fromNodeWorker(startThread('with-proxy'));
  const own = wrap<Own>(worker as unknown as Endpoint);
  // The worker runs already when the library gets it.
  expect(await own.double(21)).toBe(42);
  const simulation = (await connect(() => worker, {
    ...PATIENT,
    capacity: 64,
  })) as unknown as ToyHandle;
  onTestFinished(() => simulation.dispose());
  // The simulation runs, and sleeps on its doorbell in between.
  expect(await own.double(4)).toBe(8);
  expect(await own.laterDouble(4)).toBe(8);
  const others = ['RELEASE', 'betwixt:page', 'betwixt:port'];
  for (const type of others) worker.postMessage({ id: 1, type });
  await ticksPass(simulation);
  expect(await simulation.queries.echo('before')).toBe('before');
  own[releaseProxy]();
  await ticksPass(simulation);
  expect(await simulation.queries.echo('after')).toBe('after');
  await simulation.pause();
  await simulation.resume();
  await ticksPass(simulation);
});
