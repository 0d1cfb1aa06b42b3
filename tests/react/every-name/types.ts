/** Every type, with a value that an application of `@react-three/rapier` could give it. */
import { Object3D } from 'three';
import type * as r from 'betwixt/react';

const points = new Float32Array(12);
const indices = new Uint32Array(6);

const three: r.Vector3Tuple = [1, 2, 3];
const four: r.Vector4Tuple = [0, 0, 0, 1];
const flags: r.Boolean3Tuple = [true, false, true];
const vector: r.Vector3Object = { x: 1, y: 2, z: 3 };

const ball: r.BallArgs = [1];
const capsule: r.CapsuleArgs = [1, 2];
const cone: r.ConeArgs = [1, 2];
const convexHull: r.ConvexHullArgs = [points];
const convexMesh: r.ConvexMeshArgs = [points, indices];
const cuboid: r.CuboidArgs = [1, 2, 3];
const cylinder: r.CylinderArgs = [1, 2];
const heightfield: r.HeightfieldArgs = [1, 1, [0, 0, 0, 0], vector];
const polyline: r.PolylineArgs = [points, indices];
const roundCone: r.RoundConeArgs = [1, 2, 3];
const roundConvexHull: r.RoundConvexHullArgs = [points, indices, 0.1];
const roundConvexMesh: r.RoundConvexMeshArgs = [points, indices, 0.1];
const roundCuboid: r.RoundCuboidArgs = [1, 2, 3, 0.1];
const roundCylinder: r.RoundCylinderArgs = [1, 2, 0.1];
const trimesh: r.TrimeshArgs = [points, indices];

const ballProps: r.BallColliderProps = { args: ball, friction: 1 };
const capsuleProps: r.CapsuleColliderProps = { args: capsule, restitution: 1 };
const coneProps: r.ConeColliderProps = { args: cone, density: 1 };
const convexHullProps: r.ConvexHullColliderProps = { args: convexHull, mass: 1 };
const cuboidProps: r.CuboidColliderProps = { args: cuboid, position: three };
const cylinderProps: r.CylinderColliderProps = { args: cylinder, quaternion: four };
const heightfieldProps: r.HeightfieldColliderProps = { args: heightfield, scale: 1 };
const roundCuboidProps: r.RoundCuboidColliderProps = { args: roundCuboid, name: 'box' };
const trimeshProps: r.TrimeshColliderProps = { args: trimesh, sensor: false };
const options: r.ColliderOptions<r.CuboidArgs> = { args: cuboid, shape: 'cuboid' };
const required: r.ColliderOptionsRequiredArgs<r.CuboidArgs> = { args: cuboid };

const shapes: r.ColliderShape[] = [
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
const kinds: r.RigidBodyAutoCollider[] = ['ball', 'cuboid', 'hull', 'trimesh', false];
const types: r.RigidBodyTypeString[] = [
  'fixed',
  'dynamic',
  'kinematicPosition',
  'kinematicVelocity',
];

const bodyOptions: r.RigidBodyOptions = { enabledRotations: flags, linearVelocity: three };
const useOptions: r.UseBodyOptions = { ...bodyOptions, type: 'fixed' };
const mesh: r.MeshColliderProps = { type: 'hull', children: null };
const instances: r.InstancedRigidBodiesProps = {
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

const onEnter: r.CollisionEnterHandler = ({ manifold: { normal } }) => console.log(normal);
const onExit: r.CollisionExitHandler = ({ other: { rigidBody: body } }) => console.log(body);
const onOverlap: r.IntersectionEnterHandler = (given) => console.log(given.target);
const onOverlapEnd: r.IntersectionExitHandler = onOverlap;
const onForce: r.ContactForceHandler = ({ totalForceMagnitude }) =>
  console.log(totalForceMagnitude);

/** Payloads that a test of handlers makes by hand. */
export function payloads(
  collider: r.RapierCollider,
  rigidBody: r.RapierRigidBody,
  getter: r.RefGetter<r.RapierRigidBody>,
  manifold: r.CollisionEnterPayload['manifold'],
): void {
  const target: r.CollisionTarget = { collider, rigidBody, rigidBodyObject: new Object3D() };
  const other: r.CollisionTarget = { collider };
  const payload: r.CollisionPayload = { target, other, ...other };
  const exit: r.CollisionExitPayload = payload;
  const overlap: r.IntersectionEnterPayload & r.IntersectionExitPayload = payload;
  const enter: r.CollisionEnterPayload = { ...payload, manifold, flipped: false };
  const force: r.ContactForcePayload = {
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
