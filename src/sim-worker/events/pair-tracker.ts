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
import { withoutDetails } from '../../shared/events/event-record.js';
import {
  keysOf,
  pairMaps,
  type PairFields,
  type PairName,
} from '../../shared/events/pair-events.js';

/** Sends the reports to the page. */
export interface PairSink {
  /** Whether the next {@link report} would be accepted. */
  hasRoom(name: PairName, fields: PairFields): boolean;
  /** Returns false if it was refused. */
  report(name: PairName, fields: PairFields, isOn: boolean, isLate: boolean): boolean;
}

interface KnownPair {
  readonly name: PairName;
  readonly keys: readonly [number, number];
  /** When it began. Its details belong to that moment. */
  readonly fields: PairFields;
  /** How many times the pair is on: several parts of two bodies may touch. 0: off. */
  count: number;
  isReported: boolean;
}

export class PairTracker {
  readonly #sink: PairSink;
  readonly #pairs = pairMaps<KnownPair>();
  readonly #dirty = new Set<KnownPair>();
  readonly #despawned = new Set<number>();

  constructor(sink: PairSink) {
    this.#sink = sink;
  }

  isOn(name: PairName, fields: PairFields): boolean {
    return (this.#pairs[name].get(...keysOf(name, fields))?.count ?? 0) > 0;
  }

  /**
   * Increments or decrements the count of a pair. Changes from and to 0 are reported.
   *
   * @returns Whether it changed from or to 0.
   */
  count(name: PairName, fields: PairFields, isOn: boolean, isLate: boolean): boolean {
    const keys = keysOf(name, fields);
    let pair = this.#pairs[name].get(...keys);
    if (pair === undefined) {
      // The end of a pair that is already over: the bodies were removed, or the run restarted.
      if (!isOn) return false;
      pair = { name, keys, fields, count: 0, isReported: false };
      this.#pairs[name].set(...keys, pair);
    }
    const before = pair.count;
    pair.count = isOn ? before + 1 : Math.max(0, before - 1);
    const isChanged = before > 0 !== pair.count > 0;
    if (isChanged) this.#reportChange(pair, isLate, fields);
    return isChanged;
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
        const { name, keys } = pair;
        // The first number of a sensor pair is not a body. The numbers of a collision are colliders, and its reporter ends it.
        const isGone =
          name !== 'collision' && (gone.has(keys[1]) || (name !== 'sensor' && gone.has(keys[0])));
        if (!isGone || pair.count === 0) continue;
        pair.count = 0;
        this.#reportChange(pair, false);
      }
    }
    gone.clear();
  }

  /** Reports dirty pairs as far as there is room, oldest first. */
  reportLate(): void {
    if (this.#dirty.size === 0) return;
    for (const pair of this.#dirty) {
      const fields = withoutDetails(pair.name, pair.fields);
      if (!this.#sink.hasRoom(pair.name, fields)) return;
      this.#report(pair, pair.count > 0, true, fields);
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
  #reportChange(pair: KnownPair, isLate: boolean, fields?: PairFields): void {
    const isOn = pair.count > 0;
    // E1: a previous change that was refused must be reported first. If it is refused again, both changes cancel out:
    // the page's state is the true one again.
    const isNext = pair.isReported !== isOn || this.#report(pair, !isOn, true);
    if (isNext) this.#report(pair, isOn, isLate, fields);
    this.#settle(pair);
  }

  #report(
    pair: KnownPair,
    isOn: boolean,
    isLate: boolean,
    fields = withoutDetails(pair.name, pair.fields),
  ): boolean {
    const isAccepted = this.#sink.report(pair.name, fields, isOn, isLate);
    if (isAccepted) pair.isReported = isOn;
    return isAccepted;
  }

  /** E2: must be called after each change of the true or reported state. */
  #settle(pair: KnownPair): void {
    const isOn = pair.count > 0;
    if (isOn === pair.isReported) this.#dirty.delete(pair);
    else this.#dirty.add(pair);
    if (!isOn && !pair.isReported) this.#pairs[pair.name].delete(...pair.keys);
  }
}
