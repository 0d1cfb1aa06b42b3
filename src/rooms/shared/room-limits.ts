/** Limits of what a room takes from a client. The welcome has them, so that the client refuses what the room would refuse. */
import { RUN_DEFAULTS } from '../../shared/recording/recording.js';
import * as LIMITS from '../../shared/util/limits.js';
import { integer, number } from '../../shared/util/options.js';

/** How much a room takes from one client. */
export interface ClientLimits {
  /** How many ticks ahead of the room actions may be, 1 to 600. Default 60. */
  readonly maxLeadTicks: number;
  /** Most inputs and commands of one tick, 1 to 10,000. Default 64. */
  readonly maxActionsPerTick: number;
  /** Most bytes per second, on average over a second, 256 to 2^30. Default 65,536. A message may have half as many. */
  readonly maxBytesPerSecond: number;
}

/** The limits of a client and of its connection. */
export interface WelcomeLimits extends ClientLimits {
  /** Bytes of its longest message. */
  readonly maxMessageBytes: number;
}

export const CLIENT_LIMITS = {
  maxLeadTicks: integer(1, 600, 60),
  maxActionsPerTick: integer(1, 10_000, 64),
  maxBytesPerSecond: integer(256, 1 << 30, 1 << 16),
};

export const ROOM_RATES = {
  tickRateHz: number(...LIMITS.tickRateHz, RUN_DEFAULTS.tickRateHz),
  ticksPerPacket: integer(1, 60, 2),
  hashEveryTicks: integer(1, 3600, 60),
};

/** Most bytes of a message of any client: a prediction sends it as text by the queue of events, which has 256 KiB. */
export const MAX_MESSAGE_BYTES = 2 ** 17;

/** Bytes that Colyseus adds to a message in a payload: its code and the type. */
const ADDED_BYTES = 16;
/** Default of the option `maxPayload` of Colyseus' transport. */
const USUAL_MAX_PAYLOAD = 4096;

/**
 * Bytes of the longest message that a client may send.
 *
 * @param maxPayload Bytes of the longest payload of its connection: one that is longer ends it. 0: it has no limit.
 */
export function longestMessage(
  { maxBytesPerSecond }: Pick<ClientLimits, 'maxBytesPerSecond'>,
  maxPayload = USUAL_MAX_PAYLOAD,
): number {
  const taken = maxPayload === 0 ? MAX_MESSAGE_BYTES : Math.max(0, maxPayload - ADDED_BYTES);
  return Math.min(taken, MAX_MESSAGE_BYTES, maxBytesPerSecond >> 1);
}

/**
 * Bytes that a client may still send. They fill within a second.
 *
 * Source: the token bucket of network traffic control.
 */
export class ByteAllowance {
  readonly #bytesPerSecond: number;
  readonly #most: number;
  #left: number;
  #countedMs = 0;

  /** @param most Bytes of a moment. */
  constructor(bytesPerSecond: number, most = bytesPerSecond) {
    this.#bytesPerSecond = bytesPerSecond;
    this.#most = most;
    this.#left = most;
  }

  /** @returns False if fewer are left. */
  take(bytes: number, nowMs: number): boolean {
    const filled = ((nowMs - this.#countedMs) / 1000) * this.#bytesPerSecond;
    this.#left = Math.min(this.#most, this.#left + filled);
    this.#countedMs = nowMs;
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}

/** Refuses commands of a page that its room would not take. */
export class CommandLimits {
  readonly #limits: WelcomeLimits;
  readonly #allowance: ByteAllowance;

  constructor(limits: WelcomeLimits) {
    this.#limits = limits;
    const { maxBytesPerSecond } = limits;
    // Half of what the room takes in a moment: a network may deliver together what was sent apart.
    this.#allowance = new ByteAllowance(maxBytesPerSecond, maxBytesPerSecond >> 1);
  }

  /**
   * @param name Of the command.
   * @param bytes Of its message.
   * @param actions Inputs and commands that its tick has already.
   * @param nowMs Any clock.
   * @throws RangeError if it is too much.
   */
  require(name: string, bytes: number, actions: number, nowMs: number): void {
    const { maxMessageBytes, maxActionsPerTick, maxBytesPerSecond } = this.#limits;
    const refused = `the command "${name}" was refused:`;
    if (bytes > maxMessageBytes) {
      throw new RangeError(
        `${refused} it takes ${bytes} bytes, and a message to this room has at most ${maxMessageBytes}. ` +
          "Send less, or raise the server's maxPayload and limits.maxBytesPerSecond",
      );
    }
    if (actions >= maxActionsPerTick) {
      throw new RangeError(
        `${refused} a tick of this room takes at most ${maxActionsPerTick} inputs and commands of a client`,
      );
    }
    if (this.#allowance.take(bytes, nowMs)) return;
    throw new RangeError(
      `${refused} this room takes at most ${maxBytesPerSecond} bytes per second from a client`,
    );
  }
}
