/** Every type, with a value that an application of `@react-three/rapier` could give it. */
import { Object3D } from 'three';
import type {
  BallArgs,
  BallColliderProps,
  Boolean3Tuple,
  CapsuleArgs,
  CapsuleColliderProps,
  ColliderOptions,
  ColliderOptionsRequiredArgs,
  ColliderShape,
  CollisionEnterHandler,
  CollisionEnterPayload,
  CollisionExitHandler,
  CollisionExitPayload,
  CollisionPayload,
  CollisionTarget,
  ConeArgs,
  ConeColliderProps,
  ContactForceHandler,
  ContactForcePayload,
  ConvexHullArgs,
  ConvexHullColliderProps,
  ConvexMeshArgs,
  CuboidArgs,
  CuboidColliderProps,
  CylinderArgs,
  CylinderColliderProps,
  HeightfieldArgs,
  HeightfieldColliderProps,
  InstancedRigidBodiesProps,
  IntersectionEnterHandler,
  IntersectionEnterPayload,
  IntersectionExitHandler,
  IntersectionExitPayload,
  MeshColliderProps,
  PolylineArgs,
  RapierCollider,
  RapierRigidBody,
  RefGetter,
  RigidBodyAutoCollider,
  RigidBodyOptions,
  RigidBodyTypeString,
  RoundConeArgs,
  RoundConvexHullArgs,
  RoundConvexMeshArgs,
  RoundCuboidArgs,
  RoundCuboidColliderProps,
  RoundCylinderArgs,
  TrimeshArgs,
  TrimeshColliderProps,
  UseBodyOptions,
  Vector3Object,
  Vector3Tuple,
  Vector4Tuple,
} from 'betwixt/react';

const points = new Float32Array(12);
const indices = new Uint32Array(6);

const three: Vector3Tuple = [1, 2, 3];
const four: Vector4Tuple = [0, 0, 0, 1];
const flags: Boolean3Tuple = [true, false, true];
const vector: Vector3Object = { x: 1, y: 2, z: 3 };

const ball: BallArgs = [1];
const capsule: CapsuleArgs = [1, 2];
const cone: ConeArgs = [1, 2];
const convexHull: ConvexHullArgs = [points];
const convexMesh: ConvexMeshArgs = [points, indices];
const cuboid: CuboidArgs = [1, 2, 3];
const cylinder: CylinderArgs = [1, 2];
const heightfield: HeightfieldArgs = [1, 1, [0, 0, 0, 0], vector];
const polyline: PolylineArgs = [points, indices];
const roundCone: RoundConeArgs = [1, 2, 3];
const roundConvexHull: RoundConvexHullArgs = [points, indices, 0.1];
const roundConvexMesh: RoundConvexMeshArgs = [points, indices, 0.1];
const roundCuboid: RoundCuboidArgs = [1, 2, 3, 0.1];
const roundCylinder: RoundCylinderArgs = [1, 2, 0.1];
const trimesh: TrimeshArgs = [points, indices];

const ballProps: BallColliderProps = { args: ball, friction: 1 };
const capsuleProps: CapsuleColliderProps = { args: capsule, restitution: 1 };
const coneProps: ConeColliderProps = { args: cone, density: 1 };
const convexHullProps: ConvexHullColliderProps = { args: convexHull, mass: 1 };
const cuboidProps: CuboidColliderProps = { args: cuboid, position: three };
const cylinderProps: CylinderColliderProps = { args: cylinder, quaternion: four };
const heightfieldProps: HeightfieldColliderProps = { args: heightfield, scale: 1 };
const roundCuboidProps: RoundCuboidColliderProps = { args: roundCuboid, name: 'box' };
const trimeshProps: TrimeshColliderProps = { args: trimesh, sensor: false };
const options: ColliderOptions<CuboidArgs> = { args: cuboid, shape: 'cuboid' };
const required: ColliderOptionsRequiredArgs<CuboidArgs> = { args: cuboid };

const shapes: ColliderShape[] = [
  'cuboid',
  'trimesh',
  'ball',
  'capsule',
  'convexHull',
  'heightfield',
  'polyline',
  'roundCuboid',
  'cylinder',
  'roundCylinder',
  'cone',
  'roundCone',
  'convexMesh',
  'roundConvexHull',
  'roundConvexMesh',
];
const kinds: RigidBodyAutoCollider[] = ['ball', 'cuboid', 'hull', 'trimesh', false];
const types: RigidBodyTypeString[] = ['fixed', 'dynamic', 'kinematicPosition', 'kinematicVelocity'];

const bodyOptions: RigidBodyOptions = { enabledRotations: flags, linearVelocity: three };
const useOptions: UseBodyOptions = { ...bodyOptions, type: 'fixed' };
const mesh: MeshColliderProps = { type: 'hull', children: null };
const instances: InstancedRigidBodiesProps = {
  instances: [{ key: 1, position: three }],
  colliderNodes: [null],
  children: null,
  ref: (bodies) => console.log(bodies?.length),
};

export const all = [
  [convexMesh, polyline, roundCone, roundConvexHull, roundConvexMesh, roundCylinder],
  [ballProps, capsuleProps, coneProps, convexHullProps, cuboidProps, cylinderProps],
  [heightfieldProps, roundCuboidProps, trimeshProps, options, required],
  [shapes, kinds, types, useOptions, mesh, instances],
];

const onEnter: CollisionEnterHandler = ({ manifold: { normal } }) => console.log(normal);
const onExit: CollisionExitHandler = ({ other: { rigidBody: body } }) => console.log(body);
const onOverlap: IntersectionEnterHandler = (given) => console.log(given.target);
const onOverlapEnd: IntersectionExitHandler = onOverlap;
const onForce: ContactForceHandler = ({ totalForceMagnitude }) => console.log(totalForceMagnitude);

/** What a test of handlers makes by hand. */
export function payloads(
  collider: RapierCollider,
  rigidBody: RapierRigidBody,
  getter: RefGetter<RapierRigidBody>,
  manifold: CollisionEnterPayload['manifold'],
): void {
  const target: CollisionTarget = { collider, rigidBody, rigidBodyObject: new Object3D() };
  const other: CollisionTarget = { collider };
  const payload: CollisionPayload = { target, other, ...other };
  const exit: CollisionExitPayload = payload;
  const overlap: IntersectionEnterPayload & IntersectionExitPayload = payload;
  const enter: CollisionEnterPayload = { ...payload, manifold, flipped: false };
  const force: ContactForcePayload = {
    ...payload,
    totalForce: vector,
    totalForceMagnitude: 1,
    maxForceDirection: vector,
    maxForceMagnitude: 1,
  };
  onEnter(enter);
  onExit(exit);
  onOverlap(overlap);
  onOverlapEnd(overlap);
  onForce(force);
  console.log(getter.current()?.handle);
}
