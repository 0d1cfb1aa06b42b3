/** Reads batches. */
import type { GeometryNames } from './geometry-names.js';
import { readFields } from './read-fields.js';
import { WordReader } from './word-reader.js';
import { byKind, type WorldBatch } from './world-batch.js';
import { KINDS, KIND_NAMES, WORLD_FIELDS } from './world-fields.js';

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

/** Each takes at least one word, so a wrong count ends with the words. */
function list<T>(count: number, read: () => T): T[] {
  const items: T[] = [];
  while (items.length < count) items.push(read());
  return items;
}
