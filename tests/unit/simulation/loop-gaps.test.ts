/**
 * What a late wake-up is: load whose ticks are dropped and counted, or a gap that is not caught up.
 */
import { expect, test } from 'vitest';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import type { WorkerMessage } from '../../../src/shared/protocol/control-protocol.js';
import { STATISTICS } from '../../../src/shared/memory/layout.js';
import { createControlServer } from '../../../src/sim-worker/loop/control-server.js';
import { PageCalls } from '../../../src/sim-worker/thread/page-calls.js';
import { scriptedHost, takeTurn } from '../../fixtures/scripted-host.js';
import { DEFAULT_WORKER_OPTIONS } from '../../fixtures/worker-options.js';

const PERIOD_MS = 20;
const AWAY_MS = 1500;

/**
 * Runs at 50 Hz in this thread until a turn has taken 1.5 s. @returns What was reported and counted
 * then.
 */
async function afterLongTurn(messagesInTurn: number) {
  let clockMs = 1000;
  const calls = new PageCalls();
  let turns = 0;
  const views = createBuffer(4, 4, (byteLength) => new ArrayBuffer(byteLength));
  const posted: WorkerMessage[] = [];
  const take = async () => {
    turns += 1;
    if (turns === 3) {
      clockMs += AWAY_MS;
      for (let message = 0; message < messagesInTurn; message++) calls.arrive();
    } else {
      clockMs += PERIOD_MS;
    }
    await takeTurn();
  };
  const host = scriptedHost(() => clockMs, { take, attachedMemory: () => views.buffer });
  const server = createControlServer({
    host,
    simulation: { init: () => {}, step: () => {} },
    calls,
    post: (message) => posted.push(message),
  });
  await server.initialize(
    { transport: 'local' },
    { ...DEFAULT_WORKER_OPTIONS, tickRateHz: 1000 / PERIOD_MS },
  );
  server.start();
  while (turns < 6) await takeTurn();
  server.stop();
  const count = (name: keyof typeof STATISTICS): number => views.statistics[STATISTICS[name]] ?? 0;
  return {
    gaps: count('gaps'),
    droppedTicks: count('droppedTicks'),
    reported: posted.flatMap((message) =>
      message.type === 'betwixt:notice' ? [message.notice.kind] : [],
    ),
  };
}

test('a long turn that answers a call is load: whole ticks are dropped', async () => {
  const { gaps, droppedTicks } = await afterLongTurn(1);
  expect(gaps).toBe(0);
  expect(droppedTicks).toBeGreaterThan(AWAY_MS / PERIOD_MS - 10);
});

test('a long turn without a call is a gap: the system slept', async () => {
  const { gaps, droppedTicks, reported } = await afterLongTurn(0);
  expect(gaps).toBe(1);
  expect(reported).toContain('gap');
  expect(droppedTicks).toBe(0);
});
