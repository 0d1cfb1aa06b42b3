/** Shapes of colliders from geometries: read once for all meshes with the same one, of whatever scale. */
import { vector } from '../../world/checks/checked-values.js';
import { Vector3, type BufferGeometry } from 'three';
import type { Vector } from '../../../shared/world/fields.js';
import { shapeOf, type ShapeKind } from '../../three/index.js';
import { ColliderDesc } from '../../world/index.js';
import { isSame } from '../life/kept.js';

/** A collider, and where its center is in the space of the geometry. */
export interface GeometryShape {
  readonly desc: ColliderDesc;
  readonly center: Vector;
}

/** What was read of a geometry, while its attributes are as they were. */
interface Read {
  readonly versions: readonly unknown[];
  readonly shapes: Map<ShapeKind, (scale: Readonly<Vector>) => GeometryShape>;
}

const known = new WeakMap<BufferGeometry, Read>();
const ONE = { x: 1, y: 1, z: 1 };
const ORIGIN = { x: 0, y: 0, z: 0 };
/** How thick a flat geometry is, relative to its size. */
const THIN = 1e-3;

/** What changes with the points and the triangles of a geometry. */
export const versionsOf = ({ attributes, index }: BufferGeometry): readonly unknown[] => [
  attributes['position'],
  versionOf(attributes['position']),
  index,
  index?.version,
];

/** Of an attribute, or of the buffer that it shares with others. */
function versionOf(attribute: BufferGeometry['attributes'][string] | undefined): unknown {
  if (attribute === undefined) return undefined;
  return 'data' in attribute ? attribute.data.version : (attribute as { version?: number }).version;
}

/**
 * Describes the collider of a mesh.
 *
 * @param scale That of the mesh in the scene.
 * @throws As `shapeOf` does.
 */
export function describeGeometry(
  geometry: BufferGeometry,
  kind: ShapeKind,
  scale: Readonly<Vector>,
): GeometryShape {
  const versions = versionsOf(geometry);
  let read = known.get(geometry);
  if (read === undefined || !isSame(read.versions, versions)) {
    read = { versions, shapes: new Map() };
    known.set(geometry, read);
  }
  let describe = read.shapes.get(kind);
  if (describe === undefined) {
    describe = readShape(geometry, kind);
    read.shapes.set(kind, describe);
  }
  return describe(vector('scale', scale));
}

function readShape(
  geometry: BufferGeometry,
  kind: ShapeKind,
): (scale: Readonly<Vector>) => GeometryShape {
  if (kind === 'hull' || kind === 'trimesh') {
    const desc = shapeOf(geometry, kind, ONE);
    return (scale) => ({ desc: desc.setShapeScale(scale), center: ORIGIN });
  }
  const requireSize = (size: number): void => {
    // It says what is wrong.
    if (!(size > 0 && Number.isFinite(size))) shapeOf(geometry, kind, ONE);
  };
  // As above.
  if (kind !== 'ball' && kind !== 'cuboid') shapeOf(geometry, kind, ONE);
  const position = geometry.attributes['position'];
  requireSize(position !== undefined && 'getX' in position ? position.count : 0);
  if (kind === 'ball') {
    geometry.computeBoundingSphere();
    const { center, radius } = geometry.boundingSphere ?? { center: new Vector3(), radius: 0 };
    requireSize(radius);
    const middle = center.clone();
    return (scale) => ({
      desc: ColliderDesc.ball(
        radius * Math.max(Math.abs(scale.x), Math.abs(scale.y), Math.abs(scale.z)),
      ),
      center: scaled(middle, scale),
    });
  }
  geometry.computeBoundingBox();
  const half = geometry.boundingBox?.getSize(new Vector3()).divideScalar(2) ?? new Vector3();
  const middle = geometry.boundingBox?.getCenter(new Vector3()) ?? new Vector3();
  requireSize(half.length());
  const thin = half.length() * THIN;
  return (scale) => {
    const { x, y, z } = scaled(half, scale);
    const [width, height, depth] = [x, y, z].map((size) => Math.max(Math.abs(size), thin));
    return {
      desc: ColliderDesc.cuboid(width as number, height as number, depth as number),
      center: scaled(middle, scale),
    };
  };
}

const scaled = ({ x, y, z }: Readonly<Vector>, by: Readonly<Vector>): Vector => ({
  x: x * by.x,
  y: y * by.y,
  z: z * by.z,
});
