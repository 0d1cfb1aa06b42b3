/** A mesh in a body of a component collides as it is drawn. */
import { act, createRef, useState, type JSX } from 'react';
import { createPortal } from '@react-three/fiber';
import * as THREE from 'three';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  BallCollider,
  CuboidCollider,
  InstancedRigidBodies,
  RigidBody,
} from '../../src/react/index.js';
import { meshPhysics } from '../../src/three/index.js';
import type { Collider } from '../../src/world/page/index.js';
import { drawnPoints, POSED_MODELS } from '../fixtures/posed-models.js';
import { present } from '../fixtures/present.js';
import { colliderError } from '../fixtures/shape-error.js';
import { warningsOfTest, worldOptions } from '../fixtures/worlds.js';
import { runScene, type RunningScene } from './run-scene.js';

const { BoxGeometry, Matrix4, Mesh } = THREE;

const material = new THREE.MeshBasicMaterial();

const all = (scene: RunningScene): readonly Collider[] => scene.world.colliders.getAll();

test('a mesh that alone is rendered again and grows takes its collider along, which lifts what lies on it', async () => {
  let grow: ((size: number) => void) | undefined;
  /** Nothing around it is rendered. */
  const Growing = (): JSX.Element => {
    const [size, setSize] = useState(1);
    grow = setSize;
    return (
      <mesh>
        <boxGeometry args={[size, size, size]} />
      </mesh>
    );
  };
  const scene = await runScene(
    <>
      <RigidBody colliders={false} position={[0, 0.8, 0]}>
        <CuboidCollider args={[0.25, 0.25, 0.25]} />
      </RigidBody>
      <RigidBody type="fixed" friction={0.25}>
        <Growing />
      </RigidBody>
    </>,
  );
  const [above] = scene.world.bodies.getAll();
  await scene.ticks(100);
  expect(above?.translation().y).toBeCloseTo(0.75, 2);
  // No prop sets the restitution.
  all(scene).at(-1)?.setRestitution(0.125);
  await act(() => grow?.(3));
  // A step does not wait for a frame.
  await act(() => scene.context.step(1 / 60));
  expect(all(scene).at(-1)?.halfExtents()?.x).toBe(1.5);
  await scene.ticks(50);
  expect(above?.translation().y).toBeCloseTo(1.75, 2);
  const grown = all(scene).at(-1);
  expect([grown?.friction(), grown?.restitution()]).toEqual([0.25, 0.125]);
});

/** A mesh in a group in a fixed body, which nothing renders again. */
async function inGroup(): Promise<readonly [RunningScene, THREE.Mesh, THREE.Object3D]> {
  const mesh = new Mesh(new BoxGeometry(2, 2, 2), material);
  mesh.name = `mesh of ${expect.getState().currentTestName}`;
  const scene = await runScene(
    <RigidBody type="fixed">
      <group name="group">
        <primitive object={mesh} />
      </group>
    </RigidBody>,
  );
  await scene.ticks(1);
  return [scene, mesh, scene.object('group')];
}

const NOT_FINITE = new THREE.Float32BufferAttribute([0, 0, 0, 0, 1, 0, Number.NaN, 0, 1], 3);

// Drawn trees have all other edits.
test.each<[name: string, edit: (geometry: THREE.BufferGeometry) => void, colliders: number]>([
  ['nothing that is drawn', (geometry) => geometry.setDrawRange(0, 0), 0],
  ['points that are not finite', (geometry) => geometry.setAttribute('position', NOT_FINITE), 1],
])('a mesh that code gives %s is named', async (_, edit, colliders) => {
  const said = warningsOfTest();
  const [scene, mesh] = await inGroup();
  edit(mesh.geometry);
  await scene.frame();
  expect(all(scene)).toHaveLength(colliders);
  expect(said()).toEqual([expect.stringContaining(mesh.name)]);
});

/** Centers of all colliders along x, rounded. */
const xsOf = (scene: RunningScene): number[] =>
  all(scene).map((collider) => Math.round((collider.translationWrtParent()?.x ?? 0) * 1e3) / 1e3);

test('each instance that is drawn has a collider, also of those that an effect places before the first frame', async () => {
  const said = warningsOfTest();
  const scene = await runScene(
    <RigidBody type="fixed" scale={2}>
      <instancedMesh
        name="trees"
        args={[new BoxGeometry(2, 2, 2), material, 3]}
        position={[1, 0, 0]}
      />
    </RigidBody>,
  );
  const mesh = scene.object('trees') as THREE.InstancedMesh;
  // As an effect of an application does it before the first frame: nothing says that they have changed.
  for (const x of [0, 1, 2]) mesh.setMatrixAt(x, new Matrix4().makeTranslation(x, 0, 0));
  await scene.frame();
  expect(xsOf(scene)).toEqual([2, 4, 6]);
  mesh.count = 0;
  await scene.ticks(1);
  expect(all(scene)).toEqual([]);
  expect(said()).toEqual([
    expect.stringContaining('"trees" gets no collider, because its count is 0'),
  ]);
});

test('a collider follows its mesh within the body when the mesh comes to rest, and costs nothing while it moves', async () => {
  const [scene, mesh, group] = await inGroup();
  const [collider] = all(scene);
  for (let x = 1; x <= 4; x++) {
    (x % 2 === 0 ? mesh : group).position.x += 1;
    await scene.frame();
  }
  expect(xsOf(scene)).toEqual([0]);
  await scene.frame();
  expect([xsOf(scene), all(scene)[0]]).toEqual([[4], collider]);
});

const skin = (): THREE.Mesh =>
  present(POSED_MODELS['Mixamo: centimetres next to an armature of 0.01'])().mesh;

test('a collider is where its mesh is drawn when a skin leaves its bones', async () => {
  const mesh = skin();
  const scene = await runScene(
    <RigidBody type="fixed" colliders="hull">
      <primitive object={present(mesh.parent)} />
    </RigidBody>,
  );
  await scene.ticks(1);
  mesh.position.set(1, 2, 3);
  for (let frames = 0; frames < 2; frames++) await scene.frame();
  expect(colliderError(present(all(scene)[0]), drawnPoints(mesh))).toBeLessThan(1e-4);
});

test('a mesh that leaves a hidden group of its body in a frame gets no collider, and is not watched any more', async () => {
  const [scene, mesh, group] = await inGroup();
  group.visible = false;
  await scene.frame();
  const made = vi.spyOn(scene.world, 'createCollider');
  const unwatched = vi.spyOn(mesh, 'removeEventListener');
  await act(async () => {
    mesh.removeFromParent();
    await scene.frame();
  });
  expect(made).not.toHaveBeenCalled();
  expect(unwatched).toHaveBeenCalledWith('childadded', expect.anything());
});

const IS_NAMED = [
  expect.stringMatching(/"hero" is drawn where its bones are, and its body .* Put the whole model/),
];

test('a skin that meshPhysics moves without its bones is named', async () => {
  const said = warningsOfTest();
  const physics = await meshPhysics({ ...worldOptions(), transport: 'local' });
  onTestFinished(() => physics.dispose());
  physics.addMesh(skin());
  const around = new Mesh(new BoxGeometry(), material);
  around.add(present(skin().parent));
  physics.addMesh(around, 1);
  expect(said()).toEqual([]);
  for (const name of ['hero', 'foe']) physics.addMesh(Object.assign(skin(), { name }), 1);
  expect(said()).toEqual(IS_NAMED);
});

const bodiesOf = (still: THREE.Object3D, moving: THREE.Object3D): JSX.Element => (
  <>
    <RigidBody type="fixed">
      <primitive object={still} />
    </RigidBody>
    <RigidBody>
      <primitive object={moving} />
    </RigidBody>
  </>
);

test('a skin in a body that moves, with its bones outside of it, is named', async () => {
  const said = warningsOfTest();
  const mesh = Object.assign(skin(), { name: 'hero' });
  const model = present(mesh.parent);
  await runScene(bodiesOf(skin(), present(skin().parent)));
  expect(said()).toEqual([]);
  await runScene([<primitive key="model" object={model} />, bodiesOf(skin(), mesh)]);
  expect(said()).toEqual(IS_NAMED);
});

test.each(['portal', 'add', 'attach'] as const)(
  'a body whose object comes into another parent by %s is where its mesh is drawn, stays there, and moves its object',
  async (how) => {
    const target = new THREE.Group();
    target.position.set(3, 4, 5);
    target.rotation.set(0.3, 0.2, 0.1);
    target.scale.setScalar(2);
    const box = createRef<THREE.Mesh>();
    const content = (
      <RigidBody position={[1, 2, 3]} rotation={[0, 1, 0]} colliders="cuboid">
        <mesh ref={box} geometry={new BoxGeometry(1, 2, 3)} position={[0, 1, 0]} />
      </RigidBody>
    );
    const scene = await runScene([
      <primitive key="target" object={target} />,
      how === 'portal' ? (
        createPortal(content, target)
      ) : (
        <group key="group" position={[-5, 1, 0]}>
          {content}
        </group>
      ),
    ]);
    const mesh = present(box.current);
    const error = () => colliderError(present(all(scene)[0]), drawnPoints(mesh));
    expect(error()).toBeLessThan(1e-5);
    await scene.ticks(2);
    const body = present(scene.world.bodies.getAll()[0]);
    const { x, y, z } = body.translation();
    if (how !== 'portal') target[how](present(mesh.parent));
    for (let frames = 0; frames < 2; frames++) await scene.frame();
    await scene.ticks(20);
    expect(body.translation()).toMatchObject({ x, z });
    expect(body.translation().y).toBeLessThan(y - 0.4);
    expect(error()).toBeLessThan(1e-4);
  },
);

const lod = (): THREE.LOD => {
  const levels = new THREE.LOD();
  for (const size of [6, 4, 2]) {
    levels.addLevel(new Mesh(new BoxGeometry(size, size, size), material), size - 2);
  }
  const camera = new THREE.PerspectiveCamera();
  camera.position.z = 100;
  camera.updateMatrixWorld();
  levels.update(camera);
  return levels;
};
const made = (make: new (geometry: THREE.BufferGeometry) => THREE.Object3D) =>
  new make(new BoxGeometry());

test.each<[name: string, make: () => THREE.Object3D, sizes: readonly number[]]>([
  // In a level that the camera does not see at the moment, too.
  ['the nearest level of an LOD', lod, [1]],
  ['points', () => made(THREE.Points), []],
  ['lines', () => made(THREE.LineLoop), []],
  ['a sprite', () => new THREE.Sprite(), []],
  ['a BatchedMesh', () => new THREE.BatchedMesh(2, 24, 36, material), []],
])('%s in a body is taken as it is drawn, or named', async (name, make, sizes) => {
  const said = warningsOfTest();
  const scene = await runScene(
    <RigidBody>
      <primitive object={Object.assign(make(), { name })} />
    </RigidBody>,
  );
  await scene.ticks(1);
  expect(all(scene).map((one) => one.halfExtents()?.x)).toEqual(sizes);
  const warning = `"${name}" gets no collider, because ${name} `;
  expect(said()).toEqual(sizes.length === 0 ? [expect.stringContaining(warning)] : []);
});

test('instances of bodies follow the geometry of their mesh and the scale around them, as a mesh in a body does', async () => {
  const scene = await runScene(
    <group name="around">
      <InstancedRigidBodies instances={[{ key: 0 }, { key: 1, scale: 2 }]} colliderNodes={NODES}>
        <instancedMesh name="boxes" args={[new BoxGeometry(2, 2, 2), material, 2]} />
      </InstancedRigidBodies>
      <RigidBody type="fixed">
        <mesh geometry={new BoxGeometry(16, 16, 16)} />
      </RigidBody>
    </group>,
  );
  const halves = (): unknown[] =>
    all(scene)
      .map((one) => one.halfExtents()?.x)
      .toSorted();
  expect(halves()).toEqual([0.25, 0.5, 1, 2, 8]);
  const mesh = scene.object('boxes') as THREE.InstancedMesh;
  mesh.geometry = new BoxGeometry(6, 6, 6);
  await scene.ticks(1);
  expect(halves()).toEqual([0.25, 0.5, 3, 6, 8]);
  scene.object('around').scale.setScalar(2);
  await scene.ticks(1);
  expect(halves()).toEqual([0.5, 1, 12, 16, 6]);
});

const NODES = [<CuboidCollider key="node" args={[0.25, 0.25, 0.25]} />];

test('components of colliders follow the scale around them, of many some in a frame and others in the next', async () => {
  const scene = await runScene(
    <group name="around">
      {Array.from({ length: 130 }, (_, key) => (
        <CuboidCollider key={key} args={[1, 2, 3]} />
      ))}
    </group>,
  );
  const grown = (): number => all(scene).filter((one) => one.halfExtents()?.x === 2).length;
  scene.object('around').scale.setScalar(2);
  await scene.frame();
  expect(grown()).toBe(128);
  await scene.frame();
  expect(grown()).toBe(130);
  scene.object('around').scale.setScalar(0);
  for (let frames = 0; frames < 2; frames++) await scene.frame();
  expect(all(scene)).toEqual([]);
});

const TILTED = [0, 0, Math.PI / 4] as const;
const tilted = <mesh name="tilted" geometry={new BoxGeometry()} rotation={TILTED} />;

test('points are where parents of a body stretch them, also in directions that are not its own', async () => {
  const said = warningsOfTest();
  const scene = await runScene(
    <group scale={[3, 1, -1]} rotation={[0.3, 0.2, 0.1]}>
      <RigidBody type="fixed" colliders="hull" rotation={TILTED}>
        <mesh name="box" geometry={new BoxGeometry()} position={[1, 2, 3]} />
      </RigidBody>
    </group>,
  );
  const points = drawnPoints(scene.object('box') as THREE.Mesh);
  expect(colliderError(present(all(scene)[0]), points)).toBeLessThan(1e-5);
  expect(said()).toEqual([]);
});

test.each([
  [
    'a cuboid of a mesh',
    <RigidBody type="fixed">{tilted}</RigidBody>,
    /the Mesh "tilted" is stretched .* Choose the shape 'hull' or 'trimesh'/,
  ],
  [
    'a component',
    <BallCollider key="ball" args={[1]} name="tilted ball" rotation={TILTED} />,
    /tilted ball.* is stretched .* put the scale on the mesh/,
  ],
  [
    'a body that moves',
    <RigidBody name="tumbling" colliders="hull" key="body">
      <mesh geometry={new BoxGeometry()} />
    </RigidBody>,
    /the scale of a parent of the Object3D "tumbling" .* Put that scale on the meshes in it/,
  ],
])(
  'what no collider can be drawn like is named once, with a way out: %s',
  async (_, node, text) => {
    const said = warningsOfTest();
    await runScene(<group scale={[3, 1, 1]}>{[node, <group key="again">{node}</group>]}</group>);
    expect(said()).toEqual([expect.stringMatching(text)]);
  },
);
