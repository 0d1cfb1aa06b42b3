/**
 * Shapes as words. Geometry of more than a few numbers is an asset: the words have its name instead.
 *
 *     shape      type and flags (1 word), sizes, scale if there is one, then vertices and indices; or its parts
 *     geometry   count, numbers; or 0xffffffff, and the two words of an asset's hash
 *     part       translation, rotation, shape
 */
import type { AssetName } from '../recording/asset-names.js';
import type { Rotation, Vector } from './fields.js';
import type { GeometryNames } from './geometry-names.js';
import type { WordReader, WordWriter } from './words.js';

/** A shape: Rapier's number of its type, its sizes in the order of the constructor, and its geometry. */
export interface ShapeData {
  /** A number of `ShapeType`. */
  readonly type: number;
  /** In m or the simulation's own unit. */
  readonly sizes: readonly number[];
  /** Three numbers for each point; or the heights of a heightfield. Never changed. */
  readonly vertices: Float32Array;
  /** Three for each triangle, or two for each segment; or the cells of voxels. Never changed. */
  readonly indices: Uint32Array;
  /** By which the vertices are multiplied. Default: they are as they are. */
  readonly scale?: Readonly<Vector>;
  /** Of a compound shape. */
  readonly parts?: readonly ShapePart[];
}

/** A shape within a compound one. */
export interface ShapePart {
  /** Without parts itself. */
  readonly shape: ShapeData;
  /** In m or the simulation's own unit. */
  readonly translation: Readonly<Vector>;
  /** Relative to the whole. */
  readonly rotation: Readonly<Rotation>;
}

/** The name of the asset with these numbers; undefined: they are written as they are. */
export type NameGeometry = (numbers: Float32Array | Uint32Array) => AssetName | undefined;

const HAS_SCALE = 1 << 8;
const HAS_PARTS = 1 << 9;
const TYPE_MASK = 0xff;
/** In place of a count. */
const IS_ASSET = 0xffff_ffff;
/** Where the hash in a name begins: two words of eight digits. */
const HASH_AT = 'asset:'.length;
/** Only a file could nest them: the page refuses a compound shape in another one. */
const MAX_DEPTH = 2;

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

function nameIn(words: WordReader): AssetName {
  words.integer();
  return `asset:${hex(words.integer())}${hex(words.integer())}`;
}

const hex = (word: number): string => word.toString(16).padStart(8, '0');

function named({ geometry }: WordReader): GeometryNames {
  if (geometry !== undefined) return geometry;
  throw new RangeError('a batch of changes to a world names an asset, and there are none');
}

function writeVector(words: WordWriter, { x, y, z }: Readonly<Vector>): void {
  words.float(x);
  words.float(y);
  words.float(z);
}

const readVector = (words: WordReader): Vector => ({
  x: words.float(),
  y: words.float(),
  z: words.float(),
});

/** The vertices as the engine takes them. @param scale As in a shape. */
export function scaled(vertices: Float32Array, scale: Readonly<Vector> | undefined): Float32Array {
  if (scale === undefined) return vertices;
  const [x, y, z] = [scale.x, scale.y, scale.z].map(Math.fround) as [number, number, number];
  const points = new Float32Array(vertices.length);
  for (let index = 0; index < points.length; index += 3) {
    points[index] = (vertices[index] as number) * x;
    points[index + 1] = (vertices[index + 1] as number) * y;
    points[index + 2] = (vertices[index + 2] as number) * z;
  }
  return points;
}
