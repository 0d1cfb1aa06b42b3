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
    if (this.current !== undefined && isSame(key, this.#key)) return this.current;
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

export const isSame = (a: Key, b: Key): boolean =>
  a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
