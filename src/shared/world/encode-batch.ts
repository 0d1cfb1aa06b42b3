/** Writes batches. */
import type { NameGeometry } from './shape-data.js';
import { WordWriter } from './word-writer.js';
import type { Change, WorldBatch } from './world-batch.js';
import { KINDS, KIND_NAMES, WORLD_FIELDS, type Kind } from './world-fields.js';
import { writeFields } from './write-fields.js';

/** Used for all batches: many are as long as the one before. */
const words = new WordWriter();

/** @param nameGeometry Names the geometry that becomes assets. Default: none does. */
export function encodeBatch(
  batch: WorldBatch,
  nameGeometry?: NameGeometry,
): Uint32Array<ArrayBuffer> {
  words.begin(nameGeometry);
  for (const kind of KIND_NAMES.toReversed()) {
    words.integers(batch.removed[kind].toSorted((a, b) => a - b));
  }
  writeFields(words, WORLD_FIELDS, batch.world);
  for (const kind of KIND_NAMES) {
    const changes: readonly Change<Kind>[] = batch.changed[kind];
    words.integer(changes.length);
    for (const { handle, parts, fields } of inOrder(changes)) {
      words.integer(handle);
      words.integer(parts === undefined ? 0 : 1 + parts.length);
      for (const part of parts ?? []) words.integer(part);
      writeFields(words, KINDS[kind], fields);
    }
  }
  return words.take();
}

/** By handle. Things are mostly changed in the order in which they were made. */
function inOrder<T extends { readonly handle: number }>(changes: readonly T[]): readonly T[] {
  let last = 0;
  for (const { handle } of changes) {
    if (handle < last) return changes.toSorted((a, b) => a.handle - b.handle);
    last = handle;
  }
  return changes;
}
