/**
 * Descriptions of colliders from shapes as words. Many colliders may have one asset as their points: the engine computes the
 * hull of these for the first, and later ones take the corners and triangles of that, which takes a third of the time.
 */
import { GeometryNames, scaled, type ShapeData } from '../shared/shape-data.js';
import type { Assets } from '../../sim-worker/api/assets.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { Vector } from '../../shared/util/vectors.js';

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

  /**
   * @returns A new description of a collider with this shape.
   * @throws RangeError if there is no such shape, or the engine can make none: its points span no volume.
   */
  describe(shape: ShapeData): ColliderDesc {
    const { ColliderDesc, HalfSpace, ShapeType } = this.rapier;
    const { type, sizes } = shape;
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f] = sizes;
    switch (type) {
      case ShapeType.Ball:
        return ColliderDesc.ball(a);
      case ShapeType.Cuboid:
        return ColliderDesc.cuboid(a, b, c);
      case ShapeType.RoundCuboid:
        return ColliderDesc.roundCuboid(a, b, c, d);
      case ShapeType.Capsule:
        return ColliderDesc.capsule(a, b);
      case ShapeType.Cylinder:
        return ColliderDesc.cylinder(a, b);
      case ShapeType.RoundCylinder:
        return ColliderDesc.roundCylinder(a, b, c);
      case ShapeType.Cone:
        return ColliderDesc.cone(a, b);
      case ShapeType.RoundCone:
        return ColliderDesc.roundCone(a, b, c);
      case ShapeType.HalfSpace:
        return new ColliderDesc(new HalfSpace({ x: a, y: b, z: c }));
      case ShapeType.HeightField: {
        const scale = { x: c, y: d, z: e };
        return ColliderDesc.heightfield(a, b, shape.vertices, scale, f);
      }
      case ShapeType.Voxels:
        return this.#voxels(shape);
      case ShapeType.Compound:
        return this.#compound(shape);
      default:
        return this.#describePoints(shape);
    }
  }

  #describePoints(shape: ShapeData): ColliderDesc {
    const { ColliderDesc, ShapeType } = this.rapier;
    const { type, sizes } = shape;
    const { indices } = shape;
    const points = scaled(shape.vertices, shape.scale);
    const lists = indices.length === 0 ? null : indices;
    switch (type) {
      case ShapeType.Segment:
        return ColliderDesc.segment(pointOf(points, 0), pointOf(points, 1));
      case ShapeType.Triangle:
        return ColliderDesc.triangle(pointOf(points, 0), pointOf(points, 1), pointOf(points, 2));
      case ShapeType.RoundTriangle: {
        const [first, second, third] = [0, 1, 2].map((index) => pointOf(points, index));
        return ColliderDesc.roundTriangle(
          first as Vector,
          second as Vector,
          third as Vector,
          sizes[0] ?? 0,
        );
      }
      case ShapeType.ConvexPolyhedron:
      case ShapeType.RoundConvexPolyhedron:
        return this.#convex(shape, points, lists);
      case ShapeType.TriMesh:
        return ColliderDesc.trimesh(points, indices, sizes[0]);
      case ShapeType.Polyline:
        return ColliderDesc.polyline(points, lists);
      default:
        throw new RangeError(
          `a batch of changes to a world has a shape of the unknown type ${type}`,
        );
    }
  }

  #convex(shape: ShapeData, points: Float32Array, indices: Uint32Array | null): ColliderDesc {
    const { ColliderDesc, ShapeType } = this.rapier;
    const hull = indices === null ? this.#sharedHull(shape, points) : undefined;
    const [vertices, triangles] =
      hull === undefined ? [points, indices] : [hull.vertices, hull.indices];
    const [radius = 0] = shape.sizes;
    const isRound = shape.type === ShapeType.RoundConvexPolyhedron;
    if (triangles === null) {
      return made(
        isRound
          ? ColliderDesc.roundConvexHull(vertices, radius)
          : ColliderDesc.convexHull(vertices),
      );
    }
    return made(
      isRound
        ? ColliderDesc.roundConvexMesh(vertices, triangles, radius)
        : ColliderDesc.convexMesh(vertices, triangles),
    );
  }

  /** From the second collider on with the same points. Undefined: the engine has to compute it. */
  #sharedHull({ vertices, scale }: ShapeData, points: Float32Array): Hull | undefined {
    const name = this.geometry.nameOf(vertices);
    if (name === undefined) return undefined;
    const key = JSON.stringify([name, scale]);
    const hull = this.#hulls.get(key);
    if (hull !== undefined) return hull;
    const isFirst = !this.#hulls.has(key);
    this.#hulls.set(key, isFirst ? undefined : this.#hullOf(points));
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

  #voxels({ sizes, vertices, indices }: ShapeData): ColliderDesc {
    const [x = 0, y = 0, z = 0] = sizes;
    const data = indices.length > 0 ? new Int32Array(indices.slice().buffer) : vertices;
    return this.rapier.ColliderDesc.voxels(data, { x, y, z });
  }

  #compound({ parts = [] }: ShapeData): ColliderDesc {
    return this.rapier.ColliderDesc.compound(
      parts.map(({ shape }): Shape => this.describe(shape).shape),
      parts.map(({ translation }) => translation),
      parts.map(({ rotation }) => rotation),
    );
  }
}

const pointOf = (points: Float32Array, index: number): Vector => ({
  x: points[3 * index] ?? 0,
  y: points[3 * index + 1] ?? 0,
  z: points[3 * index + 2] ?? 0,
});

function made(description: ColliderDesc | null): ColliderDesc {
  if (description !== null) return description;
  throw new RangeError('the engine can make no convex shape of these points: they span no volume');
}
