/** A prediction with the engine: its clients go back by copies of its memory, past bodies that were made and removed. */
import { pathToFileURL } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openArenaGame } from '../../bench/rooms/arena-game.js';
import { playSessions } from '../../bench/rooms/virtual-session.js';

test('a prediction with the engine has the hashes of its room, whatever the network does', async () => {
  const script = `${inject('compiledCode')}/bench/rooms/arena-client.worker.js`;
  const game = openArenaGame(0, pathToFileURL(script));
  onTestFinished(() => game.dispose());
  // One with two clients. `npm run bench:rooms` plays forty.
  const { rollbacks, hashes, desyncs } = await playSessions([2], undefined, game);
  expect(desyncs).toBe(0);
  expect(rollbacks).toBeGreaterThan(80);
  expect(hashes).toBeGreaterThan(7);
  // None by a saved state.
  expect(game.copies.returned).toBe(rollbacks);
});
