/** Entry point for worlds that the page makes: `betwixt/world`. */
export { createWorld, type WorldOptions } from './create-world.js';
export { CharacterDesc } from './characters/character-desc.js';
export { ProbeDesc } from './queries/probe-desc.js';
export { VehicleDesc } from './vehicles/vehicle-desc.js';
export type { WheelOptions } from './vehicles/vehicle-options.js';
export * from './rapier-names.js';
export type { CharacterController } from './characters/character-controller.js';
export type { Driving, VehicleController } from './vehicles/vehicle-controller.js';
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
export type { Probe } from './queries/probe.js';
export type { QueryFilter } from './queries/query-filter.js';
export type { World } from './world.js';
export type { WorldHandle } from './sending/world-handle.js';
export type {
  CastRaysOptions,
  PointColliderProjection,
  RayColliderHit,
  RayColliderIntersection,
} from './queries/world-query-methods.js';
export type { ColliderShapeCastHit } from './bodies/collider-query-methods.js';
export type {
  BodyState,
  ContactManifold,
  PointProjection,
  RayHits,
  RayIntersection,
  ShapeCastHit,
  ShapeContact,
} from '../../shared/world/questions.js';
export type {
  WorldCollisionEvent,
  WorldContactForceEvent,
  WorldEvents,
  WorldSleepEvent,
} from './events/world-events.js';
export type { OneWay } from './checks/one-way.js';
export type { Rotation, Vector } from '../../shared/world/fields.js';
