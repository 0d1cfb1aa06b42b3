/** Entry point for React Three Fiber: `betwixt/react`, with the names of `@react-three/rapier`. */
'use client';
export { Physics } from './physics.js';
export { RigidBody, type RigidBodyProps } from './rigid-body.js';
export {
  InstancedRigidBodies,
  type InstancedRigidBodiesProps,
  type InstancedRigidBodyProps,
} from './instanced-rigid-bodies.js';
export { MeshCollider, type MeshColliderProps } from './mesh-collider.js';
export {
  AnyCollider,
  BallCollider,
  CapsuleCollider,
  ConeCollider,
  ConvexHullCollider,
  CuboidCollider,
  CylinderCollider,
  HalfSpaceCollider,
  HeightfieldCollider,
  RoundConeCollider,
  RoundCuboidCollider,
  RoundCylinderCollider,
  TrimeshCollider,
  type BallColliderProps,
  type CapsuleColliderProps,
  type ConeColliderProps,
  type ConvexHullColliderProps,
  type CuboidColliderProps,
  type CylinderColliderProps,
  type HalfSpaceColliderProps,
  type HeightfieldColliderProps,
  type RoundConeColliderProps,
  type RoundCuboidColliderProps,
  type RoundCylinderColliderProps,
  type TrimeshColliderProps,
} from './collider-components.js';
export {
  useFixedJoint,
  useImpulseJoint,
  usePrismaticJoint,
  useRevoluteJoint,
  useRopeJoint,
  useSphericalJoint,
  useSpringJoint,
} from './joints.js';
export {
  useAfterPhysicsStep,
  useBeforePhysicsStep,
  useFilterContactPair,
  useFilterIntersectionPair,
  type FilterContactPairCallback,
  type FilterIntersectionPairCallback,
} from './step-hooks.js';
export { Attractor, type AttractorProps } from './attractor.js';
export type { AttractorGravityType } from '../world/shared/built-in-systems.js';
export { useCharacter, type CharacterRef } from './use-character.js';
export { useSystem, type SystemArguments } from './use-system.js';
export { useVehicle } from './use-vehicle.js';
export { VehicleWheel, type VehicleWheelProps } from './vehicle-wheel.js';
export { useRapier, useWorld, type RapierContext } from './physics-context.js';
export { interactionGroups } from './interaction-groups.js';
export { RapierCollider, RapierRigidBody } from './handle-names.js';
export { euler, quat, vec3 } from './math.js';
export { CoefficientCombineRule, type OneWay } from '../world/page/index.js';
export type { CollisionManifold } from './collision-manifold.js';
export type { PhysicsProps } from './physics-props.js';
export type { WorldStepCallback } from './physics-scope.js';
export type * from './types.js';
export type * from './collision-payloads.js';
export type { EventStamp } from '../shared/events/simulation-event.js';
