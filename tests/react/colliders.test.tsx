/** Colliders: of their own components, and of the meshes in a body. */
import { Suspense, act, createRef, use, useState, type JSX, type ReactNode } from 'react';
import { BoxGeometry, Mesh } from 'three';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as ours from '../../src/react/index.js';
import {
  AnyCollider,
  BallCollider,
  CuboidCollider,
  HeightfieldCollider,
  InstancedRigidBodies,
  RigidBody,
  type RapierCollider,
  type RapierRigidBody,
} from '../../src/react/index.js';
import { ColliderHandle } from '../../src/world/page/collider-handle.js';
import { withResolvers } from '../../src/render-main/util/promises.js';
import { runScene, type RunningScene } from './run-scene.js';
import { Box, collider, type Props } from './snippets.js';

const all = (scene: RunningScene): readonly RapierCollider[] => scene.world.colliders.getAll();

test('a prop of a collider that is its default sends nothing, and another one is sent once', async () => {
  const names = Object.getOwnPropertyNames(ColliderHandle.prototype);
  const spies = names
    .filter((name) => /^set[A-Z]/.test(name))
    .map((name) => vi.spyOn(ColliderHandle.prototype, name as 'setFriction'));
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  const called = (): unknown[] =>
    spies.flatMap((spy) => spy.mock.calls.map((args: unknown[]) => [spy.getMockName(), args[0]]));
  const standard = {
    sensor: false,
    collisionGroups: 0xffff_ffff,
    solverGroups: 0xffff_ffff,
    friction: 0.5,
    restitution: 0,
    frictionCombineRule: 0,
    restitutionCombineRule: 0,
    contactSkin: 0,
    contactForceEventThreshold: 0,
    activeCollisionTypes: 15,
    oneWay: null,
    position: [0, 0, 0],
    density: undefined,
    mass: undefined,
  } as const;
  const scene = await runScene(<CuboidCollider args={[1, 2, 3]} {...(standard as object)} />);
  expect(called()).toEqual([]);
  const [made] = all(scene);
  await scene.render(
    <CuboidCollider args={[1, 2, 3]} {...(standard as object)} contactForceEventThreshold={9} />,
  );
  expect(called()).toEqual([[expect.any(String), 9]]);
  expect([made?.contactForceEventThreshold(), made?.mass()]).toEqual([9, 48]);
});

const onlyMesh = (_: unknown, props: Props): JSX.Element => (
  <RigidBody {...props}>
    <Box />
  </RigidBody>
);
const inDenseBody = (_: unknown, props: Props): JSX.Element => (
  <RigidBody density={5}>
    <CuboidCollider args={[1, 2, 3]} {...props} />
  </RigidBody>
);
const properties = {
  mass: 7,
  centerOfMass: { x: 0, y: 0, z: 0 },
  principalAngularInertia: { x: 1, y: 1, z: 1 },
  angularInertiaLocalFrame: { x: 0, y: 0, z: 0, w: 1 },
};

// The cuboid has 48 m³, the mesh 6.
test.each<[before: Props, after: Props, masses: number[], snippet: typeof collider]>([
  [{ mass: 1 }, { mass: 2 }, [1, 2], collider],
  [{ mass: 1 }, {}, [1, 48], collider],
  [{ density: 2 }, { density: 3 }, [96, 144], collider],
  [{ density: 2 }, { mass: 5 }, [96, 5], collider],
  [{ massProperties: properties }, { mass: 5 }, [7, 5], collider],
  [{}, { massProperties: properties }, [48, 7], collider],
  // The density of a body is set on its colliders, but not its mass.
  [{ mass: 1 }, { mass: 1, density: 2 }, [6, 12], onlyMesh],
  [{ density: 2 }, {}, [12, 6], onlyMesh],
  // Their own counts more.
  [{ mass: 2 }, {}, [2, 240], inDenseBody],
])('props %j that become %j make the masses %j', async (before, after, masses, snippet) => {
  const scene = await runScene(snippet(ours, before));
  const found = [all(scene)[0]?.mass()];
  await scene.render(snippet(ours, after));
  found.push(all(scene)[0]?.mass());
  await scene.ticks(1);
  found.push(scene.world.bodies.getAll()[0]?.mass());
  expect(found.map((mass) => Number(mass?.toFixed(3)))).toEqual([...masses, masses[1]]);
});

test('a collider that moves while its body does is where its props say', async () => {
  const ref = createRef<RapierCollider>();
  const at = (x: number): JSX.Element => (
    <group position={[10, 0, 0]} rotation={[0, 1, 0]} scale={[2, 2, 2]}>
      <RigidBody angularVelocity={[1, 2, 3]} linearVelocity={[1, 2, 3]}>
        <group position={[0, 1, 0]} rotation={[0, 0, Math.PI / 2]}>
          <CuboidCollider ref={ref} args={[1, 1, 1]} position={[x, 0, 0]} />
        </group>
      </RigidBody>
    </group>
  );
  const scene = await runScene(at(1));
  const first = ref.current;
  await scene.ticks(7);
  await scene.render(at(2));
  expect(ref.current).toBe(first);
  const { x, y, z } = ref.current?.translationWrtParent() ?? { x: 1, y: 1, z: 1 };
  expect([x, y, z].map((value) => Math.round(value * 1e9) / 1e9 + 0)).toEqual([0, 6, 0]);
});

test('a heightfield is scaled along each axis, is the same one with an equal size, and leaves its args', async () => {
  const size = { x: 10, y: 1, z: 20 };
  const heights = [0, 1, 2, 3];
  const field = (...scale: [number, number, number]): JSX.Element => (
    <HeightfieldCollider args={[1, 1, heights, { ...size }]} scale={scale} />
  );
  const scene = await runScene(field(2, 3, 4));
  const [first] = all(scene);
  expect(first?.heightfieldScale()).toEqual({ x: 20, y: 3, z: 80 });
  await scene.render(field(2, 3, 4));
  expect(all(scene)).toEqual([first]);
  await scene.render(field(1, 2, 1));
  expect(all(scene)[0]?.heightfieldScale()).toEqual({ x: 10, y: 2, z: 20 });
  await scene.render(<HeightfieldCollider args={[1, 1, heights, size]} scale={3} />);
  expect(size).toEqual({ x: 10, y: 1, z: 20 });
});

test('a round hull has its border with indices and without', async () => {
  const points = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const scene = await runScene(
    <>
      <AnyCollider shape="roundConvexHull" args={[points, 0.25]} />
      <AnyCollider shape="roundConvexHull" args={[points, new Uint32Array(3), 0.5]} />
    </>,
  );
  expect(all(scene).map((one) => one.roundRadius())).toEqual([0.25, 0.5]);
});

const withMeshes = (count: number, width: number): JSX.Element => (
  <RigidBody>
    {Array.from({ length: count }, (_, index) => (
      <mesh key={index} position={[0, 5 * index, 0]}>
        <boxGeometry args={[width, 1, 1]} />
      </mesh>
    ))}
  </RigidBody>
);

test('colliders of meshes follow the children and their geometries, and others stay', async () => {
  const scene = await runScene(withMeshes(1, 1));
  const [first] = all(scene);
  await scene.render(withMeshes(3, 1));
  expect(all(scene).map((made) => made.translationWrtParent()?.y)).toEqual([0, 5, 10]);
  expect(all(scene)[0]).toBe(first);
  await scene.render(withMeshes(2, 3));
  expect(all(scene).map((made) => made.halfExtents()?.x)).toEqual([1.5, 1.5]);
  await scene.render(withMeshes(0, 1));
  expect([all(scene), scene.world.bodies.len()]).toEqual([[], 1]);
});

test('colliders of meshes follow what is added to their objects later', async () => {
  const scene = await runScene(
    <RigidBody name="body">
      <group name="inside" />
    </RigidBody>,
  );
  const mesh = new Mesh(new BoxGeometry(2, 2, 2));
  await act(async () => void scene.object('inside').add(mesh));
  expect(all(scene)[0]?.halfExtents()?.x).toBe(1);
  await act(async () => void scene.object('inside').remove(mesh));
  expect(all(scene)).toEqual([]);
});

test('the collider of a turned mesh whose geometry is off its origin is where it is drawn', async () => {
  const geometry = new BoxGeometry(1, 1, 1).translate(2, 0, 0);
  const scene = await runScene(
    <RigidBody scale={3}>
      <mesh geometry={geometry} rotation={[0, 0, Math.PI / 2]} position={[1, 0, 0]} />
    </RigidBody>,
  );
  const { x, y, z } = all(scene)[0]?.translationWrtParent() ?? { x: 0, y: 0, z: 0 };
  expect([x, y, z].map((value) => Math.round(value * 1e5) / 1e5 + 0)).toEqual([3, 6, 0]);
});

test('meshes in a body in a body belong to the inner one', async () => {
  const [outer, ref] = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()];
  await runScene(
    <RigidBody ref={outer} position={[0, 1, 0]}>
      <Box />
      <RigidBody ref={ref} position={[0, 1, 0]}>
        <Box />
      </RigidBody>
    </RigidBody>,
  );
  expect([outer.current?.numColliders(), ref.current?.numColliders()]).toEqual([1, 1]);
  expect(ref.current?.translation().y).toBe(2);
});

const Part = ({ waitsFor }: { waitsFor: Promise<void> | undefined }): null => {
  if (waitsFor !== undefined) use(waitsFor);
  return null;
};

test.each([
  ['that was visible keeps its collider', true, 1],
  ['that was invisible gets none', false, 0],
])('a mesh in a suspended boundary %s while its body is rendered', async (_, visible, count) => {
  const warnings = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => warnings.mockRestore());
  let wait: ((promise: Promise<void>) => void) | undefined;
  const Crate = ({ friction }: { friction: number }): ReactNode => {
    const [waitsFor, setWaitsFor] = useState<Promise<void>>();
    wait = setWaitsFor;
    return (
      <RigidBody friction={friction}>
        <Suspense>
          <mesh name="mesh" visible={visible}>
            <boxGeometry />
          </mesh>
          <Part waitsFor={waitsFor} />
        </Suspense>
      </RigidBody>
    );
  };
  const scene = await runScene(<Crate friction={0.5} />);
  const before = all(scene);
  expect(before).toHaveLength(count);
  const { promise, resolve } = withResolvers<void>();
  await act(() => wait?.(promise));
  expect(scene.object('mesh').visible).toBe(false);
  await scene.render(<Crate friction={0.25} />);
  expect(all(scene)).toEqual(before);
  await act(() => resolve());
  expect(scene.object('mesh').visible).toBe(visible);
  expect(all(scene)).toEqual(before);
  expect(before.map((made) => made.friction())).toEqual(before.map(() => 0.25));
});

const oneWayEverywhere = (oneWay: ours.ColliderSettings['oneWay']): JSX.Element => (
  <>
    <CuboidCollider args={[2, 0.1, 2]} oneWay={oneWay} />
    <RigidBody type="fixed" oneWay={oneWay}>
      <Box />
    </RigidBody>
    <InstancedRigidBodies
      oneWay={oneWay}
      colliders={false}
      colliderNodes={[<BallCollider key={0} args={[1]} />]}
      instances={[{ key: 0 }]}
    >
      <instancedMesh args={[undefined, undefined, 1]} />
    </InstancedRigidBodies>
  </>
);

test('the prop oneWay reaches colliders, also through their body and instances, and only changes are sent', async () => {
  const scene = await runScene(oneWayEverywhere({ margin: 0.25 }));
  const made = all(scene);
  const read = (): unknown[] => all(scene).map((one) => one.oneWay());
  const up = { x: 0, y: 1, z: 0 };
  expect(read()).toEqual([1, 2, 3].map(() => ({ axis: up, margin: 0.25 })));
  await scene.ticks(1);
  const batches = (): number =>
    scene.simulation.recording().entries.filter(({ kind }) => kind === 'batch').length;
  const before = batches();
  expect(before).toBeGreaterThan(0);
  await scene.render(oneWayEverywhere({ margin: 0.25 }));
  await scene.ticks(1);
  expect(batches()).toBe(before);
  const axis = { x: 1, y: 0, z: 0 };
  await scene.render(oneWayEverywhere({ axis }));
  expect(read()).toEqual([1, 2, 3].map(() => ({ axis, margin: 0.05 })));
  for (const none of [undefined, null]) {
    await scene.render(oneWayEverywhere({}));
    await scene.render(oneWayEverywhere(none));
    expect(read()).toEqual([null, null, null]);
  }
  expect(all(scene)).toEqual(made);
});
