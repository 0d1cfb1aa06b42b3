import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sealed, unsealed } from '../../../../src/rooms/shared/sealed.js';
import { RoomReader } from '../../../../src/rooms/shared/room-reader.js';
import {
  decodeClientMessage,
  decodeRoomMessage,
  encodeWelcome,
  type RoomMessage,
} from '../../../../src/rooms/shared/room-messages.js';
import { ByteReadError, ByteWriter } from '../../../../src/shared/util/bytes.js';
import { damages, tryDamage } from '../../../attack/parts/packets.js';
import { CLIENT_MESSAGES, recordRoom, showRoom } from '../../../fixtures/rooms/damaged-room.js';
import { TOY_COMMANDS } from '../../../fixtures/rooms/seated-toy.js';

const read = (bytes: Uint8Array) => decodeRoomMessage(bytes, TOY_COMMANDS, 0);

/** The messages that were read although a bit of them was changed. */
function taken(messages: readonly Uint8Array[], decode: (bytes: Uint8Array) => unknown): unknown[] {
  return messages.flatMap((message) =>
    Array.from({ length: 8 * message.length }, (_, bit) => {
      const at = bit >> 3;
      try {
        return [decode(message.with(at, (message[at] ?? 0) ^ (1 << (bit & 7))))];
      } catch (error) {
        return error instanceof ByteReadError ? [] : [error];
      }
    }).flat(),
  );
}

test('a message between a room and a client is refused, whichever of its bits was changed', async () => {
  const { stream, predict } = await recordRoom();
  // From the welcome to the answer to a ping.
  const messages = [...stream.slice(0, 5), ...predict.slice(1, 5)];
  expect(new Set(messages.map((bytes) => read(bytes).kind)).size).toBe(3);
  expect(taken(messages, read)).toEqual([]);
  expect(taken(CLIENT_MESSAGES, (bytes) => decodeClientMessage(bytes, TOY_COMMANDS, 64))).toEqual(
    [],
  );
});

test('changed messages of a room change nothing, or end the connection with a reason', async () => {
  const { stream, predict } = await recordRoom();
  for (const [mode, messages] of Object.entries({ stream, predict } as const)) {
    const { error, hash } = await showRoom(mode as 'stream', messages);
    expect({ error, hash }).toEqual({ error: undefined, hash: expect.stringMatching(/^\w{16}$/) });
  }
  await fc.assert(fc.asyncProperty(damages, tryDamage), { numRuns: 50 });
});

test.each([1, 2, 3, 4])('a message of %i bytes with zeros more or less is damaged', (length) => {
  const out = new ByteWriter();
  for (let at = 0; at < length; at++) out.byte(at % 2);
  const bytes = sealed(out);
  const contents = unsealed(bytes);
  expect(contents).toHaveLength(length);
  const seal = bytes.subarray(-4);
  for (const zeros of [1, 2, 3, 4]) {
    const longer = Uint8Array.of(...contents, ...new Uint8Array(zeros), ...seal);
    expect(() => unsealed(longer)).toThrow('damaged');
  }
  expect(() => unsealed(Uint8Array.of(...contents.subarray(1), ...seal))).toThrow('damaged');
});

const welcomes: readonly (readonly [what: string, change: object, message: RegExp])[] = [
  ['another protocol', { protocol: 1 }, /the room speaks version 1 of the protocol/],
  ['a packet later than its state', { packetTick: 9 }, /packetTick must be/],
  ['no tick per packet', { ticksPerPacket: 0 }, /ticksPerPacket must be/],
  ['a command that is no text', { commands: [1] }, /commands must be a string/],
  ['a tag that is no JSON', { tags: [{ slot: 1, tag: 'z' }] }, /not valid JSON/],
  ['a tag of a body too many', { tags: [{ slot: 16, tag: '1' }] }, /for which there is no room/],
];

test.each(welcomes)('a welcome with %s is refused', async (_, change, message) => {
  const [bytes = new Uint8Array()] = (await recordRoom()).stream;
  const welcome = decodeRoomMessage(bytes, [], 0) as Extract<RoomMessage, { kind: 'welcome' }>;
  const { kind: _kind, ...rest } = welcome;
  expect(() => new RoomReader().read(encodeWelcome({ ...rest, ...change }))).toThrow(message);
});
