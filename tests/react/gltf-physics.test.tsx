/** `<GltfPhysics>`: the physics of a glTF, for as long as its component is mounted. */
import { Suspense, act, createRef, use, useRef, type JSX, type ReactNode } from 'react';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import { Vector3, type Object3D } from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { expect, test } from 'vitest';
import {
  BallCollider,
  GltfPhysics,
  RigidBody,
  useRopeJoint,
  type AddedGltf,
  type CollisionEnterPayload,
  type RapierRigidBody,
} from '../../src/react/index.js';
import { box, loadModel } from '../fixtures/gltf-models.js';
import { present } from '../fixtures/present.js';
import { Boundary } from './boundary.js';
import { errorOf, runScene } from './run-scene.js';

/** A floor that is not drawn, whose top is at 0.5, and a crate above it. */
const room = (name = 'Crate'): Promise<GLTF> =>
  loadModel({
    json: {
      nodes: [
        { name: 'Floor-colonly', mesh: 0 },
        { name: `${name}-rigid`, mesh: 1, translation: [0, 1.2, 0] },
      ],
    },
    meshes: [[box(10, 1, 10)], [box(1)]],
  });

const crateIn = (object: Object3D): Object3D => present(object.getObjectByName('Crate-rigid'));
const placeOf = (object: Object3D): number[] =>
  object
    .getWorldPosition(new Vector3())
    .toArray()
    .map((value) => Math.round(value * 100) / 100 + 0);

test('bodies of the first tick fall onto others and are drawn, in StrictMode too, and begin again after the end', async () => {
  const gltf = await room();
  const level = createRef<AddedGltf>();
  const counts: number[] = [];
  const scene = await runScene(<GltfPhysics gltf={gltf} ref={level} />, {
    isStrict: true,
    onReady: ({ bodies }) => counts.push(bodies.len()),
  });
  expect(counts).toEqual([2]);
  const crate = present(level.current?.bodies.get('Crate'));
  const floor = present(gltf.scene.getObjectByName('Floor-colonly'));
  await scene.ticks(40);
  expect(crate.translation().y).toBeCloseTo(1, 2);
  expect(placeOf(crateIn(gltf.scene))).toEqual([0, 1, 0]);
  await scene.render(null);
  expect([level.current, crate.isValid(), scene.world.bodies.len()]).toEqual([null, false, 0]);
  expect(floor.layers.mask).toBe(1);
  await scene.render(<GltfPhysics gltf={gltf} ref={level} />);
  await scene.frame();
  expect(scene.world.bodies.len()).toBe(2);
  expect(floor.layers.mask).toBe(0);
  expect(level.current?.bodies.get('Crate')?.translation().y).toBeCloseTo(1.2, 5);
});

test('two clones of one file are apart, each in its turned and scaled group', async () => {
  const gltf = await room();
  const [one, two] = [clone(gltf.scene), clone(gltf.scene)];
  const scene = await runScene(
    <group position={[0, 5, 0]} rotation={[0, Math.PI / 2, 0]} scale={2}>
      <GltfPhysics gltf={gltf} object={one} position={[0, 0, 20]} />
      <GltfPhysics gltf={gltf} object={two} position={[20, 0, 0]} />
    </group>,
  );
  await scene.ticks(60);
  expect(scene.world.bodies.len()).toBe(4);
  expect(placeOf(crateIn(one))).toEqual([40, 7, 0]);
  expect(placeOf(crateIn(two))).toEqual([0, 7, -40]);
});

test('another file or place makes another level, and neither an equal place nor a suspended boundary does', async () => {
  const [first, second] = [await room(), await room('Barrel')];
  const level = createRef<AddedGltf>();
  const never = new Promise<null>(() => {});
  const Waiting = (): ReactNode => use(never);
  const at = (gltf: GLTF, y: number, isSuspended = false) => (
    <Suspense>
      <GltfPhysics gltf={gltf} position={[0, y, 0]} ref={level} />
      {isSuspended && <Waiting />}
    </Suspense>
  );
  const scene = await runScene(at(first, 0));
  await scene.ticks(40);
  const { current } = level;
  await scene.render(at(first, 0, true));
  expect(level.current).toBe(null);
  await scene.render(at(first, 0));
  expect(level.current).toBe(current);
  await scene.render(at(first, 3));
  await scene.ticks(1);
  expect(level.current?.bodies.get('Crate')?.translation().y).toBeCloseTo(4.2, 2);
  await scene.render(at(second, 0));
  await scene.frame();
  expect([...present(level.current).bodies.keys()]).toEqual(['Floor', 'Barrel']);
  expect(scene.world.bodies.len()).toBe(2);
});

test('hooks join its bodies, and collisions of others name them and their nodes', async () => {
  const gltf = await room();
  const hits: CollisionEnterPayload[] = [];
  const Lit = (): JSX.Element => {
    const [crate, lamp] = [useRef<RapierRigidBody>(null), useRef<RapierRigidBody>(null)];
    const take = (level: AddedGltf | null): void => {
      crate.current = level?.bodies.get('Crate') ?? null;
    };
    useRopeJoint(crate, lamp, [[0, 0, 0], [0, 0, 0], 5]);
    return (
      <>
        <RigidBody ref={lamp} position={[3, 1, 0]} onCollisionEnter={(hit) => hits.push(hit)}>
          <BallCollider args={[0.4]} />
        </RigidBody>
        <GltfPhysics gltf={gltf} ref={take} />
      </>
    );
  };
  const scene = await runScene(<Lit />);
  expect(scene.world.impulseJoints.len()).toBe(1);
  await scene.ticks(30);
  expect(hits[0]?.other.rigidBodyObject?.name).toBe('Floor-colonly');
  expect(hits[0]?.other.rigidBody?.isFixed()).toBe(true);
});

test('a level is there again after a jump to before it, and once after a jump to when another component had it', async () => {
  const gltf = await room();
  const scene = await runScene(null);
  await scene.ticks(5);
  await scene.render(<GltfPhysics gltf={gltf} />);
  await scene.ticks(20);
  await act(() => scene.simulation.seek(2));
  await scene.ticks(3);
  expect(scene.world.bodies.len()).toBe(2);
  const { tick } = scene.world.frame;
  await scene.ticks(10);
  await scene.render(<GltfPhysics key="again" gltf={gltf} />);
  await scene.ticks(10);
  await act(() => scene.simulation.seek(tick));
  await scene.ticks(3);
  expect(scene.world.bodies.len()).toBe(2);
  expect(crateIn(gltf.scene).position.y).toBeGreaterThan(1.1);
});

test('errors of the file and of the place reach the boundary', async () => {
  const errors: Error[] = [];
  const within = (
    <RigidBody>
      <GltfPhysics gltf={await room()} />
    </RigidBody>
  );
  expect(await errorOf(within)).toContain('<GltfPhysics> was used within <RigidBody>');
  const plain = await loadModel({ json: { nodes: [{ name: 'Tree' }] } });
  const caught = <Boundary errors={errors}>{<GltfPhysics gltf={plain} />}</Boundary>;
  expect(await errorOf(caught)).toBe('nothing was thrown');
  expect(String(errors)).toContain('<GltfPhysics>: this glTF has no physics');
});
