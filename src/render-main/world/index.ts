/** Entry point for worlds that the page makes: `betwixt/world`. */
export { createWorld, type WorldOptions } from './create-world.js';
export { ColliderDesc } from './collider-desc.js';
export { JointData } from './joint-data.js';
export { RigidBodyDesc } from './rigid-body-desc.js';
export {
  ActiveCollisionTypes,
  ActiveEvents,
  ActiveHooks,
  CoefficientCombineRule,
  JointAxesMask,
  JointType,
  MotorModel,
  RigidBodyType,
  ShapeType,
  SolverFlags,
} from './constants.js';
export type { ImpulseJoint, UnitImpulseJoint } from './impulse-joint.js';
export type { Collider } from './collider.js';
export type { RigidBody } from './rigid-body.js';
export type { SystemHandle } from './system-handle.js';
export type { World, WorldHandle } from './world.js';
export type { Rotation, Vector } from '../../shared/world/fields.js';
