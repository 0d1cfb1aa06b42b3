/** Shapes of colliders: of heightfields, and of meshes that come, change and go. */
import { act, type JSX } from 'react';
import {
  BoxGeometry,
  BufferGeometry,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
} from 'three';
import { expect, test, vi } from 'vitest';
import {
  HeightfieldCollider,
  RigidBody,
  type RapierCollider,
  type RapierRigidBody,
} from '../../src/render-main/react/index.js';
import { runScene } from './run-scene.js';
import { Box } from './snippets.js';

const nameOf = (made: RapierRigidBody | null | undefined): unknown =>
  (made?.userData as { readonly name?: string } | undefined)?.name;

const heights = [0, 1, 2, 3];
const size = { x: 10, y: 1, z: 20 };
const field = (scale: [number, number, number]): JSX.Element => (
  <HeightfieldCollider args={[1, 1, heights, { ...size }]} scale={scale} />
);

test('a heightfield is scaled along each axis, and its args stay as they are', async () => {
  const args: [number, number, number[], typeof size] = [1, 1, heights, size];
  const scene = await runScene(<HeightfieldCollider args={args} scale={[2, 3, 4]} />);
  expect(scene.world.colliders.getAll()[0]?.heightfieldScale()).toEqual({ x: 20, y: 3, z: 80 });
  expect(size).toEqual({ x: 10, y: 1, z: 20 });
  await scene.unmount();
});

test('a heightfield with an equal size is the same one', async () => {
  const scene = await runScene(field([1, 1, 1]));
  const [first] = scene.world.colliders.getAll();
  await scene.render(field([1, 1, 1]));
  expect(scene.world.colliders.getAll()).toEqual([first]);
  await scene.render(field([1, 2, 1]));
  expect(scene.world.colliders.getAll()[0]?.heightfieldScale()?.y).toBe(2);
  await scene.unmount();
});

const withMeshes = (count: number, width: number): JSX.Element => (
  <RigidBody userData={{ name: 'a' }}>
    {Array.from({ length: count }, (_, index) => (
      <mesh key={index} position={[0, 5 * index, 0]}>
        <boxGeometry args={[width, 1, 1]} />
      </mesh>
    ))}
  </RigidBody>
);

test('colliders of meshes follow the children and their geometries, and others stay', async () => {
  const scene = await runScene(withMeshes(1, 1));
  const all = (): readonly RapierCollider[] => scene.world.colliders.getAll();
  const [first] = all();
  await scene.render(withMeshes(3, 1));
  expect(all().map((made) => made.translationWrtParent()?.y)).toEqual([0, 5, 10]);
  expect(all()[0]).toBe(first);
  await scene.render(withMeshes(2, 3));
  expect(all().map((made) => made.halfExtents()?.x)).toEqual([1.5, 1.5]);
  await scene.render(withMeshes(0, 1));
  expect(all()).toEqual([]);
  expect(scene.world.bodies.len()).toBe(1);
  await scene.unmount();
});

test('colliders of meshes follow what is added to their objects later', async () => {
  const scene = await runScene(
    <RigidBody name="body">
      <group name="inside" />
    </RigidBody>,
  );
  const mesh = new Mesh(new BoxGeometry(2, 2, 2));
  await act(async () => void scene.object('inside').add(mesh));
  expect(scene.world.colliders.getAll()[0]?.halfExtents()?.x).toBe(1);
  await act(async () => void scene.object('inside').remove(mesh));
  expect(scene.world.colliders.len()).toBe(0);
  await scene.unmount();
});

test('colliders of meshes of interleaved attributes are those of plain ones', async () => {
  const corners = [-1, -1, -1, 1, -1, -1, 0, 2, 0, 0, 0, 1];
  const data = new Float32Array(2 * corners.length);
  for (let at = 0; at < 4; at++) data.set(corners.slice(3 * at, 3 * at + 3), 6 * at);
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    'position',
    new InterleavedBufferAttribute(new InterleavedBuffer(data, 6), 3, 0),
  );
  geometry.setIndex([0, 1, 2, 1, 2, 3, 2, 0, 3]);
  const meshOf = (kind: 'hull' | 'trimesh'): JSX.Element => (
    <RigidBody colliders={kind}>
      <mesh geometry={geometry} />
    </RigidBody>
  );
  const scene = await runScene(meshOf('trimesh'));
  expect([...(scene.world.colliders.getAll()[0]?.vertices() ?? [])]).toEqual(corners);
  await scene.render(meshOf('hull'));
  expect([...(scene.world.colliders.getAll()[0]?.vertices() ?? [])]).toEqual(corners);
  await scene.unmount();
});

test('colliders of meshes whose geometry is off its origin are where they are drawn, also of turned meshes', async () => {
  const geometry = new BoxGeometry(1, 1, 1).translate(2, 0, 0);
  const scene = await runScene(
    <RigidBody scale={3}>
      <mesh geometry={geometry} rotation={[0, 0, Math.PI / 2]} position={[1, 0, 0]} />
    </RigidBody>,
  );
  const at = scene.world.colliders.getAll()[0]?.translationWrtParent();
  expect([at?.x, at?.y, at?.z].map((value) => (value ?? 0).toFixed(6))).toEqual([
    '3.000000',
    '6.000000',
    '0.000000',
  ]);
  await scene.unmount();
});

test('of a mesh without points, no collider is made, until there are some', async () => {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const geometry = new BufferGeometry();
  const meshIn = (friction: number): JSX.Element => (
    <RigidBody friction={friction}>
      <mesh name="text" geometry={geometry} />
    </RigidBody>
  );
  const scene = await runScene(meshIn(1));
  expect(scene.world.colliders.len()).toBe(0);
  geometry.copy(new BoxGeometry(2, 2, 2));
  await scene.render(meshIn(0.5));
  expect(scene.world.colliders.getAll()[0]?.halfExtents()?.x).toBe(1);
  warnings.mockRestore();
  await scene.unmount();
});

test('meshes in a body in a body belong to the inner one', async () => {
  const scene = await runScene(
    <RigidBody position={[0, 1, 0]} userData={{ name: 'outer' }}>
      <Box />
      <RigidBody position={[0, 1, 0]} userData={{ name: 'inner' }}>
        <Box />
      </RigidBody>
    </RigidBody>,
  );
  const all = scene.world.colliders.getAll();
  const ofInner = all.filter((made) => nameOf(made.parent()) === 'inner');
  expect([all.length, ofInner.length]).toEqual([2, 1]);
  expect(ofInner[0]?.parent()?.translation().y).toBe(2);
  await scene.unmount();
});
