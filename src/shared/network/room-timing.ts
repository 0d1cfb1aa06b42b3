/**
 * When a client's ticks should be due, from what it sees of its connection: how far behind the room it draws, and how far
 * ahead of it its actions are for.
 */
import { correctionOf, type Correction, type CorrectionLimits } from './correction.js';
import { RecentValues } from './recent-values.js';
import { RoomClock } from './room-clock.js';

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
/**
 * For a client that draws: 5 % are hard to see, and the dead zone is what is known of the clocks. A client that is further behind than
 * it has to be misses nothing, and takes its time.
 */
const DELAY_LIMITS: CorrectionLimits = {
  maxGain: 0.05,
  maxFall: 0.05,
  jumpMs: 500,
  deadZoneMs: 0.5,
  gainMs: 5000,
};
/** For a client that predicts: actions that are late matter more than some that wait. */
const LEAD_LIMITS: CorrectionLimits = {
  maxGain: 0.05,
  maxFall: 0.01,
  jumpMs: 250,
  deadZoneMs: 4,
  gainMs: 1000,
};

export interface RoomTimes {
  readonly tickRateHz: number;
  readonly ticksPerPacket: number;
  readonly droppedMs: number;
}

export class RoomTiming {
  readonly clock = new RoomClock();
  readonly #periodMs: number;
  readonly #lateness: RecentValues;
  readonly #waits = new RecentValues(LEAD_ANSWERS);
  /** By how much ticks of the room are due later than at first, in ms. */
  droppedMs: number;
  /** How far ahead of the room's clock actions are for, in ms. */
  leadMs = 0;
  #hasLead = false;
  /** How far the client's ticks were behind the room's since the last correction, at least, in ms. */
  #behindMs = Number.POSITIVE_INFINITY;

  constructor({ tickRateHz, ticksPerPacket, droppedMs }: RoomTimes) {
    this.#periodMs = 1000 / tickRateHz;
    this.droppedMs = droppedMs;
    this.#lateness = new RecentValues(
      Math.max(16, Math.ceil((WINDOW_SECONDS * tickRateHz) / ticksPerPacket)),
    );
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
    const correction = correctionOf(SPARE_MS - this.waitMs, this.#periodMs, LEAD_LIMITS);
    // The next answers are about another lead.
    if (correction.timeScale > 1 || correction.skippedTicks !== 0) this.#waits.clear();
    return correction;
  }

  /** Notes that a tick of the client is about a tick of the room. One that runs late is farther behind than it should be. */
  noteTick(roomTick: number, clientMs: number): void {
    if (!this.clock.isKnown) return;
    const behindMs = this.clock.roomMsAt(clientMs) - this.dueMs(roomTick);
    this.#behindMs = Math.min(this.#behindMs, behindMs);
  }

  /**
   * How to change the time of a client that draws, whose ticks since the last call should be {@link delayMs} behind.
   *
   * @param clientTickMs From one of its ticks to the next, in ms.
   */
  correctDelay(clientTickMs: number): Correction {
    const errorMs = this.#behindMs - this.delayMs;
    this.#behindMs = Number.POSITIVE_INFINITY;
    return correctionOf(errorMs, clientTickMs, DELAY_LIMITS);
  }
}
