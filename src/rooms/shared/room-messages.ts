/**
 * What a room sends to its clients. The kind is the first byte.
 *
 *     welcome   1, JSON (counted UTF-8), then for a client that draws: the tags of the bodies, the stream's baseline
 *               (counted); for one that simulates: the saved state (counted)
 *     packet    2, parts (byte), tick (varint), and of these those that `parts` has:
 *                 dropped    ms by which ticks are due later than at first, in all (float64)
 *                 tags       of new bodies: count, then slot (varint) and JSON (counted UTF-8) of each
 *                 events     count, then type (byte), words (varint) and the words of each; see event-record.ts
 *                 values     count, then 32-bit floats: the simulation's own
 *                 actions     of the ticks since the last packet (action-entries.ts); their ticks count from the first of
 *                            these
 *                 hash       of the state after the tick: two words
 *                 bodies     the rest; see body-stream-writer.ts
 *     pong      3, the client's clock (float64), the room's clock (float64)
 */
import { ByteReader, ByteReadError, ByteWriter } from '../../shared/util/bytes.js';
import { wordsOfDigest, digestOf } from '../../shared/recording/state-hash.js';
import type { RunDescription } from '../../shared/recording/recording.js';
import { readActions, writeActions, type Action } from './action-entries.js';
import type { StreamPrecision } from './stream-precision.js';

const KIND = { welcome: 1, packet: 2, pong: 3 } as const;
const PART = {
  dropped: 1,
  tags: 2,
  events: 4,
  values: 8,
  actions: 16,
  hash: 32,
  bodies: 64,
} as const;

/** Type of all messages between a room and its clients, among those of an application. */
export const ROOM_MESSAGE = 'betwixt';

/** Raised whenever a message between room and client changes its meaning. */
export const ROOM_PROTOCOL = 2;

/** In the order of the numbers that represent them. */
export const ROOM_MODES = ['stream', 'predict'] as const;
/**
 * How a client shows a room's run: `stream` draws the poses that the room sends, `predict` runs the same simulation ahead
 * of the room.
 */
export type RoomMode = (typeof ROOM_MODES)[number];

/** What a client has to know of its room. */
export interface RoomWelcome {
  readonly protocol: number;
  readonly mode: RoomMode;
  readonly seat: number;
  /** The tick that the state is of. */
  readonly tick: number;
  /** The tick of the last packet before. */
  readonly packetTick: number;
  readonly tickRateHz: number;
  readonly ticksPerPacket: number;
  /** Ticks from one hash to the next. */
  readonly hashEveryTicks: number;
  /** Ms by which ticks are due later than tick · 1000 / tickRateHz on the room's clock. */
  readonly droppedMs: number;
  readonly valueCount: number;
  readonly precision: StreamPrecision;
  readonly commands: readonly string[];
  readonly run: RunDescription;
  /** Tags of the bodies, by slot; for a client that draws. */
  readonly tags: readonly BodyTagEntry[];
  /** The baseline of the stream, or the saved state. */
  readonly state: Uint8Array;
}

export interface BodyTagEntry {
  readonly slot: number;
  /** JSON. */
  readonly tag: string;
}

/** A record of an event, as in the queue of events. */
export interface EventEntry {
  readonly type: number;
  readonly words: Int32Array;
}

/** Parts that are left out have not changed, or are empty. */
export interface RoomPacket {
  readonly tick: number;
  readonly droppedMs?: number | undefined;
  readonly tags?: readonly BodyTagEntry[] | undefined;
  readonly events?: readonly EventEntry[] | undefined;
  readonly values?: Float32Array | undefined;
  readonly actions?: readonly Action[] | undefined;
  readonly hash?: string | undefined;
  readonly bodies?: Uint8Array | undefined;
}

export interface RoomPong {
  readonly clientMs: number;
  readonly roomMs: number;
}

export type RoomMessage =
  | ({ readonly kind: 'welcome' } & RoomWelcome)
  | ({ readonly kind: 'packet' } & RoomPacket)
  | ({ readonly kind: 'pong' } & RoomPong);

/** Most actions that a client takes from its room in one packet. */
const MAX_ACTIONS = 1 << 20;

export function encodeWelcome({ tags, state, ...rest }: RoomWelcome): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(state.length + 1024);
  out.byte(KIND.welcome);
  out.text(JSON.stringify(rest));
  writeTags(out, tags);
  out.countedBytes(state);
  return out.toBytes();
}

/**
 * @param names The room's commands.
 * @param firstTick The tick after that of the last packet.
 */
export function encodePacket(
  packet: RoomPacket,
  names: readonly string[],
  firstTick: number,
): Uint8Array<ArrayBuffer> {
  const { tick, droppedMs, tags, events, values, actions, hash, bodies } = packet;
  const out = new ByteWriter((bodies?.length ?? 0) + 64);
  out.byte(KIND.packet);
  let parts = 0;
  for (const name of Object.keys(PART) as (keyof typeof PART)[]) {
    if (packet[name === 'dropped' ? 'droppedMs' : name] !== undefined) parts |= PART[name];
  }
  out.byte(parts);
  out.varint(tick);
  if (droppedMs !== undefined) out.float64(droppedMs);
  if (tags !== undefined) writeTags(out, tags);
  if (events !== undefined) writeEvents(out, events);
  if (values !== undefined) {
    out.varint(values.length);
    for (const value of values) out.float32(value);
  }
  if (actions !== undefined) writeActions(out, actions, names, firstTick);
  if (hash !== undefined) for (const word of wordsOfDigest(hash)) out.word(word);
  if (bodies !== undefined) out.bytes(bodies);
  return out.toBytes();
}

/** Whether bytes, which a room has encoded, are a welcome. */
export const isWelcome = (bytes: Uint8Array): boolean => bytes[0] === KIND.welcome;

/** Whether bytes are a message that only a client with a welcome can read: a packet has numbers of commands, for example. */
export const needsWelcome = (bytes: Uint8Array): boolean =>
  bytes[0] === KIND.packet || bytes[0] === KIND.pong;

export function encodePong({ clientMs, roomMs }: RoomPong): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(32);
  out.byte(KIND.pong);
  out.float64(clientMs);
  out.float64(roomMs);
  return out.toBytes();
}

/**
 * @param names The room's commands, which the welcome has.
 * @param firstTick The tick after that of the last packet.
 * @throws ByteReadError, TypeError, RangeError, SyntaxError if the bytes are no message.
 */
export function decodeRoomMessage(
  bytes: Uint8Array,
  names: readonly string[],
  firstTick: number,
): RoomMessage {
  const reader = new ByteReader(bytes);
  const kind = reader.byte();
  switch (kind) {
    case KIND.welcome: {
      const rest = JSON.parse(reader.text()) as Omit<RoomWelcome, 'tags' | 'state'>;
      if (rest.protocol !== ROOM_PROTOCOL) {
        throw new ByteReadError(
          `the room speaks version ${rest.protocol} of the protocol, and this page version ${ROOM_PROTOCOL}: ` +
            'both need the same version of betwixt',
        );
      }
      return { kind: 'welcome', ...rest, tags: readTags(reader), state: reader.countedBytes() };
    }
    case KIND.packet:
      return { kind: 'packet', ...readPacket(reader, bytes, names, firstTick) };
    case KIND.pong:
      return { kind: 'pong', clientMs: reader.float64(), roomMs: reader.float64() };
    default:
      throw new ByteReadError(`there are no messages of kind ${kind}`);
  }
}

function readPacket(
  reader: ByteReader,
  bytes: Uint8Array,
  names: readonly string[],
  firstTick: number,
): RoomPacket {
  const parts = reader.byte();
  const has = (part: number): boolean => (parts & part) !== 0;
  return {
    tick: reader.varint(),
    droppedMs: has(PART.dropped) ? reader.float64() : undefined,
    tags: has(PART.tags) ? readTags(reader) : undefined,
    events: has(PART.events) ? readEvents(reader) : undefined,
    values: has(PART.values) ? readValues(reader) : undefined,
    actions: has(PART.actions) ? readActions(reader, names, firstTick, MAX_ACTIONS) : undefined,
    hash: has(PART.hash) ? digestOf(reader.word(), reader.word()) : undefined,
    bodies: has(PART.bodies) ? bytes.subarray(bytes.length - reader.left) : undefined,
  };
}

function writeTags(out: ByteWriter, tags: readonly BodyTagEntry[]): void {
  out.varint(tags.length);
  for (const { slot, tag } of tags) {
    out.varint(slot);
    out.text(tag);
  }
}

function readTags(reader: ByteReader): BodyTagEntry[] {
  const tags: BodyTagEntry[] = [];
  const count = reader.count(2, 'tags');
  while (tags.length < count) tags.push({ slot: reader.varint(), tag: reader.text() });
  return tags;
}

function writeEvents(out: ByteWriter, events: readonly EventEntry[]): void {
  out.varint(events.length);
  for (const { type, words } of events) {
    out.byte(type);
    out.varint(words.length);
    for (const word of words) out.word(word);
  }
}

function readEvents(reader: ByteReader): EventEntry[] {
  const events: EventEntry[] = [];
  const count = reader.count(2, 'events');
  while (events.length < count) {
    const type = reader.byte();
    const words = new Int32Array(reader.count(4, 'words'));
    for (let index = 0; index < words.length; index++) words[index] = reader.word();
    events.push({ type, words });
  }
  return events;
}

function readValues(reader: ByteReader): Float32Array {
  const values = new Float32Array(reader.count(4, 'values'));
  for (let index = 0; index < values.length; index++) values[index] = reader.float32();
  return values;
}
