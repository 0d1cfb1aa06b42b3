/** Entry point for React Three Fiber: `betwixt/react`, with the names of `@react-three/rapier`. */
'use client';
export { Physics } from './physics.js';
export { RigidBody, type RigidBodyProps } from './rigid-body.js';
export {
  InstancedRigidBodies,
  type InstancedRigidBodiesProps,
  type InstancedRigidBodyProps,
} from './instanced-rigid-bodies.js';
export { MeshCollider, type MeshColliderProps } from './auto-colliders.js';
export { AnyCollider } from './collider-components.js';
export {
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
} from './shape-colliders.js';
export type * from './shape-colliders.js';
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
export { GltfPhysics, type GltfPhysicsProps } from './gltf-physics.js';
export type { AddedGltf } from '../three/index.js';
export { useCharacter, type CharacterRef } from './character.js';
export { useSystem, type SystemArguments } from './systems.js';
export { useVehicle, VehicleWheel, type VehicleWheelProps } from './vehicle.js';
export { useRapier, type RapierContext } from './physics-context.js';
export {
  RapierCollider,
  RapierRigidBody,
  euler,
  interactionGroups,
  quat,
  vec3,
} from './rapier-values.js';
export { CoefficientCombineRule, type OneWay } from '../world/page/index.js';
export type { WorldStepCallback } from './physics-scope.js';
export type * from './types.js';
export type * from './collisions.js';
export type { EventStamp } from '../shared/events/simulation-event.js';
