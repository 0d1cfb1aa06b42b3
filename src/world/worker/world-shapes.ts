/**
 * Descriptions of colliders from shapes as words. Many colliders may have one asset as their points: the engine computes the
 * hull of these for the first, and later ones take the corners and triangles of that, which takes a third of the time.
 */
import { partsOf } from '../shared/packed-pieces.js';
import { GeometryNames, scaled, type ShapeData } from '../shared/shape-data.js';
import { engineArguments, shapeRowOf, type NamedShapeRow } from '../shared/shape-table.js';
import type { Assets } from '../../sim-worker/api/assets.js';
import type { Rapier } from '../../rapier/rapier-builds.js';

type ColliderDesc = InstanceType<Rapier['ColliderDesc']>;
type Shape = InstanceType<Rapier['Shape']>;

interface Hull {
  readonly vertices: Float32Array;
  readonly indices: Uint32Array;
}

export class WorldShapes {
  readonly rapier: Rapier;
  readonly geometry: GeometryNames;
  /** By the points. Undefined: they were used once, or their hull cannot be taken from another collider. */
  readonly #hulls = new Map<string, Hull | undefined>();

  constructor(rapier: Rapier, assets: Assets) {
    this.rapier = rapier;
    this.geometry = new GeometryNames((name) => assets.get(name));
  }

  /** A new description of a collider with this shape. @throws RangeError if there is no such shape. */
  describe(shape: ShapeData): ColliderDesc {
    return new this.rapier.ColliderDesc(this.make(shape));
  }

  /** @throws RangeError if there is no such shape. */
  make(shape: ShapeData): Shape {
    const row = shapeRowOf(shape.type);
    if (row === undefined) {
      throw new RangeError(
        `a batch of changes to a world has a shape of the unknown type ${shape.type}`,
      );
    }
    if (shape.pieces !== undefined) {
      throw new Error('the pieces of this shape are not there yet: await shape.ready');
    }
    const isCompound = row.name === 'Compound';
    const whole = isCompound ? { ...shape, parts: partsOf(shape) } : this.#withHull(row, shape);
    return newShape(
      this.rapier,
      row,
      engineArguments(row, whole, (part) => this.make(part)),
    );
  }

  /** With its hull, if that is known. */
  #withHull({ takes }: NamedShapeRow, shape: ShapeData): ShapeData {
    if (takes['indices'] !== 'sides' || shape.indices.length > 0) return shape;
    const hull = this.#sharedHull(shape);
    return hull === undefined ? shape : { type: shape.type, sizes: shape.sizes, ...hull };
  }

  /** From the second collider on with the same points. Undefined: the engine has to compute it. */
  #sharedHull({ vertices, scale }: ShapeData): Hull | undefined {
    const name = this.geometry.nameOf(vertices);
    if (name === undefined) return undefined;
    const key = JSON.stringify([name, scale]);
    const hull = this.#hulls.get(key);
    if (hull !== undefined) return hull;
    const isFirst = !this.#hulls.has(key);
    this.#hulls.set(key, isFirst ? undefined : this.#hullOf(scaled(vertices, scale)));
    return this.#hulls.get(key);
  }

  /** Undefined unless a shape of its corners and triangles is the same, bit for bit: replays depend on that. */
  #hullOf(points: Float32Array): Hull | undefined {
    const hull = this.#computed(points);
    const again = hull && this.#computed(hull.vertices, hull.indices);
    const isSame =
      again !== undefined &&
      hull?.vertices.join() === again.vertices.join() &&
      hull.indices.join() === again.indices.join();
    return isSame ? hull : undefined;
  }

  #computed(points: Float32Array, triangles?: Uint32Array): Hull | undefined {
    const raw = new this.rapier.ConvexPolyhedron(points, triangles ?? null).intoRaw();
    // Frees what it reads.
    const { vertices, indices } = this.rapier.Shape.fromRawShape(raw) as Partial<Hull>;
    return vertices === undefined || indices === undefined ? undefined : { vertices, indices };
  }
}

/** A shape of a row, by the arguments of its class. */
export function newShape(
  rapier: Rapier,
  { name, className = name }: NamedShapeRow,
  args: readonly unknown[],
): Shape {
  const Class = rapier[className as 'Ball'] as new (...made: readonly unknown[]) => Shape;
  return new Class(...args);
}
