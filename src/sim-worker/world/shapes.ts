/** Descriptions of colliders from shapes as words. */
import type { ShapeData } from '../../shared/world/fields.js';
import type { Rapier } from '../engines/rapier-builds.js';

type ColliderDesc = InstanceType<Rapier['ColliderDesc']>;

/**
 * @returns A new description of a collider with this shape.
 * @throws RangeError if there is no such shape, or the engine can make none: its points span no volume.
 */
export function describeShape(rapier: Rapier, shape: ShapeData): ColliderDesc {
  const { ColliderDesc, ShapeType } = rapier;
  const { type, sizes, vertices, indices } = shape;
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = sizes;
  const triangles = indices.length === 0 ? null : indices;
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
    case ShapeType.ConvexPolyhedron:
      return made(
        triangles === null
          ? ColliderDesc.convexHull(vertices)
          : ColliderDesc.convexMesh(vertices, triangles),
      );
    case ShapeType.RoundConvexPolyhedron:
      return made(
        triangles === null
          ? ColliderDesc.roundConvexHull(vertices, a)
          : ColliderDesc.roundConvexMesh(vertices, triangles, a),
      );
    case ShapeType.TriMesh:
      return ColliderDesc.trimesh(vertices, indices);
    case ShapeType.Polyline:
      return ColliderDesc.polyline(vertices, triangles);
    case ShapeType.HeightField:
      return ColliderDesc.heightfield(a, b, vertices, { x: c, y: d, z: e });
    default:
      throw new RangeError(`a batch of changes to a world has a shape of the unknown type ${type}`);
  }
}

function made(description: ColliderDesc | null): ColliderDesc {
  if (description !== null) return description;
  throw new RangeError('the engine can make no convex shape of these points: they span no volume');
}
