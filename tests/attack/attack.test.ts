/** Promises that are hard to keep: races of two threads, damaged and forged bytes, and bodies that come and go. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { present } from '../fixtures/present.js';
import { queueRace, snapshotRace } from '../fixtures/races.js';
import { playSessions } from '../fixtures/rooms/virtual-session.js';
import { startThread } from '../fixtures/threads.js';
import { attack, report } from './attack.js';
import { partChanges } from './changed-bytes.js';
import { churns, tryChurn } from './churn/churn.js';
import { LIMIT_MS } from './limits.js';
import { hostileCases, tryHostileCase } from './parts/messages.js';
import { damages, tryDamage } from './parts/packets.js';
import { changedFiles, tryChangedFile } from './parts/recordings.js';
import { tryChangedState } from './parts/states.js';

/** Bodies that a round writes, whatever the size of a snapshot. */
const BODIES = 16_000_000;
/** Sizes of a snapshot: a few cache lines, and more than the first level of a cache. */
const CAPACITIES = [8, 1, 64, 500];
const RECORDS = 500_000;
/** Words of the ring, from one that holds few records to one that is never full. */
const RING_WORDS = [64, 1024, 65_536];

// The same threads are torn apart without the protocol: tests/threads/snapshot-race.test.ts and queue-race.test.ts.
test('tearing: no reader sees a torn or older snapshot', async () => {
  const endMs = performance.now() + LIMIT_MS;
  let tried = 0;
  for (let round = 0; round < 2 || performance.now() < endMs; round++) {
    const capacity = present(CAPACITIES[round % CAPACITIES.length]);
    const publications = Math.ceil(BODIES / capacity);
    const size = { capacity, states: 4 };
    const raced = await snapshotRace(startThread, 'exchange', size, publications);
    const { faults, published, last } = raced;
    expect({ faults, last }).toEqual({ faults: 0, last: published });
    tried += published;
  }
  report(tried, 'snapshots');
});

test('queues: records arrive whole, once and in order', async () => {
  const endMs = performance.now() + LIMIT_MS;
  let rounds = 0;
  do {
    const ring = RING_WORDS[rounds % RING_WORDS.length] as number;
    const raced = await queueRace(startThread, 'record queue', ring, RECORDS, rounds % 7);
    expect(raced).toMatchObject({ faults: 0, taken: RECORDS, pushed: RECORDS });
    rounds += 1;
  } while (performance.now() < endMs);
  report(rounds * RECORDS, 'records');
});

test('recordings: forged ones are refused by name, or read and written again as they are', () =>
  attack(changedFiles, tryChangedFile));

test('states: changed saved states are refused and change nothing, or leave a run that continues', () =>
  attack(partChanges, tryChangedState));

test('churn: bodies come and go, and their ids stay right, drawn, saved and restored', () =>
  attack(churns, tryChurn, { batch: 5 }));

test('messages: with hostile messages and words of memory nothing hangs, and an end gives its reason', () =>
  attack(hostileCases, tryHostileCase));

test('packets: changed messages of rooms and clients change nothing, or the connection ends with its reason', () =>
  attack(damages, tryDamage));

test('rooms: clients that predict a room have its hash at every confirmed hash tick', () =>
  attack(
    fc.nat({ max: 2 ** 27 }),
    async (seed) => expect(await playSessions([seed])).toMatchObject({ desyncs: 0 }),
    { batch: 10 },
  ));
