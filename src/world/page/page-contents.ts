/** What the page has created in a world and not removed. */
import { recordLength } from '../shared/value-records.js';
import { byKind } from '../shared/world-batch.js';
import { KIND_NAMES, type Kind } from '../shared/world-fields.js';
import type { HandleSet } from './handle-set.js';

/** A handle of anything in a world. */
export interface Thing {
  /** Its number, which no other thing of its world has or had. */
  readonly handle: number;
  /** How many numbers it has in the block of values; see `shared/world/value-records.ts`. Undefined: it has none. */
  readonly valueCount?: number;
}

interface Entry {
  readonly kind: Kind;
  readonly thing: Thing;
  /** Handles of what it is made of. */
  readonly parts: readonly number[];
  /** Whether a frame has shown it. */
  isShown: boolean;
}

const NOTHING: ReadonlySet<Thing> = new Set();

/** Things that were removed last are kept: a jump back may need them, with what the application has put into them. */
const MAX_REMOVED = 4096;

export class PageContents {
  readonly #entries = new Map<number, Entry>();
  /** Numbers in the block of values that are taken. */
  usedValues = 0;
  /** Those that were removed last, in order. */
  readonly #removed = new Map<number, Entry>();
  readonly #things = byKind(KIND_NAMES, () => new Map<number, Thing>());
  /** By kind and then by part: what is made of it, and goes with it. */
  readonly #dependents = byKind(KIND_NAMES, () => new Map<number, Set<Thing>>());

  add(kind: Kind, thing: Thing, parts: readonly number[]): void {
    this.#entries.set(thing.handle, { kind, thing, parts, isShown: false });
    this.#things[kind].set(thing.handle, thing);
    this.usedValues += valuesTaken(thing);
    for (const part of parts) {
      const dependents = this.#dependents[kind].get(part) ?? new Set();
      this.#dependents[kind].set(part, dependents);
      dependents.add(thing);
    }
  }

  /** A handle of another world has the number of something else. */
  has(kind: Kind, thing: Thing | null | undefined): boolean {
    const found = this.#things[kind].get(thing?.handle as number);
    return found !== undefined && found === thing;
  }

  get(handle: number): Thing | undefined {
    return this.#entries.get(handle)?.thing;
  }

  /**
   * A frame shows something.
   *
   * @returns Whether it is missing. What was removed before a frame has shown it is shown nevertheless, and not missing.
   */
  noteShown(handle: number): boolean {
    const entry = this.#entries.get(handle) ?? this.#removed.get(handle);
    const isMissing = !this.#entries.has(handle) && entry?.isShown !== false;
    if (entry !== undefined) entry.isShown = true;
    return isMissing;
  }

  /** Those of a kind that it has, or could give back. */
  *known(kind: Kind): Iterable<Thing> {
    yield* this.#things[kind].values();
    for (const removed of this.#removed.values()) if (removed.kind === kind) yield removed.thing;
  }

  /** Also one that was removed not long ago. */
  getOrRemoved(kind: Kind, handle: number): Thing | undefined {
    const removed = this.#removed.get(handle);
    return this.#things[kind].get(handle) ?? (removed?.kind === kind ? removed.thing : undefined);
  }

  /** One that was removed not long ago; it must be added again. */
  takeRemoved(kind: Kind, handle: number): Thing | undefined {
    const removed = this.#removed.get(handle);
    if (removed?.kind !== kind) return undefined;
    this.#removed.delete(handle);
    return removed.thing;
  }

  all(kind: Kind): ReadonlyMap<number, Thing> {
    return this.#things[kind];
  }

  /** Those of a kind that are made of something, in the order in which they were created. */
  dependents(kind: Kind, { handle }: Thing): ReadonlySet<Thing> {
    return this.#dependents[kind].get(handle) ?? NOTHING;
  }

  /**
   * Removes a thing, and what is made of it.
   *
   * @param onDependent Called for each that goes with it.
   * @returns Handles of what it was made of.
   */
  remove({ handle }: Thing, onDependent: (kind: Kind, thing: Thing) => void): readonly number[] {
    for (const kind of KIND_NAMES) {
      for (const dependent of this.#dependents[kind].get(handle) ?? NOTHING) {
        this.remove(dependent, onDependent);
        onDependent(kind, dependent);
      }
      this.#dependents[kind].delete(handle);
    }
    const entry = this.#entries.get(handle);
    if (entry === undefined) return [];
    const { kind, thing, parts } = entry;
    this.#entries.delete(handle);
    this.#things[kind].delete(handle);
    this.usedValues -= valuesTaken(thing);
    this.#keep(entry);
    for (const part of parts) this.#dependents[kind].get(part)?.delete(thing);
    return parts;
  }

  #keep(entry: Entry): void {
    this.#removed.set(entry.thing.handle, entry);
    if (this.#removed.size <= MAX_REMOVED) return;
    const [first] = this.#removed.keys();
    if (first !== undefined) this.#removed.delete(first);
  }
}

const valuesTaken = ({ valueCount }: Thing): number =>
  valueCount === undefined ? 0 : recordLength(valueCount);

/** A list of them for applications. */
export const setOf = <T>(items: ReadonlyMap<number, unknown>): HandleSet<T> => {
  const things = items as ReadonlyMap<number, T>;
  return {
    len: () => things.size,
    contains: (handle) => things.has(handle),
    get: (handle) => things.get(handle) ?? null,
    getAll: () => [...things.values()],
    forEach: (callback) => things.forEach((item) => callback(item)),
  };
};
