/** Components of colliders of one shape each, with what they take. */
import type { Vector } from '../shared/util/vectors.js';
import { colliderOf } from './collider-components.js';
import type { ColliderOptionsRequiredArgs } from './types.js';

/** Half of its sizes, in m or the simulation's own unit. */
export type CuboidArgs = [halfWidth: number, halfHeight: number, halfDepth: number];
/** Props of a box. */
export type CuboidColliderProps = ColliderOptionsRequiredArgs<CuboidArgs>;
/** A box: `args` are half of its sizes. As {@link AnyCollider}. */
export const CuboidCollider = colliderOf<CuboidArgs>('cuboid');

/** As a cuboid, and the radius of the border around it. */
export type RoundCuboidArgs = [
  halfWidth: number,
  halfHeight: number,
  halfDepth: number,
  borderRadius: number,
];
/** Props of a box with round edges. */
export type RoundCuboidColliderProps = ColliderOptionsRequiredArgs<RoundCuboidArgs>;
/** A box with round edges: `args` are half of the sizes of what is flat, and the radius around it. As {@link AnyCollider}. */
export const RoundCuboidCollider = colliderOf<RoundCuboidArgs>('roundCuboid');

/** In m or the simulation's own unit. */
export type BallArgs = [radius: number];
/** Props of a ball. */
export type BallColliderProps = ColliderOptionsRequiredArgs<BallArgs>;
/** A ball: `args` is its radius. As {@link AnyCollider}. */
export const BallCollider = colliderOf<BallArgs>('ball');

/** Half of the part between the half balls, in m or the simulation's own unit. */
export type CapsuleArgs = [halfHeight: number, radius: number];
/** Props of a capsule. */
export type CapsuleColliderProps = ColliderOptionsRequiredArgs<CapsuleArgs>;
/** A capsule: `args` are half of the height between its half balls, and its radius. As {@link AnyCollider}. */
export const CapsuleCollider = colliderOf<CapsuleArgs>('capsule');

/** Numbers of squares along z and x, heights column by column, and the whole size with the factor of the heights. */
export type HeightfieldArgs = [
  width: number,
  height: number,
  heights: number[],
  scale: { x: number; y: number; z: number },
];
/** Props of a terrain. */
export type HeightfieldColliderProps = ColliderOptionsRequiredArgs<HeightfieldArgs>;
/** A terrain: `args` are the numbers of squares along z and x, heights, and its size. As {@link AnyCollider}. */
export const HeightfieldCollider = colliderOf<HeightfieldArgs>('heightfield');

/** Three numbers for each point, and three for each triangle. */
export type TrimeshArgs = [vertices: ArrayLike<number>, indices: ArrayLike<number>];
/** Props of triangles. */
export type TrimeshColliderProps = ColliderOptionsRequiredArgs<TrimeshArgs>;
/**
 * Triangles, which are hollow: `args` are three numbers for each point, and three for each triangle. As
 * {@link AnyCollider}.
 */
export const TrimeshCollider = colliderOf<TrimeshArgs>('trimesh');

/** In m or the simulation's own unit. */
export type ConeArgs = [halfHeight: number, radius: number];
/** Props of a cone. */
export type ConeColliderProps = ColliderOptionsRequiredArgs<ConeArgs>;
/** A cone: `args` are half of its height, and its radius. As {@link AnyCollider}. */
export const ConeCollider = colliderOf<ConeArgs>('cone');

/** As a cone, and the radius of the border around it. */
export type RoundConeArgs = [halfHeight: number, radius: number, borderRadius: number];
/** Props of a cone with round edges. */
export type RoundConeColliderProps = ColliderOptionsRequiredArgs<RoundConeArgs>;
/** A cone with round edges: `args` are those of a cone, and the radius around it. As {@link AnyCollider}. */
export const RoundConeCollider = colliderOf<RoundConeArgs>('roundCone');

/** In m or the simulation's own unit. */
export type CylinderArgs = [halfHeight: number, radius: number];
/** Props of a cylinder. */
export type CylinderColliderProps = ColliderOptionsRequiredArgs<CylinderArgs>;
/** A cylinder: `args` are half of its height, and its radius. As {@link AnyCollider}. */
export const CylinderCollider = colliderOf<CylinderArgs>('cylinder');

/** As a cylinder, and the radius of the border around it. */
export type RoundCylinderArgs = [halfHeight: number, radius: number, borderRadius: number];
/** Props of a cylinder with round edges. */
export type RoundCylinderColliderProps = ColliderOptionsRequiredArgs<RoundCylinderArgs>;
/** A cylinder with round edges: `args` are those of a cylinder, and the radius around it. As {@link AnyCollider}. */
export const RoundCylinderCollider = colliderOf<RoundCylinderArgs>('roundCylinder');

/** Three numbers for each point. */
export type ConvexHullArgs = [vertices: ArrayLike<number>];
/** Props of a convex hull. */
export type ConvexHullColliderProps = ColliderOptionsRequiredArgs<ConvexHullArgs>;
/** A convex hull: `args` are three numbers for each point. As {@link AnyCollider}. */
export const ConvexHullCollider = colliderOf<ConvexHullArgs>('convexHull');

/** The direction away from the solid side. */
export type HalfSpaceArgs = [normal: Vector];
/** Props of a half space. */
export type HalfSpaceColliderProps = ColliderOptionsRequiredArgs<HalfSpaceArgs>;
/** Everything below a plane through its place, without an end: `args` is the direction away from it. As {@link AnyCollider}. */
export const HalfSpaceCollider = colliderOf<HalfSpaceArgs>('halfSpace');

/** Three numbers for each point, and two for each segment. */
export type PolylineArgs = [vertices: Float32Array, indices: Uint32Array];
/** Three numbers for each point, and three for each triangle. */
export type ConvexMeshArgs = [vertices: ArrayLike<number>, indices: ArrayLike<number>];
/** As a hull, and the radius of the border around it. Indices, which other declarations have, are not used. */
export type RoundConvexHullArgs =
  | [vertices: ArrayLike<number>, borderRadius: number]
  | [vertices: ArrayLike<number>, indices: ArrayLike<number>, borderRadius: number];
/** As a convex mesh, and the radius of the border around it. */
export type RoundConvexMeshArgs = [
  vertices: ArrayLike<number>,
  indices: ArrayLike<number>,
  borderRadius: number,
];
