/**
 * Things of a world that effects make and clean up. React ends and begins the effects of a component again without the
 * component being new: in StrictMode, on a hot reload, and when a parent is hidden and shown. So the clean-up of an effect
 * removes nothing at once: what is asked for again in the same commit, made of the same parts, is the same thing, and a
 * body continues from where it is.
 *
 * A jump of the run takes things away that components have, and brings back those of components that are gone: another
 * `key` makes another component, which has nothing in a state from before. After the jump, a component that has nothing
 * takes over what is there without one and was made alike:
 *
 *     run        A made ──── seek to here ──── A removed, B made by the component with another key
 *     after it   A is B's, for good; while a replay shows it, until B's own is there again
 */
import { type Ref, useEffect, useInsertionEffect } from 'react';
import { isBuiltIn } from '../world/shared/built-in-systems.js';
import type { SystemHandle } from '../world/page/index.js';
import type { AnyThing, PageWorld } from '../world/page/page-world.js';

/** What belongs to a world. */
export interface Thing {
  isValid(): boolean;
}

type Key = readonly unknown[];
type AnyKept = Kept<Thing>;

interface Maker {
  readonly kept: Pick<AnyKept, 'has' | 'discard'>;
  readonly key: Key;
}

/** What the components in one `<Physics>` have made. */
export class Keeper {
  /** Whether the state that is shown is no state to make or change anything in: that of a replay, or one that is not known yet. */
  readonly #isHeld: () => boolean;
  readonly #due = new Set<AnyKept>();
  readonly #all = new Set<AnyKept>();
  /** By what each was made, or taken over last. */
  readonly #makers = new WeakMap<Thing, Maker>();
  /** While things are taken over: those that are there, and that no component has. */
  readonly #orphans = new Map<Thing, Key>();

  constructor(isHeld: () => boolean) {
    this.#isHeld = isHeld;
  }

  get isHeld(): boolean {
    return this.#isHeld();
  }

  /** Removes, when a commit is over, what nothing has asked for again. */
  release(kept: AnyKept): void {
    // A microtask of the commit itself: before the world sends what the commit has changed, so that it is one batch.
    if (this.#due.size === 0) queueMicrotask(() => this.#run());
    this.#due.add(kept);
  }

  cancel(kept: AnyKept): void {
    this.#due.delete(kept);
  }

  note(kept: AnyKept, thing: Thing, key: Key): void {
    this.#all.add(kept);
    this.#makers.set(thing, { kept, key });
  }

  delete(kept: AnyKept): void {
    this.#all.delete(kept);
  }

  /** Another page has made it: it goes unless a component takes it over. */
  claim(thing: Thing, discard: (thing: Thing) => void): void {
    if (!this.#makers.has(thing)) {
      this.#makers.set(thing, { kept: { has: () => false, discard }, key: [] });
    }
  }

  /**
   * After a jump.
   *
   * @param things All that are there.
   * @param foreignKey What something was made of that another page has made; undefined: it has not.
   */
  begin(things: Iterable<Thing>, foreignKey: (thing: Thing) => Key | undefined): void {
    for (const kept of this.#all) kept.showOwn();
    this.#orphans.clear();
    for (const thing of things) {
      const maker = this.#makers.get(thing);
      const key = maker === undefined ? foreignKey(thing) : maker.key;
      if (key !== undefined && maker?.kept.has(thing) !== true) this.#orphans.set(thing, key);
    }
  }

  /** One that is there without a component. @param isAlike Given it, and what it was made of. */
  take<T extends Thing>(isAlike: (thing: T, key: Key) => boolean): T | undefined {
    for (const [orphan, key] of this.#orphans) {
      if (!orphan.isValid() || !isAlike(orphan as T, key)) continue;
      this.#orphans.delete(orphan);
      return orphan as T;
    }
    return undefined;
  }

  /** Whether a component has made it, or taken it over. */
  knows(thing: Thing): boolean {
    return this.#makers.has(thing);
  }

  isOrphan(thing: Thing): boolean {
    return this.#orphans.has(thing);
  }

  /** Removes those that none has taken. @param isMeant Which. Default: all. */
  removeOrphans(isMeant: (thing: Thing) => boolean = () => true): void {
    for (const orphan of this.#orphans.keys()) {
      if (!isMeant(orphan)) continue;
      this.#orphans.delete(orphan);
      if (!this.isHeld && orphan.isValid()) this.#makers.get(orphan)?.kept.discard(orphan);
    }
  }

  #run(): void {
    const due = [...this.#due];
    this.#due.clear();
    for (const kept of due) kept.remove();
  }
}

/** A thing of a world, from the first effect that asks for it until no effect does. */
export class Kept<T extends Thing> {
  readonly #keeper: Keeper;
  readonly #remove: (thing: T) => void;
  #own: T | undefined;
  /** What a replay shows in its place. */
  #standIn: T | undefined;
  #key: Key = [];

  constructor(keeper: Keeper, remove: (thing: T) => void) {
    this.#keeper = keeper;
    this.#remove = remove;
  }

  /** The thing, if there is one. */
  get current(): T | undefined {
    const thing = this.#standIn ?? this.#own;
    return thing?.isValid() === true ? thing : undefined;
  }

  /** Also one that the state does not have that is shown. */
  get own(): T | undefined {
    return this.#own;
  }

  /** What its own was made of. */
  get key(): Key {
    return this.#key;
  }

  /**
   * The thing that is there, if it was made with an equal key; otherwise it is replaced. While nothing may be made or
   * changed, it is the one that it has, of whatever key and even if it is not there.
   *
   * @param key What it is made of: compared one by one, by identity.
   * @param isAlike Says of something without a component whether it may be taken over. Default: it is nothing of the run.
   */
  require(key: Key, make: () => T, isAlike?: (thing: T, key: Key) => boolean): T {
    this.#keeper.cancel(this as unknown as AnyKept);
    const isHeld = isAlike !== undefined && this.#keeper.isHeld;
    if (isHeld && this.#own !== undefined) return this.#standIn ?? this.#own;
    if (this.current !== undefined && isSameKey(key, this.#key)) return this.current;
    const found = isAlike && this.#keeper.take(isAlike);
    this.remove();
    this.#key = key;
    return this.#have(found ?? make());
  }

  /** Takes something over that has no component. */
  take(isAlike: (thing: T, key: Key) => boolean): T | undefined {
    const found = this.#keeper.take(isAlike);
    if (found === undefined) return undefined;
    if (this.#keeper.isHeld) this.#standIn = found;
    else this.#have(found);
    return found;
  }

  has(thing: Thing): boolean {
    return thing === this.#own;
  }

  showOwn(): void {
    this.#standIn = undefined;
  }

  /** Removes it when the commit is over, unless it is asked for again. */
  release(): void {
    this.#keeper.release(this as unknown as AnyKept);
  }

  /** Removes it now. While nothing may be removed, it is when the run itself is shown again: it has no component then. */
  remove(): void {
    const { current } = this;
    this.#own = this.#standIn = undefined;
    this.#keeper.delete(this as unknown as AnyKept);
    if (current !== undefined) this.#remove(current);
  }

  /** Removes something that was its own once. */
  discard(thing: Thing): void {
    this.#remove(thing as T);
  }

  #have(thing: T): T {
    this.#own = thing;
    this.#keeper.note(this as unknown as AnyKept, thing, this.#key);
    return thing;
  }
}

export const isSameKey = (a: Key, b: Key): boolean =>
  a.length === b.length && a.every((value, index) => Object.is(value, b[index]));

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
  #foreignParts(world: PageWorld): AnyThing[] {
    const bodies = world.bodies.getAll().filter((body) => this.#keeper.knows(body));
    const builtIn = world.things.filter((thing) =>
      isBuiltIn((thing as Partial<SystemHandle>).name ?? ''),
    );
    const parts = [...builtIn, ...bodies.flatMap((body) => world.madeOf(body))];
    return parts.filter((thing) => world.isForeign(thing));
  }
}

/** What is given back, and may be asked for again in the same commit. */
interface Releasable {
  release(): void;
  /** Asks again for what was released. Only what is made in components of applications needs it. */
  renew?(): void;
}

/**
 * Releases it when the component is unmounted: in the commit itself, because what replaces it, such as a body with another
 * key, is made by layout effects of that commit, and the two may not meet in a tick. Passive effects come later. Those
 * release what is only hidden by `<Activity>`, and neither runs for what a `<Suspense>` hides.
 */
export function useRelease(thing: Releasable): void {
  useInsertionEffect(() => () => thing.release(), [thing]);
  useEffect(() => {
    // A hot reload of the component ends this effect after its layout effects have run again.
    thing.renew?.();
    return () => thing.release();
  }, [thing]);
}

export class RefSlot<T> {
  #ref: Ref<T> | undefined;
  #value: T | undefined;
  #detach: (() => void) | undefined;

  /** @param ref Undefined while its component is unmounted or hidden. */
  set(ref: Ref<T> | undefined, value: T | undefined): void {
    if (ref === this.#ref && value === this.#value) return;
    this.#detach?.();
    this.#ref = ref;
    this.#value = value;
    this.#detach = value === undefined ? undefined : attach(ref, value);
  }
}

/** As React does it. */
function attach<T>(ref: Ref<T> | undefined, value: T): (() => void) | undefined {
  if (ref === undefined || ref === null) return undefined;
  if (typeof ref !== 'function') {
    ref.current = value;
    return () => {
      ref.current = null;
    };
  }
  const cleanUp = ref(value);
  return typeof cleanUp === 'function' ? cleanUp : () => void ref(null);
}
