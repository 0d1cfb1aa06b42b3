import { expect, test } from 'vitest';
import { createBuffer } from '../../src/shared/buffer.js';
import type { WorkerMessage } from '../../src/shared/control-protocol.js';
import { CONTROL, SLOT_HEADER, WORKER_PHASE } from '../../src/shared/layout.js';
import { StatusReader } from '../../src/shared/snapshot-reader.js';
import { createControlServer } from '../../src/sim-worker/control-server.js';
import { scriptedHost } from '../fixtures/scripted-host.js';
import { DEFAULT_WORKER_OPTIONS } from '../fixtures/worker-options.js';

const PERIOD_MS = 20;

/** A simulation at 50 Hz in this thread, on a clock that a test moves. */
async function start(step: (tick: number) => void = () => {}) {
  const clock = { ms: 1000 };
  const views = createBuffer(4, 4, (byteLength) => new ArrayBuffer(byteLength));
  const posted: WorkerMessage[] = [];
  const host = scriptedHost(() => clock.ms, { lent: () => views.buffer });
  const server = createControlServer({
    host,
    simulation: { init: () => {}, step: (_stepS, tick) => step(tick) },
    messagesReceived: () => 0,
    post: (message) => posted.push(message),
  });
  await server.initialize(
    { transport: 'local' },
    { ...DEFAULT_WORKER_OPTIONS, tickRateHz: 1000 / PERIOD_MS },
  );
  server.start();
  const status = new StatusReader(views);
  return { clock, server, posted, views, tick: () => status.read()[SLOT_HEADER.newestTick] };
}

test('a pause lets the ticks run that were due before it, and no other, before it is answered', async () => {
  const { clock, server, tick } = await start();
  clock.ms += 3.5 * PERIOD_MS;
  server.pause();
  expect(tick()).toBe(3);
  clock.ms += 10 * PERIOD_MS;
  await new Promise((resolve) => void setTimeout(resolve, 250));
  expect(tick()).toBe(3);
  server.stop();
});

test('what such a tick throws fails the simulation, and not the call', async () => {
  const { clock, server, posted, views } = await start((tick) => {
    if (tick === 2) throw new Error('bad luck');
  });
  clock.ms += 3.5 * PERIOD_MS;
  expect(() => server.pause()).not.toThrow();
  while (views.control[CONTROL.phase] !== WORKER_PHASE.failed) {
    await new Promise((resolve) => void setTimeout(resolve, 5));
  }
  expect(posted).toMatchObject([{ type: 'betwixt:failure', tick: 2, message: 'bad luck' }]);
});

test('the phase follows a pause and a resume at once', async () => {
  const { server, views } = await start();
  const phase = (): number => Atomics.load(views.control, CONTROL.phase);
  expect(phase()).toBe(WORKER_PHASE.running);
  server.pause();
  expect(phase()).toBe(WORKER_PHASE.paused);
  server.resume();
  expect(phase()).toBe(WORKER_PHASE.running);
  server.stop();
});
