/** Reads the messages of a room in their order: each packet relies on the one before it, and the first one on a welcome. */
import { PRECISION } from './quantized-bodies.js';
import { CLIENT_LIMITS, MAX_MESSAGE_BYTES, ROOM_RATES } from './room-limits.js';
import {
  decodeRoomMessage,
  needsWelcome,
  ROOM_MODES,
  ROOM_PROTOCOL,
  type BodyTagEntry,
  type RoomMessage,
  type RoomWelcome,
} from './room-messages.js';
import { MAX_SEATS } from '../../shared/input/seats.js';
import { MAX_VALUES } from '../../shared/memory/layout.js';
import { requireRunDescription } from '../../shared/recording/recording.js';
import { ByteReadError } from '../../shared/util/bytes.js';
import { requireJson } from '../../shared/util/json.js';
import * as LIMITS from '../../shared/util/limits.js';
import {
  anything,
  choice,
  group,
  integer,
  number,
  checkOptions,
} from '../../shared/util/options.js';
import { requireList, requireText } from '../../shared/util/validate.js';

type Welcome = Extract<RoomMessage, { kind: 'welcome' }>;
type Packet = Extract<RoomMessage, { kind: 'packet' }>;
type Pong = Extract<RoomMessage, { kind: 'pong' }>;

const tick = integer(0, Number.MAX_SAFE_INTEGER);
const ms = number(0, Number.MAX_SAFE_INTEGER);

const WELCOME = {
  kind: anything<string>(),
  protocol: anything<number>(),
  mode: choice(ROOM_MODES),
  seat: integer(0, MAX_SEATS - 1),
  tick,
  packetTick: tick,
  ...ROOM_RATES,
  droppedMs: ms,
  valueCount: integer(0, MAX_VALUES),
  precision: group('a welcome', PRECISION),
  commands: (name: string, value: unknown) =>
    requireList(name, value).map((command) => requireText(name, command)),
  limits: group('a welcome', {
    ...CLIENT_LIMITS,
    maxMessageBytes: integer(0, MAX_MESSAGE_BYTES),
  }),
  run: (name: string, value: unknown) => requireRunDescription(value, `${name}.`),
  tags: anything<readonly BodyTagEntry[]>(),
  state: anything<Uint8Array>(),
};

export class RoomReader {
  #welcome: RoomWelcome | undefined;
  #packetTick = 0;

  /** The tick of the last packet. */
  get packetTick(): number {
    return this.#packetTick;
  }

  /** The room's commands. None before the first welcome. */
  get commands(): readonly string[] {
    return this.#welcome?.commands ?? [];
  }

  /**
   * Reads the next message.
   *
   * @returns Undefined for a message that needs a welcome, before there is one.
   * @throws ByteReadError, TypeError, RangeError, SyntaxError if it is damaged, has impossible values, or is not the next one.
   */
  read(bytes: Uint8Array): RoomMessage | undefined {
    if (this.#welcome === undefined && needsWelcome(bytes)) return undefined;
    const message = decodeRoomMessage(bytes, this.commands, this.#packetTick + 1);
    if (message.kind === 'welcome') this.#begin(message);
    else if (message.kind === 'pong') requirePong(message);
    else this.#follow(message, this.#welcome as RoomWelcome);
    return message;
  }

  #begin(welcome: Welcome): void {
    const { protocol, tags, run } = welcome;
    if (protocol !== ROOM_PROTOCOL) {
      throw new ByteReadError(
        `the room speaks version ${protocol} of the protocol, and this page version ${ROOM_PROTOCOL}: ` +
          'both need the same version of betwixt',
      );
    }
    checkOptions('a welcome', welcome, WELCOME);
    requireTags(tags, run);
    this.#packetTick = integer(0, welcome.tick)('packetTick', welcome.packetTick, []);
    this.#welcome = welcome;
  }

  /** A packet that was lost, or comes twice, is not repaired by the next one. */
  #follow(packet: Packet, { ticksPerPacket, valueCount, run }: RoomWelcome): void {
    const expected = this.#packetTick + ticksPerPacket;
    if (packet.tick !== expected) {
      throw new ByteReadError(`it is of tick ${packet.tick}, and that of tick ${expected} is next`);
    }
    if ((packet.actions?.at(-1)?.tick ?? 0) > expected) {
      throw new ByteReadError('it has actions of later ticks');
    }
    if (packet.values !== undefined && packet.values.length !== valueCount) {
      throw new ByteReadError(`it has ${packet.values.length} values instead of ${valueCount}`);
    }
    requireTags(packet.tags ?? [], run);
    ms('droppedMs', packet.droppedMs ?? 0, []);
    this.#packetTick = expected;
  }
}

function requireTags(tags: readonly BodyTagEntry[], { capacity }: RoomWelcome['run']): void {
  for (const { slot, tag } of tags) {
    const { length } = JSON.stringify(requireJson('a tag in it', JSON.parse(tag)));
    if (slot < capacity && length <= LIMITS.tagLength) continue;
    throw new ByteReadError(
      'it has a tag that is too long, or of a body for which there is no room',
    );
  }
}

function requirePong({ clientMs, roomMs }: Pong): void {
  if (Number.isFinite(clientMs) && Number.isFinite(roomMs)) return;
  throw new ByteReadError('it has a time that is no number');
}
