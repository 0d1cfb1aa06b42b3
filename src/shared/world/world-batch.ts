/**
 * What the page changes in a world in one turn, as one command. It is sorted: removals first, then the world itself, then
 * each kind of things by handles. So the same changes in another order are the same batch.
 *
 *     removed   for each kind, the last one first: a list of handles
 *     world     fields
 *     changed   for each kind: count, then each: handle, 0 if it exists, else 1 + the number of handles that it is made of,
 *               these handles, fields
 */
import { readFields, writeFields } from './fields.js';
import {
  KINDS,
  KIND_NAMES,
  WORLD_FIELDS,
  type Kind,
  type KindFields,
  type WorldFields,
} from './world-fields.js';
import type { Masses } from './masses.js';
import type { GeometryNames } from './geometry-names.js';
import type { NameGeometry } from './shape-data.js';
import { WordReader, WordWriter } from './words.js';

/** Handles count from 1, so that 0 is none. */
export const NO_HANDLE = 0;

/** What is new or set of one thing. */
export interface Change<K extends Kind> {
  readonly handle: number;
  /** What it is made of, if it is new: the body of a collider, the bodies of a joint. Undefined: it exists. */
  readonly parts: readonly number[] | undefined;
  readonly fields: KindFields<K>;
}

export interface WorldBatch {
  readonly removed: { readonly [K in Kind]: readonly number[] };
  readonly world: WorldFields;
  readonly changed: { readonly [K in Kind]: readonly Change<K>[] };
}

/** The answer to a batch. */
export interface AppliedBatch {
  /** Number of the tick that is the first to have it. */
  readonly tick: number;
  /** The number of each body that is drawn from then on, in commands and then among the bodies: its handle, and its id. */
  readonly ids: readonly number[];
  /** Those that it has changed. */
  readonly masses: Masses;
  /** What was wrong with each thing that the engine could not make. */
  readonly problems: readonly string[];
}

/** What the worker has, after a jump. */
export interface DescribedWorld {
  /** The tick of its state. */
  readonly tick: number;
  /** A batch that would make it again, as far as the engine can tell. */
  readonly words: Uint32Array<ArrayBuffer>;
  /** Of all bodies and colliders. */
  readonly masses: Masses;
}

/** @param nameGeometry Names the geometry that becomes assets. Default: none does. */
export function encodeBatch(
  batch: WorldBatch,
  nameGeometry?: NameGeometry,
): Uint32Array<ArrayBuffer> {
  const words = new WordWriter(nameGeometry);
  for (const kind of KIND_NAMES.toReversed()) {
    words.integers(batch.removed[kind].toSorted((a, b) => a - b));
  }
  writeFields(words, WORLD_FIELDS, batch.world);
  for (const kind of KIND_NAMES) {
    const changes: readonly Change<Kind>[] = batch.changed[kind];
    words.integer(changes.length);
    for (const { handle, parts, fields } of changes.toSorted((a, b) => a.handle - b.handle)) {
      words.integer(handle);
      words.integer(parts === undefined ? 0 : 1 + parts.length);
      for (const part of parts ?? []) words.integer(part);
      writeFields(words, KINDS[kind], fields);
    }
  }
  return words.take();
}

/**
 * @param geometry Has the assets that the words name. Default: there are none.
 * @throws RangeError if they are no batch, or name an asset that is not there: they may come from a file.
 */
export function decodeBatch(words: Uint32Array, geometry?: GeometryNames): WorldBatch {
  const reader = new WordReader(words, geometry);
  const removed = byKind(KIND_NAMES.toReversed(), () => [...reader.integers()]);
  const world = readFields(reader, WORLD_FIELDS);
  const changed = byKind(KIND_NAMES, (kind) =>
    list(reader.integer(), () => ({
      handle: reader.integer(),
      parts: partsIn(reader),
      fields: readFields(reader, KINDS[kind]),
    })),
  );
  if (!reader.isAtEnd) {
    throw new RangeError('a batch of changes to a world has words after its end');
  }
  return { removed, world, changed } as WorldBatch;
}

function partsIn(reader: WordReader): number[] | undefined {
  const count = reader.integer();
  return count === 0 ? undefined : list(count - 1, () => reader.integer());
}

/** One item for each kind. */
export const byKind = <T>(kinds: readonly Kind[], make: (kind: Kind) => T): Record<Kind, T> =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<Kind, T>;

/** Each takes at least one word, so a wrong count ends with the words. */
function list<T>(count: number, read: () => T): T[] {
  const items: T[] = [];
  while (items.length < count) items.push(read());
  return items;
}
