/** A page's connection to its room: the messages, and what they say about time. */
import { encodeClientMessage } from '../../shared/network/client-messages.js';
import type { Action } from '../../shared/network/action-entries.js';
import {
  decodeRoomMessage,
  ROOM_MESSAGE,
  type RoomMessage,
  type RoomMode,
  type RoomWelcome,
} from '../../shared/network/room-messages.js';
import { RoomTiming } from '../../shared/network/room-timing.js';
import type { ClientRoom } from './client-room.js';

/** From one ping to the next, in ms. */
const PING_MS = 250;

/** What a link reports. */
export interface RoomLinkHandlers {
  /** A message after the first welcome, and its bytes. Not called for answers to pings. */
  readonly onMessage: (message: RoomMessage, bytes: Uint8Array) => void;
  /** Called four times a second. */
  readonly onTurn: (timing: RoomTiming) => void;
  /** The tick that actions are for now. */
  readonly actionTick: () => number;
}

/** The room was left, or its messages are none. */
export class RoomConnectionError extends Error {
  override readonly name = 'RoomConnectionError';
}

export class RoomLink {
  readonly #room: ClientRoom;
  readonly #mode: RoomMode;
  readonly #now: () => number;
  readonly #removeHandler: () => void;
  readonly #onEnd: (error: RoomConnectionError) => void;
  #welcomeOf: ((welcome: RoomWelcome, bytes: Uint8Array) => void) | undefined;
  #handlers: RoomLinkHandlers | undefined;
  #names: readonly string[] = [];
  #packetTick = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;
  #isWelcomed = false;
  /** What has arrived after the welcome and before {@link open}: each packet relies on the one before. */
  #waiting: { readonly message: RoomMessage; readonly bytes: Uint8Array }[] = [];
  /** Undefined before the welcome. */
  timing: RoomTiming | undefined;

  /**
   * @param onEnd Called once if the connection ends, other than by {@link close}.
   * @param now The page's clock, in ms.
   */
  constructor(
    room: ClientRoom,
    mode: RoomMode,
    onEnd: (error: RoomConnectionError) => void,
    now: () => number,
  ) {
    this.#room = room;
    this.#mode = mode;
    this.#onEnd = onEnd;
    this.#now = now;
    this.#removeHandler = room.onMessage(ROOM_MESSAGE, (bytes) => this.#receive(bytes));
    room.onLeave((code) => this.#end(`the room was left, with code ${code}`));
  }

  /** The tick of the last packet. */
  get packetTick(): number {
    return this.#packetTick;
  }

  /** Asks for the state of the room. Resolves with the welcome and its bytes. */
  welcome(): Promise<{ welcome: RoomWelcome; bytes: Uint8Array }> {
    this.askAgain();
    return new Promise((resolve) => {
      this.#welcomeOf = (welcome, bytes) => resolve({ welcome, bytes });
    });
  }

  /** Reports all further messages. */
  open(welcome: RoomWelcome, handlers: RoomLinkHandlers): RoomTiming {
    this.#handlers = handlers;
    const timing = new RoomTiming(welcome);
    this.timing = timing;
    for (const { message, bytes } of this.#waiting) {
      // What the room has dropped since the welcome.
      if (message.kind !== 'pong') timing.droppedMs = message.droppedMs ?? timing.droppedMs;
      handlers.onMessage(message, bytes);
    }
    this.#waiting = [];
    if (this.#isClosed) return timing;
    this.#timer = setInterval(() => this.#turn(), PING_MS);
    this.#turn();
    return timing;
  }

  sendActions(actions: readonly Action[]): void {
    this.#send(encodeClientMessage({ kind: 'actions', actions }, this.#names));
  }

  /** Asks for a welcome. */
  askAgain(): void {
    this.#send(encodeClientMessage({ kind: 'state', mode: this.#mode }, this.#names));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#send(bytes);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#removeHandler();
  }

  #send(bytes: Uint8Array): void {
    if (!this.#isClosed) this.#room.sendBytes(ROOM_MESSAGE, bytes);
  }

  #turn(): void {
    const tick = Math.max(0, this.#handlers?.actionTick() ?? 0);
    this.#send(encodeClientMessage({ kind: 'ping', clientMs: this.#now(), tick }, this.#names));
    if (this.timing !== undefined) this.#handlers?.onTurn(this.timing);
  }

  #receive(given: Uint8Array): void {
    const nowMs = this.#now();
    // The client of Colyseus reads many messages from one piece of memory.
    const bytes = new Uint8Array(given);
    let message: RoomMessage;
    try {
      message = decodeRoomMessage(bytes, this.#names, this.#packetTick + 1);
    } catch (error) {
      this.#end(
        `a message of the room cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      );
      return;
    }
    if (message.kind === 'pong') {
      this.timing?.notePong(message.clientMs, message.roomMs, nowMs, message.waitedMs);
      return;
    }
    if (message.kind === 'welcome') this.#takeWelcome(message, bytes);
    // Packets before the welcome are of no use.
    else if (this.#isWelcomed) this.#takePacket(message, bytes, nowMs);
  }

  #takeWelcome(welcome: RoomMessage & { readonly kind: 'welcome' }, bytes: Uint8Array): void {
    this.#names = welcome.commands;
    this.#packetTick = welcome.packetTick;
    if (this.timing !== undefined) this.timing.droppedMs = welcome.droppedMs;
    const isFirst = !this.#isWelcomed;
    this.#isWelcomed = true;
    this.#welcomeOf?.(welcome, bytes);
    this.#welcomeOf = undefined;
    if (!isFirst) this.#pass(welcome, bytes);
  }

  #takePacket(
    packet: RoomMessage & { readonly kind: 'packet' },
    bytes: Uint8Array,
    nowMs: number,
  ): void {
    this.#packetTick = packet.tick;
    if (this.timing !== undefined) {
      this.timing.droppedMs = packet.droppedMs ?? this.timing.droppedMs;
      this.timing.notePacket(packet.tick, nowMs);
    }
    this.#pass(packet, bytes);
  }

  #pass(message: RoomMessage, bytes: Uint8Array): void {
    if (this.#handlers === undefined) this.#waiting.push({ message, bytes });
    else this.#handlers.onMessage(message, bytes);
  }

  #end(why: string): void {
    if (this.#isClosed) return;
    this.close();
    this.#onEnd(new RoomConnectionError(why));
  }
}
