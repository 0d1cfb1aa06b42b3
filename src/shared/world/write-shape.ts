/** Writes shapes. */
import type { Vector } from './fields.js';
import { HAS_PARTS, HAS_SCALE, IS_ASSET, type ShapeData } from './shape-data.js';
import type { WordWriter } from './word-writer.js';

/** Where the hash in a name begins: two words of eight digits. */
const HASH_AT = 'asset:'.length;

export function writeShape(words: WordWriter, shape: ShapeData): void {
  const { type, sizes, vertices, indices, scale, parts } = shape;
  const flags = (scale === undefined ? 0 : HAS_SCALE) | (parts === undefined ? 0 : HAS_PARTS);
  words.integer(type | flags);
  words.floats(sizes);
  if (scale !== undefined) writeVector(words, scale);
  if (parts === undefined) {
    writeGeometry(words, vertices, () => words.floats(vertices));
    writeGeometry(words, indices, () => words.integers(indices));
    return;
  }
  words.integer(parts.length);
  for (const part of parts) {
    writeVector(words, part.translation);
    writeVector(words, part.rotation);
    words.float(part.rotation.w);
    writeShape(words, part.shape);
  }
}

function writeGeometry(
  words: WordWriter,
  numbers: Float32Array | Uint32Array,
  write: () => void,
): void {
  const name = words.nameGeometry?.(numbers);
  if (name === undefined) {
    write();
    return;
  }
  words.integer(IS_ASSET);
  for (const at of [HASH_AT, HASH_AT + 8])
    words.integer(Number.parseInt(name.slice(at, at + 8), 16));
}

function writeVector(words: WordWriter, { x, y, z }: Readonly<Vector>): void {
  words.float(x);
  words.float(y);
  words.float(z);
}
