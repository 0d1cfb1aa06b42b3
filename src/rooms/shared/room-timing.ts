/**
 * When a client's ticks should be due, from what it sees of its connection: how far behind the room it draws, and how far
 * ahead of it its actions are for.
 *
 * Both compare two clocks that were never set:
 *
 *     down   a packet is read at the client's time, less when its tick was due at the room's
 *     up     a ping is read at the room's time, less when it was sent at the client's
 *
 * A client that shows tick k at due(k) + most of `down` has its packets by then, and actions that are sent at t for the
 * ticks after t + most of `up` are in time. So how the clocks differ does not matter, and an answer that was read late does not
 * either: it is needed only to report how far behind the picture is.
 */
import { RoundTrips } from '../../shared/time/clock-sync.js';
import { PagePulse } from './page-pulse.js';
import { PromptValues } from './recent-values.js';

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
/** How long actions should wait at the room beyond what was seen, in ms. One that is late is only for the next tick. */
const SPARE_MS = 4;
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
/** After a stall, in which the picture stood still anyway: at once, as far as whole ticks go, and the rest soon. */
const SETTLING = { maxGain: 0.05, maxFall: 0.05, gainMs: 250 } as const;
/** For how long, in ms. */
const SETTLING_MS = 2000;
/** From one correction to the next, in ms; and while it settles. */
const TURN_MS = 250;
const SETTLING_TURN_MS = 75;

export interface RoomTimes {
  readonly tickRateHz: number;
  readonly ticksPerPacket: number;
  readonly droppedMs: number;
}

export class RoomTiming {
  /** Of pings, with the room's clock. */
  readonly #trips = new RoundTrips(TRIP_WINDOW_MS);
  readonly #pulse: PagePulse;
  readonly #periodMs: number;
  readonly #down: PromptValues;
  readonly #up = new PromptValues(PINGS);
  /** By how much ticks of the room are due later than at first, in ms. */
  droppedMs: number;
  /** The client's time of its ticks, less when they were due at the room, since the last correction: the least, in ms. */
  #tickMs = Number.POSITIVE_INFINITY;

  /** When it began to settle, in ms, and whether it still does. */
  #unsettledMs: number;
  #isSettling = true;
  /** When it was corrected last, and whether that has waited for the end of a stall. */
  #turnMs = Number.NEGATIVE_INFINITY;
  #hasWaited = false;

  /** @param nowMs The client's clock. */
  constructor({ tickRateHz, ticksPerPacket, droppedMs }: RoomTimes, nowMs: number) {
    this.#pulse = new PagePulse(nowMs);
    this.#unsettledMs = nowMs;
    this.#periodMs = 1000 / tickRateHz;
    this.droppedMs = droppedMs;
    this.#down = new PromptValues(
      Math.max(16, Math.ceil((WINDOW_SECONDS * tickRateHz) / ticksPerPacket)),
    );
  }

  /** The client begins to show the room, or does so again: from a state that may be far from what it should show. */
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
    // First, what has waited is read. A page that is hidden or always busy has nothing but stalls.
    if (hasStalled && !this.#hasWaited) {
      this.#hasWaited = true;
      this.#turnMs = nowMs;
    }
    if (nowMs - this.#turnMs < (this.#isSettling ? SETTLING_TURN_MS : TURN_MS)) return false;
    this.#hasWaited = false;
    this.#turnMs = nowMs;
    this.#down.endTurn();
    this.#up.endTurn();
    return true;
  }

  /** When a tick of the room is due, by its clock, in ms. A part of a tick is a moment between two. */
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
   * The tick that actions are for, of a client that draws, and a part of it: when in the tick's time they are. NaN: it is not
   * known.
   */
  actionTick(clientMs: number): number {
    return (clientMs + this.#up.quantile(1) + SPARE_MS - this.droppedMs) / this.#periodMs;
  }

  /** Notes that a tick of the client is about a tick of the room. One that runs late is farther behind than it should be. */
  noteTick(roomTick: number, clientMs: number): void {
    this.#tickMs = Math.min(this.#tickMs, clientMs - this.dueMs(roomTick));
  }

  /** How to change the time of a client that predicts, whose ticks should be so far ahead that their actions are in time. */
  correctLead(): Correction {
    const aheadMs = this.#up.quantile(1) + PREDICTION_SPARE_MS;
    return this.#correct((tickMs) => tickMs + aheadMs, this.#periodMs, LEAD_LIMITS);
  }

  /**
   * How to change the time of a client that draws, whose ticks should show packets when they have arrived.
   *
   * @param clientTickMs From one of its ticks to the next, in ms.
   */
  correctDelay(clientTickMs: number): Correction {
    const behindMs = this.#downMs + DELAY_SPARE_MS;
    return this.#correct((tickMs) => tickMs - behindMs, clientTickMs, DELAY_LIMITS);
  }

  #correct(
    errorOf: (tickMs: number) => number,
    periodMs: number,
    limits: CorrectionLimits,
  ): Correction {
    const errorMs = errorOf(this.#tickMs);
    this.#tickMs = Number.POSITIVE_INFINITY;
    const settling = this.#isSettling && { ...SETTLING, jumpMs: periodMs };
    return correctionOf(errorMs, periodMs, { ...limits, ...settling });
  }
}

/**
 * Keeps a client's ticks at a distance from its room's: behind it, so that packets have arrived by then, or ahead of it, so
 * that actions arrive in time.
 *
 * The client's own schedule decides when its ticks are due. It is only made a little faster or slower, so that nothing
 * jumps on the screen; if it is too far off, ticks are skipped or repeated at once.
 */

/** What to do about the distance. */
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
