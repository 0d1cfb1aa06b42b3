/** Entry point for worlds that the page makes: `betwixt/world`. */
export { createWorld, type WorldOptions } from './create-world.js';
export { CharacterDesc } from './character-desc.js';
export { VehicleDesc } from './vehicle-desc.js';
export type { WheelOptions } from './vehicle-options.js';
export * from './rapier-names.js';
export type { Character } from './character.js';
export type { Driving, Vehicle } from './vehicle.js';
export type { CharacterInputs, ControlKeys, VehicleInputs } from '../shared/control-inputs.js';
export type { ImpulseJoint, UnitImpulseJoint } from './impulse-joint.js';
export type { MultibodyJoint } from './multibody-joint.js';
export type { IntegrationParameters } from './integration-parameters.js';
export type { HandleClass } from './handle-class.js';
export type { SystemHandle } from './system-handle.js';
export type { World } from './world.js';
export type { WorldHandle } from './world-handle.js';
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
} from './world-query-methods.js';
export type { ColliderShapeCastHit } from './collider-query-methods.js';
export type {
  PointProjection,
  RayIntersection,
  ShapeCastHit,
  ShapeContact,
} from './query-answers.js';
export type {
  WorldCollisionEvent,
  WorldContactForceEvent,
  WorldEvents,
  WorldSleepEvent,
} from './world-events.js';
export type { OneWay } from './one-way.js';
export type { AnyShape } from './shape-classes.js';
export type {
  EngineBodyDesc,
  EngineColliderDesc,
  EngineJointData,
  EngineShape,
} from './engine-data.js';
export type { Rotation, Vector } from '../../shared/util/vectors.js';
