/** `<RigidBody>`: which props change the body and which make another one, where it is, and its refs. */
import { createRef, useEffect, useLayoutEffect, useState, type JSX, type ReactNode } from 'react';
import { BoxGeometry, MeshBasicMaterial, Vector3, type InstancedMesh } from 'three';
import { expect, test, vi } from 'vitest';
import * as ours from '../../src/react/index.js';
import {
  CuboidCollider,
  InstancedRigidBodies,
  MeshCollider,
  RigidBody,
  useRapier,
  type RapierCollider,
  type RapierRigidBody,
  type RigidBodyProps,
} from '../../src/react/index.js';
import { runScene, setActing } from './run-scene.js';
import { Box, body } from './snippets.js';

test('another body gets the contents of the one before, also those that were not rendered again, and of one that was removed by hand', async () => {
  const [ref, collider] = [createRef<RapierRigidBody>(), createRef<RapierCollider>()];
  const inside = (
    <>
      <CuboidCollider ref={collider} args={[1, 1, 1]} position={[1, 0, 0]} friction={0.25} />
      <MeshCollider type="ball">
        <Box position={[0, 5, 0]} />
      </MeshCollider>
      <Box position={[0, 9, 0]} />
    </>
  );
  const bodyOf = (canSleep: boolean, restitution = 0): JSX.Element => (
    <RigidBody ref={ref} position={[0, 3, 0]} canSleep={canSleep} restitution={restitution}>
      {inside}
    </RigidBody>
  );
  const scene = await runScene(bodyOf(true));
  const [first, firstCollider] = [ref.current, collider.current];
  expect(first?.numColliders()).toBe(3);
  await scene.render(bodyOf(false));
  expect([first?.isValid(), firstCollider?.isValid()]).toEqual([false, false]);
  expect([ref.current?.numColliders(), ref.current?.translation().y]).toEqual([3, 3]);
  expect(collider.current?.parent()).toBe(ref.current);
  expect(collider.current?.translationWrtParent()).toEqual({ x: 1, y: 0, z: 0 });
  expect(collider.current?.friction()).toBe(0.25);
  await scene.render(bodyOf(false, 0.75));
  const all = scene.world.colliders.getAll();
  expect(all.map((made) => made.restitution())).toEqual([0.75, 0.75, 0.75]);
  expect(all.map((made) => made.translationWrtParent()?.y).toSorted()).toEqual([0, 5, 9]);
  const second = ref.current as RapierRigidBody;
  scene.world.removeRigidBody(second);
  await scene.render(bodyOf(false, 0.25));
  expect(ref.current).not.toBe(second);
  expect([ref.current?.numColliders(), ref.current?.translation().y]).toEqual([3, 3]);
  expect([collider.current?.friction(), collider.current?.restitution()]).toEqual([0.25, 0.25]);
});

test.each<[what: string, counts: string, children: (key: number) => ReactNode]>([
  ['a body', '1 2', (key) => <RigidBody key={key}>{[<Box key="a" />, inner(0)]}</RigidBody>],
  ['a collider in a body', '1 1', (key) => <RigidBody>{inner(key)}</RigidBody>],
])('%s is never there together with what replaces it', async (_what, expected, children) => {
  /** How many there are of each when the turn of a commit is over: before, and after the key has changed. */
  const counts: string[] = [];
  let swap: (() => void) | undefined;
  const Swap = (): ReactNode => {
    const { world } = useRapier();
    const [key, setKey] = useState(0);
    swap = () => setKey(1);
    useLayoutEffect(() => {
      // After what the library does at the end of a commit.
      queueMicrotask(() =>
        queueMicrotask(() => counts.push(`${world.bodies.len()} ${world.colliders.len()}`)),
      );
    }, [key, world]);
    return children(key);
  };
  await runScene(<Swap />);
  // Outside of `act`, passive effects come in a later turn, as in an application.
  setActing(false);
  swap?.();
  while (counts.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(counts).toEqual([expected, expected]);
});

const inner = (key: number): JSX.Element => <CuboidCollider key={key} args={[1, 1, 1]} />;

test('locks and enabled axes do not undo each other', async () => {
  const ref = createRef<RapierRigidBody>();
  const bodyOf = (props: RigidBodyProps): JSX.Element => (
    <RigidBody ref={ref} gravityScale={0} {...props}>
      <CuboidCollider args={[1, 1, 1]} />
    </RigidBody>
  );
  const enabled: RigidBodyProps = {
    enabledTranslations: [true, false, true],
    enabledRotations: [false, true, false],
  };
  const locked = bodyOf({ lockTranslations: true, lockRotations: true, ...enabled });
  const scene = await runScene(locked);
  const one = { x: 1, y: 1, z: 1 };
  for (const [props, moves] of [
    [{ lockTranslations: true, lockRotations: true }, [0, 0, 0, 0, 0, 0]],
    [enabled, [1, 0, 1, 0, 1, 0]],
    [{ lockTranslations: false, ...enabled }, [1, 0, 1, 0, 1, 0]],
    [{ lockRotations: true, ...enabled }, [1, 0, 1, 0, 0, 0]],
    [{}, [1, 1, 1, 1, 1, 1]],
  ] as const) {
    await scene.render(locked);
    ref.current?.setLinvel({ x: 0, y: 0, z: 0 }, true);
    ref.current?.setAngvel({ x: 0, y: 0, z: 0 }, true);
    await scene.render(bodyOf(props));
    ref.current?.applyImpulse(one, true);
    ref.current?.applyTorqueImpulse(one, true);
    await scene.ticks(1);
    const { x, y, z } = ref.current?.linvel() ?? one;
    const angular = ref.current?.angvel() ?? one;
    expect([x, y, z, angular.x, angular.y, angular.z].map((part) => Number(part !== 0))).toEqual(
      moves,
    );
  }
});

test('what was set on the handle stays, if its prop does not change', async () => {
  const ref = createRef<RapierRigidBody>();
  const plain = (friction: number): JSX.Element => (
    <RigidBody ref={ref} friction={friction} linearDamping={0.5}>
      <CuboidCollider args={[1, 1, 1]} />
    </RigidBody>
  );
  const scene = await runScene(plain(1));
  const made = ref.current as RapierRigidBody;
  made.setLinearDamping(0.25);
  made.userData = 'mine';
  made.collider(0)?.setRestitution(0.5);
  await scene.render(plain(0.5));
  expect([made.linearDamping(), made.userData]).toEqual([0.25, 'mine']);
  expect([made.collider(0)?.restitution(), made.collider(0)?.friction()]).toEqual([0.5, 0.5]);
});

test('a velocity that a fixed body could not have is set when it may move', async () => {
  const velocities: RigidBodyProps = { linearVelocity: [1, 0, 0], angularVelocity: [0, 1, 0] };
  const scene = await runScene(<RigidBody type="fixed" {...velocities} />);
  const [made] = scene.world.bodies.getAll();
  expect(made?.linvel().x).toBe(0);
  await scene.render(<RigidBody {...velocities} />);
  expect(made?.linvel()).toEqual({ x: 1, y: 0, z: 0 });
  expect(made?.angvel()).toEqual({ x: 0, y: 1, z: 0 });
});

test('vectors of three.js count by the numbers that they had first, and parts of a position have names', async () => {
  const ref = createRef<RapierRigidBody>();
  const moved = new Vector3(0, 5, 0);
  const scene = await runScene(body(ours, { ref, position: new Vector3(0, 5, 0) }));
  await scene.ticks(5);
  const before = ref.current?.translation();
  await scene.render(body(ours, { ref, position: moved }));
  expect(ref.current?.translation()).toEqual(before);
  // Fiber does not look into the same vector again, and neither does the body.
  moved.y = 9;
  await scene.render(body(ours, { ref, position: moved }));
  expect(ref.current?.translation()).toEqual(before);
  await scene.render(body(ours, { ref, position: new Vector3(1, 2, 3) }));
  expect(ref.current?.translation()).toEqual({ x: 1, y: 2, z: 3 });
  await scene.render(body(ours, { ref, 'position-x': 3 }));
  await scene.render(body(ours, { ref, 'position-x': 4 }));
  expect(ref.current?.translation().x).toBe(4);
});

test('a body whose place goes away is at its origin, and one whose velocity goes away does not stop', async () => {
  const linearVelocity = [1, 2, 3];
  const scene = await runScene(
    body(ours, { position: [4, 5, 6], rotation: [0, 0, 1], linearVelocity }),
  );
  await scene.render(body(ours, { position: undefined }));
  const [made] = scene.world.bodies.getAll();
  expect(made?.translation()).toEqual({ x: 0, y: 0, z: 0 });
  expect(made?.rotation()).toEqual({ x: 0, y: 0, z: 0, w: 1 });
  expect(made?.linvel()).toEqual({ x: 1, y: 2, z: 3 });
});

test('a group that moves after the mount takes no body along, and is counted in later positions', async () => {
  const ref = createRef<RapierRigidBody>();
  const at = (group: number, x: number): JSX.Element => (
    <group position={[group, 0, 0]} rotation={[0, Math.PI / 2, 0]} scale={2}>
      <RigidBody ref={ref} name="body" gravityScale={0} position={[x, 0, 0]} />
    </group>
  );
  const scene = await runScene(at(10, 1));
  const placesAfter = async (ticks: number): Promise<number[]> => {
    await scene.ticks(ticks);
    const drawn = scene.object('body').getWorldPosition(new Vector3());
    const { x, z } = ref.current?.translation() ?? { x: 0, z: 0 };
    return [x, z, drawn.x, drawn.z].map((value) => Math.round(value * 1e3) / 1e3);
  };
  expect(await placesAfter(3)).toEqual([10, -2, 10, -2]);
  await scene.render(at(20, 1));
  expect(await placesAfter(3)).toEqual([10, -2, 10, -2]);
  await scene.render(at(20, 3));
  expect(await placesAfter(3)).toEqual([20, -6, 20, -6]);
});

const turning = (friction: number): JSX.Element => (
  <group scale={[1.1, 2.3, 0.7]}>
    {body(ours, { angularVelocity: [1, 2, 3], scale: 1.3, friction })}
  </group>
);

test('a turning body in an unevenly scaled group keeps its colliders', async () => {
  const scene = await runScene(turning(1));
  const before = scene.world.colliders.getAll();
  await scene.ticks(5);
  await scene.render(turning(0.5));
  expect(scene.world.colliders.getAll()).toEqual(before);
});

test('refs are there for all effects of the same commit, and null after an unmount', async () => {
  const seen: unknown[] = [];
  const [ref, collider] = [createRef<RapierRigidBody>(), createRef<RapierCollider>()];
  const note = (): void => void seen.push(ref.current, collider.current?.parent());
  const Later = (): null => {
    useLayoutEffect(note, []);
    useEffect(note, []);
    return null;
  };
  const scene = await runScene(
    <>
      <RigidBody ref={ref}>
        <CuboidCollider ref={collider} args={[1, 1, 1]} />
      </RigidBody>
      <Later />
    </>,
  );
  const [made] = scene.world.bodies.getAll();
  expect(seen).toEqual(Array(4).fill(made));
  await scene.render(null);
  expect([ref.current, collider.current, made?.isValid()]).toEqual([null, null, false]);
});

test('a ref may be a function or become another ref, as those of React', async () => {
  const [ofBody, ofCollider, cleanUp] = [vi.fn(), vi.fn(), vi.fn()];
  const sceneOf = (ref: RigidBodyProps['ref'], friction: number): JSX.Element => (
    <RigidBody ref={ref} friction={friction}>
      <CuboidCollider ref={ofCollider} args={[1, 1, 1]} />
    </RigidBody>
  );
  const scene = await runScene(sceneOf(ofBody, 1));
  const made = scene.world.bodies.getAll()[0];
  const collider = scene.world.colliders.getAll()[0];
  await scene.render(sceneOf(ofBody, 0.25));
  expect([ofBody.mock.calls, ofCollider.mock.calls]).toEqual([[[made]], [[collider]]]);
  const object = createRef<RapierRigidBody>();
  await scene.render(sceneOf(object, 1));
  expect([ofBody.mock.calls, object.current]).toEqual([[[made], [null]], made]);
  // One that returns a clean-up is not called with null.
  const cleaned = vi.fn(() => cleanUp);
  await scene.render(sceneOf(cleaned, 1));
  expect([cleaned.mock.calls, object.current]).toEqual([[[made]], null]);
  await scene.render(null);
  expect([cleaned.mock.calls.length, cleanUp.mock.calls.length]).toEqual([1, 1]);
  expect(ofCollider.mock.calls).toEqual([[collider], [null]]);
});

test('a paused scene is drawn where props and refs put bodies, before its first tick and after', async () => {
  const bodies = [0, 1].map(() => createRef<RapierRigidBody>());
  const list = createRef<(RapierRigidBody | null)[]>();
  const contents = (y: number): JSX.Element => (
    <group position={[0, 0, 5]}>
      <RigidBody ref={bodies[0]} name="free" position={[0, y, 0]} />
      <RigidBody ref={bodies[1]} name="fixed" type="fixed" position={[1, y, 0]} />
      <InstancedRigidBodies ref={list} instances={[{ key: 'a', position: [2, y, 0] }]}>
        <instancedMesh name="mesh" args={[new BoxGeometry(), new MeshBasicMaterial(), 1]} />
      </InstancedRigidBodies>
    </group>
  );
  const scene = await runScene(contents(0), { gravity: [0, 0, 0] });
  const heights = async (): Promise<number[]> => {
    await scene.frame();
    const { array } = (scene.object('mesh') as InstancedMesh).instanceMatrix;
    const drawn = ['free', 'fixed'].map((name) => scene.object(name).position);
    expect(drawn.map(({ z }) => z)).toEqual([0, 0]);
    return [...drawn.map(({ y }) => y), array[13] as number];
  };
  const put = (y: number): void => {
    for (const { current } of bodies) current?.setTranslation({ x: 0, y, z: 5 }, true);
  };
  put(1);
  expect(await heights()).toEqual([1, 1, 0]);
  await scene.ticks(1);
  expect(await heights()).toEqual([1, 1, 0]);
  await scene.render(contents(2));
  list.current?.[0]?.setLinvel({ x: 0, y: 60, z: 0 }, true);
  expect(await heights()).toEqual([2, 2, 2]);
  put(3);
  list.current?.[0]?.setTranslation({ x: 2, y: 3, z: 5 }, true);
  expect(await heights()).toEqual([3, 3, 3]);
  await scene.ticks(1);
  expect(await heights()).toEqual([3, 3, 4]);
});

test.each([false, 'cuboid'] as const)(
  'an impulse in a mount effect acts on a body with colliders=%s',
  async (colliders) => {
    const ref = createRef<RapierRigidBody>();
    const Pushed = () => {
      useEffect(() => ref.current?.applyImpulse({ x: 6, y: 0, z: 0 }, true), []);
      return (
        <RigidBody ref={ref} colliders={colliders}>
          <Box />
          {colliders === false && <CuboidCollider args={[0.5, 1, 1.5]} />}
        </RigidBody>
      );
    };
    const scene = await runScene(<Pushed />);
    await scene.ticks(2);
    expect(ref.current?.linvel().x).toBeCloseTo(1);
  },
);

test('the surface of a body moves as its props say, and stops without them', async () => {
  const scene = await runScene(<RigidBody type="fixed" surfaceVelocity={[1, 2, 3]} />);
  const [belt] = scene.world.bodies.getAll();
  const read = () => [belt?.surfaceVelocity(), belt?.surfaceAngularVelocity()];
  const rest = { x: 0, y: 0, z: 0 };
  expect(read()).toEqual([{ x: 1, y: 2, z: 3 }, rest]);
  await scene.render(<RigidBody type="fixed" surfaceAngularVelocity={[0, 4, 0]} />);
  expect(read()).toEqual([rest, { x: 0, y: 4, z: 0 }]);
  await scene.render(<RigidBody type="fixed" />);
  expect(read()).toEqual([rest, rest]);
});
