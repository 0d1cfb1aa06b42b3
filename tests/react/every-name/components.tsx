/** Every component, with handlers and refs, as an application of `@react-three/rapier` writes them. */
// oxlint-disable typescript/no-non-null-assertion -- The other package takes no ref that may be null.
import { useRef, type JSX, type RefObject } from 'react';
import type { InstancedMesh, Mesh } from 'three';
import * as r from 'betwixt/react';

const POINTS = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
const TRIANGLES = new Uint32Array([0, 1, 2]);

const ofCollider: Omit<r.ColliderProps, 'ref'> = {
  friction: 0.5,
  frictionCombineRule: r.CoefficientCombineRule.Max,
  collisionGroups: r.interactionGroups(0, [1, 2]),
  onCollisionEnter: ({ manifold, flipped, target, other }) => {
    const { x, y, z } = manifold.solverContactPoint(0);
    console.log(x + y + z, flipped, target.rigidBody?.mass(), other.colliderObject?.name);
  },
  onCollisionExit: ({ collider, rigidBody }) => console.log(collider.handle, rigidBody?.handle),
  onIntersectionEnter: ({ rigidBodyObject }) => console.log(rigidBodyObject?.name),
  onIntersectionExit: ({ colliderObject }) => console.log(colliderObject?.name),
  onContactForce: (payload) => {
    console.log(payload.totalForce.x, payload.totalForceMagnitude);
    console.log(payload.maxForceDirection.y, payload.maxForceMagnitude);
    payload.target.rigidBody?.applyImpulse({ x: 0, y: 1, z: 0 }, true);
  },
};

const ofBody: r.RigidBodyProps = {
  type: 'kinematicPosition',
  position: r.vec3({ x: 0, y: 1, z: 0 }),
  rotation: r.euler({ x: 0, y: 1, z: 0 }),
  quaternion: r.quat(),
  userData: { color: 'red' },
  onSleep: () => console.log('asleep'),
  onWake: () => console.log('awake'),
};

/** Names that an object of three.js has, too, as an application may use them. */
interface PartProps extends r.RigidBodyProps {
  parent: string;
  id: string;
  count: number;
  remove: () => void;
  copy: boolean;
}

export const Part = ({ parent, id, count, remove, copy, ...rest }: PartProps) => (
  <r.RigidBody {...rest} name={`${parent} ${id} ${count} ${copy}`} onSleep={remove} />
);

const instances: r.InstancedRigidBodyProps[] = [
  { key: 'first', position: [0, 1, 0], rotation: [1, 0, 0], scale: 2 },
  { key: 2, ...ofBody, ...ofCollider, ref: () => {} },
];

const Colliders = (): JSX.Element => {
  const collider = useRef<r.RapierCollider>(null);
  return (
    <>
      <r.CuboidCollider ref={collider} args={[1, 2, 3]} mass={1} />
      <r.RoundCuboidCollider args={[1, 2, 3, 0.1]} sensor onIntersectionEnter={() => {}} />
      <r.BallCollider ref={(made) => made?.setSensor(true)} args={[1]} />
      <r.CapsuleCollider args={[1, 0.5]} position={[0, 1, 0]} />
      <r.CylinderCollider args={[1, 0.5]} rotation={[1, 0, 0]} />
      <r.RoundCylinderCollider args={[1, 0.5, 0.1]} scale={[1, 2, 1]} />
      <r.ConeCollider args={[1, 0.5]} friction={undefined} />
      <r.RoundConeCollider args={[1, 0.5, 0.1]} name="cone" />
      <r.ConvexHullCollider args={[POINTS]} density={2} />
      <r.TrimeshCollider args={[POINTS, TRIANGLES]} collisionGroups={r.interactionGroups(1)} />
      <r.HeightfieldCollider args={[1, 1, [0, 0, 0, 0], { x: 1, y: 1, z: 1 }]}>
        <mesh />
      </r.HeightfieldCollider>
      <r.AnyCollider ref={collider} shape="roundConvexHull" args={[POINTS, 0.1]} {...ofCollider} />
    </>
  );
};

const Instances = (): JSX.Element => {
  const bodies = useRef<r.RapierRigidBody[]>(null);
  const mesh = useRef<InstancedMesh>(null);
  const push = (): void => bodies.current?.at(0)?.applyImpulse({ x: 0, y: 1, z: 0 }, true);
  return (
    <r.InstancedRigidBodies
      ref={bodies}
      instances={instances}
      colliders="ball"
      colliderNodes={[<BoxOf key={0} size={1} />, <BoxOf key={1} size={2} />]}
      restitution={1}
      type="dynamic"
    >
      <instancedMesh ref={mesh} args={[undefined, undefined, 2]} count={2} onClick={push} />
    </r.InstancedRigidBodies>
  );
};

const BoxOf = ({ size }: { readonly size: number }): JSX.Element => (
  <r.CuboidCollider args={[size, size, size]} />
);

const isBody = (value: unknown): value is r.RapierRigidBody => value instanceof r.RapierRigidBody;
const isCollider = (value: unknown): boolean => value instanceof r.RapierCollider;

/** Refs of both kinds, also one that a parent has given. */
const Bodies = ({ into }: { readonly into: RefObject<r.RapierRigidBody | null> }): JSX.Element => {
  const mesh = useRef<Mesh>(null);
  const body = useRef<r.RapierRigidBody>(null);
  const sure = useRef<r.RapierRigidBody>(null!);
  return (
    <group onClick={() => console.log(isBody(body.current), isCollider(sure.current))}>
      <r.RigidBody ref={body} {...ofBody} {...ofCollider}>
        <mesh ref={mesh} />
        <Colliders />
      </r.RigidBody>
      <r.RigidBody ref={sure} type="fixed" colliders={false} position={[0, 1, 0]} key="sure">
        <r.MeshCollider type="trimesh">
          <mesh />
        </r.MeshCollider>
      </r.RigidBody>
      <r.RigidBody ref={into} rotation={[0, 1, 0]} mass={1} massProperties={undefined} />
      <r.RigidBody
        ref={(made: r.RapierRigidBody | null) => {
          into.current = made;
          made?.setLinvel({ x: 0, y: 1, z: 0 }, true);
        }}
      />
    </group>
  );
};

export const Scene = (): JSX.Element => {
  const body = useRef<r.RapierRigidBody>(null);
  return (
    <r.Physics timeStep="vary" gravity={[0, 0, 0]}>
      <Bodies into={body} />
      <Instances />
    </r.Physics>
  );
};
