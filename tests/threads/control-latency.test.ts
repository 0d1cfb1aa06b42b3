import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished, describe, expect, test } from 'vitest';
import { ControlClient } from '../../src/render-main/control-client.js';
import { fromNodeWorker } from '../../src/render-main/index.js';
import { createBuffer } from '../../src/shared/buffer.js';
import { CONTROL_LENGTH } from '../../src/shared/layout.js';
import { connectToyForTest, startThread, ticksMatchTime } from '../fixtures/threads.js';
import { DEFAULT_WORKER_OPTIONS } from '../fixtures/worker-options.js';

/** A tick twice a second: a worker that had to wait for the next one would be seen to. */
const TICK_RATE_HZ = 2;
const PERIOD_MS = 1000 / TICK_RATE_HZ;
const CALLS = 3;

/** Median round trip of a few calls. */
async function roundTripMs(call: () => Promise<unknown>): Promise<number> {
  const durations: number[] = [];
  for (let index = 0; index < CALLS; index++) {
    // Time to fall asleep again: an answer that is answered at once may still find the worker awake.
    await delay(50);
    const startMs = performance.now();
    await call();
    durations.push(performance.now() - startMs);
  }
  return durations.toSorted((a, b) => a - b)[Math.floor(CALLS / 2)] ?? Number.NaN;
}

/** Median round trip to a worker whose doorbell is elsewhere: the negative control. */
async function roundTripWithoutDoorbellMs(): Promise<number> {
  const thread = startThread('toy');
  onTestFinished(() => void thread.terminate());
  const shared = createBuffer(64, 4);
  const nobodysWords = new Int32Array(new SharedArrayBuffer(CONTROL_LENGTH * 4));
  const client = new ControlClient(fromNodeWorker(thread), nobodysWords, { onFailure: () => {} });
  const { buffer } = shared;
  const options = { ...DEFAULT_WORKER_OPTIONS, tickRateHz: TICK_RATE_HZ };
  await client.call((remote) => remote.initialize({ transport: 'shared', buffer }, options));
  await client.call((remote) => remote.start());
  return roundTripMs(() => client.call((remote) => remote.query('echo', [1])));
}

describe('control calls to a sleeping worker', () => {
  test('are answered at once by the doorbell, and without it by the next tick', async () => {
    const simulation = await connectToyForTest({ tickRateHz: TICK_RATE_HZ, capacity: 64 });
    const withDoorbellMs = await roundTripMs(() => simulation.commands.echo(1));
    const withoutMs = await roundTripWithoutDoorbellMs();
    expect(withDoorbellMs).toBeLessThan(PERIOD_MS / 4);
    expect(withoutMs).toBeGreaterThan(PERIOD_MS / 2);
    expect(withoutMs / withDoorbellMs).toBeGreaterThan(4);
  });

  test('cost no ticks and add none', async () => {
    const simulation = await connectToyForTest({ tickRateHz: 20, capacity: 64 });
    const before = simulation.stats();
    for (let call = 0; call < 300; call++) await simulation.commands.echo(call);
    expect((await ticksMatchTime(simulation, before)).state).toBe('running');
  });

  test('that are sent all at once are all answered, in order', async () => {
    const simulation = await connectToyForTest({ tickRateHz: TICK_RATE_HZ, capacity: 64 });
    const answered: unknown[] = [];
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: 500 }, async (_, call) => {
        answered.push(await simulation.commands.echo(call));
      }),
    );
    expect(answered).toEqual(Array.from({ length: 500 }, (_, call) => call));
    // Some of them may have to wait for a second pass, but not for tick after tick.
    expect(performance.now() - startMs).toBeLessThan(3 * PERIOD_MS);
  });
});
