/** Hooks of joints: what they make, and what becomes of it. */
import { createRef, useRef, type JSX, type RefObject } from 'react';
import { describe, expect, test } from 'vitest';
import * as ours from '../../src/render-main/react/index.js';
import type { RapierRigidBody } from '../../src/render-main/react/index.js';
import {
  JointData,
  JointType,
  type ImpulseJoint,
  type UnitImpulseJoint,
} from '../../src/render-main/world/index.js';
import { differences } from './described-world.js';
import { peerLibrary, runOnPeer, type Library } from './run-on-peer.js';
import { runScene } from './run-scene.js';

type Bodies = readonly [RefObject<RapierRigidBody>, RefObject<RapierRigidBody>];
type UseJoint = (library: Library, bodies: Bodies) => RefObject<unknown>;

const HOOKS: Readonly<Record<string, UseJoint>> = {
  useFixedJoint: ({ useFixedJoint: use }, [a, b]) =>
    use(a, b, [
      [0, 1, 0],
      [0, 0, 0, 1],
      [-1, 0, 0],
      [0, 0.6, 0, 0.8],
    ]),
  useSphericalJoint: ({ useSphericalJoint: use }, [a, b]) =>
    use(a, b, [
      [0, 1, 0],
      [-1, 0, 0],
    ]),
  useRevoluteJoint: ({ useRevoluteJoint: use }, [a, b]) =>
    use(a, b, [
      [0, 1, 0],
      [-1, 0, 0],
      [0, 0, 1],
    ]),
  usePrismaticJoint: ({ usePrismaticJoint: use }, [a, b]) =>
    use(a, b, [
      [0, 1, 0],
      [-1, 0, 0],
      [1, 0, 0],
    ]),
  'usePrismaticJoint with limits': ({ usePrismaticJoint: use }, [a, b]) =>
    use(a, b, [
      [0, 1, 0],
      [-1, 0, 0],
      [1, 0, 0],
      [-0.25, 0.5],
    ]),
  useRopeJoint: ({ useRopeJoint: use }, [a, b]) => use(a, b, [[0, 1, 0], [-1, 0, 0], 0.75]),
  useSpringJoint: ({ useSpringJoint: use }, [a, b]) =>
    use(a, b, [[0, 1, 0], [-1, 0, 0], 0.5, 30, 2]),
};

/** A body that hangs on another one, which stays. */
function Pair({
  library,
  use,
}: {
  readonly library: Library;
  readonly use: UseJoint;
}): JSX.Element {
  const bodies: Bodies = [
    useRef<RapierRigidBody>(null as never),
    useRef<RapierRigidBody>(null as never),
  ];
  use(library, bodies);
  const { CuboidCollider: Cuboid, RigidBody: Body } = library;
  return (
    <>
      <Body ref={bodies[0]} type="fixed" />
      <Body
        ref={bodies[1]}
        position={[2, 1, 0]}
        linearVelocity={[1, 0, 0.5]}
        angularVelocity={[0, 0, 1]}
      >
        <Cuboid args={[0.5, 0.25, 0.25]} />
      </Body>
    </>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
/** What both libraries say of a joint. */
interface AnyJoint {
  type(): number;
  anchor1(): Point;
  anchor2(): Point;
  contactsEnabled(): boolean;
  isValid(): boolean;
}
interface AnyWorld {
  readonly impulseJoints: { getAll(): readonly AnyJoint[] };
  readonly bodies: { getAll(): readonly { translation(): Point }[] };
}

const pointOf = ({ x, y, z }: Point): readonly number[] => [x, y, z];
const describeJoints = ({ impulseJoints }: AnyWorld): unknown =>
  impulseJoints.getAll().map((joint) => ({
    anchors: [pointOf(joint.anchor1()), pointOf(joint.anchor2())],
    contacts: joint.contactsEnabled(),
    isValid: joint.isValid(),
  }));
const placesIn = ({ bodies }: AnyWorld): unknown =>
  bodies.getAll().map((body) => pointOf(body.translation()));

describe('a joint holds what it holds on the peer', () => {
  test.each(Object.entries(HOOKS))('%s', async (name, use) => {
    const scene = await runScene(<Pair library={ours} use={use} />);
    const peer = await runOnPeer(<Pair library={peerLibrary} use={use} />);
    const [mine, theirs] = [scene.world as AnyWorld, peer.world as AnyWorld];
    // Of some types, Rapier 0.19 says that they are generic.
    const [, type] = /^use(\w+)Joint/.exec(name) ?? [];
    expect(mine.impulseJoints.getAll().map((joint) => joint.type())).toEqual([
      JointType[type as 'Rope'],
    ]);
    expect(differences(describeJoints(mine), describeJoints(theirs))).toEqual([]);
    await scene.ticks(20);
    await peer.ticks(20);
    expect(differences(placesIn(mine), placesIn(theirs), 0.02)).toEqual([]);
  });
});

type Data = JointData<ImpulseJoint>;
interface OwnProps {
  readonly data: Data;
  readonly hasSecond?: boolean;
  readonly into: { current?: RefObject<ImpulseJoint | undefined> };
}

function Own({ data, hasSecond = true, into }: OwnProps): JSX.Element {
  const [first, second] = [
    useRef<RapierRigidBody>(null as never),
    useRef<RapierRigidBody>(null as never),
  ];
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
