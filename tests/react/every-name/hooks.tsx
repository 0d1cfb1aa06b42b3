/** Every hook, as an application of `@react-three/rapier` calls it. */
// oxlint-disable typescript/no-non-null-assertion -- The other package takes no ref that may be null.
import { useEffect, useRef, type JSX, type RefObject } from 'react';
import {
  RigidBody,
  useAfterPhysicsStep,
  useBeforePhysicsStep,
  useFilterContactPair,
  useFilterIntersectionPair,
  useFixedJoint,
  useImpulseJoint,
  usePrismaticJoint,
  useRapier,
  useRevoluteJoint,
  useRopeJoint,
  useSphericalJoint,
  useSpringJoint,
  type FilterContactPairCallback,
  type FilterIntersectionPairCallback,
  type FixedJointParams,
  type PrismaticJointParams,
  type RapierContext,
  type RapierRigidBody,
  type RevoluteJointParams,
  type RopeJointParams,
  type SphericalJointParams,
  type SpringJointParams,
  type UseImpulseJoint,
  type WorldStepCallback,
} from 'betwixt/react';
import { Quaternion, Vector3 } from 'three';

const fixed: FixedJointParams = [[0, 0, 0], [0, 0, 0, 1], new Vector3(), new Quaternion()];
const spherical: SphericalJointParams = [
  [0, 0, 0],
  [1, 0, 0],
];
const revolute: RevoluteJointParams = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
];
const prismatic: PrismaticJointParams = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [-1, 1],
];
const rope: RopeJointParams = [[0, 0, 0], [1, 0, 0], 2];
const spring: SpringJointParams = [[0, 0, 0], [1, 0, 0], 1, 100, 10];

type Joint = ReturnType<typeof useFixedJoint>;

export const Joints = (): JSX.Element => {
  const a = useRef<RapierRigidBody>(null!);
  const b = useRef<RapierRigidBody>(null!);
  const hinge = useRevoluteJoint(a, b, revolute);
  const rail = usePrismaticJoint(a, b, prismatic);
  const others: Joint[] = [
    useFixedJoint(a, b, fixed),
    useSphericalJoint(a, b, spherical),
    useRopeJoint(a, b, rope),
    useSpringJoint(a, b, spring),
  ];
  const own = useOwnJoint(a, b);
  useEffect(() => {
    hinge.current?.configureMotorVelocity(10, 2);
    hinge.current?.configureMotorPosition(1, 10, 2);
    hinge.current?.configureMotor(1, 1, 10, 2);
    hinge.current?.configureMotorModel(1);
    rail.current?.setLimits(-2, 2);
    console.log(rail.current?.limitsEnabled(), rail.current?.limitsMin());
    console.log(hinge.current?.limitsMax(), hinge.current?.isValid(), hinge.current?.type());
    for (const { current: joint } of others) {
      joint?.setContactsEnabled(!joint.contactsEnabled());
      joint?.setAnchor1(joint.anchor2());
      joint?.setAnchor2(joint.anchor1());
      console.log(joint?.frameX1().w, joint?.frameX2().w, joint?.handle);
      console.log(joint?.body1().mass(), joint?.body2().mass());
    }
    console.log(own.current?.handle);
  });
  return (
    <>
      <RigidBody ref={a} />
      <RigidBody ref={b} />
    </>
  );
};

const useOwnJoint = (a: RefObject<RapierRigidBody>, b: RefObject<RapierRigidBody>) => {
  const { rapier } = useRapier();
  const data = useRef(rapier.JointData.spherical({ x: 0, y: 0, z: 0 }, new Vector3(0, 1, 0)));
  return useImpulseJoint(a, b, data.current);
};

/** A hook of an application that is given one of ours. */
export const useJointOf = (
  useOne: UseImpulseJoint<
    SphericalJointParams,
    NonNullable<ReturnType<typeof useSphericalJoint>['current']>
  >,
  bodies: readonly [RefObject<RapierRigidBody>, RefObject<RapierRigidBody>],
): boolean => useOne(bodies[0], bodies[1], spherical).current?.isValid() === true;

const count: WorldStepCallback = (world) => console.log(world.timestep, world.bodies.len());
const never: FilterContactPairCallback = (collider1, collider2, body1, body2) =>
  collider1 + collider2 + body1 + body2 > 0 ? 1 : null;
const nothing: FilterIntersectionPairCallback = (collider1, collider2, body1, body2) =>
  collider1 + collider2 < body1 + body2;

export const Steps = ({ isFiltering }: { readonly isFiltering: boolean }): JSX.Element => {
  useBeforePhysicsStep(count);
  useAfterPhysicsStep((world) => world.forEachRigidBody((body) => body.resetForces(true)));
  return isFiltering ? <Filters /> : <></>;
};

const Filters = (): null => {
  useFilterContactPair(never);
  useFilterIntersectionPair(nothing);
  return null;
};

export const Controls = (): JSX.Element => {
  const context: RapierContext = useRapier();
  const { isPaused, isDebug, step, physicsOptions, world, setWorld } = context;
  const before = useRef(count);
  useEffect(() => {
    context.beforeStepCallbacks.add(before);
    context.afterStepCallbacks.delete(before);
  });
  return (
    <mesh
      visible={isPaused && isDebug && physicsOptions.colliders === 'cuboid'}
      userData={[world.gravity.y, typeof setWorld]}
      onClick={() => {
        step(1 / 60);
        world.gravity = { x: 0, y: -world.gravity.y, z: 0 };
      }}
    />
  );
};
