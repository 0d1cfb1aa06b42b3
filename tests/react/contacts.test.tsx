/** Handlers of collisions: which are called, and what they are given. */
import { createRef, type JSX } from 'react';
import { describe, expect, test, vi } from 'vitest';
import * as ours from '../../src/render-main/react/index.js';
import type {
  CollisionEnterPayload,
  CollisionExitPayload,
  ContactForcePayload,
  RapierCollider,
  RapierRigidBody,
  RigidBodyProps,
} from '../../src/render-main/react/index.js';
import { differences } from './described-world.js';
import { peerLibrary, runOnPeer, type Library } from './run-on-peer.js';
import { runScene, type RunningScene } from './run-scene.js';

const { BallCollider, CuboidCollider, RigidBody } = ours;

type Handlers = Readonly<Record<string, unknown>>;

/** A box just above a plate. */
const boxOn = (
  library: Library,
  ofBox: Handlers,
  ofPlate: Handlers = {},
  ofBoxCollider: Handlers = {},
  ofPlateCollider: Handlers = {},
): JSX.Element => (
  <>
    <library.RigidBody
      name="box"
      position={[0.25, 1.1, 0]}
      linearVelocity={[0.5, -3, 0]}
      friction={0.2}
      restitution={0.7}
      {...ofBox}
    >
      <library.CuboidCollider name="box collider" args={[0.5, 0.5, 0.5]} {...ofBoxCollider} />
    </library.RigidBody>
    <library.RigidBody name="plate" type="fixed" rotation={[0, 0.3, 0]} {...ofPlate}>
      <library.CuboidCollider name="plate collider" args={[5, 0.5, 5]} {...ofPlateCollider} />
    </library.RigidBody>
  </>
);

const run = (children: JSX.Element): Promise<RunningScene> => runScene(children, { events: 'now' });

const describeManifold = (manifold: CollisionEnterPayload['manifold']): object => {
  const contacts = Array.from({ length: manifold.numContacts() }, (_, index) => ({
    local1: manifold.localContactPoint1(index),
    local2: manifold.localContactPoint2(index),
    distance: manifold.contactDist(index),
    point: manifold.solverContactPoint(index),
    friction: manifold.solverContactFriction(index),
    restitution: manifold.solverContactRestitution(index),
  }));
  const sums = contacts.map((_, index) => manifold.contactImpulse(index));
  return {
    normal: manifold.normal(),
    localNormal1: manifold.localNormal1(),
    localNormal2: manifold.localNormal2(),
    solverContacts: manifold.numSolverContacts(),
    impulse: sums.reduce((sum, impulse) => sum + impulse, 0),
    contacts: contacts.toSorted(
      (a, b) => Math.round(a.point.x - b.point.x) || a.point.z - b.point.z,
    ),
  };
};

const ballOn = (props: {
  readonly ball?: RigidBodyProps;
  readonly plate?: RigidBodyProps;
  readonly hasBall?: boolean;
  readonly hasPlate?: boolean;
  readonly hasBallCollider?: boolean;
}): JSX.Element => {
  const { ball, plate, hasBall = true, hasPlate = true, hasBallCollider = true } = props;
  return (
    <>
      {hasBall && (
        <RigidBody key="ball" name="ball" position={[0, 1, 0]} {...ball}>
          {hasBallCollider && <BallCollider args={[0.5]} />}
        </RigidBody>
      )}
      {hasPlate && (
        <RigidBody key="plate" name="plate" type="fixed" {...plate}>
          <CuboidCollider args={[5, 0.5, 5]} />
        </RigidBody>
      )}
    </>
  );
};

const pressing = (
  library: Library,
  onContactForce: (payload: ContactForcePayload) => void,
): JSX.Element => (
  <>
    <library.RigidBody position={[0, 1, 0]} onContactForce={onContactForce}>
      <library.CuboidCollider args={[0.5, 0.5, 0.5]} mass={2} />
    </library.RigidBody>
    <library.CuboidCollider args={[5, 0.5, 5]} />
  </>
);

const forces = (payloads: readonly ContactForcePayload[] = []): object[] =>
  payloads.map(({ totalForce, totalForceMagnitude, maxForceDirection, maxForceMagnitude }) => ({
    totalForce: { ...totalForce },
    totalForceMagnitude,
    maxForceDirection: { ...maxForceDirection },
    isPart: maxForceMagnitude < totalForceMagnitude,
  }));

const manifoldsOf = async (library: Library): Promise<object[]> => {
  const manifolds: object[] = [];
  const children = boxOn(library, {
    onCollisionEnter: ({ manifold }: CollisionEnterPayload) =>
      manifolds.push(describeManifold(manifold)),
  });
  const scene = library === peerLibrary ? await runOnPeer(children) : await run(children);
  await scene.ticks(5);
  return manifolds;
};

test('bodies and colliders of both sides are reported, the bodies first, with both sides', async () => {
  const reported: [string, CollisionEnterPayload][] = [];
  const by = (name: string): Handlers => ({
    onCollisionEnter: (payload: CollisionEnterPayload) => reported.push([name, payload]),
  });
  const scene = await run(
    boxOn(ours, by('box'), by('plate'), by('box collider'), by('plate collider')),
  );
  await scene.ticks(5);
  const names = reported.map(([name]) => name);
  expect(names.toSorted()).toEqual(['box', 'box collider', 'plate', 'plate collider']);
  expect(names.slice(0, 2).toSorted()).toEqual(['box', 'plate']);
  for (const [name, payload] of reported) {
    const [own, opposite] = name.startsWith('box') ? ['box', 'plate'] : ['plate', 'box'];
    const { target, other } = payload;
    expect(target.rigidBodyObject).toBe(scene.object(own));
    expect(other.rigidBodyObject).toBe(scene.object(opposite));
    expect(target.colliderObject).toBe(scene.object(`${own} collider`));
    expect(other.colliderObject).toBe(scene.object(`${opposite} collider`));
    expect(target.collider.parent()).toBe(target.rigidBody);
    expect(other.collider.parent()).toBe(other.rigidBody);
    // The payload itself has the four of the other side, too.
    expect([payload.rigidBody, payload.collider]).toEqual([other.rigidBody, other.collider]);
    expect(payload.rigidBodyObject).toBe(other.rigidBodyObject);
    expect(payload.colliderObject).toBe(other.colliderObject);
    // The normal points from the first collider to the second one; `flipped` says which one this is.
    const towardsOther = payload.manifold.normal().y * (payload.flipped ? -1 : 1);
    expect(towardsOther).toBeCloseTo(own === 'box' ? -1 : 1, 3);
  }
});

test('a collider without a body, and one of a mesh, have no more than there is', async () => {
  const reported: CollisionEnterPayload[] = [];
  const scene = await run(
    <>
      <RigidBody
        position={[0, 1.1, 0]}
        linearVelocity={[0, -3, 0]}
        onCollisionEnter={(payload) => reported.push(payload)}
      >
        <mesh>
          <boxGeometry />
        </mesh>
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

test('a manifold says what that of the peer does', async () => {
  const [mine, theirs] = [await manifoldsOf(ours), await manifoldsOf(peerLibrary)];
  expect(mine).toHaveLength(1);
  // Points are those of the engine, of another version, and local ones are off by what a step moves.
  expect(differences(mine, theirs, 0.03)).toEqual([]);
});

test('a manifold without points has no others', async () => {
  const reported: CollisionEnterPayload[] = [];
  const scene = await run(
    boxOn(ours, { onCollisionEnter: (payload: CollisionEnterPayload) => reported.push(payload) }),
  );
  await scene.ticks(5);
  const { manifold } = reported[0] as CollisionEnterPayload;
  const none = manifold.numContacts();
  expect([manifold.localContactPoint1(none), manifold.localContactPoint2(none)]).toEqual([
    null,
    null,
  ]);
  expect(manifold.solverContactPoint(none)).toEqual({ x: 0, y: 0, z: 0 });
  manifold.free();
  expect(manifold.normal().y).toBeCloseTo(-1, 3);
});

describe('ends', () => {
  test.each([
    ['the body', { hasBall: false }],
    ['the collider', { hasBallCollider: false }],
  ])('are reported to the other side when %s is removed', async (_what, removed) => {
    const exits: CollisionExitPayload[] = [];
    const ofBall = vi.fn();
    const props = {
      ball: { onCollisionExit: ofBall },
      plate: { onCollisionExit: (payload: CollisionExitPayload) => exits.push(payload) },
    };
    const scene = await run(ballOn(props));
    await scene.ticks(3);
    const ball = scene.world.bodies.getAll().find((body) => body.isDynamic());
    const ballObject = scene.object('ball');
    expect(exits).toHaveLength(0);
    await scene.render(ballOn({ ...props, ...removed }));
    await scene.ticks(2);
    expect(exits).toHaveLength(1);
    const [{ target, other }] = exits as [CollisionExitPayload];
    expect(target.rigidBodyObject).toBe(scene.object('plate'));
    expect(other.rigidBody).toBe(ball);
    expect(other.rigidBodyObject).toBe(ballObject);
    // What is unmounted is reported nothing any more.
    expect(ofBall).toHaveBeenCalledTimes('hasBall' in removed ? 0 : 1);
  });

  test('come once when the two part', async () => {
    const [enter, exit] = [vi.fn(), vi.fn()];
    const ref = createRef<RapierRigidBody>();
    const scene = await run(
      ballOn({ ball: { ref, onCollisionEnter: enter, onCollisionExit: exit } }),
    );
    await scene.ticks(3);
    ref.current?.setTranslation({ x: 0, y: 5, z: 0 }, true);
    await scene.ticks(3);
    expect([enter.mock.calls.length, exit.mock.calls.length]).toEqual([1, 1]);
  });
});

test('a sensor is reported of intersections, and not of collisions', async () => {
  const calls: string[] = [];
  const handlers = (who: string): Handlers =>
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

test('forces are reported in each tick, as on the peer', async () => {
  const [mine, theirs]: ContactForcePayload[][] = [[], []];
  const scene = await run(pressing(ours, (payload) => mine?.push(payload)));
  const peer = await runOnPeer(pressing(peerLibrary, (payload) => theirs?.push(payload)));
  await scene.ticks(8);
  await peer.ticks(8);
  expect(mine).toHaveLength(8);
  expect(differences(forces(mine), forces(theirs), 1e-3)).toEqual([]);
  const [{ target, other }] = mine as [ContactForcePayload];
  expect([target.rigidBody?.isDynamic(), other.rigidBody]).toEqual([true, undefined]);
});

test('forces below the threshold are not reported', async () => {
  const onContactForce = vi.fn();
  const scene = await run(
    <>
      <RigidBody
        position={[0, 1, 0]}
        mass={2}
        contactForceEventThreshold={1000}
        onContactForce={onContactForce}
      >
        <CuboidCollider args={[0.5, 0.5, 0.5]} />
      </RigidBody>
      <CuboidCollider args={[5, 0.5, 5]} contactForceEventThreshold={1000} />
    </>,
  );
  await scene.ticks(10);
  expect(onContactForce).not.toHaveBeenCalled();
});

test('what a handler does takes effect: an impulse, and a removal', async () => {
  const impulse = await run(
    boxOn(ours, {
      restitution: 0,
      onCollisionEnter: ({ target }: CollisionEnterPayload) =>
        target.rigidBody?.applyImpulse({ x: 0, y: 10, z: 0 }, true),
    }),
  );
  await impulse.ticks(15);
  const box = impulse.world.bodies.getAll().find((body) => body.isDynamic());
  expect(box?.linvel().y).toBeGreaterThan(3);
  await impulse.unmount();

  const others = vi.fn();
  const removal = await run(
    boxOn(
      ours,
      {
        onCollisionEnter: ({ target, other }: CollisionEnterPayload) => {
          removal.world.removeRigidBody(target.rigidBody as RapierRigidBody);
          removal.world.removeCollider(other.collider);
        },
      },
      { onCollisionEnter: others },
      {},
      { onCollisionEnter: others },
    ),
  );
  await removal.ticks(8);
  expect(removal.world.bodies.len()).toBe(1);
  expect(removal.world.colliders.len()).toBe(0);
  // The others had a right to know.
  expect(others).toHaveBeenCalledTimes(2);
  await removal.unmount();
});

test('another handler is called without anything being sent', async () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const scene = await run(boxOn(ours, { onCollisionEnter: first }));
  const entries = (): number => scene.simulation.recording().entries.length;
  await scene.ticks(1);
  const before = entries();
  await scene.render(boxOn(ours, { onCollisionEnter: second }));
  await scene.ticks(5);
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  expect(entries()).toBe(before);
});

test('an error in a handler keeps neither the others nor the frame', async () => {
  const others = vi.fn();
  const errors: unknown[] = [];
  const note = (error: unknown): void => void errors.push(error);
  process.on('uncaughtException', note);
  const scene = await run(
    boxOn(
      ours,
      {
        onCollisionEnter: () => {
          throw new Error('of the application');
        },
      },
      { onCollisionEnter: others },
    ),
  );
  await scene.ticks(5);
  await new Promise((resolve) => setTimeout(resolve, 0));
  process.off('uncaughtException', note);
  expect(others).toHaveBeenCalledTimes(1);
  expect(errors).toEqual([new Error('of the application')]);
  expect(scene.object('box').position.y).toBeLessThan(1.1);
});

test('by default, handlers are called when the display shows the tick', async () => {
  const ref = createRef<RapierCollider>();
  const reported = vi.fn();
  const scene = await runScene(boxOn(ours, { onCollisionEnter: reported }, {}, { ref }));
  await scene.ticks(10);
  expect(reported).toHaveBeenCalledTimes(1);
});

test('bodies say when they fall asleep, and when they wake', async () => {
  const [asleep, awake] = [vi.fn(), vi.fn()];
  const ref = createRef<RapierRigidBody>();
  const scene = await run(
    <RigidBody ref={ref} gravityScale={0} onSleep={asleep} onWake={awake}>
      <BallCollider args={[1]} />
    </RigidBody>,
  );
  await scene.ticks(2);
  ref.current?.sleep();
  await scene.ticks(2);
  expect([asleep.mock.calls.length, awake.mock.calls.length]).toEqual([1, 0]);
  ref.current?.wakeUp();
  await scene.ticks(2);
  expect([asleep.mock.calls.length, awake.mock.calls.length]).toEqual([1, 1]);
});
