/** Every hook, as an application of `@react-three/rapier` calls it. */
// oxlint-disable typescript/no-non-null-assertion -- The other package takes no ref that may be null.
import {
  ActiveCollisionTypes,
  ActiveEvents,
  ActiveHooks,
  CoefficientCombineRule,
  MotorModel,
  RigidBodyType,
} from '@dimforge/rapier3d-compat';
import { useEffect, useRef, type JSX, type RefObject } from 'react';
import * as r from 'betwixt/react';
import { Quaternion, Vector3 } from 'three';

const fixed: r.FixedJointParams = [[0, 0, 0], [0, 0, 0, 1], new Vector3(), new Quaternion()];
const spherical: r.SphericalJointParams = [
  [0, 0, 0],
  [1, 0, 0],
];
const revolute: r.RevoluteJointParams = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
];
const prismatic: r.PrismaticJointParams = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [-1, 1],
];
const rope: r.RopeJointParams = [[0, 0, 0], [1, 0, 0], 2];
const spring: r.SpringJointParams = [[0, 0, 0], [1, 0, 0], 1, 100, 10];

type Joint = ReturnType<typeof r.useFixedJoint>;

export const Joints = (): JSX.Element => {
  const a = useRef<r.RapierRigidBody>(null!);
  const b = useRef<r.RapierRigidBody>(null!);
  const hinge = r.useRevoluteJoint(a, b, revolute);
  const rail = r.usePrismaticJoint(a, b, prismatic);
  const others: Joint[] = [
    r.useFixedJoint(a, b, fixed),
    r.useSphericalJoint(a, b, spherical),
    r.useRopeJoint(a, b, rope),
    r.useSpringJoint(a, b, spring),
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
      <r.RigidBody ref={a} />
      <r.RigidBody ref={b} />
    </>
  );
};

const useOwnJoint = (a: RefObject<r.RapierRigidBody>, b: RefObject<r.RapierRigidBody>) => {
  const { rapier } = r.useRapier();
  const data = useRef(rapier.JointData.spherical({ x: 0, y: 0, z: 0 }, new Vector3(0, 1, 0)));
  return r.useImpulseJoint(a, b, data.current);
};

/** A hook of an application that is passed one of our hooks. */
export const useJointOf = (
  useOne: r.UseImpulseJoint<
    r.SphericalJointParams,
    NonNullable<ReturnType<typeof r.useSphericalJoint>['current']>
  >,
  bodies: readonly [RefObject<r.RapierRigidBody>, RefObject<r.RapierRigidBody>],
): boolean => useOne(bodies[0], bodies[1], spherical).current?.isValid() === true;

const count: r.WorldStepCallback = (world) => console.log(world.timestep, world.bodies.len());
const never: r.FilterContactPairCallback = (collider1, collider2, body1, body2) =>
  collider1 + collider2 + body1 + body2 > 0 ? 1 : null;
const nothing: r.FilterIntersectionPairCallback = (collider1, collider2, body1, body2) =>
  collider1 + collider2 < body1 + body2;

export const Steps = ({ isFiltering }: { readonly isFiltering: boolean }): JSX.Element => {
  r.useBeforePhysicsStep(count);
  r.useAfterPhysicsStep((world) => world.forEachRigidBody((body) => body.resetForces(true)));
  return isFiltering ? <Filters /> : <></>;
};

const Filters = (): null => {
  r.useFilterContactPair(never);
  r.useFilterIntersectionPair(nothing);
  return null;
};

export const Controls = (): JSX.Element => {
  const context: r.RapierContext = r.useRapier();
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

/** Enumerations that an application imports from the engine's own package. */
export const Enumerations = (): JSX.Element => {
  const body = useRef<r.RapierRigidBody>(null!);
  const collider = useRef<r.RapierCollider>(null);
  const joint = r.useRevoluteJoint(body, body, [
    [0, 0, 0],
    [0, 0, 0],
    [0, 1, 0],
  ]);
  const { world } = r.useRapier();
  useEffect(() => {
    body.current.setBodyType(RigidBodyType.KinematicPositionBased, true);
    collider.current?.setActiveEvents(
      ActiveEvents.COLLISION_EVENTS | ActiveEvents.CONTACT_FORCE_EVENTS,
    );
    collider.current?.setActiveHooks(ActiveHooks.FILTER_CONTACT_PAIRS);
    collider.current?.setFrictionCombineRule(CoefficientCombineRule.Max);
    joint.current?.configureMotorModel(MotorModel.ForceBased);
    world.forEachRigidBody((one) => console.log(one.bodyType() === RigidBodyType.Dynamic));
  });
  return (
    <r.RigidBody
      ref={body}
      activeCollisionTypes={ActiveCollisionTypes.DEFAULT | ActiveCollisionTypes.KINEMATIC_FIXED}
      frictionCombineRule={CoefficientCombineRule.Max}
      restitutionCombineRule={CoefficientCombineRule.Min}
    >
      <r.BallCollider ref={collider} args={[1]} />
    </r.RigidBody>
  );
};
