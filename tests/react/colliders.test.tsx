/** Colliders: of their own components, and of the meshes in a body. */
import { Suspense, act, createRef, use, useState, type JSX, type ReactNode } from 'react';
import { BoxGeometry, Mesh } from 'three';
import { expect, test, vi } from 'vitest';
import type * as ours from '../../src/react/index.js';
import {
  AnyCollider,
  BallCollider,
  CuboidCollider,
  HeightfieldCollider,
  InstancedRigidBodies,
  MeshCollider,
  RigidBody,
  type RapierCollider,
  type RapierRigidBody,
} from '../../src/react/index.js';
import { withResolvers } from '../../src/render-main/util/promises.js';
import { piecesWorkers } from '../fixtures/pieces-workers.js';
import { ring } from '../fixtures/rings.js';
import { ShapeType } from '../../src/world/page/index.js';
import { runScene, type RunningScene } from './run-scene.js';
import { Box, type Props } from './snippets.js';

const all = (scene: RunningScene): readonly RapierCollider[] => scene.world.colliders.getAll();

/** The batches that a collider with these props sends when it is rendered twice. */
const sent = async (props: object): Promise<unknown> => {
  const scene = await runScene(<CuboidCollider args={[1, 2, 3]} {...props} />);
  await scene.render(<CuboidCollider args={[1, 2, 3]} {...props} name="other" />);
  await scene.ticks(1);
  return scene.simulation.recording().entries;
};

test('props of a collider that are their defaults send nothing', async () => {
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
  };
  expect(await sent(standard)).toEqual(await sent({}));
  expect(await sent({ friction: 0.25 })).not.toEqual(await sent({}));
});

const properties = {
  mass: 7,
  centerOfMass: { x: 0, y: 0, z: 0 },
  principalAngularInertia: { x: 1, y: 1, z: 1 },
  angularInertiaLocalFrame: { x: 0, y: 0, z: 0, w: 1 },
};

test.each<Props>([{ density: 2 }, { massProperties: properties }])(
  'a collider whose %j becomes a mass has that mass',
  async (before) => {
    const scene = await runScene(<CuboidCollider args={[1, 2, 3]} {...before} />);
    await scene.render(<CuboidCollider args={[1, 2, 3]} mass={5} />);
    expect(all(scene)[0]?.mass()).toBeCloseTo(5);
  },
);

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

test('a collider without a body follows its place, which may go away', async () => {
  const scene = await runScene(null);
  for (const [props, x, z] of [
    [{ position: [1, 0, 0], rotation: [0, 0, Math.PI] }, 1, 1],
    [{ position: [2, 0, 0] }, 2, 0],
    [{ quaternion: [0, 0, 0.6, 0.8] }, 0, 0.6],
    [{}, 0, 0],
  ] as const) {
    await scene.render(<BallCollider args={[1]} {...(props as object)} />);
    const [made] = all(scene);
    expect([made?.translation().x, made?.rotation().z]).toEqual([x, expect.closeTo(z, 5)]);
  }
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
  vi.spyOn(console, 'error').mockImplementation(() => {});
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

/** Equal meshes would have the pieces at once. */
const torus = (around: number): JSX.Element => <torusGeometry args={[1, 0.3, 8, around]} />;
const { vertices, indices } = ring(16);

test.each<[string, JSX.Element]>([
  [
    '<RigidBody colliders>',
    <RigidBody colliders="pieces">
      <mesh name="drawn">{torus(16)}</mesh>
    </RigidBody>,
  ],
  [
    '<MeshCollider type>',
    <RigidBody colliders={false}>
      <MeshCollider type="pieces">
        <mesh name="drawn">{torus(17)}</mesh>
      </MeshCollider>
    </RigidBody>,
  ],
  [
    '<AnyCollider shape>',
    <RigidBody>
      <AnyCollider shape="convexDecomposition" args={[vertices, indices]} scale={[1, 1, -1]}>
        <group name="drawn" />
      </AnyCollider>
    </RigidBody>,
  ],
  [
    '<InstancedRigidBodies colliders>',
    <InstancedRigidBodies instances={[{ key: 'a' }]} colliders="pieces">
      <instancedMesh name="drawn" args={[undefined, undefined, 1]}>
        {torus(18)}
      </instancedMesh>
    </InstancedRigidBodies>,
  ],
])('a body with pieces by %s waits in its place, and falls', async (_by, content) => {
  const workers = piecesWorkers();
  const scene = await runScene(content, { isStrict: true });
  await scene.ticks(6);
  const [body] = scene.world.bodies.getAll();
  expect([body?.translation().y, scene.object('drawn').visible]).toEqual([0, true]);
  await (await workers.next()).answer();
  await all(scene)[0]?.shape.ready;
  await scene.ticks(6);
  expect(body?.translation().y).toBeLessThan(0);
  expect(all(scene).map((collider) => [collider.shapeType(), collider.parent()])).toEqual([
    [ShapeType.Compound, body],
  ]);
});
