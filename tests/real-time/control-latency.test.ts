/** How soon a sleeping worker answers, compared with a bare one that sleeps on a doorbell. */
import { expect, onTestFinished, test } from 'vitest';
import { ControlClient, openPort } from '../../src/render-main/worker/control-client.js';
import { fromNodeWorker } from '../../src/render-main/index.js';
import { createBuffer } from '../../src/shared/memory/create-buffer.js';
import { CONTROL_LENGTH } from '../../src/shared/memory/layout.js';
import { connectToyForTest, startThread } from '../fixtures/threads.js';
import { firstPace } from '../fixtures/page-pace.js';
import { DEFAULT_WORKER_OPTIONS } from '../fixtures/worker-options.js';
import { bareRoundTripsMs, median, roundTripsMs, skipHere } from './bare-worker.js';

/** A tick twice a second: a worker that waited for the next one would be detected. */
const TICK_RATE_HZ = 2;
const PERIOD_MS = 1000 / TICK_RATE_HZ;
const CALLS = 40;
/**
 * The cost of a call in addition to the message, in ms: Comlink on both sides, a pass of the loop.
 */
const CALL_MS = 1;

/** Round trips to a worker that waits on another doorbell: the negative control. */
async function withoutDoorbellMs(): Promise<readonly number[]> {
  const thread = startThread('toy');
  onTestFinished(() => void thread.terminate());
  const shared = createBuffer(64, 4);
  const nobodysWords = new Int32Array(new SharedArrayBuffer(CONTROL_LENGTH * 4));
  const worker = fromNodeWorker(thread);
  const client = new ControlClient({
    worker,
    port: openPort(worker),
    control: nobodysWords,
    events: { onFailure: () => {}, onMessage: () => {} },
  });
  const { buffer } = shared;
  // The application's turns deliver messages as well: none come between two ticks.
  const options = {
    ...DEFAULT_WORKER_OPTIONS,
    tickRateHz: TICK_RATE_HZ,
    turnsPerSecond: TICK_RATE_HZ,
  };
  await client.call((remote) => remote.initialize({ transport: 'shared', buffer }, options));
  await client.call((remote) => remote.start(firstPace(options)));
  return roundTripsMs(5, () => client.call((remote) => remote.query('echo', [1])));
}

test('a call to a sleeping worker is answered as soon as a bare worker answers a message', async (context) => {
  const simulation = await connectToyForTest({ tickRateHz: TICK_RATE_HZ, capacity: 64 });
  // Before and after, as the machine may be busy at either time.
  const bareMs = [...(await bareRoundTripsMs(CALLS / 2))];
  const oursMs = median(await roundTripsMs(CALLS, () => simulation.queries.echo(1)));
  bareMs.push(...(await bareRoundTripsMs(CALLS / 2)));
  const bare = median(bareMs);
  const found = `a bare worker answered in ${bare.toFixed(2)} ms, ours in ${oursMs.toFixed(2)} ms`;
  if (bare > PERIOD_MS / 50) skipHere(context, found);
  expect(oursMs, found).toBeLessThan(4 * bare + CALL_MS);
});

test('without the doorbell it would wait for the next tick', async (context) => {
  const bare = median(await bareRoundTripsMs(10));
  const found = `a bare worker answered in ${bare.toFixed(2)} ms`;
  if (bare > PERIOD_MS / 50) skipHere(context, found);
  expect(median(await withoutDoorbellMs())).toBeGreaterThan(PERIOD_MS / 2);
});
