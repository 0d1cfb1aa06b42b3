import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createBuffer } from '../../src/shared/memory/create-buffer.js';
import { FETCHES, type Handover, type RaceData, type RaceReport } from '../fixtures/tearing.js';
import { startThread } from '../fixtures/threads.js';

const PUBLICATIONS = 1_000_000;

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

describe(`a reader racing a writer of ${PUBLICATIONS} messages and more`, () => {
  test('never sees a torn or an older one, and sees the last', async () => {
    const report = await race('mailbox-race', 'exchange', slotsOf(256), PUBLICATIONS);
    expect(report.faults).toBe(0);
    expect(report.published).toBeGreaterThanOrEqual(PUBLICATIONS);
    expect(report.fetched).toBeGreaterThanOrEqual(FETCHES);
    expect(report.last).toBe(report.published);
  });

  test("never sees a torn snapshot, by the library's own writer and reader", async () => {
    const payload = createBuffer(8, 4, undefined, undefined, false, 40).buffer as SharedArrayBuffer;
    const report = await race('snapshot-race', 'exchange', payload, PUBLICATIONS);
    expect(report.faults).toBe(0);
    expect(report.published).toBeGreaterThanOrEqual(PUBLICATIONS);
    expect(report.fetched).toBeGreaterThanOrEqual(FETCHES);
    expect(report.last).toBe(report.published);
  });
});

/**
 * Large messages, ended only by the first fault: with both threads running it comes immediately.
 */
describe('the same reader without the protocol', () => {
  test.each<Handover>(['one slot', 'load and store'])(
    'sees torn messages: %s',
    async (handover) => {
      const report = await race('mailbox-race', handover, slotsOf(8192), 10 * PUBLICATIONS);
      expect(report.faults).toBe(1);
    },
  );
});
