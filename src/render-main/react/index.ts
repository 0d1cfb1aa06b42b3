/** Entry point for React Three Fiber: `betwixt/react`, with the names of `@react-three/rapier`. */
'use client';
export { Physics } from './physics.js';
export { RigidBody, type RigidBodyProps } from './bodies/rigid-body.js';
export {
  InstancedRigidBodies,
  type InstancedRigidBodiesProps,
  type InstancedRigidBodyProps,
} from './instances/instanced-rigid-bodies.js';
export { MeshCollider, type MeshColliderProps } from './colliders/mesh-collider.js';
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
} from './colliders/collider-components.js';
export {
  useFixedJoint,
  useImpulseJoint,
  usePrismaticJoint,
  useRevoluteJoint,
  useRopeJoint,
  useSphericalJoint,
  useSpringJoint,
} from './hooks/joints.js';
export {
  useAfterPhysicsStep,
  useBeforePhysicsStep,
  useFilterContactPair,
  useFilterIntersectionPair,
  type FilterContactPairCallback,
  type FilterIntersectionPairCallback,
} from './hooks/step-hooks.js';
export { Attractor, type AttractorProps } from './systems/attractor.js';
export type { AttractorGravityType } from '../../shared/world/attractor.js';
export { useCharacter, type CharacterRef } from './systems/use-character.js';
export { useSystem, type SystemArguments } from './systems/use-system.js';
export { useVehicle } from './systems/use-vehicle.js';
export { VehicleWheel, type VehicleWheelProps } from './systems/vehicle-wheel.js';
export { useRapier, useWorld, type RapierContext } from './scope/physics-context.js';
export { interactionGroups } from './values/interaction-groups.js';
export { RapierCollider, RapierRigidBody } from './values/handle-names.js';
export { euler, quat, vec3 } from './values/math.js';
export { CoefficientCombineRule } from '../world/index.js';
export type { OneWay } from '../world/index.js';
export type { CollisionManifold } from './events/collision-manifold.js';
export type { PhysicsProps } from './props/physics-props.js';
export type { WorldStepCallback } from './scope/physics-scope.js';
export type * from './props/types.js';
export type * from './events/collision-payloads.js';
export type { EventStamp } from '../../shared/events/simulation-event.js';
