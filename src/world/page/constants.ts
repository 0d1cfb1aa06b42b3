/** Rapier's enumerations that worlds take, under its names and with its numbers: the page loads no engine. */
import { SHAPE_TYPES } from '../shared/shape-table.js';

/** How a body moves. */
export const RigidBodyType = {
  Dynamic: 0,
  Fixed: 1,
  KinematicPositionBased: 2,
  KinematicVelocityBased: 3,
} as const;
export type RigidBodyType = (typeof RigidBodyType)[keyof typeof RigidBodyType];

/** How the coefficients of two colliders become one. */
export const CoefficientCombineRule = { Average: 0, Min: 1, Multiply: 2, Max: 3 } as const;
export type CoefficientCombineRule =
  (typeof CoefficientCombineRule)[keyof typeof CoefficientCombineRule];

/** Which events a collider reports: flags that can be added. */
export const ActiveEvents = { NONE: 0, COLLISION_EVENTS: 1, CONTACT_FORCE_EVENTS: 2 } as const;

/** Which filters of systems are asked about a collider: flags that can be added. */
export const ActiveHooks = {
  NONE: 0,
  FILTER_CONTACT_PAIRS: 1,
  FILTER_INTERSECTION_PAIRS: 2,
} as const;

/** The answer of a system's filter about two colliders that touch: flags. */
export const SolverFlags = { EMPTY: 0, COMPUTE_IMPULSE: 1 } as const;

/** Between which types of bodies a collider finds collisions: flags that can be added. */
export const ActiveCollisionTypes = {
  DYNAMIC_DYNAMIC: 1,
  DYNAMIC_KINEMATIC: 12,
  DYNAMIC_FIXED: 2,
  KINEMATIC_KINEMATIC: 52_224,
  KINEMATIC_FIXED: 8704,
  FIXED_FIXED: 32,
  DEFAULT: 15,
  ALL: 60_943,
} as const;

/** The kind of a joint. */
export const JointType = {
  Revolute: 0,
  Fixed: 1,
  Prismatic: 2,
  Rope: 3,
  Spring: 4,
  Spherical: 5,
  Generic: 6,
} as const;
export type JointType = (typeof JointType)[keyof typeof JointType];

/** Whether a motor's stiffness and damping are forces, or accelerations, which do not depend on the masses. */
export const MotorModel = { AccelerationBased: 0, ForceBased: 1 } as const;
export type MotorModel = (typeof MotorModel)[keyof typeof MotorModel];

/** An axis of a joint: a direction in which its bodies move, or about which they turn. */
export const JointAxis = { LinX: 0, LinY: 1, LinZ: 2, AngX: 3, AngY: 4, AngZ: 5 } as const;
export type JointAxis = (typeof JointAxis)[keyof typeof JointAxis];

/** Axes that a joint holds: flags that can be added. */
export const JointAxesMask = {
  LinX: 1,
  LinY: 2,
  LinZ: 4,
  AngX: 8,
  AngY: 16,
  AngZ: 32,
} as const;

/** The colliders that a query ignores: flags that can be added. */
export const QueryFilterFlags = {
  EXCLUDE_FIXED: 1,
  EXCLUDE_KINEMATIC: 2,
  EXCLUDE_DYNAMIC: 4,
  EXCLUDE_SENSORS: 8,
  EXCLUDE_SOLIDS: 16,
  ONLY_DYNAMIC: 3,
  ONLY_KINEMATIC: 5,
  ONLY_FIXED: 6,
} as const;

/** The part of a shape that is nearest to a ray or a point. */
export const FeatureType = { Vertex: 0, Edge: 1, Face: 2, Unknown: 3 } as const;
export type FeatureType = (typeof FeatureType)[keyof typeof FeatureType];

/** Types of shapes. */
export const ShapeType = SHAPE_TYPES;
export type ShapeType = (typeof ShapeType)[keyof typeof ShapeType];

/** How a mesh of triangles is prepared: flags that can be added. */
export const TriMeshFlags = {
  DELETE_BAD_TOPOLOGY_TRIANGLES: 4,
  ORIENTED: 8,
  MERGE_DUPLICATE_VERTICES: 16,
  DELETE_DEGENERATE_TRIANGLES: 32,
  DELETE_DUPLICATE_TRIANGLES: 64,
  FIX_INTERNAL_EDGES: 144,
} as const;

/** How contacts with a height field are found: flags that can be added. */
export const HeightFieldFlags = { FIX_INTERNAL_EDGES: 1 } as const;

/** Which axes a PID controller acts on: flags that can be added. */
export const PidAxesMask = {
  None: 0,
  LinX: 1,
  LinY: 2,
  LinZ: 4,
  AllLin: 7,
  AngX: 8,
  AngY: 16,
  AngZ: 32,
  AllAng: 56,
  All: 63,
} as const;
