/** Hooks of joints: what they make, and what becomes of it. */
import { useRef, type JSX, type RefObject } from 'react';
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
  ['useFixedJoint', [ANCHORS[0], [0, 0, 0, 1], ANCHORS[1], [0, 0.6, 0, 0.8]], 'Fixed'],
  ['useSphericalJoint', ANCHORS, 'Spherical'],
  ['useRevoluteJoint', [...ANCHORS, [0, 0, 1]], 'Revolute'],
  ['useRevoluteJoint', [...ANCHORS, [0, 0, 1], [-0.5, 0.25]], 'Revolute'],
  ['usePrismaticJoint', [...ANCHORS, [1, 0, 0]], 'Prismatic'],
  ['usePrismaticJoint', [...ANCHORS, [1, 0, 0], [-0.25, 0.5]], 'Prismatic'],
  ['useRopeJoint', [...ANCHORS, 0.75], 'Rope'],
  ['useSpringJoint', [...ANCHORS, 0.5, 30, 2], 'Spring'],
] as const;

/** A body that hangs on another one, which stays. */
function Pair({ lib, index }: { lib: Library; index: number }): JSX.Element {
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
  // The peer's hinge does not stop at its limits.
  expect((scene.world.impulseJoints.getAll()[3] as UnitImpulseJoint).limitsMax()).toBe(0.25);
  expect(differences(anchorsIn(scene.world), anchorsIn(theirs))).toEqual([]);
  await scene.ticks(20);
  await peer.ticks(20);
  expect(differences(placesIn(scene.world), placesIn(theirs), 0.02)).toEqual([]);
});

interface HangingProps {
  readonly useJoint: (
    ...bodies: ReturnType<typeof useBodies>
  ) => RefObject<ImpulseJoint | undefined>;
  readonly hasBall?: boolean;
}

/** The ref of the last render. */
let ref: RefObject<ImpulseJoint | undefined>;

/** A ball below a fixed body. */
function Hanging({ useJoint, hasBall = true }: HangingProps): JSX.Element {
  const [one, two] = useBodies();
  ref = useJoint(one, two);
  return (
    <>
      <ours.RigidBody ref={one} type="fixed" />
      {hasBall && (
        <ours.RigidBody ref={two} position={[0, -1, 0]} colliders={false}>
          <ours.BallCollider args={[0.1]} mass={1} />
        </ours.RigidBody>
      )}
    </>
  );
}

const ORIGIN = { x: 0, y: 0, z: 0 };
const rope = (length: number, options?: ours.JointOptions, hasBall = true): JSX.Element => (
  <Hanging
    useJoint={(one, two) => ours.useRopeJoint(one, two, [[0, 0, 0], [0, 0, 0], length], options)}
    hasBall={hasBall}
  />
);
const described = (data: JointData<ImpulseJoint>, options?: ours.JointOptions, hasBall = true) => (
  <Hanging
    useJoint={(one, two) => ours.useImpulseJoint(one, two, data, options)}
    hasBall={hasBall}
  />
);
const [short, long] = [JointData.rope(1, ORIGIN, ORIGIN), JointData.rope(4, ORIGIN, ORIGIN)];

test.each<[by: string, hanging: (length: number, hasBall?: boolean) => JSX.Element]>([
  ['equal params in a new array', (length, hasBall) => rope(length, {}, hasBall)],
  ['a description', (length, hasBall) => described(length === 1 ? short : long, {}, hasBall)],
])(
  'a joint by %s comes with a body that is mounted later, stays, becomes another one with others, and goes with its body',
  async (_by, hanging) => {
    const scene = await runScene(hanging(1, false));
    const joints = () => scene.world.impulseJoints.getAll();
    const firstRef = ref;
    expect([joints(), ref.current]).toEqual([[], undefined]);
    await scene.render(hanging(1));
    const first = ref.current;
    expect(joints()).toEqual([first]);
    await scene.render(hanging(1));
    expect(joints()).toEqual([first]);
    await scene.render(hanging(4));
    const second = ref.current;
    expect(joints()).toEqual([second]);
    expect([first?.isValid(), second?.isValid()]).toEqual([false, true]);
    await scene.render(hanging(4, false));
    expect([joints(), ref.current, second?.isValid()]).toEqual([[], undefined, false]);
    expect(ref).toBe(firstRef);
  },
);

const breaking = (breakForce: number | [number, number], more?: JSX.Element): JSX.Element => (
  <>
    {rope(1, { breakForce })}
    {more}
  </>
);

test('a joint breaks at the force of its options, stays broken in later renders, and is whole again after a seek', async () => {
  const scene = await runScene(breaking(20));
  const joint = ref.current;
  await scene.ticks(5);
  expect(joint?.breakForce()).toEqual([20, Infinity]);
  await scene.render(breaking([5, 1]));
  expect([joint?.breakForce(), ref.current]).toEqual([[5, 1], joint]);
  await scene.ticks(5);
  expect(joint?.isValid()).toBe(false);
  await scene.render(breaking([5, 1], <ours.RigidBody position={[9, 0, 0]} />));
  await scene.ticks(2);
  expect([scene.world.impulseJoints.len(), ref.current]).toEqual([0, undefined]);
  await scene.simulation.seek(3);
  await scene.ticks(1);
  expect(scene.world.impulseJoints.getAll()).toEqual([joint]);
  expect(ref.current).toBe(joint);
});

test('a joint has the strength of its description again when the option is gone, also in an earlier state', async () => {
  const strong = JointData.rope(1, ORIGIN, ORIGIN).setBreakForce(70);
  const both = (options: ours.JointOptions): JSX.Element => (
    <>
      {rope(1, options)}
      {described(strong, options)}
    </>
  );
  const scene = await runScene(both({ breakForce: 20 }));
  const strengths = () => scene.world.impulseJoints.getAll().map((joint) => joint.breakForce()[0]);
  await scene.ticks(3);
  expect(strengths()).toEqual([20, 20]);
  await scene.render(both({}));
  await scene.ticks(1);
  expect(strengths()).toEqual([Infinity, 70]);
  await scene.simulation.seek(2);
  await scene.ticks(1);
  expect(strengths()).toEqual([Infinity, 70]);
});
