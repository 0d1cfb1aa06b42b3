/**
 * A room whose messages take longer, in both directions, as with a worse connection, and which counts them.
 *
 * A WebSocket delivers everything, in order. What a network loses, TCP sends again: the message is late, and everything
 * behind it waits. So that is what loss does here.
 */
import type { ClientRoom } from 'betwixt/colyseus';

export interface Conditions {
  /** Added to the round trip, in ms: half of it in each direction. */
  readonly latencyMs: number;
  /** Most that a message takes longer, in ms. */
  readonly jitterMs: number;
  /** Share of the messages that are lost and sent again. */
  readonly lossShare: number;
}

/** Traffic in both directions. */
export interface Traffic {
  inBytes: number;
  inMessages: number;
  outBytes: number;
  outMessages: number;
}

/** The part of Colyseus' room that is needed here. */
interface RealRoom extends ClientRoom {
  onDrop(handler: () => void): unknown;
}

/** Time and chance. */
export interface Surroundings {
  /** In ms. */
  readonly now: () => number;
  readonly setTimer: (call: () => void, delayMs: number) => void;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** The sender notices a loss by the answers to the next three segments; packets are sent every 33 ms. */
const NOTICE_MS = 100;

const PAGE: Surroundings = {
  now: () => performance.now(),
  setTimer: (call, delayMs) => void setTimeout(call, delayMs),
  random: Math.random,
};

export class SlowRoom implements ClientRoom {
  readonly traffic: Traffic = { inBytes: 0, inMessages: 0, outBytes: 0, outMessages: 0 };
  conditions: Conditions = { latencyMs: 0, jitterMs: 0, lossShare: 0 };
  readonly #room: RealRoom;
  readonly #surroundings: Surroundings;
  readonly #types = new Set<string>();
  readonly #handlers = new Map<string, Set<(bytes: Uint8Array) => void>>();
  #out: Delay;
  #in: Delay;

  constructor(room: RealRoom, surroundings: Surroundings = PAGE) {
    this.#room = room;
    this.#surroundings = surroundings;
    this.#out = new Delay(surroundings);
    this.#in = new Delay(surroundings);
    // Messages on their way are lost with the connection.
    room.onDrop(() => {
      this.#out.stop();
      this.#in.stop();
      this.#out = new Delay(surroundings);
      this.#in = new Delay(surroundings);
    });
  }

  get connection() {
    return this.#room.connection ?? { isOpen: true };
  }

  sendBytes(type: string, bytes: Uint8Array): void {
    this.traffic.outBytes += bytes.length;
    this.traffic.outMessages += 1;
    const sent = bytes.slice();
    this.#out.pass(this.#delayMs(), () => {
      if (this.connection.isOpen) this.#room.sendBytes(type, sent);
    });
  }

  onMessage(type: string, handler: (bytes: Uint8Array) => void): () => void {
    const handlers = this.#handlers.get(type) ?? new Set();
    this.#handlers.set(type, handlers.add(handler));
    // Only once: a type without a handler would be reported on the console while the page connects in another mode.
    if (!this.#types.has(type)) {
      this.#types.add(type);
      this.#room.onMessage(type, (bytes) => this.#receive(type, bytes));
    }
    return () => void handlers.delete(handler);
  }

  onLeave(handler: (code: number) => void): unknown {
    return this.#room.onLeave(handler);
  }

  #receive(type: string, bytes: Uint8Array): void {
    this.traffic.inBytes += bytes.length;
    this.traffic.inMessages += 1;
    const received = bytes.slice();
    this.#in.pass(this.#delayMs(), () => {
      for (const handler of this.#handlers.get(type) ?? []) handler(received);
    });
  }

  #delayMs(): number {
    const { latencyMs, jitterMs, lossShare } = this.conditions;
    const { random } = this.#surroundings;
    const isLost = lossShare > 0 && random() < lossShare;
    return latencyMs / 2 + jitterMs * random() + (isLost ? latencyMs + NOTICE_MS : 0);
  }
}

/** One direction: messages leave in the order in which they came. */
class Delay {
  readonly #surroundings: Surroundings;
  readonly #waiting: { readonly dueMs: number; readonly deliver: () => void }[] = [];
  #isStopped = false;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  stop(): void {
    this.#isStopped = true;
  }

  pass(delayMs: number, deliver: () => void): void {
    if (delayMs === 0 && this.#waiting.length === 0) {
      deliver();
      return;
    }
    const dueMs = Math.max(
      this.#surroundings.now() + delayMs,
      this.#waiting.at(-1)?.dueMs ?? Number.NEGATIVE_INFINITY,
    );
    this.#waiting.push({ dueMs, deliver });
    if (this.#waiting.length === 1) this.#wait();
  }

  #wait(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const waitMs = Math.max(0, next.dueMs - this.#surroundings.now());
    this.#surroundings.setTimer(() => this.#deliverDue(), waitMs);
  }

  #deliverDue(): void {
    if (this.#isStopped) return;
    // A timer may fire early by a fraction of a ms.
    const nowMs = this.#surroundings.now() + 0.5;
    while ((this.#waiting[0]?.dueMs ?? Number.POSITIVE_INFINITY) <= nowMs) {
      this.#waiting.shift()?.deliver();
    }
    this.#wait();
  }
}
