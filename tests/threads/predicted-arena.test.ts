/** A prediction with the engine: its clients go back by copies of its memory, past bodies that were made and removed. */
import { expect, inject, onTestFinished, test } from 'vitest';
import { openArenaGame } from '../fixtures/rooms/arena-game.js';
import { playSessions } from '../fixtures/rooms/virtual-session.js';

test('a prediction with the engine has the hashes of its room, whatever the network does', async () => {
  const game = openArenaGame(new URL('arena-client.worker.js', inject('workerScripts')));
  onTestFinished(() => game.dispose());
  // One with two clients.
  const { rollbacks, hashes, desyncs } = await playSessions([2], game);
  expect(desyncs).toBe(0);
  expect(rollbacks).toBeGreaterThan(80);
  expect(hashes).toBeGreaterThan(7);
  // None by a saved state.
  expect(game.returned).toBe(rollbacks);
});
