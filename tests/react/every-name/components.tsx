/** Every component with every prop, as an application of `@react-three/rapier` writes them. */
// oxlint-disable typescript/no-non-null-assertion -- The other package takes no ref that may be null.
import { useRef, type JSX, type RefObject } from 'react';
import type { InstancedMesh, Mesh } from 'three';
import {
  AnyCollider,
  BallCollider,
  CapsuleCollider,
  CoefficientCombineRule,
  ConeCollider,
  ConvexHullCollider,
  CuboidCollider,
  CylinderCollider,
  HeightfieldCollider,
  InstancedRigidBodies,
  MeshCollider,
  Physics,
  RapierCollider,
  RapierRigidBody,
  RigidBody,
  RoundConeCollider,
  RoundCuboidCollider,
  RoundCylinderCollider,
  TrimeshCollider,
  euler,
  interactionGroups,
  quat,
  vec3,
  type ColliderProps,
  type InstancedRigidBodyProps,
  type PhysicsProps,
  type RigidBodyProps,
} from 'betwixt/react';

const POINTS = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
const TRIANGLES = new Uint32Array([0, 1, 2]);

const physics: Omit<PhysicsProps, 'children'> = {
  gravity: [0, -9.81, 0],
  allowedLinearError: 0.001,
  predictionDistance: 0.002,
  numSolverIterations: 4,
  numInternalPgsIterations: 1,
  minIslandSize: 128,
  maxCcdSubsteps: 1,
  contactNaturalFrequency: 30,
  lengthUnit: 1,
  colliders: 'hull',
  timeStep: 1 / 60,
  paused: false,
  interpolate: true,
  updateLoop: 'independent',
  updatePriority: -50,
  debug: false,
};

const ofCollider: Omit<ColliderProps, 'ref'> = {
  name: 'collider',
  position: [0, 1, 0],
  rotation: [0, Math.PI, 0],
  quaternion: [0, 0, 0, 1],
  scale: 2,
  friction: 0.5,
  restitution: 0.5,
  frictionCombineRule: CoefficientCombineRule.Max,
  restitutionCombineRule: CoefficientCombineRule.Min,
  density: 1,
  sensor: true,
  contactSkin: 0.1,
  activeCollisionTypes: 15,
  collisionGroups: interactionGroups(0, [1, 2]),
  solverGroups: interactionGroups([0, 3]),
  principalAngularInertia: [1, 1, 1],
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

const ofBody: RigidBodyProps = {
  type: 'kinematicPosition',
  canSleep: false,
  colliders: 'trimesh',
  position: vec3({ x: 0, y: 1, z: 0 }),
  rotation: euler({ x: 0, y: 1, z: 0 }),
  quaternion: quat(),
  scale: [1, 2, 3],
  linearVelocity: [0, 1, 0],
  angularVelocity: [0, 1, 0],
  linearDamping: 0.1,
  angularDamping: 0.1,
  gravityScale: 0,
  dominanceGroup: 1,
  ccd: true,
  softCcdPrediction: 0.1,
  additionalSolverIterations: 4,
  lockRotations: true,
  lockTranslations: false,
  enabledRotations: [true, false, true],
  enabledTranslations: [true, false, true],
  includeInvisible: true,
  userData: { color: 'red' },
  name: 'body',
  onSleep: () => console.log('asleep'),
  onWake: () => console.log('awake'),
};

/** Names that an object of three.js has, too, as an application may use them. */
interface PartProps extends RigidBodyProps {
  parent: string;
  id: string;
  count: number;
  remove: () => void;
  copy: boolean;
}

export const Part = ({ parent, id, count, remove, copy, ...rest }: PartProps) => (
  <RigidBody {...rest} name={`${parent} ${id} ${count} ${copy}`} onSleep={remove} />
);

const instances: InstancedRigidBodyProps[] = [
  { key: 'first', position: [0, 1, 0], rotation: [1, 0, 0], scale: 2 },
  { key: 2, ...ofBody, ...ofCollider, ref: () => {} },
];

const Colliders = (): JSX.Element => {
  const collider = useRef<RapierCollider>(null);
  return (
    <>
      <CuboidCollider ref={collider} args={[1, 2, 3]} mass={1} />
      <RoundCuboidCollider args={[1, 2, 3, 0.1]} sensor onIntersectionEnter={() => {}} />
      <BallCollider ref={(made) => made?.setSensor(true)} args={[1]} {...physicalProps} />
      <CapsuleCollider args={[1, 0.5]} position={[0, 1, 0]} />
      <CylinderCollider args={[1, 0.5]} rotation={[1, 0, 0]} />
      <RoundCylinderCollider args={[1, 0.5, 0.1]} scale={[1, 2, 1]} />
      <ConeCollider args={[1, 0.5]} friction={undefined} />
      <RoundConeCollider args={[1, 0.5, 0.1]} name="cone" />
      <ConvexHullCollider args={[POINTS]} density={2} />
      <TrimeshCollider args={[POINTS, TRIANGLES]} collisionGroups={interactionGroups(1)} />
      <HeightfieldCollider args={[1, 1, [0, 0, 0, 0], { x: 1, y: 1, z: 1 }]}>
        <mesh />
      </HeightfieldCollider>
      <AnyCollider ref={collider} shape="roundConvexHull" args={[POINTS, 0.1]} {...ofCollider} />
    </>
  );
};

const physicalProps = {
  massProperties: {
    mass: 1,
    centerOfMass: { x: 0, y: 0, z: 0 },
    principalAngularInertia: { x: 1, y: 1, z: 1 },
    angularInertiaLocalFrame: { x: 0, y: 0, z: 0, w: 1 },
  },
};

const Instances = (): JSX.Element => {
  const bodies = useRef<RapierRigidBody[]>(null);
  const mesh = useRef<InstancedMesh>(null);
  const push = (): void => bodies.current?.at(0)?.applyImpulse({ x: 0, y: 1, z: 0 }, true);
  return (
    <InstancedRigidBodies
      ref={bodies}
      instances={instances}
      colliders="ball"
      colliderNodes={[<BoxOf key={0} size={1} />, <BoxOf key={1} size={2} />]}
      restitution={1}
      type="dynamic"
    >
      <instancedMesh ref={mesh} args={[undefined, undefined, 2]} count={2} onClick={push} />
    </InstancedRigidBodies>
  );
};

const BoxOf = ({ size }: { readonly size: number }): JSX.Element => (
  <CuboidCollider args={[size, size, size]} />
);

const isBody = (value: unknown): value is RapierRigidBody => value instanceof RapierRigidBody;
const isCollider = (value: unknown): boolean => value instanceof RapierCollider;

/** Refs of both kinds, also one that a parent has given. */
const Bodies = ({ into }: { readonly into: RefObject<RapierRigidBody | null> }): JSX.Element => {
  const mesh = useRef<Mesh>(null);
  const body = useRef<RapierRigidBody>(null);
  const sure = useRef<RapierRigidBody>(null!);
  return (
    <group onClick={() => console.log(isBody(body.current), isCollider(sure.current))}>
      <RigidBody ref={body} {...ofBody} {...ofCollider}>
        <mesh ref={mesh} />
        <Colliders />
      </RigidBody>
      <RigidBody ref={sure} type="fixed" colliders={false} position={[0, 1, 0]} key="sure">
        <MeshCollider type="trimesh">
          <mesh />
        </MeshCollider>
      </RigidBody>
      <RigidBody ref={into} rotation={[0, 1, 0]} mass={1} massProperties={undefined} />
      <RigidBody
        ref={(made: RapierRigidBody | null) => {
          into.current = made;
          made?.setLinvel({ x: 0, y: 1, z: 0 }, true);
        }}
      />
    </group>
  );
};

export const Scene = (): JSX.Element => {
  const body = useRef<RapierRigidBody>(null);
  return (
    <Physics {...physics} timeStep="vary" gravity={[0, 0, 0]}>
      <Bodies into={body} />
      <Instances />
    </Physics>
  );
};
