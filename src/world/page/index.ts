/** Entry point for worlds that the page makes: `betwixt/world`. */
export { createWorld, type WorldOptions } from './create-world.js';
export { CharacterDesc, type Character } from './character.js';
export { VehicleDesc, type WheelOptions, type Driving, type Vehicle } from './vehicle.js';
export * from './rapier-names.js';
export type { CharacterInputs, ControlKeys, VehicleInputs } from '../shared/control-inputs.js';
export type {
  FixedImpulseJoint,
  GenericImpulseJoint,
  ImpulseJoint,
  MultibodyJoint,
  PrismaticImpulseJoint,
  RevoluteImpulseJoint,
  RopeImpulseJoint,
  SphericalImpulseJoint,
  SpringImpulseJoint,
  UnitImpulseJoint,
} from './joints.js';
export type { JointMotor } from './axis-methods.js';
export type { IntegrationParameters } from './integration-parameters.js';
export type { HandleClass, ColliderShapeCastHit } from './body-and-collider.js';
export type { SystemHandle } from './system-handle.js';
export type { StepHooks } from './added-hooks.js';
export type { World } from './world.js';
export type { WorldHandle } from './world-handle.js';
export type {
  CharacterCollision,
  KinematicCharacterController,
  TempContactManifold,
  PidController,
  PointColliderProjection,
  QueryFilter,
  RayColliderHit,
  RayColliderIntersection,
} from './world-query-methods.js';
export type { DynamicRayCastVehicleController } from './vehicle-controller.js';
export type {
  PointProjection,
  RayIntersection,
  ShapeCastHit,
  ShapeContact,
} from './query-types.js';
export type {
  WorldBrokenEvent,
  WorldCollisionEvent,
  WorldContactForceEvent,
  WorldEvents,
  WorldSleepEvent,
} from './world-events.js';
export type { OneWay } from './collider-desc.js';
export type { VHACDParameters } from './pieces.js';
export type { AnyShape } from './shape.js';
export type {
  EngineBodyDesc,
  EngineColliderDesc,
  EngineJointData,
  EngineShape,
} from './engine-data.js';
export type { Rotation, Vector } from '../../shared/util/vectors.js';
