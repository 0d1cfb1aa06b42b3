/** A thing of a hook: made when what it is made of is there, and again when that or its description becomes another. */
import { type RefObject, useLayoutEffect, useState } from 'react';
import { reportUncaught } from '../render-main/util/report-uncaught.js';
import { isSame } from '../world/page/checked-values.js';
import type { World } from '../world/page/index.js';
import { named, naming, useLateErrors } from './errors.js';
import { isSameKey, Kept, type Thing, useRelease } from './leases.js';
import { usePhysics } from './physics-context.js';
import type { PhysicsScope } from './physics-scope.js';

/** What a hook asks for. */
export interface SlotRequest<T extends Thing> {
  /** What it is made of. A ref that is empty has it wait. */
  readonly parts: readonly PartRef[];
  /** What makes another one when it differs: compared one by one, by identity. */
  readonly key: readonly unknown[];
  make(world: World, parts: readonly Thing[]): T;
  /** Given it when it is in the ref. */
  onShown?(thing: T): void;
  /** What it is made with and can be changed: plain data. */
  readonly settings?: Settings;
  /** Given those settings that are not as they were rendered before. */
  change?(thing: T, changed: Settings): void;
}

/** Plain data by names. */
export type Settings = Readonly<Record<string, unknown>>;

/** Finds a part. */
export interface PartRef {
  readonly current: Thing | null | undefined;
}

export class Slot<T extends Thing, None extends null | undefined> {
  /** What the hook returns. */
  readonly ref: RefObject<T | None>;
  /** Reports what goes wrong after a commit. */
  onLateError: (error: Error) => void = reportUncaught;
  readonly #name: string;
  readonly #scope: PhysicsScope;
  readonly #none: None;
  readonly #kept: Kept<T>;
  #world: World | undefined;
  #wanted: SlotRequest<T> | undefined;
  #isReleased = false;
  #parts: readonly Thing[] = [];
  #applied: Settings = {};
  #jumps = 0;

  /**
   * @param name Of the hook or component, for messages.
   * @param remove Removes it from its world.
   */
  constructor(
    name: string,
    scope: PhysicsScope,
    none: None,
    remove: (world: World, thing: T) => void,
  ) {
    this.#name = name;
    this.#scope = scope;
    this.#none = none;
    this.ref = { current: none };
    this.#kept = new Kept(scope.keeper, (thing) => {
      this.ref.current = none;
      if (this.#world !== undefined && !scope.keeper.isHeld) remove(this.#world, thing);
    });
  }

  want(wanted: SlotRequest<T>): void {
    this.#wanted = wanted;
    this.#isReleased = false;
    this.#scope.addWaiting(this);
    naming(this.#name, () => this.#update());
  }

  /** Makes it if it can be made: after a commit. */
  check(): void {
    try {
      this.#update();
    } catch (error) {
      this.onLateError(named(error, this.#name) as Error);
    }
  }

  #update(): void {
    if (this.#wanted === undefined || this.#isReleased) return;
    const { key, make, settings = {}, change } = this.#wanted;
    const parts = this.#wanted.parts.map((part, index) => {
      const { current } = requireRef(part);
      if (current?.isValid() === true) return current;
      // While a boundary around a component is suspended, refs are empty and what they named is still there.
      const before = this.#parts[index];
      return current === null && before?.isValid() === true ? before : undefined;
    });
    const { world, keeper, jumps } = this.#scope;
    const wanted = [world, ...parts, ...key];
    const isAlike = (_: T, other: readonly unknown[]): boolean => isSameKey(wanted, other);
    if (keeper.isHeld) {
      // Its own is of other parts if those are not there yet that it was made of.
      const isOwn = this.#kept.current !== undefined && isSameKey(wanted, this.#kept.key);
      if (!isOwn) this.#kept.take(isAlike);
      this.#show(this.#kept.current);
      return;
    }
    if (!parts.every((part) => part !== undefined)) {
      this.#kept.remove();
      this.#show(undefined);
      return;
    }
    this.#parts = parts;
    this.#world = world;
    let isNew = false;
    const thing = this.#kept.require(
      wanted,
      () => {
        isNew = true;
        return make(world, parts);
      },
      isAlike,
    );
    const isUnknown = jumps !== this.#jumps;
    const changed = Object.entries(settings).filter(
      ([name, value]) => !isNew && (isUnknown || !isSame(value, this.#applied[name])),
    );
    this.#applied = settings;
    this.#jumps = jumps;
    // What the application has set by the handle stays, unless the settings are rendered differently.
    if (changed.length > 0) change?.(thing, Object.fromEntries(changed));
    this.#show(thing);
  }

  #show(thing: T | undefined): void {
    if (thing !== undefined && thing !== this.ref.current) this.#wanted?.onShown?.(thing);
    this.ref.current = thing ?? this.#none;
  }

  /** Wants again what was released. */
  renew(): void {
    if (this.#isReleased && this.#wanted !== undefined) this.want(this.#wanted);
  }

  release(): void {
    this.#isReleased = true;
    this.#scope.removeWaiting(this);
    this.#kept.release();
  }
}

/** In the place of none. */
const HANDLE: Partial<Thing> = { isValid: () => false };

/** @throws TypeError unless it is a ref, and what it has is a handle. */
export function requireRef<Ref extends PartRef>(ref: Ref): Ref {
  // Types say what it is.
  const isRef = typeof ref === 'object' && (ref as Ref | null) !== null;
  if (isRef && (ref.current ?? HANDLE).isValid !== undefined) return ref;
  throw new TypeError(
    'it needs a ref of a <RigidBody>: const body = useRef(null), and <RigidBody ref={body}>',
  );
}

/**
 * @param hook Its name, for the message outside of `<Physics>`.
 * @param none In the ref while there is no thing.
 */
export function useSlot<T extends Thing, None extends null | undefined>(
  hook: string,
  none: None,
  remove: (world: World, thing: T) => void,
  request: SlotRequest<T>,
): RefObject<T | None> {
  const { scope } = usePhysics(hook);
  const [slot] = useState(() => new Slot(hook, scope, none, remove));
  slot.onLateError = useLateErrors();
  useLayoutEffect(() => slot.want(request));
  useRelease(slot);
  return slot.ref;
}
