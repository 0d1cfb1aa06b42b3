/**
 * An item that a hook makes of others, such as a joint of two bodies: made when they exist, and again when one of them or its
 * description becomes another.
 */
import { useLayoutEffect, useState, type RefObject } from 'react';
import { isSame } from '../world/page/checked-values.js';
import type { World } from '../world/page/index.js';
import { LateWork, naming, useLateErrors } from './errors.js';
import { Lease, isSameKey, useRelease, type Dependent, type LeasedItem } from './leases.js';
import { usePhysics } from './physics-context.js';
import type { PhysicsScope } from './physics-scope.js';

/** The request of a hook. */
interface ItemRequest<T extends LeasedItem> {
  /** The items that it is made of. It waits while a ref is empty. */
  readonly dependencies: readonly ItemRef[];
  /** Another key makes another item: compared one by one, by identity. */
  readonly key: readonly unknown[];
  make(world: World, dependencies: readonly LeasedItem[]): T;
  /** Removes it from its world. */
  remove(world: World, item: T): void;
  /** Plain data that it is made with and that can be changed. */
  readonly settings?: Settings;
  /** Given the settings that differ from those of the last render; undefined for one that is not given any more. */
  change?(item: T, changed: Settings): void;
  /** Whether an item that is gone in the state that is shown stays gone: no other one is made in its place. */
  staysGone?(item: T): boolean;
}

/** Plain data by names. */
type Settings = Readonly<Record<string, unknown>>;

/** A ref of an item. */
export interface ItemRef {
  readonly current: LeasedItem | null | undefined;
}

export class DependentItem<
  T extends LeasedItem,
  None extends null | undefined,
> implements Dependent {
  /** Returned by the hook. */
  readonly ref: RefObject<T | None>;
  readonly late = new LateWork();
  readonly #name: string;
  readonly #scope: PhysicsScope;
  readonly #none: None;
  readonly #lease: Lease<T>;
  #request: ItemRequest<T> | undefined;
  #isReleased = false;
  #dependencies: readonly LeasedItem[] = [];
  #applied: Settings = {};
  #jumps = 0;

  /**
   * @param name Of the hook or component, for messages.
   * @param none In the ref while there is no item.
   */
  constructor(name: string, scope: PhysicsScope, none: None) {
    this.#name = name;
    this.#scope = scope;
    this.#none = none;
    this.ref = { current: none };
    this.#lease = new Lease(scope.leases, (item, [world]) => {
      this.ref.current = none;
      if (!scope.leases.isReadOnly) this.#request?.remove(world as World, item);
    });
  }

  request(request: ItemRequest<T>): void {
    this.#request = request;
    this.#isReleased = false;
    this.#scope.leases.dependents.add(this);
    naming(this.#name, () => this.#sync());
  }

  /** Makes the item if it can be made now, and removes it if it cannot exist any more: after a commit. */
  update(): void {
    this.late.do(() => naming(this.#name, () => this.#sync()));
  }

  /** Requests again what was released. */
  renew(): void {
    if (this.#isReleased && this.#request !== undefined) this.request(this.#request);
  }

  release(): void {
    this.#isReleased = true;
    this.#scope.leases.dependents.delete(this);
    this.#lease.release();
  }

  #sync(): void {
    if (this.#request === undefined || this.#isReleased) return;
    const { make, settings = {}, change, staysGone } = this.#request;
    const dependencies = this.#request.dependencies.map((ref, index) => {
      const { current } = requireRef(ref);
      if (current?.isValid() === true) return current;
      // While a boundary around a component is suspended, its refs are empty, but their items still exist.
      const before = this.#dependencies[index];
      return current === null && before?.isValid() === true ? before : undefined;
    });
    const { world, leases, jumps } = this.#scope;
    const key = [world, ...dependencies, ...this.#request.key];
    const isAlike = (_: T, otherKey: readonly unknown[]): boolean => isSameKey(key, otherKey);
    if (leases.isReadOnly) {
      // A replay may not have the items that its own was made of.
      const isOwn = this.#lease.current !== undefined && isSameKey(key, this.#lease.key);
      if (!isOwn) this.#lease.adopt(isAlike);
      this.#show(this.#lease.current);
      return;
    }
    if (!dependencies.every((item) => item !== undefined)) {
      this.#lease.remove();
      this.#show(undefined);
      return;
    }
    this.#dependencies = dependencies;
    const { own } = this.#lease;
    const isGone = own?.isValid() === false && isSameKey(key, this.#lease.key);
    const gone = isGone && staysGone?.(own) === true ? own : undefined;
    let isNew = false;
    const makeNew = (): T => {
      isNew = true;
      return gone ?? make(world, dependencies);
    };
    const item = this.#lease.acquire(key, makeNew, isAlike);
    if (item === gone) {
      this.#show(undefined);
      return;
    }
    const isUnknown = jumps !== this.#jumps;
    // Settings that were given once may differ in the state after a later jump.
    const given = item === own ? { ...withoutValues(this.#applied), ...settings } : settings;
    const changed = Object.entries(given).filter(
      ([name, value]) => !isNew && (isUnknown || !isSame(value, this.#applied[name])),
    );
    this.#applied = given;
    this.#jumps = jumps;
    // Settings that the application has made by the handle stay, unless they are rendered differently.
    if (changed.length > 0) change?.(item, Object.fromEntries(changed));
    this.#show(item);
  }

  #show(item: T | undefined): void {
    const before = this.ref.current;
    this.ref.current = item ?? this.#none;
    // Others may be made of it.
    if (before !== this.ref.current) this.#scope.leases.updateDependents();
  }
}

const withoutValues = (settings: Settings): Settings =>
  Object.fromEntries(Object.keys(settings).map((name) => [name, undefined]));

/** In place of an empty ref. */
const HANDLE: Partial<LeasedItem> = { isValid: () => false };

/** @throws TypeError unless it is a ref, and what it has is a handle. */
export function requireRef<Ref extends ItemRef>(ref: Ref): Ref {
  // JavaScript may pass anything.
  const isRef = typeof ref === 'object' && (ref as Ref | null) !== null;
  if (isRef && (ref.current ?? HANDLE).isValid !== undefined) return ref;
  throw new TypeError(
    'it needs a ref of a <RigidBody>: const body = useRef(null), and <RigidBody ref={body}>',
  );
}

/**
 * @param hook Its name, for messages.
 * @param none In the ref while there is no item.
 */
export function useDependentItem<T extends LeasedItem, None extends null | undefined>(
  hook: string,
  none: None,
  request: ItemRequest<T>,
): RefObject<T | None> {
  const { scope } = usePhysics(hook);
  const [item] = useState(() => new DependentItem<T, None>(hook, scope, none));
  item.late.onError = useLateErrors();
  useLayoutEffect(() => item.request(request));
  useRelease(item);
  return item.ref;
}
