/** Shapes as data, and which of their arrays are assets: geometry of more than a few numbers is one. */
import type { AssetName } from '../../shared/recording/asset.js';
import type { Rotation, Vector } from '../../shared/util/vectors.js';

/** A shape: Rapier's number of its type, its sizes in the order of the constructor, and its geometry. */
export interface ShapeData {
  /** A number of `ShapeType`. */
  readonly type: number;
  /** In m or the simulation's own unit. */
  readonly sizes: readonly number[];
  /** Three numbers for each point; the heights of a heightfield; or the pieces of a mesh, as `partsOf` reads them. Never changed. */
  readonly vertices: Float32Array;
  /** Three for each triangle, or two for each segment; or the cells of voxels. Never changed. */
  readonly indices: Uint32Array;
  /** Factors of the vertices. Default: 1. */
  readonly scale?: Readonly<Vector>;
  /** Parts that a compound shape was made of. */
  readonly parts?: readonly ShapePart[];
  /** On the page alone: vertices and indices are those of the mesh until its pieces are there. */
  readonly pieces?: {
    /** Undefined: they are not there yet. */
    readonly packed: Float32Array | undefined;
    /** When they are: the first call has them computed. Rejects if they cannot be. */
    ready(): Promise<void>;
  };
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

/** With its pieces, if they are there. */
export function settled(shape: ShapeData): ShapeData {
  const vertices = shape.pieces?.packed;
  if (vertices === undefined) return shape;
  const { pieces: _pieces, ...rest } = shape;
  return { ...rest, vertices, indices: new Uint32Array() };
}

/** The name of the asset with these numbers; undefined: they are written as they are. */
export type NameGeometry = (numbers: Float32Array | Uint32Array) => AssetName | undefined;

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

type Numbers = Float32Array | Uint32Array;

/** Which arrays are which assets. Each array that it returns belongs to all shapes with that asset, and must not change. */
export class GeometryNames {
  readonly #bytesOf: (name: AssetName) => ArrayBuffer;
  readonly #names = new WeakMap<Numbers, AssetName>();
  /** The arrays of each asset, as long as a shape has them. */
  readonly #floats = new Map<AssetName, WeakRef<Float32Array>>();
  readonly #integers = new Map<AssetName, WeakRef<Uint32Array>>();

  /** @param bytesOf Returns the contents of an asset, in separate memory. */
  constructor(bytesOf: (name: AssetName) => ArrayBuffer) {
    this.#bytesOf = bytesOf;
  }

  /** Undefined: no asset has this array. */
  nameOf(numbers: Numbers): AssetName | undefined {
    return this.#names.get(numbers);
  }

  setName(numbers: Numbers, name: AssetName): void {
    this.#names.set(numbers, name);
  }

  floats(name: AssetName): Float32Array {
    return this.#find(this.#floats, name, (words) => new Float32Array(words));
  }

  integers(name: AssetName): Uint32Array {
    return this.#find(this.#integers, name, (words) => new Uint32Array(words));
  }

  #find<T extends Numbers>(
    found: Map<AssetName, WeakRef<T>>,
    name: AssetName,
    make: (words: ArrayBuffer) => T,
  ): T {
    const known = found.get(name)?.deref();
    if (known !== undefined) return known;
    const bytes = this.#bytesOf(name);
    // Whole words, whatever was added.
    const numbers = make(bytes.slice(0, bytes.byteLength & ~3));
    found.set(name, new WeakRef(numbers));
    this.#names.set(numbers, name);
    return numbers;
  }
}
