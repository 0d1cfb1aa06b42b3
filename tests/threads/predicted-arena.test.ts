/** A prediction with the engine: its clients go back by copies of its memory, past bodies that were made and removed. */
import { wrap, type Endpoint } from 'comlink';
import { expect, onTestFinished, test } from 'vitest';
import { fromNodeWorker } from '../../src/render-main/index.js';
import { createArena } from '../fixtures/rooms/seated-arena.js';
import { playSessions, type SessionClient } from '../fixtures/rooms/virtual-session.js';
import { startThread } from '../fixtures/threads.js';
import type { ArenaClient } from '../fixtures/workers/arena-client.worker.js';

/** In a separate thread, in step with the room in this one. */
function startClient(seed: number) {
  const worker = startThread('arena-client', seed);
  onTestFinished(() => void worker.terminate());
  const remote = wrap<ArenaClient>(fromNodeWorker(worker) as Endpoint);
  const client = {
    counters: undefined,
    asked: 0,
    repairs: 0,
    /** How often it went back to a state that was kept by a copy of memory. */
    returned: 0,
    async advance(...args: Parameters<SessionClient['advance']>) {
      const { sent, state } = await remote.advance(...args);
      Object.assign(client, state);
      return sent;
    },
  };
  return client;
}

test('a prediction with the engine has the hashes of its room, whatever the network does', async () => {
  const clients: ReturnType<typeof startClient>[] = [];
  const createClient = (seed: number) => {
    const client = startClient(seed);
    clients.push(client);
    return client;
  };
  // One with two clients.
  const totals = await playSessions([2], { createSimulation: createArena, createClient });
  expect(totals.desyncs).toBe(0);
  expect(totals.rollbacks).toBeGreaterThan(80);
  expect(totals.hashes).toBeGreaterThan(7);
  // None by a saved state.
  expect(clients.reduce((sum, { returned }) => sum + returned, 0)).toBe(totals.rollbacks);
});
