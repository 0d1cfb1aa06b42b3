/**
 * Things of a world that effects make and clean up. React ends and begins the effects of a component again without the
 * component being new: in StrictMode, on a hot reload, and when a parent is hidden and shown. So the clean-up of an effect
 * removes nothing at once: what is asked for again in the same commit, made of the same parts, is the same thing, and a
 * body continues from where it is.
 */

/** What belongs to a world. */
export interface Thing {
  isValid(): boolean;
}

/** Removes, when a commit is over, what nothing has asked for again. */
export class Removals {
  readonly #due = new Set<Kept<Thing>>();

  add(kept: Kept<Thing>): void {
    // A microtask of the commit itself: before the world sends what the commit has changed, so that it is one batch.
    if (this.#due.size === 0) queueMicrotask(() => this.#run());
    this.#due.add(kept);
  }

  cancel(kept: Kept<Thing>): void {
    this.#due.delete(kept);
  }

  #run(): void {
    const due = [...this.#due];
    this.#due.clear();
    for (const kept of due) kept.remove();
  }
}

/** A thing of a world, from the first effect that asks for it until no effect does. */
export class Kept<T extends Thing> {
  readonly #removals: Removals;
  readonly #remove: (thing: T) => void;
  #thing: T | undefined;
  #key: readonly unknown[] = [];

  constructor(removals: Removals, remove: (thing: T) => void) {
    this.#removals = removals;
    this.#remove = remove;
  }

  /** The thing, if there is one. */
  get current(): T | undefined {
    return this.#thing?.isValid() === true ? this.#thing : undefined;
  }

  /**
   * The thing that is there, if it was made with an equal key; otherwise it is replaced.
   *
   * @param key What it is made of: compared one by one, by identity.
   */
  require(key: readonly unknown[], make: () => T): T {
    this.#removals.cancel(this as unknown as Kept<Thing>);
    if (this.current !== undefined && isSame(key, this.#key)) return this.current;
    this.remove();
    this.#key = key;
    this.#thing = make();
    return this.#thing;
  }

  /** Removes it when the commit is over, unless it is asked for again. */
  release(): void {
    this.#removals.add(this as unknown as Kept<Thing>);
  }

  /** Removes it now. */
  remove(): void {
    const { current } = this;
    this.#thing = undefined;
    if (current !== undefined) this.#remove(current);
  }
}

export const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
