/**
 * Runs all rooms of a process by one timer.
 *
 *     due        A: 10      B: 12      C: 30
 *     timer at 10 ──▶ A runs a tick ──▶ timer at 12 ──▶ B …
 *     late, at 40 ──▶ A, B, C run a tick each, the earliest due first ──▶ at once again, until none is due
 *
 * A room that is late runs one tick per pass, so that it delays each of the others by one tick at most, and between two
 * passes the process handles messages. Due times come from the rooms and never from when a timer fired: nothing drifts.
 */

/** A room, for the schedule. Its times are in ms on the clock of the schedule. */
export interface ScheduledRoom extends PeriodicRoom {
  /** Runs a tick. Must not throw. @param nowMs The time on the clock of the schedule. */
  run(nowMs: number): void;
}

/** The clock and the timer of a schedule. */
export interface ScheduleHost {
  /** In ms, from any beginning. Must not decrease. */
  now(): number;
  /**
   * Calls a function later, once: after other events of the process, and not much before the delay has passed.
   *
   * @param delayMs 0 or more.
   * @returns What cancels it.
   */
  setTimer(call: () => void, delayMs: number): () => void;
}

interface Timer {
  readonly dueMs: number;
  readonly cancel: () => void;
}

export class RoomSchedule {
  readonly #host: ScheduleHost;
  /** Each room, and when it last ended a tick. */
  readonly #rooms = new Map<ScheduledRoom, number>();
  #timer: Timer | undefined;
  #isInPass = false;

  constructor(host: ScheduleHost) {
    this.#host = host;
  }

  /** The time on its clock, in ms. */
  now(): number {
    return this.#host.now();
  }

  /**
   * When a new room is to begin, so that its ticks are due far from the ticks of the others.
   *
   * @param periodMs From one of its ticks to the next, in ms.
   * @returns A time that is past by less than a period: the first tick is due one period later.
   */
  quietStartMs(periodMs: number): number {
    return quietDueMs(this.#rooms.keys(), periodMs, this.#host.now()) - periodMs;
  }

  add(room: ScheduledRoom): void {
    this.#rooms.set(room, Number.NEGATIVE_INFINITY);
    this.#setTimer();
  }

  remove(room: ScheduledRoom): void {
    this.#rooms.delete(room);
    this.#setTimer();
  }

  #pass(): void {
    this.#timer = undefined;
    const startMs = this.#host.now();
    const due = [...this.#rooms]
      .filter(([{ nextDueMs }]) => nextDueMs <= startMs)
      // A room that is late because of its own ticks must not come first each time.
      .map(([room, endedMs]) => ({ room, sinceMs: Math.max(room.nextDueMs, endedMs) }))
      .toSorted((a, b) => a.sinceMs - b.sinceMs);
    this.#isInPass = true;
    try {
      for (const { room } of due) {
        // Another one may have removed it.
        if (!this.#rooms.has(room)) continue;
        room.run(this.#host.now());
        if (this.#rooms.has(room)) this.#rooms.set(room, this.#host.now());
      }
    } finally {
      this.#isInPass = false;
      this.#setTimer();
    }
  }

  #setTimer(): void {
    if (this.#isInPass) return;
    let dueMs = Number.POSITIVE_INFINITY;
    for (const { nextDueMs } of this.#rooms.keys()) dueMs = Math.min(dueMs, nextDueMs);
    if (this.#timer?.dueMs === dueMs) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (dueMs === Number.POSITIVE_INFINITY) return;
    const cancel = this.#host.setTimer(() => this.#pass(), Math.max(0, dueMs - this.#host.now()));
    this.#timer = { dueMs, cancel };
  }
}

/** Phases that are tried. At 60 Hz, they are 0.07 ms apart. */
const CANDIDATES = 240;

/** The ticks of a room, for the choice of a phase. */
export interface PeriodicRoom {
  /** When its next tick is due, in ms. */
  readonly nextDueMs: number;
  readonly periodMs: number;
}

/**
 * Chooses when the first tick of a new room is due: within the period, far from the ticks of the others. Rooms whose ticks
 * are due at the same moment delay each other, however much of the period is left.
 *
 *     others     │A       B       C       │A       B       C
 *     a new one  │    ▲                   │    ▲              as far from A and B as it gets
 *
 * Each tick of another room counts by the inverse of its distance: so of several intervals of the same size, the one with the
 * emptier neighborhood is taken, and places that rooms have left are taken again.
 *
 * @param periodMs Of the new room. Rooms of rates without a common multiple nearby drift past each other; nothing helps there.
 * @param afterMs The first tick is due later than this, by at most one period.
 */
export function quietDueMs(
  rooms: Iterable<PeriodicRoom>,
  periodMs: number,
  afterMs: number,
): number {
  const phases: number[] = [];
  for (const room of rooms) {
    // A faster room has several ticks in the period.
    for (let since = 0; since < periodMs; since += room.periodMs) {
      phases.push((((room.nextDueMs + since - afterMs) % periodMs) + periodMs) % periodMs);
    }
  }
  let [best, least] = [periodMs, Number.POSITIVE_INFINITY];
  for (let index = CANDIDATES; index > 0; index--) {
    const candidate = (index / CANDIDATES) * periodMs;
    let crowd = 0;
    for (const phase of phases) {
      const distance = Math.abs(candidate - phase);
      crowd += 1 / Math.min(distance, periodMs - distance);
    }
    if (crowd < least) [best, least] = [candidate, crowd];
  }
  return afterMs + best;
}

/** The schedule of all rooms of this process. */
export const processSchedule = new RoomSchedule({
  now: () => performance.now(),
  setTimer(call, delayMs) {
    if (delayMs === 0) {
      const immediate = setImmediate(call);
      return () => clearImmediate(immediate);
    }
    // Whole ms: a fraction would be cut off, and a timer that fires early is set again.
    const timer = setTimeout(call, Math.ceil(delayMs));
    return () => clearTimeout(timer);
  },
});
