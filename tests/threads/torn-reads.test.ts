/** Two threads race over a mailbox; its rules are tested in tests/unit/shared/memory. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createBuffer } from '../../src/shared/memory/create-buffer.js';
import { FETCHES, type Handover, type RaceData, type RaceReport } from '../fixtures/tearing.js';
import { startThread } from '../fixtures/threads.js';

const PUBLICATIONS = 500_000;

/** Lets a writing and a reading thread race, and returns what the reader saw. */
async function race(
  worker: string,
  handover: Handover,
  payload: SharedArrayBuffer,
  publications: number,
): Promise<RaceReport> {
  const flags = new SharedArrayBuffer(256);
  const start = (role: RaceData['role']) =>
    startThread(worker, { role, handover, flags, payload, publications } satisfies RaceData);
  const writer = start('writer');
  const reader = start('reader');
  const ended = Promise.all([once(writer, 'exit'), once(reader, 'exit')]);
  const [report] = (await once(reader, 'message')) as [RaceReport];
  await ended;
  return report;
}

/** Three slots of this many words. */
const slotsOf = (words: number): SharedArrayBuffer => new SharedArrayBuffer(3 * 4 * words);

function expectWhole({ faults, published, fetched, last }: RaceReport): void {
  expect(faults).toBe(0);
  expect(published).toBeGreaterThanOrEqual(PUBLICATIONS);
  expect(fetched).toBeGreaterThanOrEqual(FETCHES);
  expect(last).toBe(published);
}

test('a reader racing a writer of a mailbox sees no torn or older message, and sees the last', async () => {
  expectWhole(await race('mailbox-race', 'exchange', slotsOf(256), PUBLICATIONS));
});

test("the library's reader racing its writer sees no torn or older snapshot, and sees the last", async () => {
  const payload = createBuffer(8, 4, undefined, undefined, false, 40).buffer as SharedArrayBuffer;
  expectWhole(await race('snapshot-race', 'exchange', payload, PUBLICATIONS));
});

// Large messages, ended only by the first fault: with both threads running it comes immediately.
test.each<Handover>(['one slot', 'load and store'])(
  'the same reader sees torn messages without the protocol of a mailbox: %s',
  async (handover) => {
    const report = await race('mailbox-race', handover, slotsOf(8192), 10 * PUBLICATIONS);
    expect(report.faults).toBe(1);
  },
);
