/** The items that the page has created in a world and not removed, and which of them go with others. */
import { recordLength } from '../shared/value-records.js';
import { byKind } from '../shared/world-batch.js';
import { KIND_NAMES, type Kind } from '../shared/setting-tables.js';

/** A list of what a world has, as in Rapier. */
export interface HandleSet<T> {
  /** The number of them. */
  len(): number;
  /** Whether it has a thing. @param handle Its number: things of a world are counted from 1. */
  contains(handle: number): boolean;
  /** A thing, or null. @param handle Its number: things of a world are counted from 1. */
  get(handle: number): T | null;
  /** All of them, in a new array, in the order in which they were created. */
  getAll(): T[];
  /** Calls a function for each. */
  forEach(callback: (item: T) => void): void;
}

/** A handle of anything in a world. */
export interface WorldItem {
  /** The item's number, which no other item of its world has or had. */
  readonly handle: number;
  /** How many numbers it has in the block of values; see `shared/world/value-records.ts`. Undefined: it has none. */
  readonly valueCount?: number;
}

/** The kind of a handle, as its class says; undefined for anything else. */
export function kindOf(value: unknown): Kind | undefined {
  const { kind } = ((value as object | null | undefined)?.constructor ?? {}) as { kind?: unknown };
  return KIND_NAMES.find((name) => name === kind);
}

interface ItemEntry {
  readonly kind: Kind;
  readonly item: WorldItem;
  /** Handles of what it is made of. */
  readonly parts: readonly number[];
  /** Whether a frame has drawn it. */
  isDrawn: boolean;
}

const NOTHING: ReadonlySet<WorldItem> = new Set();

/** How many removed items are kept: a jump back may need them, with what the application has put into them. */
const MAX_REMOVED = 4096;

export class PageContents {
  readonly #entries = new Map<number, ItemEntry>();
  /** The items that were removed last, in order. */
  readonly #removed = new Map<number, ItemEntry>();
  readonly #items = byKind(KIND_NAMES, () => new Map<number, WorldItem>());
  /** By kind and then by part: the items that are made of it, and go with it. */
  readonly #dependents = byKind(KIND_NAMES, () => new Map<number, Set<WorldItem>>());

  add(kind: Kind, item: WorldItem, parts: readonly number[]): void {
    this.#entries.set(item.handle, { kind, item, parts, isDrawn: false });
    this.#items[kind].set(item.handle, item);
    for (const part of parts) {
      const dependents = this.#dependents[kind].get(part) ?? new Set();
      this.#dependents[kind].set(part, dependents);
      dependents.add(item);
    }
  }

  /** Numbers in the block of values that are taken. */
  get usedValues(): number {
    const items = [...this.#items.character.values(), ...this.#items.vehicle.values()];
    return items.reduce((sum, item) => sum + valuesTaken(item), 0);
  }

  /** Whether it is of this world: a handle of another one has the number of something else. */
  has(kind: Kind, item: WorldItem | null | undefined): boolean {
    const found = this.#items[kind].get(item?.handle as number);
    return found !== undefined && found === item;
  }

  get(handle: number): WorldItem | undefined {
    return this.#entries.get(handle)?.item;
  }

  /**
   * A frame draws something.
   *
   * @returns Whether the page lacks it. An item that was removed before a frame has drawn it is drawn nevertheless, and not missing.
   */
  markDrawn(handle: number): boolean {
    const entry = this.#entries.get(handle) ?? this.#removed.get(handle);
    const isMissing = !this.#entries.has(handle) && entry?.isDrawn !== false;
    if (entry !== undefined) entry.isDrawn = true;
    return isMissing;
  }

  /** All of a kind that it has, or could give back. */
  *known(kind: Kind): Iterable<WorldItem> {
    yield* this.#items[kind].values();
    for (const removed of this.#removed.values()) if (removed.kind === kind) yield removed.item;
  }

  /** Also one that was removed not long ago. */
  getOrRemoved(kind: Kind, handle: number): WorldItem | undefined {
    const removed = this.#removed.get(handle);
    return this.#items[kind].get(handle) ?? (removed?.kind === kind ? removed.item : undefined);
  }

  /** One that was removed not long ago; it must be added again. */
  takeRemoved(kind: Kind, handle: number): WorldItem | undefined {
    const removed = this.#removed.get(handle);
    if (removed?.kind !== kind) return undefined;
    this.#removed.delete(handle);
    return removed.item;
  }

  all(kind: Kind): ReadonlyMap<number, WorldItem> {
    return this.#items[kind];
  }

  /** All of a kind that are made of something, in the order in which they were created. */
  dependents(kind: Kind, { handle }: WorldItem): ReadonlySet<WorldItem> {
    return this.#dependents[kind].get(handle) ?? NOTHING;
  }

  /**
   * Removes an item, and what is made of it.
   *
   * @param onDependent Called for each that goes with it.
   * @returns Handles of what it was made of.
   */
  remove(
    { handle }: WorldItem,
    onDependent: (kind: Kind, item: WorldItem) => void,
  ): readonly number[] {
    for (const kind of KIND_NAMES) {
      for (const dependent of this.#dependents[kind].get(handle) ?? NOTHING) {
        this.remove(dependent, onDependent);
        onDependent(kind, dependent);
      }
      this.#dependents[kind].delete(handle);
    }
    const entry = this.#entries.get(handle);
    if (entry === undefined) return [];
    const { kind, item, parts } = entry;
    this.#entries.delete(handle);
    this.#items[kind].delete(handle);
    this.#keep(entry);
    for (const part of parts) this.#dependents[kind].get(part)?.delete(item);
    return parts;
  }

  #keep(entry: ItemEntry): void {
    this.#removed.set(entry.item.handle, entry);
    if (this.#removed.size <= MAX_REMOVED) return;
    const [first] = this.#removed.keys();
    if (first !== undefined) this.#removed.delete(first);
  }
}

const valuesTaken = ({ valueCount }: WorldItem): number =>
  valueCount === undefined ? 0 : recordLength(valueCount);

/** A list of items for applications. */
export const setOf = <T>(items: ReadonlyMap<number, unknown>): HandleSet<T> => {
  const handles = items as ReadonlyMap<number, T>;
  return {
    len: () => handles.size,
    contains: (handle) => handles.has(handle),
    get: (handle) => handles.get(handle) ?? null,
    getAll: () => [...handles.values()],
    forEach: (callback) => handles.forEach((item) => callback(item)),
  };
};
