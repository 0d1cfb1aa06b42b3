/** Entry point for worlds that the page makes: `betwixt/world`. */
export { createWorld, type WorldOptions } from './create-world.js';
export { CharacterDesc } from './characters/character-desc.js';
export { VehicleDesc } from './vehicles/vehicle-desc.js';
export type { WheelOptions } from './vehicles/vehicle-options.js';
export * from './rapier-names.js';
export type { Character } from './characters/character.js';
export type { Driving, Vehicle } from './vehicles/vehicle.js';
export type {
  CharacterInputs,
  ControlKeys,
  VehicleInputs,
} from '../../shared/world/control-inputs.js';
export type { ImpulseJoint, UnitImpulseJoint } from './joints/impulse-joint.js';
export type { MultibodyJoint } from './joints/multibody-joint.js';
export type { IntegrationParameters } from './integration-parameters.js';
export type { HandleClass } from './handles/handle-class.js';
export type { SystemHandle } from './systems/system-handle.js';
export type { World } from './world.js';
export type { WorldHandle } from './sending/world-handle.js';
export type {
  CharacterCollision,
  CharacterController,
  ContactManifold,
  PidController,
  PointColliderProjection,
  QueryFilter,
  RayColliderHit,
  RayColliderIntersection,
  VehicleController,
} from './queries/world-query-methods.js';
export type { ColliderShapeCastHit } from './bodies/collider-query-methods.js';
export type {
  PointProjection,
  RayIntersection,
  ShapeCastHit,
  ShapeContact,
} from './values/query-answers.js';
export type {
  WorldCollisionEvent,
  WorldContactForceEvent,
  WorldEvents,
  WorldSleepEvent,
} from './events/world-events.js';
export type { OneWay } from './checks/one-way.js';
export type { AnyShape } from './shapes/shape-classes.js';
export type {
  EngineBodyDesc,
  EngineColliderDesc,
  EngineJointData,
  EngineShape,
} from './values/engine-data.js';
export type { Rotation, Vector } from '../../shared/world/fields.js';
