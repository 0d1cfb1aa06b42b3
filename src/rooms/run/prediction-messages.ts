/**
 * How a page and the worker that predicts its room reach each other: by commands and events of the worker's simulation.
 *
 * The page passes the room's messages on. The state of a room with many bodies is larger than the queue of inputs, so
 * messages go in chunks, over a few ticks, and what comes later waits. A command is taken when its stamp is due, and the page's
 * clock may be set back: so the chunks are numbered, and one that comes early waits for those before it.
 */
import type { PredictionCounters } from './predicted-run.js';
import { QueueFullError } from '../../shared/util/errors.js';

/** The events of the simulation. */
export const PREDICTION_EVENTS = {
  /** Bytes for the room, in base64: events contain JSON. */
  send: 'room:send',
  /** {@link ConfirmedLanes} of the last confirmed tick, once per packet. */
  confirmed: 'room:confirmed',
  /** {@link PredictionState} after a tick: the first after each packet, and each whose number is not the next one. */
  state: 'room:state',
} as const;

/** The command by which the page passes on what the room sends, in chunks; see {@link MessageReceiver}. */
export const MESSAGE_COMMAND = 'roomMessage';
/** The command by which the page skips ticks; see `Correction`. */
export const SKIP_COMMAND = 'roomSkip';
/** The command by which the page asks for the event `confirmed`. */
export const CONFIRMED_COMMAND = 'roomConfirmed';

/** Where some of the bodies are. An event has no room for more: the next ones follow with the next packet. */
export interface ConfirmedLanes {
  /** Slot of the first one. */
  readonly from: number;
  /** Slots of all bodies. */
  readonly slots: number;
  /** Lanes of the bodies, in base64. */
  readonly lanes: string;
}

/** How a prediction is doing. */
export interface PredictionState extends PredictionCounters {
  /** Number of the last tick that it has run. */
  readonly tick: number;
  /** Number of the last tick that has run with the actions that the room has said. */
  readonly confirmedTick: number;
  /** Bodies whose picture still hides a correction. */
  readonly correctedBodies: number;
  /** Ticks that it did not run, because it was too far ahead of the room. */
  readonly heldTicks: number;
}

/** Bytes of a chunk, and of the chunks under way: half of the queue, whose other half is for inputs and commands. */
const CHUNK_BYTES = 2 ** 16;
const MAX_UNDER_WAY = 2 ** 17;

interface MessageChunk {
  /** Counts the chunks of all messages. */
  readonly number: number;
  /** Whether its message ends with it. */
  readonly isLast: boolean;
  readonly bytes: Uint8Array;
}

type PassChunk = (number: number, isLast: boolean, bytes: Uint8Array) => Promise<unknown>;

/** Sends messages to the worker. */
export class MessageSender {
  readonly #call: PassChunk;
  readonly #onRefused: (error: unknown) => void;
  #waiting: MessageChunk[] = [];
  #count = 0;
  #underWay = 0;

  /**
   * @param call Passes a chunk; resolves when the worker has it.
   * @param onRefused Called when the worker cannot take a message: it cannot be read, or the simulation has ended.
   */
  constructor(call: PassChunk, onRefused: (error: unknown) => void) {
    this.#call = call;
    this.#onRefused = onRefused;
  }

  send(message: Uint8Array): void {
    const { length } = message;
    for (let at = 0; at < length; at += CHUNK_BYTES) {
      const bytes = message.subarray(at, at + CHUNK_BYTES);
      this.#waiting.push({ number: this.#count, isLast: at + CHUNK_BYTES >= length, bytes });
      this.#count += 1;
    }
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const { number, isLast, bytes } = next;
      if (this.#underWay > 0 && this.#underWay + bytes.length > MAX_UNDER_WAY) return;
      this.#waiting.shift();
      this.#underWay += bytes.length;
      this.#call(number, isLast, bytes).then(
        () => {
          this.#underWay -= bytes.length;
          this.#sendWaiting();
        },
        (error: unknown) => {
          this.#underWay -= bytes.length;
          // The message is sent again with the next one.
          if (error instanceof QueueFullError) this.#waiting = [next, ...this.#waiting];
          else this.#onRefused(error);
        },
      );
    }
  }
}

/** Joins the chunks of messages. */
export class MessageReceiver {
  /** Chunks by their numbers: those before them have not come yet. */
  readonly #early = new Map<number, MessageChunk>();
  #next = 0;
  #parts: Uint8Array[] = [];

  /** @returns The messages that are complete now, in order. */
  add(number: number, isLast: boolean, bytes: Uint8Array): Uint8Array[] {
    this.#early.set(number, { number, isLast, bytes });
    const messages: Uint8Array[] = [];
    for (;;) {
      const next = this.#early.get(this.#next);
      if (next === undefined) return messages;
      this.#early.delete(this.#next);
      this.#next += 1;
      this.#parts.push(next.bytes);
      if (!next.isLast) continue;
      messages.push(joined(this.#parts));
      this.#parts = [];
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
