/** Hooks that join two bodies. */
import type { Vector3 } from '@react-three/fiber';
import type { RefObject } from 'react';
import type { Vector } from '../shared/util/vectors.js';
import {
  JointAxis,
  JointData,
  type EngineJointData,
  type ImpulseJoint,
  type RigidBody,
  type SphericalImpulseJoint,
  type UnitImpulseJoint,
} from '../world/page/index.js';
import { fieldsOfJoint } from '../world/page/joint-data.js';
import type { JointHandle } from '../world/page/joints.js';
import { rotationOf, vectorOf } from './placement.js';
import { useDependentItem } from './dependent-item.js';
import type {
  BodyRef,
  FixedJointParams,
  JointOptions,
  PrismaticJointParams,
  RevoluteJointParams,
  RopeJointParams,
  SphericalJointParams,
  SpringJointParams,
  UseImpulseJoint,
} from './types.js';
import { anything, checkOptions } from '../shared/util/options.js';
import { requireList } from '../shared/util/validate.js';

interface JointRequest<J extends ImpulseJoint> {
  readonly bodies: readonly [BodyRef, BodyRef];
  /** Another key makes another joint. */
  readonly key: readonly unknown[];
  readonly describe: () => JointData<J> | EngineJointData;
  readonly options: JointOptions | undefined;
}

function useJoint<J extends ImpulseJoint>(
  name: string,
  { bodies, key, describe, options = {} }: JointRequest<J>,
): RefObject<J | undefined> {
  checkOptions(name, options, { breakForce: anything });
  const { breakForce } = options;
  const setBreakForce = (joint: ImpulseJoint): void => {
    const strength = breakForce ?? fieldsOfJoint(describe()).breakForce ?? Infinity;
    joint.setBreakForce(...([strength].flat() as [number, number]));
  };
  return useDependentItem<J, undefined>(name, undefined, {
    dependencies: bodies,
    key,
    settings: breakForce === undefined ? {} : { breakForce },
    change: setBreakForce,
    make: (world, [one, two]) => {
      const joint = world.createImpulseJoint(describe(), one as RigidBody, two as RigidBody, true);
      if (breakForce !== undefined) setBreakForce(joint);
      return joint;
    },
    remove: (world, joint) => world.removeImpulseJoint(joint, true),
    // Another one would hold what has come apart.
    staysGone: (joint) => (joint as ImpulseJoint as JointHandle).brokenAt !== undefined,
  });
}

const anchorsOf = (anchor1: Vector3, anchor2: Vector3): [Vector, Vector] => [
  vectorOf(anchor1, 'anchor1'),
  vectorOf(anchor2, 'anchor2'),
];

/** The same numbers make the same joint: params are a new array in each render. */
const jointHook =
  <Params extends unknown[], J extends ImpulseJoint>(
    name: string,
    describe: (...params: Params) => JointData<J>,
  ): UseImpulseJoint<Params, J> =>
  (body1, body2, params, options) => {
    requireList(`the params of ${name}`, params);
    const key = [JSON.stringify(params)];
    const bodies = [body1, body2] as const;
    return useJoint(name, { bodies, key, describe: () => describe(...params), options });
  };

/**
 * Joins two bodies. The joint is made when both refs have a body, also one that is mounted later, and made again when one
 * of them or the description becomes another.
 *
 * @param params Keep it from render to render, with `useMemo` or outside of the component: another object makes another joint.
 * @returns A ref of the joint; undefined while there is none.
 * @throws Error outside of `<Physics>`.
 */
export const useImpulseJoint = <J extends ImpulseJoint = ImpulseJoint>(
  body1: BodyRef,
  body2: BodyRef,
  params: JointData<J> | EngineJointData,
  options?: JointOptions,
): RefObject<J | undefined> => {
  const bodies = [body1, body2] as const;
  return useJoint('useImpulseJoint', { bodies, key: [params], describe: () => params, options });
};

/** Holds two bodies together. As {@link useImpulseJoint}, but equal params make the same joint. */
export const useFixedJoint: UseImpulseJoint<FixedJointParams, ImpulseJoint> = jointHook(
  'useFixedJoint',
  (anchor1, frame1, anchor2, frame2) =>
    JointData.fixed(
      vectorOf(anchor1, 'anchor1'),
      rotationOf(frame1, 'frame1'),
      vectorOf(anchor2, 'anchor2'),
      rotationOf(frame2, 'frame2'),
    ),
);

/** A ball joint: two points stay together. As {@link useFixedJoint}. Its ref has limits and motors by axis. */
export const useSphericalJoint: UseImpulseJoint<SphericalJointParams, SphericalImpulseJoint> =
  jointHook('useSphericalJoint', (anchor1, anchor2) =>
    JointData.spherical(...anchorsOf(anchor1, anchor2)),
  );

/** The hook of a joint with one free axis, which may have limits. */
const hookOfOneAxis = (name: string, type: 'revolute' | 'prismatic', free: JointAxis) =>
  jointHook<RevoluteJointParams, UnitImpulseJoint>(name, (anchor1, anchor2, axis, limits) => {
    const data = JointData[type](...anchorsOf(anchor1, anchor2), vectorOf(axis, 'axis'));
    return limits === undefined ? data : data.setLimits(free, ...limits);
  });

/** A hinge: two bodies turn about an axis. As {@link useFixedJoint}. */
export const useRevoluteJoint: UseImpulseJoint<RevoluteJointParams, UnitImpulseJoint> =
  hookOfOneAxis('useRevoluteJoint', 'revolute', JointAxis.AngX);

/** A rail: two bodies move along an axis. As {@link useFixedJoint}. */
export const usePrismaticJoint: UseImpulseJoint<PrismaticJointParams, UnitImpulseJoint> =
  hookOfOneAxis('usePrismaticJoint', 'prismatic', JointAxis.LinX);

/** A rope: two points are at most so far from each other. As {@link useFixedJoint}. */
export const useRopeJoint: UseImpulseJoint<RopeJointParams, ImpulseJoint> = jointHook(
  'useRopeJoint',
  (anchor1, anchor2, length) => JointData.rope(length, ...anchorsOf(anchor1, anchor2)),
);

/** A spring between two points. As {@link useFixedJoint}. */
export const useSpringJoint: UseImpulseJoint<SpringJointParams, ImpulseJoint> = jointHook(
  'useSpringJoint',
  (anchor1, anchor2, restLength, stiffness, damping) =>
    JointData.spring(restLength, stiffness, damping, ...anchorsOf(anchor1, anchor2)),
);
