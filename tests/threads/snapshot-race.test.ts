/** Two threads race over the snapshots of a mailbox; its rules are tested in tests/unit/shared/memory. */
import { expect, test } from 'vitest';
import { snapshotRace } from '../fixtures/races.js';
import { FETCHES } from '../fixtures/tearing.js';
import { startThread } from '../fixtures/threads.js';

const PUBLICATIONS = 500_000;

test('a reader racing a writer sees no torn or older snapshot, and sees the last', async () => {
  // Whole words of cuts.
  const size = { capacity: 8, states: 4, values: 64 };
  const raced = await snapshotRace(startThread, 'exchange', size, PUBLICATIONS);
  const { faults, published, fetched, last } = raced;
  expect(faults).toBe(0);
  expect(published).toBeGreaterThanOrEqual(PUBLICATIONS);
  expect(fetched).toBeGreaterThanOrEqual(FETCHES);
  expect(last).toBe(published);
});

test('the same reader sees torn values if all slots are the same memory', async () => {
  // Large, and ended only by the first fault: with both threads running it comes immediately.
  const size = { capacity: 1, states: 2, values: 8192 };
  const { faults } = await snapshotRace(startThread, 'one slot', size, 10 * PUBLICATIONS);
  expect(faults).toBe(1);
});
