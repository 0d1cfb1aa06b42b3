/** What agrees with the run again after it has jumped. */
import { isBuiltIn } from '../world/shared/built-in-systems.js';
import type { SystemHandle } from '../world/page/index.js';
import type { PageWorld } from '../world/page/page-world.js';
import type { AnyItem } from '../world/page/world-link.js';
import type { Keeper, Thing } from './kept.js';

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
   * @param waiting What is made of bodies and colliders.
   */
  agree(world: PageWorld, waiting: Iterable<Waiting>): void {
    const keeper = this.#keeper;
    // Of a system that another page has made, the name is known.
    keeper.begin(world.things, (thing) =>
      world.isForeign(thing) ? [world, (thing as Partial<SystemHandle>).name] : undefined,
    );
    const owners = Array.from(this.#all).flatMap((follower) => follower.owners);
    // As old ones were made: what is rendered in the same order is alike in the same order.
    owners.sort((a, b) => a.lastHandle - b.lastHandle);
    for (const isExact of [true, false]) for (const owner of owners) owner.find(isExact);
    const bodies = new Set<Thing>(world.bodies.getAll());
    for (const thing of this.#foreignParts(world)) {
      keeper.claim(thing, () => world.discard(thing));
    }
    keeper.removeOrphans((thing) => bodies.has(thing));
    for (const follower of this.#all) follower.resync();
    for (const slot of waiting) slot.check();
    keeper.removeOrphans();
  }

  /** What another page has made of bodies that components have, or that only components make. */
  #foreignParts(world: PageWorld): AnyItem[] {
    const bodies = world.bodies.getAll().filter((body) => this.#keeper.knows(body));
    const builtIn = world.things.filter((thing) =>
      isBuiltIn((thing as Partial<SystemHandle>).name ?? ''),
    );
    const parts = [...builtIn, ...bodies.flatMap((body) => world.madeOf(body))];
    return parts.filter((thing) => world.isForeign(thing));
  }
}
