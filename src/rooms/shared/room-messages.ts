/**
 * The messages between a room and its clients. The kind of a message is its first byte, and its last word is a checksum; see
 * sealed.ts.
 *
 * From the room:
 *
 *     welcome   1, JSON (counted UTF-8), then for a client that draws: the tags of the bodies, the stream's baseline
 *               (counted); for a client that predicts: the saved state (counted)
 *     packet    2, fields (byte), tick (varint), then the fields that the byte says it has:
 *                 dropped    ms by which ticks are due later than at first, in all (float64)
 *                 tags       of new bodies: count, then slot (varint) and JSON (counted UTF-8) of each
 *                 events     count, then type (byte), words (varint) and the words of each; see event-record.ts
 *                 values     count, then 32-bit floats: the simulation's own
 *                 actions    of the ticks since the last packet; their ticks count from the first of these
 *                 hash       of the state after the tick: two words
 *                 bodies     the rest; see body-stream.ts
 *     pong      3, the client's clock (float64), the room's clock (float64)
 *
 * From a client:
 *
 *     actions   1, tick (varint), actions, whose ticks count from that one
 *     ping      2, the client's clock (float64)
 *     state     3, how it shows the run (byte): the client asks for a welcome, at first or because its own state is wrong
 *
 * Actions are inputs and commands of ticks, as entries of a recording. They travel from a client to its room, and from the
 * room to the clients that predict.
 */
import type { StreamPrecision } from './quantized-bodies.js';
import type { WelcomeLimits } from './room-limits.js';
import { sealed, unsealed } from './sealed.js';
import {
  type TickInput,
  NO_TICK_INPUTS,
  type TickCommand,
  type TickInputs,
} from '../../shared/input/tick-inputs.js';
import type { EventEntry } from '../../shared/events/event-record.js';
import { deviceOf } from '../../shared/input/seats.js';
import { wordsOfDigest, digestOf } from '../../shared/recording/state-hash.js';
import type { RunDescription, RecordingEntry } from '../../shared/recording/recording.js';
import { requireEntry } from '../../shared/recording/recording-checks.js';
import { EntryReader, EntryWriter, MIN_ENTRY } from '../../shared/recording/recording-entries.js';
import { ByteReader, ByteReadError, ByteWriter } from '../../shared/util/bytes.js';

const ROOM_KIND = { welcome: 1, packet: 2, pong: 3 } as const;
/** The fields of a packet, as bits. */
const FIELD = {
  dropped: 1,
  tags: 2,
  events: 4,
  values: 8,
  actions: 16,
  hash: 32,
  bodies: 64,
  cuts: 128,
} as const;

/** Colyseus' type of all these messages, next to the application's own types. */
export const ROOM_MESSAGE = 'betwixt';

/** Raised whenever a message between room and client changes its meaning. */
export const ROOM_PROTOCOL = 6;

/** In the order of the numbers that represent them. */
export const ROOM_MODES = ['stream', 'predict'] as const;
/**
 * How a client shows a room's run: `stream` draws the poses that the room sends, `predict` runs the same simulation ahead
 * of the room.
 */
export type RoomMode = (typeof ROOM_MODES)[number];

/** An input or a command. */
export type Action = Extract<RecordingEntry, { kind: 'input' | 'command' }>;

/** Adds the seat that an action is from, as the ticks of all participants get it. */
export function actionOfSeat(seat: number, action: Action): Action {
  if (action.kind === 'input') {
    return { ...action, input: { ...action.input, device: deviceOf(seat, action.input.device) } };
  }
  // The arguments are a JSON array: that was checked when they were read or made.
  const args = JSON.stringify([seat, ...(JSON.parse(action.args) as unknown[])]);
  return { ...action, args };
}

/** The actions of a tick as its inputs and commands. @param actions All of this tick, in order. */
export function tickInputsOf(actions: readonly Action[]): TickInputs {
  if (actions.length === 0) return NO_TICK_INPUTS;
  const inputs: TickInput[] = [];
  const commands: TickCommand[] = [];
  for (const action of actions) {
    if (action.kind === 'input') inputs.push(action.input);
    else commands.push({ ...action, call: 0 });
  }
  return { inputs, commands };
}

/** @param names The room's commands. Ticks must not decrease, and count from `firstTick`. */
export function writeActions(
  out: ByteWriter,
  actions: readonly Action[],
  names: readonly string[],
  firstTick: number,
): void {
  out.varint(actions.length);
  const writer = new EntryWriter(out, new Map(names.map((name, index) => [name, index])));
  for (const action of actions) writer.write({ ...action, tick: action.tick - firstTick });
}

/**
 * @param most More are refused, before any is read.
 * @throws ByteReadError, TypeError, RangeError if the bytes are not actions, or have impossible values.
 */
export function readActions(
  reader: ByteReader,
  names: readonly string[],
  firstTick: number,
  most: number,
): Action[] {
  const count = reader.count(MIN_ENTRY, 'actions');
  if (count > most)
    throw new ByteReadError(`it has ${count} actions, and at most ${most} are taken`);
  const entries = new EntryReader(reader, names);
  const actions: Action[] = [];
  let tick = 0;
  while (actions.length < count) {
    const entry = requireEntry(entries.read(), tick);
    if (entry.kind !== 'input' && entry.kind !== 'command') {
      throw new ByteReadError(`it has an entry "${entry.kind}", which is not an action`);
    }
    ({ tick } = entry);
    actions.push({ ...entry, tick: tick + firstTick });
  }
  return actions;
}

/** The run of a room, and a state to begin with: for a client that joins. */
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
  /** How much the room takes from this client. */
  readonly limits: WelcomeLimits;
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

/** Fields that are left out have not changed, or are empty. */
export interface RoomPacket {
  readonly tick: number;
  readonly droppedMs?: number | undefined;
  readonly tags?: readonly BodyTagEntry[] | undefined;
  readonly events?: readonly EventEntry[] | undefined;
  readonly values?: Float32Array | undefined;
  /** A bit of each value that jumps: see `StateValues`. */
  readonly cuts?: Int32Array | undefined;
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
  out.byte(ROOM_KIND.welcome);
  out.text(JSON.stringify(rest));
  writeTags(out, tags);
  out.countedBytes(state);
  return sealed(out);
}

/**
 * @param names The room's commands.
 * @param firstTick The first tick after the last packet.
 */
export function encodePacket(
  packet: RoomPacket,
  names: readonly string[],
  firstTick: number,
): Uint8Array<ArrayBuffer> {
  const { tick, droppedMs, tags, events, values, cuts, actions, hash, bodies } = packet;
  const out = new ByteWriter((bodies?.length ?? 0) + 64);
  out.byte(ROOM_KIND.packet);
  let fields = 0;
  for (const name of Object.keys(FIELD) as (keyof typeof FIELD)[]) {
    if (packet[name === 'dropped' ? 'droppedMs' : name] !== undefined) fields |= FIELD[name];
  }
  out.byte(fields);
  out.varint(tick);
  if (droppedMs !== undefined) out.float64(droppedMs);
  if (tags !== undefined) writeTags(out, tags);
  if (events !== undefined) writeEvents(out, events);
  if (values !== undefined) {
    out.varint(values.length);
    for (const value of values) out.float32(value);
  }
  if (cuts !== undefined) writeWords(out, cuts);
  if (actions !== undefined) writeActions(out, actions, names, firstTick);
  if (hash !== undefined) for (const word of wordsOfDigest(hash)) out.word(word);
  if (bodies !== undefined) out.bytes(bodies);
  return sealed(out);
}

/** Whether bytes, which a room has encoded, are a welcome. */
export const isWelcome = (bytes: Uint8Array): boolean => bytes[0] === ROOM_KIND.welcome;

/** Whether bytes are a message that only a client with a welcome can read: a packet has numbers of commands, for example. */
export const needsWelcome = (bytes: Uint8Array): boolean =>
  bytes[0] === ROOM_KIND.packet || bytes[0] === ROOM_KIND.pong;

export function encodePong({ clientMs, roomMs }: RoomPong): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(32);
  out.byte(ROOM_KIND.pong);
  out.float64(clientMs);
  out.float64(roomMs);
  return sealed(out);
}

/**
 * Reads a message by itself; {@link RoomReader} also checks whether it can follow those before it.
 *
 * @param names The room's commands, which the welcome has.
 * @param firstTick The first tick after the last packet.
 * @throws ByteReadError, TypeError, RangeError, SyntaxError if the bytes are not a message.
 */
export function decodeRoomMessage(
  bytes: Uint8Array,
  names: readonly string[],
  firstTick: number,
): RoomMessage {
  const reader = new ByteReader(unsealed(bytes));
  const message = readRoomMessage(reader, names, firstTick);
  requireEnd(reader);
  return message;
}

function readRoomMessage(
  reader: ByteReader,
  names: readonly string[],
  firstTick: number,
): RoomMessage {
  const kind = reader.byte();
  switch (kind) {
    case ROOM_KIND.welcome: {
      const rest = JSON.parse(reader.text()) as Omit<RoomWelcome, 'tags' | 'state'>;
      return { kind: 'welcome', ...rest, tags: readTags(reader), state: reader.countedBytes() };
    }
    case ROOM_KIND.packet:
      return { kind: 'packet', ...readPacket(reader, names, firstTick) };
    case ROOM_KIND.pong:
      return { kind: 'pong', clientMs: reader.float64(), roomMs: reader.float64() };
    default:
      throw new ByteReadError(`there are no messages of kind ${kind}`);
  }
}

function requireEnd({ left }: ByteReader): void {
  if (left > 0) throw new ByteReadError(`it has ${left} bytes after its end`);
}

function readPacket(reader: ByteReader, names: readonly string[], firstTick: number): RoomPacket {
  const fields = reader.byte();
  const has = (field: number): boolean => (fields & field) !== 0;
  return {
    tick: reader.varint(),
    droppedMs: has(FIELD.dropped) ? reader.float64() : undefined,
    tags: has(FIELD.tags) ? readTags(reader) : undefined,
    events: has(FIELD.events) ? readEvents(reader) : undefined,
    values: has(FIELD.values) ? readValues(reader) : undefined,
    cuts: has(FIELD.cuts) ? readWords(reader) : undefined,
    actions: has(FIELD.actions) ? readActions(reader, names, firstTick, MAX_ACTIONS) : undefined,
    hash: has(FIELD.hash) ? digestOf(reader.word(), reader.word()) : undefined,
    bodies: has(FIELD.bodies) ? reader.rest() : undefined,
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
    writeWords(out, words);
  }
}

function writeWords(out: ByteWriter, words: Int32Array): void {
  out.varint(words.length);
  for (const word of words) out.word(word);
}

function readEvents(reader: ByteReader): EventEntry[] {
  const events: EventEntry[] = [];
  const count = reader.count(2, 'events');
  while (events.length < count) {
    const type = reader.byte();
    events.push({ type, words: readWords(reader) });
  }
  return events;
}

function readWords(reader: ByteReader): Int32Array<ArrayBuffer> {
  const words = new Int32Array(reader.count(4, 'words'));
  for (let index = 0; index < words.length; index++) words[index] = reader.word();
  return words;
}

function readValues(reader: ByteReader): Float32Array {
  const values = new Float32Array(reader.count(4, 'values'));
  for (let index = 0; index < values.length; index++) values[index] = reader.float32();
  return values;
}

const CLIENT_KIND = { actions: 1, ping: 2, state: 3 } as const;

export type ClientMessage =
  | { readonly kind: 'actions'; readonly actions: readonly Action[] }
  | { readonly kind: 'ping'; readonly clientMs: number }
  | { readonly kind: 'state'; readonly mode: RoomMode };

/** @param names The room's commands. */
export function encodeClientMessage(
  message: ClientMessage,
  names: readonly string[],
): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(64);
  out.byte(CLIENT_KIND[message.kind]);
  if (message.kind === 'actions') {
    const firstTick = message.actions[0]?.tick ?? 0;
    out.varint(firstTick);
    writeActions(out, message.actions, names, firstTick);
  } else if (message.kind === 'ping') out.float64(message.clientMs);
  else out.byte(ROOM_MODES.indexOf(message.mode));
  return sealed(out);
}

/**
 * Encodes actions in as many messages as they need.
 *
 * @param maxBytes Of a message. An action that is longer has one by itself.
 */
export function encodeActions(
  actions: readonly Action[],
  names: readonly string[],
  maxBytes: number,
): Uint8Array<ArrayBuffer>[] {
  const bytes = encodeClientMessage({ kind: 'actions', actions }, names);
  if (bytes.length <= maxBytes || actions.length < 2) return [bytes];
  const half = actions.length >> 1;
  return [actions.slice(0, half), actions.slice(half)].flatMap((part) =>
    encodeActions(part, names, maxBytes),
  );
}

/**
 * @param names The room's commands.
 * @param maxActions More in one message are refused.
 * @throws ByteReadError, TypeError, RangeError if the bytes are not a message.
 */
export function decodeClientMessage(
  bytes: Uint8Array,
  names: readonly string[],
  maxActions: number,
): ClientMessage {
  const reader = new ByteReader(unsealed(bytes));
  const message = readClientMessage(reader, names, maxActions);
  requireEnd(reader);
  return message;
}

function readClientMessage(
  reader: ByteReader,
  names: readonly string[],
  maxActions: number,
): ClientMessage {
  const kind = reader.byte();
  switch (kind) {
    case CLIENT_KIND.actions: {
      const tick = reader.varint();
      return { kind: 'actions', actions: readActions(reader, names, tick, maxActions) };
    }
    case CLIENT_KIND.ping:
      return { kind: 'ping', clientMs: reader.float64() };
    case CLIENT_KIND.state: {
      const mode = ROOM_MODES[reader.byte()];
      if (mode === undefined) throw new ByteReadError('it asks for an unknown mode');
      return { kind: 'state', mode };
    }
    default:
      throw new ByteReadError(`there are no messages of kind ${kind}`);
  }
}
