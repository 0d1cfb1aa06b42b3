import { expect, test } from 'vitest';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import type { WorkerMessage } from '../../../src/shared/protocol/control-protocol.js';
import {
  CONTROL,
  SLOT_HEADER,
  STATISTICS,
  WORKER_ACTIVITY,
  WORKER_PHASE,
} from '../../../src/shared/memory/layout.js';
import { StatusReader } from '../../../src/shared/memory/snapshot-reader.js';
import { createControlServer } from '../../../src/sim-worker/loop/control-server.js';
import { PageCalls } from '../../../src/sim-worker/thread/page-calls.js';
import { scriptedHost, turnsUntil } from '../../fixtures/scripted-host.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';
import { DEFAULT_WORKER_OPTIONS } from '../../fixtures/worker-options.js';

const PERIOD_MS = 20;

/** Most ticks that a pass catches up. */
const CATCH_UP = DEFAULT_WORKER_OPTIONS.maxCatchUpTicks;

/** A simulation at 50 Hz in this thread, on a clock that a test advances. */
async function start(step: (tick: number, clock: { ms: number }) => void = () => {}) {
  const time = new VirtualTime();
  const clock = {
    get ms() {
      return time.nowMs;
    },
    set ms(nowMs: number) {
      time.nowMs = nowMs;
    },
  };
  const views = createBuffer(4, 4, (byteLength) => new ArrayBuffer(byteLength));
  const posted: WorkerMessage[] = [];
  const calls = new PageCalls();
  const host = scriptedHost(() => clock.ms, { attachedMemory: () => views.buffer });
  const server = createControlServer({
    host,
    simulation: { init: () => {}, step: (_dt, tick) => step(tick, clock) },
    calls,
    post: (message) => posted.push(message),
  });
  await server.initialize(
    { transport: 'local' },
    { ...DEFAULT_WORKER_OPTIONS, tickRateHz: 1000 / PERIOD_MS },
  );
  server.start();
  const status = new StatusReader(views);
  return {
    time,
    clock,
    server,
    posted,
    views,
    tick: () => status.read()[SLOT_HEADER.newestTick],
    droppedTicks: () => views.statistics[STATISTICS.droppedTicks],
    /** A message has arrived. */
    interrupt: () => calls.arrive(),
  };
}

test('a pause lets only the ticks run that were due before it, before it is answered', async () => {
  const { time, clock, server, tick } = await start();
  clock.ms += 3.5 * PERIOD_MS;
  server.pause();
  expect(tick()).toBe(3);
  await time.advance(100 * PERIOD_MS);
  expect(tick()).toBe(3);
  server.stop();
});

test('a pause drops and counts the ticks beyond one pass, and the time its steps take is not caught up', async () => {
  // Each step takes as long as three periods.
  const { clock, server, tick, droppedTicks } = await start((_tick, time) => {
    time.ms += 3 * PERIOD_MS;
  });
  clock.ms += 100.5 * PERIOD_MS;
  server.pause();
  expect([tick(), droppedTicks()]).toEqual([CATCH_UP, 100 - CATCH_UP]);
  // Nothing of it is due later: a manual step is one tick, however many there are.
  expect(await server.step(20)).toBe(CATCH_UP + 20);
  expect(droppedTicks()).toBe(100 - CATCH_UP);
  server.stop();
});

test('a call that arrives while the loop is in a timer runs one pass, though steps take longer than their period', async () => {
  const { clock, server, views, tick, interrupt } = await start((owed, time) => {
    if (owed < 50) time.ms += 3 * PERIOD_MS;
  });
  await turnsUntil(() => views.control[CONTROL.activity] === WORKER_ACTIVITY.idle);
  expect(tick()).toBe(0);
  clock.ms += 2.5 * PERIOD_MS;
  interrupt();
  expect(tick()).toBe(2);
  server.stop();
});

test('an error in such a tick fails the simulation, and not the call', async () => {
  const { clock, server, posted, views } = await start((tick) => {
    if (tick === 2) throw new Error('bad luck');
  });
  clock.ms += 3.5 * PERIOD_MS;
  expect(() => server.pause()).not.toThrow();
  await turnsUntil(() => views.control[CONTROL.phase] === WORKER_PHASE.failed);
  expect(posted.filter(({ type }) => type !== 'betwixt:bodies')).toMatchObject([
    { type: 'betwixt:failure', tick: 2, message: 'bad luck' },
  ]);
});

test('the phase follows a pause and a resume immediately', async () => {
  const { server, views } = await start();
  const phase = (): number => Atomics.load(views.control, CONTROL.phase);
  expect(phase()).toBe(WORKER_PHASE.running);
  server.pause();
  expect(phase()).toBe(WORKER_PHASE.paused);
  server.resume();
  expect(phase()).toBe(WORKER_PHASE.running);
  server.stop();
});

test('ticks that are owed at a pause do not go beyond the end of a replay', async () => {
  const { clock, server, posted, tick } = await start();
  server.pause();
  const run = {
    seed: 1,
    setup: null,
    capacity: 4,
    engine: '',
    invalidPoses: 'freeze',
    generation: 0,
  } as const;
  const request = { run, from: undefined, entries: [], untilTick: 0, shownUntil: 2 };
  await server.seek(request);
  server.resume();
  clock.ms += 5.5 * PERIOD_MS;
  server.pause();
  expect(tick()).toBe(2);
  await expect(server.step(1)).resolves.toBe(2);
  const replayed = posted.filter(
    (message) => message.type === 'betwixt:notice' && message.notice.kind === 'replayed',
  );
  expect(replayed).toHaveLength(1);
  server.stop();
});
