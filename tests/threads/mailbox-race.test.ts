/** Two threads race over a mailbox; its rules are tested in tests/unit/shared/memory. */
import { expect, test } from 'vitest';
import { createBuffer } from '../../src/shared/memory/create-buffer.js';
import { mailboxRace, slotsOf } from '../fixtures/races.js';
import { FETCHES, type RaceReport } from '../fixtures/tearing.js';
import { startThread } from '../fixtures/threads.js';

const PUBLICATIONS = 500_000;

function expectWhole({ faults, published, fetched, last }: RaceReport): void {
  expect(faults).toBe(0);
  expect(published).toBeGreaterThanOrEqual(PUBLICATIONS);
  expect(fetched).toBeGreaterThanOrEqual(FETCHES);
  expect(last).toBe(published);
}

test('a reader racing a writer of a mailbox sees no torn or older message, and sees the last', async () => {
  expectWhole(
    await mailboxRace(startThread, 'mailbox-race', 'exchange', slotsOf(256), PUBLICATIONS),
  );
});

test("the library's reader racing its writer sees no torn or older snapshot, and sees the last", async () => {
  // Whole words of cuts.
  const payload = createBuffer(8, 4, undefined, undefined, false, 64).buffer as SharedArrayBuffer;
  expectWhole(await mailboxRace(startThread, 'snapshot-race', 'exchange', payload, PUBLICATIONS));
});

// Large messages, ended only by the first fault: with both threads running it comes immediately.
test('the same reader sees torn messages without the protocol of a mailbox', async () => {
  const slots = slotsOf(8192);
  const limit = 10 * PUBLICATIONS;
  const report = await mailboxRace(startThread, 'mailbox-race', 'one slot', slots, limit);
  expect(report.faults).toBe(1);
});

test("the library's reader sees torn values if all slots are the same memory", async () => {
  const payload = createBuffer(1, 2, undefined, undefined, false, 8192).buffer as SharedArrayBuffer;
  const limit = 10 * PUBLICATIONS;
  const report = await mailboxRace(startThread, 'snapshot-race', 'one slot', payload, limit);
  expect(report.faults).toBe(1);
});
