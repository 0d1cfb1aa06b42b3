/** The shapes of a glTF file: solids of `KHR_implicit_shapes` and meshes, as descriptions of colliders. */
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  type Object3D,
  PlaneGeometry,
  SphereGeometry,
  Vector3,
} from 'three';
import { float32 } from '../../shared/util/limits.js';
import { type Check, number } from '../../shared/util/options.js';
import { requireChoice, requireObject } from '../../shared/util/validate.js';
import { fieldsOfCollider } from '../../world/page/collider-desc.js';
import type { ColliderDesc } from '../../world/page/index.js';
import { ORIGIN } from '../../world/shared/setting-tables.js';
import { drawnBy, nameOf } from '../drawn-geometry.js';
import { matrixBelow, type Placement } from '../scene-space.js';
import { joinTriangles } from '../scene-triangles.js';
import { shapeOfDrawn, type ShapeKind } from '../shape-of.js';
import { amount, fields, mapped, namesOf, triple } from './gltf-fields.js';

/** The shape of a collider in the space of its node. */
export interface NodeGeometry {
  /** A solid, or what has the meshes. */
  readonly source: Object3D;
  /** Whether meshes of all nodes below the source belong to it. */
  readonly isWithChildren?: boolean;
  /** Default: by the solid. */
  readonly kind?: ShapeKind | undefined;
}

/** In the field's usual fineness: hulls of what no solid of the engine is, such as a ball that is stretched. */
const AROUND = 24;

/**
 * Sizes of a plane without an end, in m or the simulation's own unit: a box. Hulls sink into the engine's half-space if they
 * have a face with more than four corners.
 */
const [FAR, DEEP] = [10_000, 200];

/** In 32 bits, more than nothing. */
const size = (standard?: number) => number(2 ** -126, float32, standard);

const solid = (geometry: BufferGeometry, kind?: ShapeKind): NodeGeometry => {
  return { source: new Mesh(geometry), kind };
};

const ball = (radius: number, y = 0) =>
  new SphereGeometry(radius, AROUND, AROUND / 2).translate(0, y, 0);

const ends = mapped(
  fields({ height: size(0.5), radiusBottom: amount(0.25), radiusTop: amount(0.25) }),
  (given, name) => {
    if (given.radiusBottom + given.radiusTop > 0) return given;
    throw new RangeError(`${name} must have a radiusBottom or a radiusTop above 0`);
  },
);

const SOLIDS = {
  sphere: mapped(fields({ radius: size(0.5) }), ({ radius }) => solid(ball(radius))),
  box: mapped(fields({ size: triple([1, 1, 1], size()) }), ({ size: { x, y, z } }) =>
    solid(new BoxGeometry(x, y, z)),
  ),
  capsule: mapped(ends, ({ height, radiusBottom: bottom, radiusTop: top }) => {
    if (bottom === top) return solid(new CapsuleGeometry(top, height, AROUND / 4, AROUND));
    // One may contain the other. Their hull fills what is between.
    const balls = [ball(bottom, -height / 2), ball(top, height / 2)].map((each) => new Mesh(each));
    return solid(joinedGeometry(new Group().add(...balls), balls), 'hull');
  }),
  cylinder: mapped(ends, ({ height, radiusBottom, radiusTop }) =>
    solid(new CylinderGeometry(radiusTop, radiusBottom, height, AROUND)),
  ),
  plane: mapped(fields({ sizeX: amount(0), sizeZ: amount(0) }), ({ sizeX: x, sizeZ: z }) =>
    x > 0 || z > 0
      ? solid(new PlaneGeometry(x || FAR, z || FAR).rotateX(-Math.PI / 2))
      : solid(new BoxGeometry(FAR, DEEP, FAR).translate(0, -DEEP / 2, 0), 'cuboid'),
  ),
};

/** @param mesh Checks an index of a mesh, which shapes of the drafts of glTF 2.1 have. */
export function shapeCheck(mesh: Check<Object3D>): Check<NodeGeometry> {
  const meshes = (kind: ShapeKind): Check<NodeGeometry> =>
    mapped(fields({ mesh }), ({ mesh: source }) => ({ source, kind }));
  const [triangles, hull] = [meshes('trimesh'), meshes('hull')];
  const types = { ...SOLIDS, mesh: triangles, concave: triangles, convexMesh: hull, convex: hull };
  return (name, value) => {
    const given = requireObject(name, value);
    const type = requireChoice(`${name}.type`, given['type'], namesOf(types));
    const { [type]: described = {} } = given;
    return types[type](`${name}.${type}`, described, []);
  };
}

/**
 * Describes a collider in its body.
 *
 * @throws RangeError, TypeError as `shapeOf` does.
 */
export function describeShape(
  mesh: Mesh,
  kind: ShapeKind | undefined,
  placement: Placement,
): ColliderDesc {
  const { position, rotation } = placement;
  // At most x of its scale is negative, and that mirrors solids into themselves.
  const desc = shapeOfDrawn(mesh, drawnBy(mesh), kind, placement);
  const center = new Vector3().copy(fieldsOfCollider(desc).translation ?? ORIGIN);
  const { x, y, z } = center.applyQuaternion(rotation).add(position);
  return desc.setTranslation(x, y, z).setRotation(rotation);
}

/** The triangles of several meshes as they are drawn, in the space of an object around them: their hull is one, too. */
export function joinedGeometry(root: Object3D, meshes: readonly Mesh[]): BufferGeometry {
  if (meshes.length === 0) {
    throw new RangeError(`${nameOf(root)} has no mesh of triangles to make a collider of`);
  }
  const { points, indices } = joinTriangles(meshes.map((mesh) => [mesh, matrixBelow(mesh, root)]));
  const geometry = new BufferGeometry().setIndex(new BufferAttribute(indices, 1));
  geometry.name = root.name;
  return geometry.setAttribute('position', new BufferAttribute(points, 3));
}
