/** Messages between a room and its clients that were changed on their way, or by someone who makes the checksum right again. */
import fc from 'fast-check';
import { equal } from 'node:assert/strict';
import type { RoomMode } from '../../../src/rooms/shared/room-messages.js';
import {
  CLIENT_MESSAGES,
  isReason,
  playRoom,
  recordRoom,
  showRoom,
} from '../../fixtures/rooms/damaged-room.js';
import { sealedBytes } from '../../fixtures/rooms/sealed-bytes.js';
import { byteChanges, changedBytes } from '../changed-bytes.js';

export const damages = fc.record({
  from: fc.constantFrom<RoomMode | 'client'>('stream', 'predict', 'client'),
  which: fc.nat(),
  changes: fc.array(byteChanges, { minLength: 1, maxLength: 4 }),
  /** Whether the checksum is right again. */
  isSealed: fc.boolean(),
});
type Damage = typeof damages extends fc.Arbitrary<infer T> ? T : never;

const recorded = recordRoom();

/** @throws Error unless nothing changes or the connection ends with a reason; with a correct checksum, if anything throws. */
export async function tryDamage({ from, which, changes, isSealed }: Damage): Promise<void> {
  const messages = from === 'client' ? CLIENT_MESSAGES : (await recorded)[from];
  const at = which % messages.length;
  const message = messages[at] as Uint8Array;
  const given = isSealed ? message.subarray(0, -4) : message;
  const bytes = changes.reduce<Uint8Array>(changedBytes, given);
  const changed = isSealed ? sealedBytes(bytes) : bytes;
  if (Buffer.compare(message, changed) === 0) return;
  if (from === 'client') {
    const { hash, malformed } = await playRoom(messages.with(at, changed));
    if (isSealed) return;
    const without = await playRoom(messages.toSpliced(at, 1));
    equal(malformed, 1, 'the room has not counted it');
    equal(hash, without.hash, 'the room has done something else');
    return;
  }
  const { hash, error } = await showRoom(from, messages.with(at, changed));
  if (error !== undefined && !isReason(error)) throw error;
  if (isSealed) return;
  const isIgnored = at === 0 && error === undefined;
  const expected = await showRoom(from, isIgnored ? messages.slice(1) : messages.slice(0, at));
  equal(hash, expected.hash, 'the page shows something else');
  if (error === undefined && !isIgnored) throw new Error('the page does not notice');
}
