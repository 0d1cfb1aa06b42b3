import { createRef, useEffect, useLayoutEffect, type JSX, type RefObject } from 'react';
import { expect, test, vi } from 'vitest';
import {
  CuboidCollider,
  ConvexHullCollider,
  MeshCollider,
  RigidBody,
  type RapierCollider,
  type RapierRigidBody,
} from '../../src/render-main/react/index.js';
import { runScene } from './run-scene.js';

const HULL = new Float32Array([-1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);

const bodyWith = (ref: RefObject<RapierRigidBody | null>): JSX.Element => <RigidBody ref={ref} />;

function withResolvers(): { readonly promise: Promise<void>; resolve(): void } {
  const resolvers: (() => void)[] = [];
  return {
    promise: new Promise<void>((resolve) => resolvers.push(resolve)),
    resolve: () => resolvers[0]?.(),
  };
}

test('refs are there for all effects of the same commit', async () => {
  const seen: unknown[] = [];
  const [body, collider] = [createRef<RapierRigidBody>(), createRef<RapierCollider>()];
  const Later = (): null => {
    useLayoutEffect(() => {
      seen.push(body.current?.numColliders(), collider.current?.parent() === body.current);
    }, []);
    useEffect(() => {
      seen.push(body.current?.translation().y);
    }, []);
    return null;
  };
  const scene = await runScene(
    <>
      <RigidBody ref={body} position={[0, 3, 0]}>
        <CuboidCollider ref={collider} args={[1, 1, 1]} />
      </RigidBody>
      <Later />
    </>,
  );
  expect(seen).toEqual([1, true, 3]);
  await scene.unmount();
  expect([body.current, collider.current]).toEqual([null, null]);
});

test('a function as a ref is called once with the handle, and once without', async () => {
  const [ofBody, ofCollider] = [vi.fn(), vi.fn()];
  const sceneOf = (friction: number): JSX.Element => (
    <RigidBody ref={(body) => ofBody(body)} friction={friction}>
      <CuboidCollider ref={ofCollider} args={[1, 1, 1]} />
    </RigidBody>
  );
  const stable = (friction: number): JSX.Element => (
    <RigidBody ref={ofBody} friction={friction}>
      <CuboidCollider ref={ofCollider} args={[1, 1, 1]} />
    </RigidBody>
  );
  const scene = await runScene(stable(1));
  const body = scene.world.bodies.getAll()[0];
  const collider = scene.world.colliders.getAll()[0];
  await scene.render(stable(0.25));
  expect(ofBody.mock.calls).toEqual([[body]]);
  expect(ofCollider.mock.calls).toEqual([[collider]]);
  await scene.render(sceneOf(1));
  // As with React's own refs, another function is another ref.
  expect(ofBody.mock.calls).toEqual([[body], [null], [body]]);
  await scene.render(null);
  expect(ofBody.mock.calls).toEqual([[body], [null], [body], [null]]);
  expect(ofCollider.mock.calls).toEqual([[collider], [null]]);
  await scene.unmount();
});

test('a function as a ref that returns a clean-up is not called with null', async () => {
  const cleanUp = vi.fn();
  const ref = vi.fn(() => cleanUp);
  const scene = await runScene(<RigidBody ref={ref} />);
  await scene.render(null);
  expect([ref.mock.calls.length, cleanUp.mock.calls.length]).toEqual([1, 1]);
  await scene.unmount();
});

test('a ref may become another ref', async () => {
  const [one, two] = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()];
  const scene = await runScene(bodyWith(one));
  const body = one.current;
  await scene.render(bodyWith(two));
  expect([one.current, two.current === body]).toEqual([null, true]);
  await scene.unmount();
});

test('args of another length make another collider without a warning', async () => {
  const errors = vi.spyOn(console, 'error');
  const ref = createRef<RapierCollider>();
  const colliderOf = (args: never[]): JSX.Element => (
    <ConvexHullCollider ref={ref} args={args as unknown as [Float32Array]} />
  );
  const scene = await runScene(colliderOf([HULL] as never[]));
  const first = ref.current;
  await scene.render(colliderOf([HULL, 1] as never[]));
  expect(ref.current).not.toBe(first);
  expect(ref.current?.isValid()).toBe(true);
  expect(errors.mock.calls.filter(([text]) => !String(text).includes('THREE'))).toEqual([]);
  errors.mockRestore();
  await scene.unmount();
});

test('another scale makes another collider, and the ref has it', async () => {
  const ref = createRef<RapierCollider>();
  const colliderAt = (scale: number): JSX.Element => (
    <RigidBody>
      <CuboidCollider ref={ref} args={[1, 1, 1]} scale={scale} />
    </RigidBody>
  );
  const scene = await runScene(colliderAt(1));
  const first = ref.current;
  await scene.render(colliderAt(2));
  expect(first?.isValid()).toBe(false);
  expect(ref.current?.halfExtents()).toEqual({ x: 2, y: 2, z: 2 });
  expect(scene.world.colliders.len()).toBe(1);
  await scene.unmount();
});

test('another body takes along what is in it, also what was not rendered again', async () => {
  const [body, collider] = [createRef<RapierRigidBody>(), createRef<RapierCollider>()];
  const inside = (
    <>
      <CuboidCollider ref={collider} args={[1, 1, 1]} position={[1, 0, 0]} friction={0.25} />
      <MeshCollider type="ball">
        <mesh position={[0, 5, 0]}>
          <boxGeometry />
        </mesh>
      </MeshCollider>
      <mesh position={[0, 9, 0]}>
        <boxGeometry />
      </mesh>
    </>
  );
  const bodyOf = (canSleep: boolean, restitution = 0): JSX.Element => (
    <RigidBody
      ref={body}
      position={[0, 3, 0]}
      rotation={[0, 0, 1]}
      linearDamping={0.5}
      canSleep={canSleep}
      restitution={restitution}
    >
      {inside}
    </RigidBody>
  );
  const scene = await runScene(bodyOf(true));
  const [first, firstCollider] = [body.current, collider.current];
  expect(first?.numColliders()).toBe(3);
  await scene.render(bodyOf(false));
  expect([first?.isValid(), firstCollider?.isValid()]).toEqual([false, false]);
  expect(body.current?.numColliders()).toBe(3);
  expect(body.current?.linearDamping()).toBe(0.5);
  expect(body.current?.translation()).toEqual({ x: 0, y: 3, z: 0 });
  expect(collider.current?.parent()).toBe(body.current);
  expect(collider.current?.translationWrtParent()).toEqual({ x: 1, y: 0, z: 0 });
  expect(collider.current?.friction()).toBe(0.25);
  await scene.render(bodyOf(false, 0.75));
  const all = scene.world.colliders.getAll();
  expect(all.map((made) => made.restitution())).toEqual([0.75, 0.75, 0.75]);
  expect(all.map((made) => made.translationWrtParent()?.y).toSorted()).toEqual([0, 5, 9]);
  await scene.unmount();
});

test('a body that was removed by hand is back with the next render, as its props say', async () => {
  const [body, collider] = [createRef<RapierRigidBody>(), createRef<RapierCollider>()];
  const inside = (friction: number): JSX.Element => (
    <CuboidCollider ref={collider} args={[1, 1, 1]} friction={friction} />
  );
  const bodyOf = (friction: number): JSX.Element => (
    <RigidBody ref={body} position={[0, 3, 0]} gravityScale={0.5}>
      {inside(friction)}
    </RigidBody>
  );
  const scene = await runScene(bodyOf(1));
  const first = body.current as RapierRigidBody;
  scene.world.removeRigidBody(first);
  await scene.render(bodyOf(0.5));
  expect(body.current).not.toBe(first);
  expect(body.current?.translation().y).toBe(3);
  expect(body.current?.gravityScale()).toBe(0.5);
  expect(collider.current?.friction()).toBe(0.5);
  await scene.unmount();
});

test('hidden by Suspense, refs are null, and bodies stay', async () => {
  const { Suspense, use } = await import('react');
  const body = createRef<RapierRigidBody>();
  const { promise: waiting, resolve: show } = withResolvers();
  const Waits = ({ isWaiting }: { readonly isWaiting: boolean }): null => {
    if (isWaiting) use(waiting);
    return null;
  };
  const sceneOf = (isWaiting: boolean): JSX.Element => (
    <Suspense>
      <RigidBody ref={body} position={[0, 3, 0]}>
        <CuboidCollider args={[1, 1, 1]} />
      </RigidBody>
      <Waits isWaiting={isWaiting} />
    </Suspense>
  );
  const scene = await runScene(sceneOf(false));
  const first = body.current;
  await scene.render(sceneOf(true));
  expect(body.current).toBeNull();
  expect(first?.isValid()).toBe(true);
  show();
  await scene.render(sceneOf(false));
  expect(body.current).toBe(first);
  expect(scene.world.colliders.len()).toBe(1);
  await scene.unmount();
});
