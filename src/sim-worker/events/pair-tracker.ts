/**
 * Events that come in pairs, and what the page knows of them when the queue was full for one of the two.
 *
 * A contact begins and ends, a body enters a sensor and leaves it, falls asleep and wakes up. Losing one of the
 * two would leave a page with a contact that never ends. So this keeps what is TRUE and what was REPORTED to the page:
 *
 *     true   reported   meaning
 *     off    off        nothing: the pair is forgotten
 *     on     on         open
 *     on     off        its beginning was refused   ┐ dirty: reported at the beginning of a later tick when there
 *     off    on         its end was refused         ┘ is room, marked as late
 *
 * INVARIANTS
 *   E1  For each pair, what is reported to the page is on, off, on, off, …, beginning with on.
 *   E2  A pair is dirty exactly while what is true differs from what was reported.
 */
import { EVENT_RECORD, PAIR_RECORDS, type PairRecord } from '../../shared/events/event-record.js';
import { PairMap } from '../../shared/events/pair-map.js';

export interface Pair {
  readonly type: PairRecord;
  readonly a: number;
  readonly b: number;
}

/** The way to the page. */
export interface PairSink {
  /** Whether the next {@link report} would be accepted. */
  hasRoom(): boolean;
  /** Returns false when it was refused. */
  report(pair: Pair, isOn: boolean, isLate: boolean, x: number, y: number, z: number): boolean;
}

interface KnownPair extends Pair {
  /** How often it is on: two bodies may touch with several parts. 0: off. */
  count: number;
  isReported: boolean;
}

const UNKNOWN = Number.NaN;

export class PairTracker {
  readonly #sink: PairSink;
  readonly #pairs: Record<PairRecord, PairMap<KnownPair>> = {
    [EVENT_RECORD.contact]: new PairMap(),
    [EVENT_RECORD.sensor]: new PairMap(),
    [EVENT_RECORD.sleep]: new PairMap(),
  };
  readonly #dirty = new Set<KnownPair>();
  readonly #despawned = new Set<number>();

  constructor(sink: PairSink) {
    this.#sink = sink;
  }

  isOn(type: PairRecord, a: number, b: number): boolean {
    return (this.#pairs[type].get(a, b)?.count ?? 0) > 0;
  }

  /** A pair is on once more, or once less; the first and the last time are told. */
  count(
    type: PairRecord,
    a: number,
    b: number,
    isOn: boolean,
    isLate: boolean,
    x: number,
    y: number,
    z: number,
  ): void {
    let pair = this.#pairs[type].get(a, b);
    if (pair === undefined) {
      // The end of what is over already: the bodies are gone, or the run started over.
      if (!isOn) return;
      pair = { type, a, b, count: 0, isReported: false };
      this.#pairs[type].set(a, b, pair);
    }
    const before = pair.count;
    pair.count = isOn ? before + 1 : Math.max(0, before - 1);
    if (before > 0 !== pair.count > 0) this.#reportChange(pair, isLate, x, y, z);
  }

  /** A body is gone: what it is part of ends with the next {@link endDespawned}. */
  despawned(body: number): void {
    this.#despawned.add(body);
  }

  /** In one pass for all bodies, since each has to look at all pairs. */
  endDespawned(): void {
    const gone = this.#despawned;
    if (gone.size === 0) return;
    for (const type of PAIR_RECORDS) {
      for (const pair of this.#pairs[type].values()) {
        // The first number of a sensor is no body.
        const isGone = gone.has(pair.b) || (type !== EVENT_RECORD.sensor && gone.has(pair.a));
        if (!isGone || pair.count === 0) continue;
        pair.count = 0;
        this.#reportChange(pair, false, UNKNOWN, UNKNOWN, UNKNOWN);
      }
    }
    gone.clear();
  }

  /** Tells what is dirty, as far as there is room, those first that have been so for longest. */
  reportLate(): void {
    if (this.#dirty.size === 0) return;
    for (const pair of this.#dirty) {
      if (!this.#sink.hasRoom()) return;
      this.#report(pair, pair.count > 0, true, UNKNOWN, UNKNOWN, UNKNOWN);
      this.#settle(pair);
    }
  }

  /** Forgets all, and so must the page. */
  clear(): void {
    for (const type of PAIR_RECORDS) this.#pairs[type].clear();
    this.#dirty.clear();
    this.#despawned.clear();
  }

  /** What is true of a pair has just changed. */
  #reportChange(pair: KnownPair, isLate: boolean, x: number, y: number, z: number): void {
    const isOn = pair.count > 0;
    // E1: where the change before this one was refused, it has to be told first. Refused again, it is as if
    // neither had been, for what the page believes is true once more.
    const isNext =
      pair.isReported !== isOn || this.#report(pair, !isOn, true, UNKNOWN, UNKNOWN, UNKNOWN);
    if (isNext) this.#report(pair, isOn, isLate, x, y, z);
    this.#settle(pair);
  }

  #report(
    pair: KnownPair,
    isOn: boolean,
    isLate: boolean,
    x: number,
    y: number,
    z: number,
  ): boolean {
    const isAccepted = this.#sink.report(pair, isOn, isLate, x, y, z);
    if (isAccepted) pair.isReported = isOn;
    return isAccepted;
  }

  /** E2: after each change of what is true or told. */
  #settle(pair: KnownPair): void {
    const isOn = pair.count > 0;
    if (isOn === pair.isReported) this.#dirty.delete(pair);
    else this.#dirty.add(pair);
    if (!isOn && !pair.isReported) this.#pairs[pair.type].delete(pair.a, pair.b);
  }
}
