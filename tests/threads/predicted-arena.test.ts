/** Random sessions with the engine: its clients go back by copies of its memory, past bodies that were made and removed. */
import { expect, onTestFinished, test } from 'vitest';
import { openArenaGame } from '../../bench/rooms/arena-game.js';
import { runSteadyClient } from '../../bench/rooms/steady-client.js';
import { playSession, playSessions } from '../../bench/rooms/virtual-session.js';

const open = (wrongSteps?: number) => {
  const game = openArenaGame(wrongSteps);
  onTestFinished(() => game.dispose());
  return game;
};

test('a prediction with the engine has the hashes of its room, whatever the network does', async () => {
  const game = open();
  // `npm run bench:rooms` plays forty.
  const { rollbacks, hashes, desyncs } = await playSessions([1, 2, 3, 4, 5, 6], undefined, game);
  expect(desyncs).toBe(0);
  expect(rollbacks).toBeGreaterThan(300);
  expect(hashes).toBeGreaterThan(40);
  // None by a saved state.
  expect(game.copies.returned).toBe(rollbacks);
});

test('and one that computes something else is found', async () => {
  const { clients } = await playSession(1, open(10));
  for (const { counters, repairs } of clients) {
    expect(counters?.desyncs).toBeGreaterThan(0);
    expect(repairs).toBeGreaterThan(0);
  }
});

const NETWORK = { delayMs: 30, jitterMs: 40, loss: 0, isOrdered: true };

test('a client drops ticks when they take longer than there is time, and none otherwise', async () => {
  // Steps take no time, or a thousand times as much.
  const quick = await runSteadyClient(NETWORK, 2, 0);
  expect(quick).toMatchObject({ ticks: 115, droppedTicks: 0, desyncs: 0 });
  expect(quick.rollbacks).toBeGreaterThan(10);
  const slow = await runSteadyClient(NETWORK, 1, 1000);
  expect(slow.droppedTicks).toBeGreaterThan(10);
});
