/** The classes and constants of worlds that Rapier has, too, under the same names. */
export { ColliderDesc } from './bodies/collider-desc.js';
export { JointData } from './joints/joint-data.js';
export { Ray } from './values/ray.js';
export { RigidBodyDesc } from './bodies/rigid-body-desc.js';
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
  PidAxesMask,
  QueryFilterFlags,
  RigidBodyType,
  ShapeType,
  SolverFlags,
  TriMeshFlags,
} from './values/constants.js';
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
} from './shapes/shape-classes.js';
export { SdpMatrix3 } from './values/sdp-matrix.js';
export { Collider } from './bodies/collider.js';
export { RigidBody } from './bodies/rigid-body.js';
