/** How a page and the simulation that predicts its room reach each other. */
import type { PredictionCounters } from './predicted-run.js';

/** The events by which it reaches the page; see `connectRoom`. */
export const PREDICTION_EVENTS = {
  /** Bytes for the room, as {@link byteTextOf}. */
  send: 'room:send',
  /** {@link ConfirmedLanes} of the last confirmed tick, once per packet. */
  confirmed: 'room:confirmed',
  /** {@link PredictionState} after a tick: the first after each packet, and each whose number is not the next one. */
  state: 'room:state',
} as const;

/** Most bytes in one event: as text, they fit into the queue of events, which has 256 KiB. */
export const MAX_EVENT_BYTES = 2 ** 17;

/** Bytes as text, in base64: events contain JSON. */
export function byteTextOf(bytes: Uint8Array): string {
  let text = '';
  // Not as arguments of one call, of which an engine takes about a hundred thousand.
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The bytes of such a text. */
export const bytesOfText = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (char) => char.codePointAt(0) ?? 0);

/** The command by which the page passes on what the room sends, in parts; see `CollectedMessage`. */
export const MESSAGE_COMMAND = 'roomMessage';
/** The command by which the page skips ticks; see `Correction`. */
export const SKIP_COMMAND = 'roomSkip';

/** The command by which the page asks for the event `confirmed`. */
export const CONFIRMED_COMMAND = 'roomConfirmed';

/** Where some of the bodies are: of more than fit into an event, the next ones follow with the next packet. */
export interface ConfirmedLanes {
  /** Slot of the first one. */
  readonly from: number;
  /** Slots of all bodies. */
  readonly slots: number;
  /** Their lanes, as {@link byteTextOf}. */
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
