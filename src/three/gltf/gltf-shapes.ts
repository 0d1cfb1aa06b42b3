/** The shapes of a glTF file: solids of `KHR_implicit_shapes` and meshes, as descriptions of colliders. */
import {
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  LatheGeometry,
  Mesh,
  type Object3D,
  Path,
  PlaneGeometry,
  SphereGeometry,
} from 'three';
import type { Check } from '../../shared/util/options.js';
import { requireChoice, requireObject } from '../../shared/util/validate.js';
import type { ShapeKind } from '../shape-of.js';
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

const solid = (geometry: BufferGeometry, kind?: ShapeKind): NodeGeometry => {
  return { source: new Mesh(geometry), kind };
};

const ends = fields({ height: amount(0.5), radiusBottom: amount(0.25), radiusTop: amount(0.25) });

/** From the lowest point of a ball to its highest. */
const HALF = [-Math.PI / 2, Math.PI / 2] as const;

const SOLIDS = {
  sphere: mapped(fields({ radius: amount(0.5) }), ({ radius }) =>
    solid(new SphereGeometry(radius, AROUND, AROUND / 2)),
  ),
  box: mapped(fields({ size: triple([1, 1, 1], amount()) }), ({ size: { x, y, z } }) =>
    solid(new BoxGeometry(x, y, z)),
  ),
  capsule: mapped(ends, ({ height, radiusBottom: bottom, radiusTop: top }) => {
    if (bottom === top) return solid(new CapsuleGeometry(top, height, AROUND / 4, AROUND));
    // The hull of two balls, of which one may contain the other.
    const outline = new Path().absarc(0, -height / 2, bottom, ...HALF);
    outline.absarc(0, height / 2, top, ...HALF);
    return solid(new LatheGeometry(outline.getPoints(AROUND / 4), AROUND), 'hull');
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

/** @param check Finds what has the meshes. */
export const ofMeshes = (check: Check<Object3D>, kind: ShapeKind, isWithChildren = false) =>
  mapped(check, (source): NodeGeometry => ({ source, kind, isWithChildren }));

/** @param mesh Checks an index of a mesh, which shapes of the drafts of glTF 2.1 have. */
export function shapeCheck(mesh: Check<Object3D>): Check<NodeGeometry> {
  const meshes = (kind: ShapeKind) =>
    mapped(fields({ mesh: ofMeshes(mesh, kind) }), (given) => given.mesh);
  const [triangles, hull] = [meshes('trimesh'), meshes('hull')];
  const types = { ...SOLIDS, mesh: triangles, concave: triangles, convexMesh: hull, convex: hull };
  return (name, value) => {
    const given = requireObject(name, value);
    const type = requireChoice(`${name}.type`, given['type'], namesOf(types));
    const { [type]: described = {} } = given;
    return types[type](`${name}.${type}`, described, []);
  };
}
