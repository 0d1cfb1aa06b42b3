/** Reads shapes. */
import type { AssetName } from '../recording/asset-names.js';
import type { Vector } from './fields.js';
import type { GeometryNames } from './geometry-names.js';
import {
  HAS_PARTS,
  HAS_SCALE,
  IS_ASSET,
  TYPE_MASK,
  type ShapeData,
  type ShapePart,
} from './shape-data.js';
import type { WordReader } from './word-reader.js';

/** Only a file could nest them: the page refuses a compound shape in another one. */
const MAX_DEPTH = 2;

/** @throws RangeError if the words end, or are no shape. */
export function readShape(words: WordReader, depth = 0): ShapeData {
  const head = words.integer();
  const read = {
    type: head & TYPE_MASK,
    sizes: [...words.floats()],
    ...((head & HAS_SCALE) !== 0 && { scale: readVector(words) }),
  };
  if ((head & HAS_PARTS) === 0) {
    return {
      ...read,
      vertices: words.next === IS_ASSET ? named(words).floats(nameIn(words)) : words.floats(),
      indices: words.next === IS_ASSET ? named(words).integers(nameIn(words)) : words.integers(),
    };
  }
  if (depth === MAX_DEPTH) throw new RangeError('a shape of a world is nested too deeply');
  const count = words.integer();
  const parts: ShapePart[] = [];
  while (parts.length < count) {
    const translation = readVector(words);
    const rotation = { ...readVector(words), w: words.float() };
    parts.push({ translation, rotation, shape: readShape(words, depth + 1) });
  }
  return { ...read, vertices: new Float32Array(), indices: new Uint32Array(), parts };
}

function nameIn(words: WordReader): AssetName {
  words.integer();
  return `asset:${hex(words.integer())}${hex(words.integer())}`;
}

const hex = (word: number): string => word.toString(16).padStart(8, '0');

function named({ geometry }: WordReader): GeometryNames {
  if (geometry !== undefined) return geometry;
  throw new RangeError('a batch of changes to a world names an asset, and there are none');
}

const readVector = (words: WordReader): Vector => ({
  x: words.float(),
  y: words.float(),
  z: words.float(),
});
