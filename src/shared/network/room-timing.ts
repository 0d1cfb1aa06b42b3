/**
 * When a client's ticks should be due, from what it sees of its connection: how far behind the room it draws, and how far
 * ahead of it its actions are for.
 */
import { LatenessWindow } from './lateness-window.js';
import { RoomClock } from './room-clock.js';
import { TickAlignment, type Correction } from './tick-alignment.js';

/** How long packets count for the delay, in s. */
const WINDOW_SECONDS = 10;
/** Share of the packets that should have arrived when they are shown. */
const SHARE_IN_TIME = 0.998;
/** How long actions should wait at the room beyond the jitter that was seen, in ms: a tick at 60 Hz. */
const SPARE_MS = 1000 / 60;
/** Answers that count for the lead. Pings are sent four times a second. */
const LEAD_ANSWERS = 20;
/** By how much of what is missing the lead grows with every answer, and by how much of what is spare it shrinks. */
const GROWTH = 0.5;
const SHRINKAGE = 0.05;
const MAX_LEAD_MS = 1000;
/** A prediction that is late gains on the room at most at this rate, and one that is early falls back at this one. */
const MAX_GAIN = 0.05;
const MAX_FALL = 0.01;
/** An error this large is gone in one step, in ms; a smaller one within about this time; and this is none. */
const JUMP_MS = 250;
const TIME_CONSTANT_MS = 1000;
const DEAD_ZONE_MS = 4;

export interface RoomTimes {
  readonly tickRateHz: number;
  readonly ticksPerPacket: number;
  readonly droppedMs: number;
}

export class RoomTiming {
  readonly clock = new RoomClock();
  readonly #periodMs: number;
  readonly #lateness: LatenessWindow;
  readonly #waits = new LatenessWindow(LEAD_ANSWERS);
  readonly #alignment: TickAlignment;
  /** By how much ticks of the room are due later than at first, in ms. */
  droppedMs: number;
  /** How far ahead of the room's clock actions are for, in ms. */
  leadMs = 0;
  #hasLead = false;

  /** @param clientTickMs From one tick of the client to the next, in ms. */
  constructor({ tickRateHz, ticksPerPacket, droppedMs }: RoomTimes, clientTickMs: number) {
    this.#periodMs = 1000 / tickRateHz;
    this.droppedMs = droppedMs;
    this.#lateness = new LatenessWindow(
      Math.max(16, Math.ceil((WINDOW_SECONDS * tickRateHz) / ticksPerPacket)),
    );
    this.#alignment = new TickAlignment(clientTickMs);
  }

  /** When a tick of the room is due, by its clock, in ms. */
  dueMs(tick: number): number {
    return tick * this.#periodMs + this.droppedMs;
  }

  /** The tick that is due at the room at this time, by the room's clock. */
  tickAt(roomMs: number): number {
    return Math.floor((roomMs - this.droppedMs) / this.#periodMs);
  }

  /** How far behind the room packets are shown, in ms. */
  get delayMs(): number {
    return Math.max(0, this.#lateness.quantile(SHARE_IN_TIME) || 0);
  }

  /** Notes that the packet of a tick has arrived. */
  notePacket(tick: number, clientMs: number): void {
    if (this.clock.isKnown) {
      this.#lateness.note(this.clock.roomMsAt(clientMs) - this.dueMs(tick));
    }
  }

  /**
   * Notes the answer to a ping.
   *
   * @param waitedMs How long actions sent with it would wait at the room; negative: they would be late.
   */
  notePong(sentMs: number, roomMs: number, receivedMs: number, waitedMs: number): void {
    this.clock.note(sentMs, roomMs, receivedMs);
    this.#waits.note(waitedMs);
    if (!this.#hasLead) this.leadMs = this.clock.roundTripMs / 2 + SPARE_MS;
    this.#hasLead = true;
  }

  /** How long actions would wait at the room, at least, as far as is known, in ms. NaN: nothing is known. */
  get waitMs(): number {
    return this.#waits.quantile(0);
  }

  /** Adapts {@link leadMs}, for a client that draws: to be called with every ping. */
  adaptLead(): void {
    const spareMs = this.waitMs - SPARE_MS;
    if (Number.isNaN(spareMs)) return;
    const change = -spareMs * (spareMs < 0 ? GROWTH : SHRINKAGE);
    this.leadMs = Math.max(0, Math.min(MAX_LEAD_MS, this.leadMs + change));
    // The next answers are about another lead.
    if (spareMs < 0) this.#waits.clear();
  }

  /** How to change the time of a client that predicts, whose lead is how far its ticks are ahead. */
  correctLead(): Correction {
    const spareMs = this.waitMs - SPARE_MS;
    if (!(Math.abs(spareMs) > DEAD_ZONE_MS)) return { timeScale: 1, skippedTicks: 0 };
    if (Math.abs(spareMs) > JUMP_MS) {
      this.#waits.clear();
      return { timeScale: 1, skippedTicks: -Math.round(spareMs / this.#periodMs) };
    }
    if (spareMs > 0) {
      return { timeScale: 1 - Math.min(MAX_FALL, spareMs / TIME_CONSTANT_MS), skippedTicks: 0 };
    }
    this.#waits.clear();
    return { timeScale: 1 + Math.min(MAX_GAIN, -spareMs / TIME_CONSTANT_MS), skippedTicks: 0 };
  }

  /** Notes that a tick of the client is about a tick of the room. */
  noteTick(roomTick: number, clientMs: number): void {
    if (this.clock.isKnown) {
      this.#alignment.note(this.clock.roomMsAt(clientMs) - this.dueMs(roomTick));
    }
  }

  /** How to change the client's time, given how far behind its ticks should be, in ms; negative: ahead. */
  correct(wantedMs: number): Correction {
    return this.#alignment.correct(wantedMs);
  }
}
