/**
 * Leases: what components have made of a world, and for how long. React ends and begins the effects of a component again
 * without the component being new: in StrictMode, on a hot reload, and when a parent is hidden and shown. So the clean-up of
 * an effect removes nothing at once: a lease that is acquired again in the same commit with an equal key keeps its item, and
 * a body continues from where it is.
 *
 * A jump of the run removes items that components have, and brings back items of components that are gone: another
 * `key` makes another component, which has nothing in a state from before. After the jump, a component without its item
 * adopts one that exists without a component and was made alike:
 *
 *     run        A made ──── seek to here ──── A removed, B made by the component with another key
 *     after it   A is B's, for good; while a replay shows it, until B's own is there again
 */
import { useEffect, useInsertionEffect, type Ref } from 'react';
import { isBuiltIn } from '../world/shared/built-in-systems.js';
import type { SystemHandle, World } from '../world/page/index.js';
import { oncePerTurn } from '../render-main/util/turns.js';
import { driverOf } from '../world/page/page-world.js';

/** A thing in a world: a body, a collider, a joint, a system … */
export interface LeasedItem {
  isValid(): boolean;
}

/** The parts that an item was made of: compared one by one, by identity. */
type Key = readonly unknown[];

export const isSameKey = (a: Key, b: Key): boolean =>
  a.length === b.length && a.every((value, index) => Object.is(value, b[index]));

/** A component, or a list of instances, that is brought in line with the run after a jump. */
export interface Resyncable {
  /** Makes what is missing, and sets what the state has otherwise. */
  resync(): void;
}

/** The owner of a body. */
interface Adopter {
  /** Number of the body that it had last. */
  readonly lastHandle: number;
  /** Adopts a body without a component if it has none. @param isExact Whether the body has to begin at the same place. */
  adopt(isExact: boolean): void;
}

/** A thing made of items that come and go without a render of its component. */
export interface Dependent {
  /** Some have come or gone. */
  update(): void;
}

/** The lease of an item of any type. */
interface AnyLease {
  has(item: LeasedItem): boolean;
  showOwn(): void;
  remove(): void;
  discard(item: LeasedItem): void;
}

/** Who has made an item, or adopted it last. */
interface ItemOrigin {
  readonly lease: Pick<AnyLease, 'has' | 'discard'>;
  readonly key: Key;
}

/** The leases in one `<Physics>`. */
export class LeaseRegistry {
  readonly #isReadOnly: () => boolean;
  readonly #released = new Set<AnyLease>();
  readonly #leases = new Set<AnyLease>();
  readonly #origins = new WeakMap<LeasedItem, ItemOrigin>();
  /** Items that a jump has left without a component. */
  readonly #orphans = new Map<LeasedItem, Key>();
  readonly resyncables = new Set<Resyncable>();
  readonly adopters = new Set<Adopter>();
  readonly dependents = new Set<Dependent>();
  /** An item came or went: updates what depends on items when the commit is over. */
  readonly updateDependents = oncePerTurn(() => {
    for (const dependent of this.dependents) dependent.update();
  });

  constructor(isReadOnly: () => boolean) {
    this.#isReadOnly = isReadOnly;
  }

  /** Whether nothing may be made or changed: a replay is shown, or the state is not known yet. */
  get isReadOnly(): boolean {
    return this.#isReadOnly();
  }

  /** Removes an item when the commit is over, unless it is acquired again. */
  release(lease: AnyLease): void {
    // A microtask of the commit itself: before the world sends what the commit has changed, so that it is one batch.
    if (this.#released.size === 0) queueMicrotask(() => this.#removeReleased());
    this.#released.add(lease);
  }

  cancelRelease(lease: AnyLease): void {
    this.#released.delete(lease);
  }

  record(lease: AnyLease, item: LeasedItem, key: Key): void {
    this.#leases.add(lease);
    this.#origins.set(item, { lease, key });
  }

  /** Takes note of who has an item that has no lease. */
  note(item: LeasedItem, lease: ItemOrigin['lease']): void {
    this.#origins.set(item, { lease, key: [] });
  }

  forget(lease: AnyLease): void {
    this.#leases.delete(lease);
  }

  /** An item without a component. @param isAlike Is given the item, and what it was made of. */
  adopt<T extends LeasedItem>(
    lease: AnyLease,
    isAlike: (item: T, key: Key) => boolean,
  ): T | undefined {
    for (const [orphan, key] of this.#orphans) {
      if (!orphan.isValid() || !isAlike(orphan as T, key)) continue;
      this.#orphans.delete(orphan);
      this.#leases.add(lease);
      return orphan as T;
    }
    return undefined;
  }

  isOrphan(item: LeasedItem): boolean {
    return this.#orphans.has(item);
  }

  /**
   * Brings components and the run in line after a jump. Components adopt or make what their props say, and items of the run
   * itself that no component has any more are removed. While a replay is shown, components draw it, and nothing is changed.
   */
  resync(world: World): void {
    this.#findOrphans(world);
    // In the order in which bodies were made: what is rendered in the same order is alike in the same order.
    const adopters = [...this.adopters].toSorted((a, b) => a.lastHandle - b.lastHandle);
    for (const isExact of [true, false]) for (const adopter of adopters) adopter.adopt(isExact);
    const bodies = new Set<LeasedItem>(world.bodies.getAll());
    this.#claimForeign(world);
    this.#removeOrphans((item) => bodies.has(item));
    for (const resyncable of this.resyncables) resyncable.resync();
    for (const dependent of this.dependents) dependent.update();
    this.#removeOrphans();
  }

  #findOrphans(world: World): void {
    const driver = driverOf(world);
    for (const lease of this.#leases) lease.showOwn();
    this.#orphans.clear();
    for (const item of driver.items) {
      const origin = this.#origins.get(item);
      // The name is all that is known of a system that another page has made.
      const foreignKey = driver.isForeign(item) ? [world, nameOf(item)] : undefined;
      const key = origin === undefined ? foreignKey : origin.key;
      if (key !== undefined && origin?.lease.has(item) !== true) this.#orphans.set(item, key);
    }
  }

  /**
   * Claims what another page has made of bodies that components have, or that only components make: it is removed after the
   * next jump unless a component adopts it.
   */
  #claimForeign(world: World): void {
    const driver = driverOf(world);
    const bodies = world.bodies.getAll().filter((body) => this.#origins.has(body));
    const builtIn = driver.items.filter((item) => isBuiltIn(nameOf(item) ?? ''));
    for (const item of [...builtIn, ...bodies.flatMap((body) => driver.madeOf(body))]) {
      if (!driver.isForeign(item) || this.#origins.has(item)) continue;
      const lease = { has: () => false, discard: () => driver.discard(item) };
      this.#origins.set(item, { lease, key: [] });
    }
  }

  #removeOrphans(isMeant: (item: LeasedItem) => boolean = () => true): void {
    for (const orphan of this.#orphans.keys()) {
      if (!isMeant(orphan)) continue;
      this.#orphans.delete(orphan);
      if (!this.isReadOnly && orphan.isValid()) this.#origins.get(orphan)?.lease.discard(orphan);
    }
  }

  #removeReleased(): void {
    const released = [...this.#released];
    this.#released.clear();
    for (const lease of released) lease.remove();
  }
}

/** Only systems have a name. */
const nameOf = (item: object): string | undefined => (item as Partial<SystemHandle>).name;

/** An item of a world, from the first effect that asks for it until no effect does. */
export class Lease<T extends LeasedItem> implements AnyLease {
  readonly #registry: LeaseRegistry;
  readonly #remove: (item: T, key: Key) => void;
  #own: T | undefined;
  /** The item that a replay shows in its place. */
  #standIn: T | undefined;
  #key: Key = [];

  /** @param remove Removes an item from its world. It is given what its last item was made of. */
  constructor(registry: LeaseRegistry, remove: (item: T, key: Key) => void) {
    this.#registry = registry;
    this.#remove = remove;
  }

  /** The item, if there is one in the state that is shown. */
  get current(): T | undefined {
    const item = this.#standIn ?? this.#own;
    return item?.isValid() === true ? item : undefined;
  }

  /** The item of this owner, even if the state that is shown does not have it. */
  get own(): T | undefined {
    return this.#own;
  }

  /** The parts that its own item was made of. */
  get key(): Key {
    return this.#key;
  }

  /**
   * The item, if it was made with an equal key; otherwise it is replaced. While nothing may be made or changed, it stays the
   * one that it has, whatever its key is and even if the state that is shown does not have it.
   *
   * @param isAlike Whether an item without a component may be adopted. Default: the item is no part of the run.
   */
  acquire(key: Key, make: () => T, isAlike?: (item: T, key: Key) => boolean): T {
    this.#registry.cancelRelease(this);
    const isReadOnly = isAlike !== undefined && this.#registry.isReadOnly;
    if (isReadOnly && this.#own !== undefined) return this.#standIn ?? this.#own;
    if (this.current !== undefined && isSameKey(key, this.#key)) return this.current;
    const found = isAlike && this.#registry.adopt(this, isAlike);
    this.remove();
    this.#key = key;
    return this.#have(found ?? make());
  }

  /** Adopts an item without a component, for as long as a replay is shown if one is. */
  adopt(isAlike: (item: T, key: Key) => boolean): T | undefined {
    const found = this.#registry.adopt(this, isAlike);
    if (found === undefined) return undefined;
    if (this.#registry.isReadOnly) this.#standIn = found;
    else this.#have(found);
    return found;
  }

  has(item: LeasedItem): boolean {
    return item === this.#own;
  }

  showOwn(): void {
    this.#standIn = undefined;
  }

  /** Removes the item when the commit is over, unless it is acquired again. */
  release(): void {
    this.#registry.release(this);
  }

  /** Removes the item now. While a replay is shown, it is removed when the run is shown again: no component has it then. */
  remove(): void {
    const { current } = this;
    this.#own = this.#standIn = undefined;
    this.#registry.forget(this);
    if (current !== undefined) this.#remove(current, this.#key);
  }

  /** Removes an item that it had once. */
  discard(item: LeasedItem): void {
    this.#remove(item as T, this.#key);
  }

  #have(item: T): T {
    this.#own = item;
    this.#registry.record(this, item, this.#key);
    return item;
  }
}

/** Something that is given back, and may be asked for again in the same commit. */
interface Releasable {
  release(): void;
  /** Asks again for what was released. Only what is made in components of applications needs it. */
  renew?(): void;
}

/**
 * Releases something when the component is unmounted: in the commit itself, because layout effects of that commit make what
 * replaces it, such as a body with another key, and the two may not meet in a tick. Passive effects come later. They
 * release what is only hidden by `<Activity>`, and neither runs for what a `<Suspense>` hides.
 */
export function useRelease(releasable: Releasable): void {
  useInsertionEffect(() => () => releasable.release(), [releasable]);
  useEffect(() => {
    // A hot reload of the component ends this effect after its layout effects have run again.
    releasable.renew?.();
    return () => releasable.release();
  }, [releasable]);
}

/** Sets the ref of a component to a handle that others may replace: the colliders of a body are made again with it. */
export class HandleRef<T> {
  #ref: Ref<T> | undefined;
  #handle: T | undefined;
  #detach: (() => void) | undefined;

  /** @param ref Undefined while its component is unmounted or hidden. */
  set(ref: Ref<T> | undefined, handle: T | undefined): void {
    if (ref === this.#ref && handle === this.#handle) return;
    this.#detach?.();
    this.#ref = ref;
    this.#handle = handle;
    this.#detach = handle === undefined ? undefined : attach(ref, handle);
  }
}

/** Sets a ref as React does. @returns Ends it. */
function attach<T>(ref: Ref<T> | undefined, handle: T): (() => void) | undefined {
  if (ref === undefined || ref === null) return undefined;
  if (typeof ref !== 'function') {
    ref.current = handle;
    return () => {
      ref.current = null;
    };
  }
  const cleanUp = ref(handle);
  return typeof cleanUp === 'function' ? cleanUp : () => void ref(null);
}
