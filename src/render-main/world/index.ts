/** Entry point for worlds that the page makes: `betwixt/world`. */
export { createWorld, type WorldOptions } from './create-world.js';
export { CharacterDesc } from './character-desc.js';
export { ColliderDesc } from './collider-desc.js';
export { JointData } from './joint-data.js';
export { ProbeDesc } from './probe-desc.js';
export { Ray } from './ray.js';
export { RigidBodyDesc } from './rigid-body-desc.js';
export { VehicleDesc, type WheelOptions } from './vehicle-desc.js';
export {
  ActiveCollisionTypes,
  ActiveEvents,
  ActiveHooks,
  CoefficientCombineRule,
  FeatureType,
  HeightFieldFlags,
  JointAxesMask,
  JointType,
  MotorModel,
  QueryFilterFlags,
  RigidBodyType,
  ShapeType,
  SolverFlags,
  TriMeshFlags,
} from './constants.js';
export {
  Ball,
  Capsule,
  Compound,
  Cone,
  ConvexPolyhedron,
  Cuboid,
  Cylinder,
  HalfSpace,
  Heightfield,
  Polyline,
  RoundCone,
  RoundConvexPolyhedron,
  RoundCuboid,
  RoundCylinder,
  RoundTriangle,
  Segment,
  Shape,
  TriMesh,
  Triangle,
  Voxels,
} from './shape-classes.js';
export type { CharacterController } from './character-controller.js';
export type { Driving, VehicleController } from './vehicle-controller.js';
export type {
  CharacterInputs,
  ControlKeys,
  VehicleInputs,
} from '../../shared/world/control-inputs.js';
export type { ImpulseJoint, UnitImpulseJoint } from './impulse-joint.js';
export type { MultibodyJoint } from './multibody-joint.js';
export type { IntegrationParameters } from './integration-parameters.js';
export { SdpMatrix3 } from './sdp-matrix.js';
export type { Collider } from './collider.js';
export type { RigidBody } from './rigid-body.js';
export type { SystemHandle } from './system-handle.js';
export type { Probe } from './probe.js';
export type { QueryFilter } from './query-filter.js';
export type { World, WorldHandle } from './world.js';
export type {
  CastRaysOptions,
  ColliderShapeCastHit,
  PointColliderProjection,
  RayColliderHit,
  RayColliderIntersection,
} from './world-query-methods.js';
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
} from './world-events.js';
export type { Rotation, Vector } from '../../shared/world/fields.js';
