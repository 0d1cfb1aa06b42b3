/** The messages between a page and its room, and what they say about time. */
import {
  encodeClientMessage,
  type Action,
  decodeRoomMessage,
  needsWelcome,
  ROOM_MESSAGE,
  type RoomMessage,
  type RoomMode,
  type RoomWelcome,
} from '../shared/room-messages.js';
import { PULSE_MS, ClientTiming } from '../shared/client-timing.js';
import { withResolvers } from '../../render-main/util/promises.js';

/** How long a state may take to come before the page asks again, in ms: rooms do not repeat one within a second. Doubled each time. */
const ASK_AGAIN_MS = 1500;
/** A long state over a slow connection takes its time. */
const MAX_ASK_AGAIN_MS = 12_000;

/** How a room begins for its page. */
export interface RoomBeginning {
  readonly welcome: RoomWelcome;
  /** The welcome as it came. */
  readonly bytes: Uint8Array;
  readonly timing: ClientTiming;
}

/** Called by a channel. */
export interface RoomChannelHandlers {
  /** A message after the first welcome, and its bytes. Not called for answers to pings. */
  readonly onMessage: (message: RoomMessage, bytes: Uint8Array) => void;
  /** Called when the client's time should be corrected: four times a second, and more often for a while after a stall. */
  readonly onCorrection: () => void;
  /** Called when the channel has ended, other than by {@link RoomChannel.close}; at once if that was before. */
  readonly onEnd?: () => void;
}

/** The room was left, or its messages cannot be read. */
export class RoomConnectionError extends Error {
  override readonly name = 'RoomConnectionError';
}

export class RoomChannel {
  readonly #room: ClientRoom;
  readonly #mode: RoomMode;
  readonly #now: () => number;
  readonly #removeHandler: () => void;
  readonly #beginning = withResolvers<RoomBeginning>();
  #handlers: RoomChannelHandlers | undefined;
  #names: readonly string[] = [];
  #packetTick = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Undefined: no state is awaited. */
  #askTimer: ReturnType<typeof setTimeout> | undefined;
  #stateRequests = 0;
  #isClosed = false;
  #error: Error | undefined;
  /** Undefined before the welcome. */
  #timing: ClientTiming | undefined;
  /** Messages after the first welcome and before {@link open}: each packet relies on the one before. */
  #waiting: { readonly message: RoomMessage; readonly bytes: Uint8Array }[] = [];

  /** @param now The page's clock, in ms. */
  constructor(room: ClientRoom, mode: RoomMode, now: () => number) {
    this.#room = room;
    this.#mode = mode;
    this.#now = now;
    this.#removeHandler = room.onMessage(ROOM_MESSAGE, (bytes) => this.#receive(bytes));
    room.onLeave((code) =>
      this.end(new RoomConnectionError(`the room was left, with code ${code}`)),
    );
  }

  /** The tick of the last packet. */
  get packetTick(): number {
    return this.#packetTick;
  }

  /** Why it ended, other than by {@link close}. Undefined while it lasts. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Asks for the state of the room. Rejects if the channel ends first. */
  begin(): Promise<RoomBeginning> {
    this.askForState();
    return this.#beginning.promise;
  }

  /** How often it has asked for the state of the room. */
  get stateRequests(): number {
    return this.#stateRequests;
  }

  /**
   * Asks for the state until it comes: a room may refuse, for example because it has just sent a state that was lost on the
   * way to the worker. Without effect while a state is awaited.
   */
  askForState(): void {
    if (this.#askTimer === undefined) this.#ask(ASK_AGAIN_MS);
  }

  #ask(pauseMs: number): void {
    if (this.#isClosed) return;
    if (this.#isOpen) {
      this.#stateRequests += 1;
      this.sendBytes(encodeClientMessage({ kind: 'state', mode: this.#mode }, this.#names));
    }
    const nextPauseMs = this.#isOpen ? Math.min(2 * pauseMs, MAX_ASK_AGAIN_MS) : pauseMs;
    this.#askTimer = setTimeout(() => this.#ask(nextPauseMs), pauseMs);
  }

  #endAsking(): void {
    clearTimeout(this.#askTimer);
    this.#askTimer = undefined;
  }

  /** Colyseus' client would keep what is sent for the next connection, in memory that contains another message by then. */
  get #isOpen(): boolean {
    return this.#room.connection?.isOpen !== false;
  }

  /** Reports all messages after the welcome. */
  open(handlers: RoomChannelHandlers): void {
    this.#handlers = handlers;
    for (const { message, bytes } of this.#waiting) handlers.onMessage(message, bytes);
    this.#waiting = [];
    if (this.#error !== undefined) handlers.onEnd?.();
    if (this.#isClosed) return;
    this.#timing?.begin(this.#now());
  }

  sendActions(actions: readonly Action[]): void {
    this.sendBytes(encodeClientMessage({ kind: 'actions', actions }, this.#names));
  }

  /** Sends a message of a client. */
  sendBytes(bytes: Uint8Array): void {
    if (!this.#isClosed && this.#isOpen) this.#room.sendBytes(ROOM_MESSAGE, bytes);
  }

  /** Closes it, for a reason. Without effect if it is closed. */
  end(error: Error): void {
    if (this.#isClosed) return;
    this.close();
    this.#error = error;
    this.#beginning.reject(error);
    this.#handlers?.onEnd?.();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#endAsking();
    this.#removeHandler();
  }

  #pulse(): void {
    if (this.#timing?.beat(this.#now()) !== true) return;
    this.sendBytes(encodeClientMessage({ kind: 'ping', clientMs: this.#now() }, this.#names));
    this.#handlers?.onCorrection();
  }

  #receive(given: Uint8Array): void {
    const nowMs = this.#now();
    // The client of Colyseus reads many messages from one piece of memory.
    const bytes = new Uint8Array(given);
    // Nothing else can be read before the welcome, which has the names that a packet refers to.
    if (this.#timing === undefined && needsWelcome(bytes)) return;
    let message: RoomMessage;
    try {
      message = decodeRoomMessage(bytes, this.#names, this.#packetTick + 1);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.end(new RoomConnectionError(`a message of the room cannot be read: ${why}`));
      return;
    }
    if (message.kind === 'pong') {
      this.#timing?.notePong(message.clientMs, message.roomMs, nowMs);
      return;
    }
    const timing = this.#timing;
    if (message.kind === 'welcome') {
      this.#endAsking();
      this.#names = message.commands;
      this.#packetTick = message.packetTick;
      if (timing === undefined) {
        this.#timing = new ClientTiming(message, nowMs);
        this.#timer = setInterval(() => this.#pulse(), PULSE_MS);
        this.#beginning.resolve({ welcome: message, bytes, timing: this.#timing });
        return;
      }
    }
    if (timing === undefined) return;
    if (message.kind === 'welcome') timing.begin(nowMs);
    timing.droppedMs = message.droppedMs ?? timing.droppedMs;
    if (message.kind === 'packet') {
      this.#packetTick = message.tick;
      timing.notePacket(message.tick, nowMs);
    }
    if (this.#handlers === undefined) this.#waiting.push({ message, bytes });
    else this.#handlers.onMessage(message, bytes);
  }
}

/** The part of a room of Colyseus' client that a page needs: what `client.joinOrCreate` resolves with. */
export interface ClientRoom {
  /** The connection. While it is lost, nothing is sent. Left out: it is always open. */
  readonly connection?: { readonly isOpen: boolean };
  /** Sends bytes under a type. */
  sendBytes(type: string, bytes: Uint8Array): void;
  /** Calls a handler with each message of a type. Returns what removes the handler. */
  onMessage(type: string, handler: (bytes: Uint8Array) => void): () => void;
  /** Calls a handler when the room is left for good. */
  onLeave(handler: (code: number) => void): unknown;
}

/** Ignores that the simulation was disposed before a call of the page's own, such as a correction of its time. */
export const ignoreDisposal = (call: Promise<unknown>): void => {
  call.catch(() => {});
};
