/** Hooks of joints: what they make, and what becomes of it. */
import { createRef, useRef, type JSX, type RefObject } from 'react';
import { expect, test } from 'vitest';
import * as ours from '../../src/react/index.js';
import type { RapierRigidBody } from '../../src/react/index.js';
import {
  JointData,
  JointType,
  type ImpulseJoint,
  type UnitImpulseJoint,
  type World,
} from '../../src/world/page/index.js';
import { differences } from './described-world.js';
import { peerLibrary, runOnPeer, type Library } from './run-on-peer.js';
import { runScene } from './run-scene.js';

/** Two refs of bodies, with the types of the peer. */
const useBodies = () =>
  [useRef<RapierRigidBody>(null as never), useRef<RapierRigidBody>(null as never)] as const;

const ANCHORS = [
  [0, 1, 0],
  [-1, 0, 0],
];
/** Params of each hook, and what is made. */
const JOINTS = [
  [
    'useFixedJoint',
    [
      [0, 1, 0],
      [0, 0, 0, 1],
      [-1, 0, 0],
      [0, 0.6, 0, 0.8],
    ],
    'Fixed',
  ],
  ['useSphericalJoint', ANCHORS, 'Spherical'],
  ['useRevoluteJoint', [...ANCHORS, [0, 0, 1]], 'Revolute'],
  ['usePrismaticJoint', [...ANCHORS, [1, 0, 0]], 'Prismatic'],
  ['usePrismaticJoint', [...ANCHORS, [1, 0, 0], [-0.25, 0.5]], 'Prismatic'],
  ['useRopeJoint', [...ANCHORS, 0.75], 'Rope'],
  ['useSpringJoint', [...ANCHORS, 0.5, 30, 2], 'Spring'],
] as const;

interface PairProps {
  readonly lib: Library;
  readonly index: number;
}

/** A body that hangs on another one, which stays. */
function Pair({ lib, index }: PairProps): JSX.Element {
  const [one, two] = useBodies();
  const [name, params] = JOINTS[index] as (typeof JOINTS)[number];
  lib[name as 'useRopeJoint'](one, two, params as never);
  return (
    <>
      <lib.RigidBody ref={one} type="fixed" position={[0, 0, 10 * index]} />
      <lib.RigidBody
        ref={two}
        position={[2, 1, 10 * index]}
        linearVelocity={[1, 0, 0.5]}
        angularVelocity={[0, 0, 1]}
      >
        <lib.CuboidCollider args={[0.5, 0.25, 0.25]} />
      </lib.RigidBody>
    </>
  );
}

/** Members of joints and bodies that both libraries have. */
const anchorsIn = ({ impulseJoints }: World): object[] =>
  impulseJoints.getAll().map((joint) => [{ ...joint.anchor1() }, { ...joint.anchor2() }]);
const placesIn = ({ bodies }: World): object[] =>
  bodies.getAll().map((body) => Object.assign({}, body.translation()));

test('the joint of each hook holds what it holds on the peer', async () => {
  const pairs = (lib: Library): JSX.Element[] =>
    JOINTS.map((_, index) => <Pair key={index} lib={lib} index={index} />);
  const scene = await runScene(pairs(ours));
  const peer = await runOnPeer(pairs(peerLibrary));
  const theirs = peer.world as unknown as World;
  // Rapier 0.19 says of some types that they are generic.
  expect(scene.world.impulseJoints.getAll().map((joint) => joint.type())).toEqual(
    JOINTS.map(([, , type]) => JointType[type]),
  );
  expect(differences(anchorsIn(scene.world), anchorsIn(theirs))).toEqual([]);
  await scene.ticks(20);
  await peer.ticks(20);
  expect(differences(placesIn(scene.world), placesIn(theirs), 0.02)).toEqual([]);
});

interface OwnProps {
  readonly data: JointData<ImpulseJoint>;
  readonly hasSecond?: boolean;
  readonly into: { current?: RefObject<ImpulseJoint | undefined> };
}

function Own({ data, hasSecond = true, into }: OwnProps): JSX.Element {
  const [first, second] = useBodies();
  into.current = ours.useImpulseJoint(first, second, data);
  return (
    <>
      <ours.RigidBody ref={first} type="fixed" />
      {hasSecond && <ours.RigidBody ref={second} position={[2, 0, 0]} />}
    </>
  );
}

test('a joint comes with a body that is mounted later, follows its description, and goes with its body', async () => {
  const short = JointData.rope(1, { x: 0, y: 0, z: 0 }, { x: 0, y: 0, z: 0 });
  const long = JointData.rope(4, { x: 0, y: 0, z: 0 }, { x: 0, y: 1, z: 0 });
  const into: OwnProps['into'] = {};
  const scene = await runScene(<Own data={short} hasSecond={false} into={into} />);
  expect([scene.world.impulseJoints.len(), into.current?.current]).toEqual([0, undefined]);
  await scene.render(<Own data={short} into={into} />);
  const first = into.current?.current;
  expect(scene.world.impulseJoints.getAll()).toEqual([first]);
  await scene.render(<Own data={short} into={into} />);
  expect(into.current?.current).toBe(first);
  await scene.render(<Own data={long} into={into} />);
  const second = into.current?.current;
  expect(second).not.toBe(first);
  expect(scene.world.impulseJoints.getAll()).toEqual([second]);
  expect([first?.isValid(), second?.anchor2().y]).toEqual([false, 1]);
  await scene.render(<Own data={long} hasSecond={false} into={into} />);
  expect([scene.world.impulseJoints.len(), into.current?.current]).toEqual([0, undefined]);
  expect(second?.isValid()).toBe(false);
});

test('equal params in a new array keep the joint, and others make another one', async () => {
  const bodies = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()] as const;
  const joints: unknown[] = [];
  const Hinge = ({ limit }: { readonly limit: number }): null => {
    const joint = ours.useRevoluteJoint(...bodies, [
      [0, 0, 0],
      [1, 0, 0],
      [0, 0, 1],
      [-limit, limit],
    ]);
    joints.push(joint);
    return null;
  };
  const sceneOf = (limit: number | undefined): JSX.Element => (
    <>
      {limit !== undefined && <Hinge limit={limit} />}
      <ours.RigidBody ref={bodies[0]} type="fixed" />
      <ours.RigidBody ref={bodies[1]} position={[-1, 0, 0]} />
    </>
  );
  const scene = await runScene(sceneOf(0.5));
  const all = (): readonly ImpulseJoint[] => scene.world.impulseJoints.getAll();
  const before = all();
  expect(before).toHaveLength(1);
  await scene.render(sceneOf(0.5));
  expect(all()).toEqual(before);
  await scene.render(sceneOf(1));
  expect(all()).toHaveLength(1);
  expect(all()).not.toEqual(before);
  expect((all()[0] as UnitImpulseJoint).limitsMax()).toBe(1);
  expect(new Set(joints).size).toBe(1);
  await scene.render(sceneOf(undefined));
  expect(all()).toEqual([]);
});

test('a joint breaks at the force of its options, stays broken in later renders, and is whole again after a seek', async () => {
  const [one, two] = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()];
  const into: OwnProps['into'] = {};
  const Rope = (options: ours.JointOptions): null => {
    into.current = ours.useRopeJoint(one, two, [[0, 0, 0], [0, 0, 0], 1], options);
    return null;
  };
  const sceneOf = (breakForce: number | [number, number], more?: JSX.Element): JSX.Element => (
    <>
      <ours.RigidBody ref={one} type="fixed" />
      <ours.RigidBody ref={two} position={[0, -1, 0]} colliders={false}>
        <ours.BallCollider args={[0.1]} mass={1} />
      </ours.RigidBody>
      <Rope breakForce={breakForce} />
      {more}
    </>
  );
  const scene = await runScene(sceneOf(20));
  const joint = into.current?.current;
  await scene.ticks(5);
  expect(joint?.breakForce()).toEqual([20, Infinity]);
  await scene.render(sceneOf([5, 1]));
  expect([joint?.breakForce(), into.current?.current]).toEqual([[5, 1], joint]);
  await scene.ticks(5);
  expect(joint?.isValid()).toBe(false);
  await scene.render(sceneOf([5, 1], <ours.RigidBody position={[9, 0, 0]} />));
  await scene.ticks(2);
  expect([scene.world.impulseJoints.len(), into.current?.current]).toEqual([0, undefined]);
  await scene.simulation.seek(3);
  await scene.ticks(1);
  expect(scene.world.impulseJoints.getAll()).toEqual([joint]);
  expect(into.current?.current).toBe(joint);
});

test('a joint has the strength of its description again when the option is gone, also in an earlier state', async () => {
  const [one, two] = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()];
  const origin = { x: 0, y: 0, z: 0 };
  const described = JointData.rope(1, origin, origin).setBreakForce(70);
  const Ropes = (options: ours.JointOptions): null => {
    ours.useRopeJoint(one, two, [[0, 0, 0], [0, 0, 0], 1], options);
    ours.useImpulseJoint(one, two, described, options);
    return null;
  };
  const sceneOf = (options: ours.JointOptions): JSX.Element => (
    <>
      <ours.RigidBody ref={one} type="fixed" />
      <ours.RigidBody ref={two} position={[0, -1, 0]} />
      <Ropes {...options} />
    </>
  );
  const scene = await runScene(sceneOf({ breakForce: 20 }));
  const strengths = () => scene.world.impulseJoints.getAll().map((joint) => joint.breakForce()[0]);
  await scene.ticks(3);
  expect(strengths()).toEqual([20, 20]);
  await scene.render(sceneOf({}));
  await scene.ticks(1);
  expect(strengths()).toEqual([Infinity, 70]);
  await scene.simulation.seek(2);
  await scene.ticks(1);
  expect(strengths()).toEqual([Infinity, 70]);
});

test('unknown options of a hook of joints are refused', async () => {
  const bodies = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()] as const;
  const Wrong = (): null => {
    ours.useRopeJoint(...bodies, [[0, 0, 0], [0, 0, 0], 1], { breakAt: 3 } as never);
    return null;
  };
  await expect(runScene(<Wrong />)).rejects.toThrow(/breakAt/);
});
