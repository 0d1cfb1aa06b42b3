/** The messages between a page and its room, and what they say about time. */
import {
  encodeActions,
  encodeClientMessage,
  type Action,
  ROOM_MESSAGE,
  type RoomMessage,
  type RoomMode,
  type RoomWelcome,
} from '../shared/room-messages.js';
import { RoomReader } from '../shared/room-reader.js';
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
  /** A message after the first welcome, and its bytes. Not called for answers to pings. If it throws, the channel ends. */
  readonly onMessage: (message: RoomMessage, bytes: Uint8Array) => void;
  /** Called when the client's time should be corrected: four times a second, and more often for a while after a stall. */
  readonly onCorrection: () => void;
  /** Called when the channel has ended, other than by {@link RoomChannel.close}; at once if that was before. */
  readonly onEnd?: () => void;
}

/** The room was left, or a message of it cannot be read: the cause says why. */
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
  readonly #reader = new RoomReader();
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
    return this.#reader.packetTick;
  }

  /** Why it ended, other than by {@link close}. Undefined while it lasts. */
  get error(): Error | undefined {
    return this.#error;
  }

  /** Asks for the state of the room, once. Rejects if the channel ends first. */
  begin(): Promise<RoomBeginning> {
    this.#ask(ASK_AGAIN_MS);
    return this.#beginning.promise;
  }

  /** How often it has asked for the state of the room. */
  get stateRequests(): number {
    return this.#stateRequests;
  }

  /** Asks for the state until it comes: a room may refuse, for example because it has sent one less than a second ago. */
  #ask(pauseMs: number): void {
    if (this.#isClosed) return;
    if (this.#isOpen) {
      this.#stateRequests += 1;
      this.sendBytes(
        encodeClientMessage({ kind: 'state', mode: this.#mode }, this.#reader.commands),
      );
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
    for (const { message, bytes } of this.#waiting) this.#pass(message, bytes, handlers);
    this.#waiting = [];
    if (this.#error !== undefined) handlers.onEnd?.();
    if (this.#isClosed) return;
    this.#timing?.begin(this.#now());
  }

  /** Actions as one message. */
  encode(actions: readonly Action[]): Uint8Array {
    return encodeClientMessage({ kind: 'actions', actions }, this.#reader.commands);
  }

  /** @param maxBytes Of a message. */
  sendActions(actions: readonly Action[], maxBytes: number): void {
    for (const bytes of encodeActions(actions, this.#reader.commands, maxBytes)) {
      this.sendBytes(bytes);
    }
  }

  /** Sends a message of a client. */
  sendBytes(bytes: Uint8Array): void {
    if (!this.#isClosed && this.#isOpen) this.#room.sendBytes(ROOM_MESSAGE, bytes);
  }

  /** Ends it, because a message of the room cannot be read. */
  endUnreadable(cause: unknown): void {
    const why = cause instanceof Error ? cause.message : String(cause);
    this.end(new RoomConnectionError(`a message of the room cannot be read: ${why}`, { cause }));
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
    this.sendBytes(
      encodeClientMessage({ kind: 'ping', clientMs: this.#now() }, this.#reader.commands),
    );
    this.#handlers?.onCorrection();
  }

  #receive(given: Uint8Array): void {
    if (this.#isClosed) return;
    const nowMs = this.#now();
    // The client of Colyseus reads many messages from one piece of memory.
    const bytes = new Uint8Array(given);
    let message: RoomMessage | undefined;
    try {
      message = this.#reader.read(bytes);
    } catch (error) {
      this.endUnreadable(error);
    }
    if (message !== undefined) this.#note(message, bytes, nowMs);
  }

  #pass(message: RoomMessage, bytes: Uint8Array, { onMessage }: RoomChannelHandlers): void {
    if (this.#isClosed) return;
    try {
      onMessage(message, bytes);
    } catch (error) {
      this.endUnreadable(error);
    }
  }

  #note(message: RoomMessage, bytes: Uint8Array, nowMs: number): void {
    if (message.kind === 'pong') {
      this.#timing?.notePong(message.clientMs, message.roomMs, nowMs);
      return;
    }
    const timing = this.#timing;
    if (message.kind === 'welcome') {
      // The answer was asked for before, by a page that showed the room in the other mode.
      if (message.mode !== this.#mode) return;
      this.#endAsking();
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
    if (message.kind === 'packet') timing.notePacket(message.tick, nowMs);
    if (this.#handlers === undefined) this.#waiting.push({ message, bytes });
    else this.#pass(message, bytes, this.#handlers);
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
