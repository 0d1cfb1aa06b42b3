/** The classes and constants of worlds that Rapier has, too, under the same names. */
export { ColliderDesc } from './collider-desc.js';
export { JointData } from './joint-data.js';
export { Ray, SdpMatrix3 } from './query-types.js';
export { RigidBodyDesc } from './rigid-body-desc.js';
export {
  ActiveCollisionTypes,
  ActiveEvents,
  ActiveHooks,
  CoefficientCombineRule,
  FeatureType,
  HeightFieldFlags,
  JointAxesMask,
  JointAxis,
  JointType,
  MotorModel,
  PidAxesMask,
  QueryFilterFlags,
  RigidBodyType,
  ShapeType,
  SolverFlags,
  TriMeshFlags,
} from './constants.js';
export { Shape } from './shape.js';
export * from './shape-classes.js';
export { Collider, RigidBody } from './body-and-collider.js';
