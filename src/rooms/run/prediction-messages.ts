/**
 * How a page and the worker that predicts its room reach each other: by commands and events of the worker's simulation.
 *
 * The page passes the room's messages on. The state of a room with many bodies is larger than the queue of inputs, so
 * messages go in chunks, over a few ticks, and what comes later waits.
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

/** Most bytes in one event: as text, they fit into the queue of events, which has 256 KiB. */
export const MAX_EVENT_BYTES = 2 ** 17;

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
  /** Their lanes, in base64. */
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
  readonly size: number;
  readonly at: number;
  readonly bytes: Uint8Array;
}

type PassChunk = (size: number, at: number, bytes: Uint8Array) => Promise<unknown>;

/** Sends messages to the worker, in order. */
export class MessageSender {
  readonly #call: PassChunk;
  readonly #onLost: () => void;
  #waiting: MessageChunk[] = [];
  #underWay = 0;

  /**
   * @param call Passes a chunk; resolves when the worker has it.
   * @param onLost Called when the queue had no room for a chunk: later messages are of no use before the next state.
   */
  constructor(call: PassChunk, onLost: () => void) {
    this.#call = call;
    this.#onLost = onLost;
  }

  send(message: Uint8Array): void {
    const size = message.length;
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      this.#waiting.push({ size, at, bytes: message.subarray(at, at + CHUNK_BYTES) });
    }
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const { size, at, bytes } = next;
      if (this.#underWay > 0 && this.#underWay + bytes.length > MAX_UNDER_WAY) return;
      this.#waiting.shift();
      this.#underWay += bytes.length;
      const end = (): void => {
        this.#underWay -= bytes.length;
        this.#sendWaiting();
      };
      this.#call(size, at, bytes).then(end, (error: unknown) => {
        // Otherwise the simulation has ended, or cannot read the message.
        if (error instanceof QueueFullError) this.#onLost();
        end();
      });
    }
  }
}

/** Joins the chunks of a message. */
export class MessageReceiver {
  #bytes = new Uint8Array(0);
  #filled = 0;

  /**
   * @param size Bytes of the whole message.
   * @param at Where the chunk begins: the first one at 0.
   * @returns The message, if this is its last chunk. A message that lacks a chunk is dropped.
   */
  add(size: number, at: number, chunk: Uint8Array): Uint8Array | undefined {
    if (at === 0) {
      this.#filled = 0;
      if (chunk.length === size) return chunk;
      this.#bytes = new Uint8Array(size);
    }
    if (at !== this.#filled || size !== this.#bytes.length) return undefined;
    this.#bytes.set(chunk, at);
    this.#filled += chunk.length;
    if (this.#filled < size) return undefined;
    const bytes = this.#bytes;
    this.#bytes = new Uint8Array(0);
    this.#filled = 0;
    return bytes;
  }
}
