/** Shapes of colliders from the props of their components. */
import type { Vector } from '../shared/util/vectors.js';
import { finite, vector } from '../world/page/checked-values.js';
import { ColliderDesc, HalfSpace } from '../world/page/index.js';
import { isSame } from './kept.js';
import type { ColliderShape } from './types.js';
import { requireList } from '../shared/util/validate.js';

type Args = readonly never[];
type Describe = (args: Args, scale: Readonly<Vector>) => ColliderDesc;

/** Their points are multiplied by the worker, so that colliders of all sizes have the same points. */
const ofPoints =
  (describe: (...args: never[]) => ColliderDesc): Describe =>
  (args, scale) =>
    shared(describe, args).setShapeScale(scale);

/** Sizes that grow along axes: half heights with y, radii with x. */
const sized =
  (describe: (...args: number[]) => ColliderDesc, axes: readonly (keyof Vector)[]): Describe =>
  (args, scale) =>
    describe(
      ...axes.map((axis, index) => {
        const size: number | undefined = args[index];
        return finite(`[${index}]`, size as unknown as number) * Math.abs(scale[axis]);
      }),
    );

const SHAPES: Readonly<Record<ColliderShape, Describe>> = {
  cuboid: sized((x = 0, y = 0, z = 0) => ColliderDesc.cuboid(x, y, z), ['x', 'y', 'z']),
  roundCuboid: sized(
    (x = 0, y = 0, z = 0, border = 0) => ColliderDesc.roundCuboid(x, y, z, border),
    ['x', 'y', 'z', 'x'],
  ),
  ball: sized((radius = 0) => ColliderDesc.ball(radius), ['x']),
  capsule: sized((half = 0, radius = 0) => ColliderDesc.capsule(half, radius), ['y', 'x']),
  cylinder: sized((half = 0, radius = 0) => ColliderDesc.cylinder(half, radius), ['y', 'x']),
  roundCylinder: sized(
    (half = 0, radius = 0, border = 0) => ColliderDesc.roundCylinder(half, radius, border),
    ['y', 'x', 'x'],
  ),
  cone: sized((half = 0, radius = 0) => ColliderDesc.cone(half, radius), ['y', 'x']),
  roundCone: sized(
    (half = 0, radius = 0, border = 0) => ColliderDesc.roundCone(half, radius, border),
    ['y', 'x', 'x'],
  ),
  convexHull: ofPoints((points: ArrayLike<number>) => ColliderDesc.convexHull(points)),
  convexMesh: ofPoints((points: ArrayLike<number>, indices: ArrayLike<number>) =>
    ColliderDesc.convexMesh(points, indices),
  ),
  // The border comes last, with or without indices before it.
  roundConvexHull: ofPoints((points: ArrayLike<number>, ...rest: number[]) =>
    ColliderDesc.roundConvexHull(points, rest.at(-1) as number),
  ),
  roundConvexMesh: ofPoints(
    (points: ArrayLike<number>, indices: ArrayLike<number>, border: number) =>
      ColliderDesc.roundConvexMesh(points, indices, border),
  ),
  trimesh: ofPoints((points: ArrayLike<number>, indices: ArrayLike<number>) =>
    ColliderDesc.trimesh(points, indices),
  ),
  polyline: ofPoints((points: ArrayLike<number>, indices: ArrayLike<number>) =>
    ColliderDesc.polyline(points, indices),
  ),
  heightfield: (args, scale) => {
    const [rows, columns, heights, size] = args as readonly unknown[] as [
      number,
      number,
      ArrayLike<number>,
      Vector,
    ];
    vector('[3]', size);
    return ColliderDesc.heightfield(rows, columns, heights, {
      x: size.x * scale.x,
      y: size.y * scale.y,
      z: size.z * scale.z,
    });
  },
  halfSpace: ([normal]) => new ColliderDesc(new HalfSpace(normal ?? { x: 0, y: 1, z: 0 })),
};

/**
 * Describes a collider of a shape.
 *
 * @param scale That of its object in the scene.
 * @throws TypeError, RangeError for an unknown shape, and for sizes that are none.
 */
export function describeShape(
  shape: ColliderShape | undefined,
  args: readonly unknown[] = [],
  scale: Readonly<Vector>,
): ColliderDesc {
  const describe = shape === undefined ? undefined : SHAPES[shape];
  requireList('it', args);
  if (describe !== undefined) return describe(args as Args, vector('scale', scale));
  throw new RangeError(
    `shape must be one of ${Object.keys(SHAPES).join(', ')}, but is ${JSON.stringify(shape)}`,
  );
}

/** By the first array: a description copies its arrays, and its copy is hashed once, for however many colliders. */
const descriptions = new WeakMap<object, { key: readonly unknown[]; desc: ColliderDesc }>();

function shared(describe: (...args: never[]) => ColliderDesc, args: Args): ColliderDesc {
  const [points] = args as readonly ArrayLike<number>[];
  if (points?.length === undefined) throw new TypeError('[0] must be a list of numbers');
  const key = [describe, ...args];
  const known = descriptions.get(points);
  if (known !== undefined && isSame(known.key, key)) return known.desc;
  const desc = describe(...args);
  descriptions.set(points, { key, desc });
  return desc;
}
