/**
 * Events that come in pairs, and what the page knows of them if the queue was full for one of the two.
 *
 * A contact begins and ends; a body enters and leaves a sensor, falls asleep and wakes up. If one of the two events
 * were lost, the page could have a contact that never ends. So this tracks what is TRUE and what was REPORTED to the
 * page:
 *
 *     true   reported   meaning
 *     off    off        nothing: the pair is forgotten
 *     on     on         open
 *     on     off        its beginning was refused   ┐ dirty: reported at the beginning of a later tick when there
 *     off    on         its end was refused         ┘ is room, marked as late
 *
 * INVARIANTS
 *   E1  The reports of each pair alternate: on, off, on, off, …, beginning with on.
 *   E2  A pair is dirty exactly while its true state differs from its reported state.
 */
import { EVENT_RECORD, type PairRecord } from '../../shared/events/event-record.js';
import { PairMap } from '../../shared/events/pair-map.js';
import type { WritePair } from '../api/events.js';

export interface Pair {
  readonly type: PairRecord;
  readonly a: number;
  readonly b: number;
  /** Its last change. */
  readonly write: WritePair;
}

/** Sends the reports to the page. */
export interface PairSink {
  /** Whether the next {@link report} would be accepted. */
  hasRoom(pair: Pair): boolean;
  /** Returns false if it was refused. */
  report(pair: Pair, isOn: boolean, isLate: boolean, isKnown: boolean): boolean;
}

interface KnownPair extends Pair {
  write: WritePair;
  /** How many times the pair is on: several parts of two bodies may touch. 0: off. */
  count: number;
  isReported: boolean;
}

export class PairTracker {
  readonly #sink: PairSink;
  readonly #pairs: Partial<Record<PairRecord, PairMap<KnownPair>>> = {};
  readonly #dirty = new Set<KnownPair>();
  readonly #despawned = new Set<number>();

  constructor(sink: PairSink) {
    this.#sink = sink;
  }

  isOn(type: PairRecord, a: number, b: number): boolean {
    return (this.#pairs[type]?.get(a, b)?.count ?? 0) > 0;
  }

  /**
   * Increments or decrements the count of a pair. Changes from and to 0 are reported.
   *
   * @returns Whether it changed from or to 0.
   */
  count(
    type: PairRecord,
    a: number,
    b: number,
    isOn: boolean,
    isLate: boolean,
    write: WritePair,
  ): boolean {
    const pairs = (this.#pairs[type] ??= new PairMap());
    let pair = pairs.get(a, b);
    if (pair === undefined) {
      // The end of a pair that is already over: the bodies were removed, or the run restarted.
      if (!isOn) return false;
      pair = { type, a, b, write, count: 0, isReported: false };
      pairs.set(a, b, pair);
    }
    const before = pair.count;
    pair.count = isOn ? before + 1 : Math.max(0, before - 1);
    const isChanged = before > 0 !== pair.count > 0;
    if (!isChanged) return false;
    pair.write = write;
    this.#reportChange(pair, isLate, true);
    return true;
  }

  /** A body was removed: its pairs end with the next {@link endDespawned}. */
  despawned(body: number): void {
    this.#despawned.add(body);
  }

  /** Ends the pairs of all removed bodies in one pass, since it has to check all pairs. */
  endDespawned(): void {
    const gone = this.#despawned;
    if (gone.size === 0) return;
    for (const pairs of Object.values(this.#pairs)) {
      for (const pair of pairs.values()) {
        // The first number of a sensor pair is not a body. The numbers of a collision are colliders, and its reporter ends it.
        const isGone =
          pair.type !== EVENT_RECORD.collision &&
          (gone.has(pair.b) || (pair.type !== EVENT_RECORD.sensor && gone.has(pair.a)));
        if (!isGone || pair.count === 0) continue;
        pair.count = 0;
        this.#reportChange(pair, false, false);
      }
    }
    gone.clear();
  }

  /** Reports dirty pairs as far as there is room, oldest first. */
  reportLate(): void {
    if (this.#dirty.size === 0) return;
    for (const pair of this.#dirty) {
      if (!this.#sink.hasRoom(pair)) return;
      this.#report(pair, pair.count > 0, true, false);
      this.#settle(pair);
    }
  }

  /** Forgets all pairs. The page must do the same. */
  clear(): void {
    for (const pairs of Object.values(this.#pairs)) pairs.clear();
    this.#dirty.clear();
    this.#despawned.clear();
  }

  /** Must be called when the true state of a pair has changed. */
  #reportChange(pair: KnownPair, isLate: boolean, isKnown: boolean): void {
    const isOn = pair.count > 0;
    // E1: a previous change that was refused must be reported first. If it is refused again, both changes cancel out:
    // the page's state is the true one again.
    const isNext = pair.isReported !== isOn || this.#report(pair, !isOn, true, false);
    if (isNext) this.#report(pair, isOn, isLate, isKnown);
    this.#settle(pair);
  }

  #report(pair: KnownPair, isOn: boolean, isLate: boolean, isKnown: boolean): boolean {
    const isAccepted = this.#sink.report(pair, isOn, isLate, isKnown);
    if (isAccepted) pair.isReported = isOn;
    return isAccepted;
  }

  /** E2: must be called after each change of the true or reported state. */
  #settle(pair: KnownPair): void {
    const isOn = pair.count > 0;
    if (isOn === pair.isReported) this.#dirty.delete(pair);
    else this.#dirty.add(pair);
    if (!isOn && !pair.isReported) this.#pairs[pair.type]?.delete(pair.a, pair.b);
  }
}
