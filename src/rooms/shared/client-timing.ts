/**
 * When a client's ticks should be due, from what it sees of its connection: how far behind the room it draws, and how far
 * ahead of it its actions are for.
 *
 * Both compare two clocks that were never set:
 *
 *     down   when a packet was read, by the client's clock, less when its tick was due, by the room's
 *     up     when a ping was read, by the room's clock, less when it was sent, by the client's
 *
 * A client that shows tick k at due(k) + most of `down` has its packets by then, and actions that are sent at t for the
 * ticks after t + most of `up` are in time. So the difference of the clocks does not matter, nor does an answer that was
 * read late: answers are needed only to report how far behind the picture is.
 */
import { RoundTrips } from '../../shared/time/clock-sync.js';

/** How long a round trip counts, in ms: two clocks that differ by 50 ppm drift by half a millisecond in that time. */
const TRIP_WINDOW_MS = 10_000;
/** How long packets count, in s. */
const WINDOW_SECONDS = 10;
/** Share of the packets that should have arrived when they are shown. */
const SHARE_IN_TIME = 0.998;
/** Pings that count: they are sent four times a second. */
const PINGS = 20;
/** How long packets should wait beyond what was seen, in ms: clocks show whole ms in some browsers. */
const DELAY_SPARE_MS = 1.5;
/** How long actions should wait at the room beyond what was seen, in ms. A late one only misses its tick for the next. */
const ACTION_SPARE_MS = 4;
/** In a prediction, an action that is late has to be corrected: a tick at 60 Hz. */
const PREDICTION_SPARE_MS = 1000 / 60;
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
/** For a while after a stall, in which the picture stood still anyway: whole ticks at once, and the rest soon. */
const SETTLING = { maxGain: 0.05, maxFall: 0.05, gainMs: 250 } as const;
const SETTLING_MS = 2000;
/** From one correction to the next, in ms; and while it settles. */
const CORRECTION_MS = 250;
const SETTLING_CORRECTION_MS = 75;

export interface RoomRate {
  readonly tickRateHz: number;
  readonly ticksPerPacket: number;
  readonly droppedMs: number;
}

export class ClientTiming {
  readonly #trips = new RoundTrips(TRIP_WINDOW_MS);
  readonly #pulse: PagePulse;
  readonly #periodMs: number;
  readonly #down: PromptValues;
  readonly #up = new PromptValues(PINGS);
  /** By how much ticks of the room are due later than at first, in ms. */
  droppedMs: number;
  /** The least, since the last correction, of when the client ran a tick less when it was due at the room, in ms. */
  #tickMs = Number.POSITIVE_INFINITY;

  /** When it began to settle, in ms, and whether it still does. */
  #unsettledMs: number;
  #isSettling = true;
  /** When it was corrected last, and whether that has waited for the end of a stall. */
  #correctedMs = Number.NEGATIVE_INFINITY;
  #hasWaited = false;

  /** @param nowMs The client's clock. */
  constructor({ tickRateHz, ticksPerPacket, droppedMs }: RoomRate, nowMs: number) {
    this.#pulse = new PagePulse(nowMs);
    this.#unsettledMs = nowMs;
    this.#periodMs = 1000 / tickRateHz;
    this.droppedMs = droppedMs;
    this.#down = new PromptValues(
      Math.max(16, Math.ceil((WINDOW_SECONDS * tickRateHz) / ticksPerPacket)),
    );
  }

  /** The client begins to show the room, also again: from a state that may be far from the one that it should show. */
  begin(nowMs: number): void {
    this.#unsettledMs = nowMs;
  }

  /**
   * To be called every `PULSE_MS`.
   *
   * @returns Whether it is time for a ping and a correction.
   */
  beat(nowMs: number): boolean {
    const hasStalled = this.#pulse.beat(nowMs);
    if (hasStalled) this.#unsettledMs = nowMs;
    this.#isSettling = nowMs - this.#unsettledMs < SETTLING_MS;
    // Messages that have waited are read first: but only once, because a hidden or busy page has nothing but stalls.
    if (hasStalled && !this.#hasWaited) {
      this.#hasWaited = true;
      this.#correctedMs = nowMs;
    }
    const correctionMs = this.#isSettling ? SETTLING_CORRECTION_MS : CORRECTION_MS;
    if (nowMs - this.#correctedMs < correctionMs) return false;
    this.#hasWaited = false;
    this.#correctedMs = nowMs;
    this.#down.endPeriod();
    this.#up.endPeriod();
    return true;
  }

  /** When a tick of the room is due, by its clock, in ms. A fraction is a moment between two ticks. */
  dueMs(tick: number): number {
    return tick * this.#periodMs + this.droppedMs;
  }

  /** How far behind the room packets are shown, in ms. NaN: it is not known. */
  get delayMs(): number {
    return this.#downMs + this.offsetMs;
  }

  /** The room's clock minus the client's, in ms. NaN before the first answer to a ping. */
  get offsetMs(): number {
    return this.#trips.best?.offsetMs ?? Number.NaN;
  }

  /** The shortest round trip of the last ten seconds, in ms. NaN before the first one. */
  get roundTripMs(): number {
    return 2 * (this.#trips.best?.uncertaintyMs ?? Number.NaN);
  }

  get #downMs(): number {
    return this.#down.quantile(SHARE_IN_TIME);
  }

  /** Notes that the packet of a tick has arrived. */
  notePacket(tick: number, clientMs: number): void {
    this.#down.note(clientMs - this.dueMs(tick), !this.#pulse.isLate(clientMs));
  }

  /** Notes the answer to a ping. */
  notePong(sentMs: number, roomMs: number, receivedMs: number): void {
    this.#trips.note(sentMs, roomMs, receivedMs);
    // A machine that was busy is late with what it sends, too.
    const isPrompt = sentMs >= this.#unsettledMs && !this.#pulse.isLate(receivedMs);
    this.#up.note(roomMs - sentMs, isPrompt);
  }

  /**
   * The tick that actions of a client that draws are for, with a fraction: when in the tick's time they are. NaN if it is
   * not known.
   */
  actionTick(clientMs: number): number {
    return (clientMs + this.#up.quantile(1) + ACTION_SPARE_MS - this.droppedMs) / this.#periodMs;
  }

  /** Notes that the client runs a tick that shows a tick of the room, or predicts it. */
  noteTick(roomTick: number, clientMs: number): void {
    this.#tickMs = Math.min(this.#tickMs, clientMs - this.dueMs(roomTick));
  }

  /** How to change the time of a client that predicts, whose ticks should be so far ahead that their actions are in time. */
  correctLead(): Correction {
    const aheadMs = this.#up.quantile(1) + PREDICTION_SPARE_MS;
    return this.#correct(aheadMs, this.#periodMs, LEAD_LIMITS);
  }

  /**
   * How to change the time of a client that draws, whose ticks should show packets when they have arrived.
   *
   * @param clientTickMs From one of its ticks to the next, in ms.
   */
  correctDelay(clientTickMs: number): Correction {
    const behindMs = this.#downMs + DELAY_SPARE_MS;
    return this.#correct(-behindMs, clientTickMs, DELAY_LIMITS);
  }

  /** @param aheadMs How far the client's ticks should be ahead of the room's; negative: behind. */
  #correct(aheadMs: number, periodMs: number, limits: CorrectionLimits): Correction {
    const errorMs = this.#tickMs + aheadMs;
    this.#tickMs = Number.POSITIVE_INFINITY;
    const settling = this.#isSettling && { ...SETTLING, jumpMs: periodMs };
    return correctionOf(errorMs, periodMs, { ...limits, ...settling });
  }
}

/**
 * How to keep a client's ticks at a distance from its room's. The client's own schedule decides when they are due. It is
 * only made a little faster or slower, so that nothing jumps on the screen; if it is too far off, ticks are skipped or
 * repeated at once.
 */
export interface Correction {
  /** Speed of the client's time, 0.95 to 1.05. */
  readonly timeScale: number;
  /** Ticks to skip; negative: to wait for. 0 unless the distance is far off. */
  readonly skippedTicks: number;
}

export interface CorrectionLimits {
  /** Most by which the client's time runs faster. */
  readonly maxGain: number;
  /** Most by which it runs slower. */
  readonly maxFall: number;
  /** A larger error is gone in one step, in ms. */
  readonly jumpMs: number;
  /** A smaller error is left alone, in ms. */
  readonly deadZoneMs: number;
  /** Within this time, a client that is too far behind reduces the error to a third, in ms. One that is too far ahead: a second. */
  readonly gainMs: number;
}

const NOTHING: Correction = { timeScale: 1, skippedTicks: 0 };
const FALL_MS = 1000;

/**
 * @param errorMs How far the client's ticks are too far behind, in ms; negative: too far ahead. Not finite: it is not known.
 * @param periodMs From one of the client's ticks to the next.
 */
export function correctionOf(
  errorMs: number,
  periodMs: number,
  { maxGain, maxFall, jumpMs, deadZoneMs, gainMs }: CorrectionLimits,
): Correction {
  if (!Number.isFinite(errorMs) || Math.abs(errorMs) < deadZoneMs) return NOTHING;
  if (Math.abs(errorMs) > jumpMs) {
    return { timeScale: 1, skippedTicks: Math.round(errorMs / periodMs) };
  }
  const slew = Math.max(-maxFall, Math.min(maxGain, errorMs / (errorMs < 0 ? FALL_MS : gainMs)));
  return { timeScale: 1 + slew, skippedTicks: 0 };
}

/** From one beat to the next, in ms. */
export const PULSE_MS = 20;
/** A beat is late after this many of the usual times between two. */
const LATE_TIMES = 2;
const USUAL_BEATS = 16;
/** A page that was busy for longer has stopped its picture, in ms. */
const STALL_MS = 100;

/**
 * Tells delays of the network from delays of the page. Messages that come while a page is busy wait, and are then read
 * together: read late, they say nothing about the network.
 *
 *     beats      |    |    |    |                  |    |    |
 *     page       ·····················▓▓▓▓▓▓▓▓▓▓▓▓▓···········
 *     messages      m     m     m     m     m     m m  m     m
 *     read          m     m     m                 m m  m     m
 *                                                 └────┘ late: since a beat that was late, or while one is overdue
 *
 * Late is relative to what is usual for the page: one whose frames take long is busy most of the time, and needs packets to
 * be there earlier.
 */
export class PagePulse {
  #lastMs: number;
  #isLate = false;
  readonly #intervals = new RecentValues(USUAL_BEATS);
  #usualMs = PULSE_MS;

  constructor(nowMs: number) {
    this.#lastMs = nowMs;
  }

  /** To be called every {@link PULSE_MS}. @returns Whether the page had stopped its picture. */
  beat(nowMs: number): boolean {
    const sinceMs = nowMs - this.#lastMs;
    this.#isLate = this.isOverdue(nowMs);
    this.#lastMs = nowMs;
    if (sinceMs > STALL_MS) return true;
    this.#intervals.note(sinceMs);
    this.#usualMs = Math.max(PULSE_MS, this.#intervals.quantile(0.5));
    return false;
  }

  /** Whether what is read now may have waited for unusually long. */
  isLate(nowMs: number): boolean {
    return this.#isLate || this.isOverdue(nowMs);
  }

  private isOverdue(nowMs: number): boolean {
    return nowMs - this.#lastMs > LATE_TIMES * this.#usualMs;
  }
}

/** Quantiles of the last values. */
class RecentValues {
  readonly #values: Float64Array<ArrayBuffer>;
  #count = 0;

  /** @param length How many values count, 1 to 10,000. */
  constructor(length: number) {
    this.#values = new Float64Array(length);
  }

  note(value: number): void {
    this.#values[this.#count % this.#values.length] = value;
    this.#count += 1;
  }

  /**
   * The value below which a share of them is, 0 to 1. NaN without values. Until there are as many as count, only the newer
   * half counts: so the values from the beginning are soon forgotten.
   */
  quantile(share: number): number {
    const isFull = this.#count >= this.#values.length;
    const count = isFull ? this.#values.length : Math.ceil(this.#count / 2);
    if (count === 0) return Number.NaN;
    const end = isFull ? count : this.#count;
    const sorted = this.#values.subarray(end - count, end).toSorted();
    return sorted[Math.min(count - 1, Math.ceil(share * count))] ?? Number.NaN;
  }
}

/** After this many periods without a prompt value, others count. */
const PATIENCE_PERIODS = 8;

/**
 * Quantiles of the last values that were read promptly. A value that has waited to be read is too large by an unknown
 * amount; the least of many has hardly waited, and counts for a page that is always busy.
 */
class PromptValues {
  readonly #values: RecentValues;
  #least = Number.POSITIVE_INFINITY;
  #periods = 0;

  /** @param length How many values count, 1 to 10,000. */
  constructor(length: number) {
    this.#values = new RecentValues(length);
  }

  note(value: number, isPrompt: boolean): void {
    if (isPrompt) {
      this.#values.note(value);
      this.#least = Number.POSITIVE_INFINITY;
      this.#periods = 0;
    } else this.#least = Math.min(this.#least, value);
  }

  endPeriod(): void {
    this.#periods += 1;
    if (this.#periods >= PATIENCE_PERIODS && Number.isFinite(this.#least))
      this.note(this.#least, true);
  }

  /** Before the first prompt value: the least of the others. */
  quantile(share: number): number {
    const value = this.#values.quantile(share);
    return Number.isNaN(value) && Number.isFinite(this.#least) ? this.#least : value;
  }
}
