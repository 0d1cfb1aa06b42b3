/** Handlers of collisions: which are called, and what they are given. */
import type { JSX } from 'react';
import { BoxGeometry } from 'three';
import { expect, test, vi } from 'vitest';
import * as ours from '../../src/react/index.js';
import type {
  CollisionEnterPayload,
  CollisionExitPayload,
  ContactForcePayload,
  RapierRigidBody,
} from '../../src/react/index.js';
import { reportsOfTest } from '../fixtures/worlds.js';
import { differences } from './described-world.js';
import { peerLibrary, runOnPeer, type Library } from './run-on-peer.js';
import { runScene, type RunningScene } from './run-scene.js';
import type { Props } from './snippets.js';

const { BallCollider, CuboidCollider, RigidBody } = ours;

/** Props of each part; false: it is not there. */
interface BoxOnPlate {
  readonly box?: Props | false;
  readonly plate?: Props;
  readonly boxCollider?: Props | false;
  readonly plateCollider?: Props;
}

/** A box just above a plate. */
const boxOn = (
  { box, plate, boxCollider, plateCollider }: BoxOnPlate,
  lib: Library = ours,
): JSX.Element => (
  <>
    {box !== false && (
      <lib.RigidBody
        key="box"
        name="box"
        position={[0.25, 1.1, 0]}
        linearVelocity={[0.5, -3, 0]}
        friction={0.2}
        restitution={0.7}
        {...box}
      >
        {boxCollider !== false && (
          <lib.CuboidCollider name="box collider" args={[0.5, 0.5, 0.5]} {...boxCollider} />
        )}
      </lib.RigidBody>
    )}
    <lib.RigidBody key="plate" name="plate" type="fixed" rotation={[0, 0.3, 0]} {...plate}>
      <lib.CuboidCollider name="plate collider" args={[5, 0.5, 5]} {...plateCollider} />
    </lib.RigidBody>
  </>
);

const run = (children: JSX.Element): Promise<RunningScene> => runScene(children, { events: 'now' });

/** An event of a tick that has just run for the first time. */
const KNOWN = { isLate: false, isReplayed: false };

test('handlers of both bodies and both colliders are called, first those of the bodies', async () => {
  const reported: [string, CollisionEnterPayload][] = [];
  const slept: ours.EventStamp[] = [];
  const by = (name: string): Props => ({
    onCollisionEnter: (payload: CollisionEnterPayload) => reported.push([name, payload]),
    onSleep: (stamp: ours.EventStamp) => slept.push(stamp),
  });
  const scene = await run(
    boxOn({
      box: by('box'),
      plate: by('plate'),
      boxCollider: by('box collider'),
      plateCollider: by('plate collider'),
    }),
  );
  await scene.ticks(5);
  const names = reported.map(([name]) => name);
  expect(names.toSorted()).toEqual(['box', 'box collider', 'plate', 'plate collider']);
  expect(names.slice(0, 2).toSorted()).toEqual(['box', 'plate']);
  for (const [name, payload] of reported) {
    const [own, opposite] = name.startsWith('box') ? ['box', 'plate'] : ['plate', 'box'];
    const { target, other, flipped, manifold } = payload;
    for (const [one, of] of [
      [target, own],
      [other, opposite],
    ] as const) {
      expect(one.rigidBodyObject).toBe(scene.object(of));
      expect(one.colliderObject).toBe(scene.object(`${of} collider`));
      expect(one.collider.parent()).toBe(one.rigidBody);
    }
    // The payload itself has the four of the other one, too.
    expect(payload).toMatchObject(other);
    expect(payload).toMatchObject({ tick: 3, ...KNOWN });
    // The normal points from the first collider to the second one; `flipped` says which one this is.
    expect(manifold.normal().y * (flipped ? -1 : 1)).toBeCloseTo(own === 'box' ? -1 : 1, 3);
  }
  reported[0]?.[1].target.rigidBody?.sleep();
  reported[0]?.[1].other.rigidBody?.sleep();
  await scene.ticks(2);
  expect(slept).toEqual([{ tick: 6, ...KNOWN }]);
});

test('a collider without a body, and one of a mesh, are reported with no more than there is', async () => {
  const reported: CollisionEnterPayload[] = [];
  const scene = await run(
    <>
      <RigidBody
        position={[0, 1.1, 0]}
        linearVelocity={[0, -3, 0]}
        onCollisionEnter={(payload) => reported.push(payload)}
      >
        <mesh geometry={new BoxGeometry()} />
      </RigidBody>
      <CuboidCollider name="ground" args={[5, 0.5, 5]} />
    </>,
  );
  await scene.ticks(5);
  expect(reported).toHaveLength(1);
  const [{ target, other }] = reported as [CollisionEnterPayload];
  expect(Object.keys(target).toSorted()).toEqual(['collider', 'rigidBody', 'rigidBodyObject']);
  expect(Object.keys(other).toSorted()).toEqual(['collider', 'colliderObject']);
  expect(other.colliderObject).toBe(scene.object('ground'));
});

const describeManifold = (manifold: CollisionEnterPayload['manifold']): object => {
  const contacts = Array.from({ length: manifold.numContacts() }, (_, index) => ({
    local1: manifold.localContactPoint1(index),
    local2: manifold.localContactPoint2(index),
    distance: manifold.contactDist(index),
    point: manifold.solverContactPoint(index),
    friction: manifold.solverContactFriction(index),
    restitution: manifold.solverContactRestitution(index),
  }));
  return {
    normal: manifold.normal(),
    localNormal1: manifold.localNormal1(),
    localNormal2: manifold.localNormal2(),
    solverContacts: manifold.numSolverContacts(),
    impulse: contacts.reduce((sum, _, index) => sum + manifold.contactImpulse(index), 0),
    contacts: contacts.toSorted(
      (a, b) => Math.round(a.point.x - b.point.x) || a.point.z - b.point.z,
    ),
  };
};

test.each([0, 1, 2, 3])(
  'a manifold says what that of the peer does, with the combine rule %i',
  async (rule) => {
    const into = (found: (payload: CollisionEnterPayload) => void): Props => ({
      frictionCombineRule: rule,
      restitutionCombineRule: rule,
      onCollisionEnter: found,
    });
    const mine: CollisionEnterPayload[] = [];
    const theirs: object[] = [];
    const scene = await run(boxOn({ box: into((payload) => mine.push(payload)) }));
    const ofPeer = into(({ manifold }) => theirs.push(describeManifold(manifold)));
    const peer = await runOnPeer(boxOn({ box: ofPeer }, peerLibrary));
    await scene.ticks(5);
    await peer.ticks(5);
    expect(mine).toHaveLength(1);
    const [{ manifold }] = mine as [CollisionEnterPayload];
    // Ours may be kept. Points are those of the engine, of another version, and local ones are off by what a step moves.
    expect(differences([describeManifold(manifold)], theirs, 0.05)).toEqual([]);
    const none = manifold.numContacts();
    expect(manifold.localContactPoint1(none)).toBeNull();
    expect(manifold.solverContactPoint(none)).toEqual({ x: 0, y: 0, z: 0 });
  },
);

test.each([
  ['the body', { box: false }],
  ['the collider', { boxCollider: false }],
] as const)('an end is reported to the other body when %s is removed', async (_, removed) => {
  const exits: CollisionExitPayload[] = [];
  const ofBox = vi.fn();
  const props = {
    box: { onCollisionExit: ofBox, restitution: 0 },
    plate: { onCollisionExit: (payload: CollisionExitPayload) => exits.push(payload) },
  };
  const scene = await run(boxOn(props));
  await scene.ticks(5);
  const body = scene.world.bodies.getAll().find((one) => one.isDynamic());
  const object = scene.object('box');
  expect(exits).toHaveLength(0);
  await scene.render(boxOn({ ...props, ...removed }));
  await scene.ticks(2);
  expect(exits).toHaveLength(1);
  const [{ target, other }] = exits as [CollisionExitPayload];
  expect(target.rigidBodyObject).toBe(scene.object('plate'));
  expect([other.rigidBody, other.rigidBodyObject]).toEqual([body, object]);
  // An unmounted component is not called any more.
  expect(ofBox).toHaveBeenCalledTimes('box' in removed ? 0 : 1);
});

test('a sensor is reported of intersections, and not of collisions', async () => {
  const calls: string[] = [];
  const handlers = (who: string): Props =>
    Object.fromEntries(
      ['onCollisionEnter', 'onCollisionExit', 'onIntersectionEnter', 'onIntersectionExit'].map(
        (name) => [name, () => calls.push(`${who} ${name}`)],
      ),
    );
  const scene = await run(
    <>
      <RigidBody position={[0, 1.3, 0]} linearVelocity={[0, -20, 0]} {...handlers('ball')}>
        <BallCollider args={[0.2]} />
      </RigidBody>
      <CuboidCollider sensor args={[1, 0.5, 1]} {...handlers('sensor')} />
    </>,
  );
  await scene.ticks(15);
  expect(calls.toSorted()).toEqual([
    'ball onIntersectionEnter',
    'ball onIntersectionExit',
    'sensor onIntersectionEnter',
    'sensor onIntersectionExit',
  ]);
});

test('forces are reported in each tick, unless they are below the threshold', async () => {
  const payloads: [ContactForcePayload[], ContactForcePayload[]] = [[], []];
  const scene = await run(
    <>
      {[0, 1000].map((threshold, index) => (
        <RigidBody
          key={threshold}
          position={[2 * index, 1, 0]}
          contactForceEventThreshold={threshold}
          onContactForce={(payload) => payloads[index]?.push(payload)}
        >
          <CuboidCollider args={[0.5, 0.5, 0.5]} mass={2} />
        </RigidBody>
      ))}
      <CuboidCollider args={[5, 0.5, 5]} />
    </>,
  );
  await scene.ticks(8);
  expect(payloads.map((list) => list.length)).toEqual([8, 0]);
  const { target, other, ...force } = payloads[0][7] as ContactForcePayload;
  expect([target.rigidBody?.isDynamic(), other.rigidBody]).toEqual([true, undefined]);
  // The peer says so, too: the force of the box on the ground, and that of one of its four corners.
  expect(force).toMatchObject({
    totalForce: { y: expect.closeTo(-2 * 9.81, 2) },
    totalForceMagnitude: expect.closeTo(2 * 9.81, 2),
    maxForceDirection: { y: expect.closeTo(-1) },
    maxForceMagnitude: expect.closeTo((2 * 9.81) / 4, 0),
  });
});

test('what a handler does takes effect, and keeps no other handler from being called', async () => {
  const others = vi.fn();
  const onCollisionEnter = ({ target, other }: CollisionEnterPayload): void => {
    target.rigidBody?.setLinvel({ x: 0, y: 9, z: 0 }, true);
    scene.world.removeCollider(other.collider);
    scene.world.removeRigidBody(other.rigidBody as RapierRigidBody);
  };
  const scene = await run(
    boxOn({
      box: { onCollisionEnter },
      plate: { onCollisionEnter: others },
      plateCollider: { onCollisionEnter: others },
    }),
  );
  await scene.ticks(8);
  expect([scene.world.bodies.len(), scene.world.colliders.len()]).toEqual([1, 1]);
  expect(scene.world.bodies.getAll()[0]?.linvel().y).toBeGreaterThan(3);
  expect(others).toHaveBeenCalledTimes(2);
});

test('another handler is called without anything being sent', async () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const scene = await run(boxOn({ box: { onCollisionEnter: first } }));
  await scene.ticks(1);
  const { entries } = scene.simulation.recording();
  await scene.render(boxOn({ box: { onCollisionEnter: second } }));
  await scene.ticks(5);
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  expect(scene.simulation.recording().entries).toEqual(entries);
});

const fail = (): never => {
  throw new Error('of the application');
};

test('an error in a handler keeps neither the others nor the frame, which by default is the one that shows it', async () => {
  const others = vi.fn();
  const reports = reportsOfTest();
  const scene = await runScene(
    boxOn({ box: { onCollisionEnter: fail }, plate: { onCollisionEnter: others } }),
  );
  await scene.ticks(10);
  expect(others).toHaveBeenCalledOnce();
  expect(reports()).toEqual(['Error: of the application']);
  expect(scene.object('box').position.y).toBeLessThan(1.1);
});
