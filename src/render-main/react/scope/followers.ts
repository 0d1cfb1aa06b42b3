/** What agrees with the run again after it has jumped. */
import type { Keeper, Thing } from '../life/kept.js';

/** What has bodies, or a collider without one. */
export interface Follower {
  /** Its bodies. */
  readonly owners: readonly OwnerOfBody[];
  /** Makes and sets what the state has otherwise. */
  resync(): void;
}

interface OwnerOfBody {
  /** Number of the body that it had last. */
  readonly lastHandle: number;
  /** Takes over a body without a component if it has none. @param isExact Whether it has to begin at the same place. */
  find(isExact: boolean): void;
}

/** What is made of bodies and colliders, which may come later. */
export interface Waiting {
  /** Some came or went. */
  check(): void;
}

export class Followers {
  readonly #keeper: Keeper;
  readonly #all = new Set<Follower>();

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
  }

  add(follower: Follower): void {
    this.#all.add(follower);
  }

  delete(follower: Follower): void {
    this.#all.delete(follower);
  }

  /**
   * Brings components and the run in line. Of the run itself, what has no component any more goes, and components have
   * what their props say. While a replay is shown, it is drawn by them, and nothing is changed.
   *
   * @param things All that are there.
   * @param bodies Those of them that are bodies: what is made of them needs them.
   * @param waiting What is made of them.
   */
  agree(things: Iterable<Thing>, bodies: ReadonlySet<Thing>, waiting: Iterable<Waiting>): void {
    const keeper = this.#keeper;
    keeper.begin(things);
    const owners = Array.from(this.#all).flatMap((follower) => follower.owners);
    // As old ones were made: what is rendered in the same order is alike in the same order.
    owners.sort((a, b) => a.lastHandle - b.lastHandle);
    for (const isExact of [true, false]) for (const owner of owners) owner.find(isExact);
    keeper.removeOrphans((thing) => bodies.has(thing));
    for (const follower of this.#all) follower.resync();
    for (const slot of waiting) slot.check();
    keeper.removeOrphans();
  }
}
