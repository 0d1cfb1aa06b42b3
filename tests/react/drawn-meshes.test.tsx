/** A mesh collides as it is drawn: in a body of a component and with `meshPhysics` alike. */
import { act, useState, type JSX } from 'react';
import * as THREE from 'three';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CuboidCollider, InstancedRigidBodies, RigidBody } from '../../src/react/index.js';
import { meshPhysics, type ShapeKind } from '../../src/three/index.js';
import type { Collider } from '../../src/world/page/index.js';
import { runScene, type RunningScene } from './run-scene.js';

const { BoxGeometry, BufferAttribute, BufferGeometry, Matrix4, Mesh } = THREE;

const material = new THREE.MeshBasicMaterial();
const KINDS: readonly ShapeKind[] = ['cuboid', 'ball', 'hull', 'trimesh'];

/** A cube of 2 m at the origin, and one 10 m away along x, without an index if that is asked for. */
function twoCubes(): THREE.BufferGeometry {
  const near = new BoxGeometry(2, 2, 2);
  const points = [...(near.attributes['position']?.array ?? [])];
  const positions = [...points, ...points.map((value, at) => (at % 3 === 0 ? value + 10 : value))];
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
  const corners = [...(near.index?.array ?? [])];
  return geometry.setIndex([...corners, ...corners.map((corner) => corner + 24)]);
}

/** Two cubes, of which the first is drawn unless it is asked for something else. */
function cubes({
  isIndexed = true,
  count = 36,
  ...parts
}: {
  readonly isIndexed?: boolean;
  readonly count?: number;
  readonly position?: THREE.BufferAttribute | THREE.InterleavedBufferAttribute;
  readonly groups?: readonly (readonly [start: number, count: number, material: number])[];
}): THREE.BufferGeometry {
  const geometry = isIndexed ? twoCubes() : twoCubes().toNonIndexed();
  if (parts.position !== undefined) geometry.setAttribute('position', parts.position);
  for (const group of parts.groups ?? []) geometry.addGroup(...group);
  geometry.setDrawRange(0, count);
  return geometry;
}
const numbers = (): Float32Array => twoCubes().attributes['position']?.array as Float32Array;

/** Of each, the cube at the origin is drawn and nothing else. */
const NEAR: Readonly<Record<string, () => THREE.Mesh>> = {
  'an index of a part of the points': () => {
    const geometry = twoCubes();
    return new Mesh(geometry.setIndex([...(geometry.index?.array ?? [])].slice(0, 36)));
  },
  'a draw range': () => new Mesh(cubes({})),
  'a draw range of points without an index': () => new Mesh(cubes({ isIndexed: false })),
  'a draw range that ends within a triangle': () => new Mesh(cubes({ count: 38 })),
  'groups, of which others have no material or an invisible one': () => {
    const invisible = Object.assign(material.clone(), { visible: false });
    const groups = [
      [0, 18, 1],
      [18, 18, 1],
      [36, 18, 0],
      [54, 18, 5],
    ] as const;
    return new Mesh(cubes({ count: Infinity, groups }), [invisible, material]);
  },
  'groups within a draw range': () => new Mesh(cubes({ groups: [[0, Infinity, 0]] }), [material]),
  'points that are not finite where none is drawn': () =>
    new Mesh(cubes({ position: new BufferAttribute(numbers().fill(Number.NaN, 72), 3) })),
  'normalized integers': () => {
    const bytes = Int8Array.from(numbers(), (value) => Math.sign(value) * 127);
    return new Mesh(cubes({ position: new BufferAttribute(bytes, 3, true) }));
  },
  'half-precision numbers': () => {
    const half = Uint16Array.from(numbers(), (value) => THREE.DataUtils.toHalfFloat(value));
    return new Mesh(cubes({ position: new THREE.Float16BufferAttribute(half, 3) }));
  },
  'interleaved numbers': () => {
    const mixed = new Float32Array(5 * 48).fill(99);
    for (let at = 0; at < 48; at++) mixed.set(numbers().subarray(3 * at, 3 * at + 3), 5 * at);
    const buffer = new THREE.InterleavedBuffer(mixed, 5);
    return new Mesh(cubes({ position: new THREE.InterleavedBufferAttribute(buffer, 3, 0) }));
  },
  'morph targets': () => {
    const geometry = new BoxGeometry(2, 2, 2);
    geometry.morphAttributes['position'] = [
      new THREE.Float32BufferAttribute(
        Array.from({ length: 72 }, () => 9),
        3,
      ),
    ];
    geometry.morphTargetsRelative = true;
    return new Mesh(geometry);
  },
  bones: () => {
    const mesh = new THREE.SkinnedMesh(new BoxGeometry(2, 2, 2), material);
    const bone = new THREE.Bone();
    mesh.add(bone);
    mesh.bind(new THREE.Skeleton([bone]));
    bone.position.y = 5;
    return mesh;
  },
};

const round = (value: number): number => Number(value.toFixed(4)) + 0;

/** The shape that the engine gets, and the extents of points. */
function described(collider: Collider): object {
  const points = [...collider.vertices()];
  const axes = [0, 1, 2].map((axis) => points.filter((_, at) => at % 3 === axis));
  return {
    type: collider.shapeType(),
    sizes: collider.shapeSizes().map(round),
    lowest: axes.map((axis) => round(Math.min(...axis))),
    highest: axes.map((axis) => round(Math.max(...axis))),
    count: points.length,
    center: Object.values(collider.translationWrtParent() ?? {}).map(round),
  };
}

async function ofMeshPhysics(meshes: readonly THREE.Mesh[], kind: ShapeKind): Promise<object[]> {
  const physics = await meshPhysics({ transport: 'local', startPaused: true, capacity: 64 });
  onTestFinished(() => physics.dispose());
  return meshes.map((mesh) => {
    physics.addMesh(mesh, 0, 0, kind);
    return described((mesh.userData['physics'] as { collider: Collider }).collider);
  });
}

const all = (scene: RunningScene): readonly Collider[] => scene.world.colliders.getAll();

test.each(KINDS)(
  'a %s has the points that are drawn and no others, in components and in meshPhysics',
  async (kind) => {
    const scales = [
      [1, 1, 1],
      [2, 2, 2],
      [-1, 2, 3],
    ] as const;
    const meshes = scales.flatMap((scale) =>
      Object.values(NEAR).map((make) => {
        const mesh = make();
        mesh.scale.fromArray(scale);
        return mesh;
      }),
    );
    const theirs = await ofMeshPhysics(meshes, kind);
    const scene = await runScene(
      meshes.map((mesh, index) => (
        <RigidBody key={index} colliders={kind} type="fixed">
          <primitive object={mesh} />
        </RigidBody>
      )),
    );
    const ours = all(scene).map(described);
    expect(ours).toEqual(theirs);
    const names = Object.keys(NEAR);
    for (const [index, [x, y, z]] of scales.entries()) {
      const own = [Math.abs(x), y, z];
      const expected = {
        cuboid: { sizes: own, center: [0, 0, 0] },
        ball: { sizes: [expect.closeTo(Math.hypot(...own), 3)], center: [0, 0, 0] },
        hull: { lowest: own.map((size) => -size), highest: own },
        trimesh: { lowest: own.map((size) => -size), highest: own },
      }[kind];
      for (const [place, name] of names.entries()) {
        expect(ours[index * names.length + place], name).toMatchObject(expected);
      }
    }
  },
);

/** Sizes of the only collider. Undefined: there is none. */
const halfOf = (scene: RunningScene): unknown => {
  const [collider, ...others] = all(scene);
  expect(others).toEqual([]);
  const half = collider?.halfExtents();
  return half && [half.x, half.y, half.z].map((size) => Number(size.toFixed(3)));
};

/** A cube that grows by itself: nothing around it is rendered. */
function Growing({
  onSetter,
}: {
  readonly onSetter: (set: (size: number) => void) => void;
}): JSX.Element {
  const [size, setSize] = useState(1);
  onSetter(setSize);
  return (
    <mesh>
      <boxGeometry args={[size, size, size]} />
    </mesh>
  );
}

test('a mesh that alone is rendered again and grows takes its collider along, which lifts what lies on it', async () => {
  let grow: ((size: number) => void) | undefined;
  const scene = await runScene(
    <>
      <RigidBody colliders={false} position={[0, 0.8, 0]}>
        <CuboidCollider args={[0.25, 0.25, 0.25]} />
      </RigidBody>
      <RigidBody type="fixed" friction={0.25}>
        <Growing onSetter={(set) => (grow = set)} />
      </RigidBody>
    </>,
  );
  const [above] = scene.world.bodies.getAll();
  await scene.ticks(100);
  expect(above?.translation().y).toBeCloseTo(0.75, 2);
  // It is set by no prop.
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

/** Where a mesh is found in its body, and what is done to it or to what is around it. */
type Edit = (mesh: THREE.Mesh, group: THREE.Object3D) => void;

const stretch = ({ geometry }: THREE.Mesh, factor: number): void => {
  const { array } = geometry.attributes['position'] as THREE.BufferAttribute;
  for (let at = 0; at < array.length; at += 3) array[at] = (array[at] as number) * factor;
};

const EDITS: Readonly<Record<string, readonly [edit: Edit, half: unknown]>> = {
  'another geometry': [(mesh) => void (mesh.geometry = new BoxGeometry(4, 2, 2)), [2, 1, 1]],
  'other points in the same geometry': [
    (mesh) =>
      mesh.geometry.setAttribute(
        'position',
        new BufferAttribute(
          numbers().map((n) => 2 * n),
          3,
        ),
      ),
    [2, 2, 2],
  ],
  'points that are edited in place': [
    (mesh) => {
      stretch(mesh, 3);
      (mesh.geometry.attributes['position'] as THREE.BufferAttribute).needsUpdate = true;
    },
    [3, 1, 1],
  ],
  'an index that is edited in place': [
    ({ geometry: { index } }) => {
      index?.array.fill(0, 6, 36);
      if (index !== null) index.needsUpdate = true;
    },
    [0.001, 1, 1],
  ],
  'a draw range': [({ geometry }) => geometry.setDrawRange(0, 72), [6, 1, 1]],
  groups: [
    (mesh) => {
      mesh.geometry.setDrawRange(0, Infinity);
      mesh.geometry.addGroup(36, 36, 0);
      mesh.material = [material];
    },
    [1, 1, 1],
  ],
  'a scale of the mesh': [(mesh) => mesh.scale.set(1, 2, 3), [1, 2, 3]],
  'a scale between the mesh and its body': [(_, group) => group.scale.setScalar(2), [2, 2, 2]],
  'a scale around the body': [(_, group) => group.parent?.parent?.scale.setScalar(2), [2, 2, 2]],
  'nothing that is drawn': [({ geometry }) => geometry.setDrawRange(0, 0), undefined],
  'no material': [(mesh) => void (mesh.material = []), undefined],
  'no size': [(mesh) => mesh.scale.set(1, 0, 1), undefined],
  'points that are not finite': [
    (mesh) => {
      stretch(mesh, Number.NaN);
      (mesh.geometry.attributes['position'] as THREE.BufferAttribute).needsUpdate = true;
    },
    [1, 1, 1],
  ],
  'an index without a point': [({ geometry }) => geometry.setIndex([0, 1, 99]), [1, 1, 1]],
};

/** Has no warnings on the console. @returns What was said. */
function muted(): readonly string[] {
  const said: string[] = [];
  const spy = vi.spyOn(console, 'warn').mockImplementation((text: string) => void said.push(text));
  onTestFinished(() => spy.mockRestore());
  return said;
}

test.each(Object.entries(EDITS))(
  'a collider follows what code makes of a mesh: %s',
  async (_, [edit, half]) => {
    const said = muted();
    const [ours] = [new Mesh(cubes({}))];
    const name = `edited ${_}`;
    ours.name = name;
    const scene = await runScene(
      <group>
        <RigidBody type="fixed">
          <group name="between">
            <primitive object={ours} />
          </group>
        </RigidBody>
      </group>,
    );
    await scene.ticks(1);
    expect(halfOf(scene)).toEqual([1, 1, 1]);
    edit(ours, scene.object('between'));
    await scene.frame();
    expect(halfOf(scene)).toEqual(half);
    const isSaid = said.some((text) => text.includes(name));
    expect(isSaid).toBe(half === undefined || /finite|without/.test(_));
    // Another one is as good as the first was.
    ours.scale.setScalar(1);
    ours.material = material;
    ours.geometry = new BoxGeometry(6, 6, 6);
    await scene.ticks(1);
    const factor = _.includes('around') || _.includes('between') ? 6 : 3;
    expect(halfOf(scene)).toEqual([factor, factor, factor]);
  },
);

/** Centers of all colliders along x, rounded. */
const xsOf = (scene: RunningScene): number[] =>
  all(scene).map((collider) => Math.round((collider.translationWrtParent()?.x ?? 0) * 1e3) / 1e3);

const shifted = (x: number, scale = 1) =>
  new Matrix4().makeTranslation(x, 0, 0).scale(new THREE.Vector3(scale, scale, scale));

test('each instance that is drawn has a collider, also of those that are placed and counted later', async () => {
  const said = muted();
  const scene = await runScene(
    <RigidBody type="fixed" scale={2}>
      <instancedMesh
        name="trees"
        args={[new BoxGeometry(2, 2, 2), material, 100]}
        position={[1, 0, 0]}
      />
    </RigidBody>,
  );
  const mesh = scene.object('trees') as THREE.InstancedMesh;
  // As an effect of an application does it before the first frame: nothing says that they have changed.
  for (let index = 0; index < 100; index++) mesh.setMatrixAt(index, shifted(index));
  await scene.frame();
  expect(xsOf(scene)).toEqual(Array.from({ length: 100 }, (_, index) => 2 + 2 * index));
  expect(all(scene)[99]?.halfExtents()).toEqual({ x: 2, y: 2, z: 2 });
  const [first] = all(scene);
  // One is moved, one is hidden, one is larger.
  mesh.setMatrixAt(0, shifted(-5));
  mesh.setMatrixAt(1, shifted(1, 0));
  mesh.setMatrixAt(2, shifted(2, 3));
  mesh.count = 4;
  mesh.instanceMatrix.needsUpdate = true;
  await scene.frame();
  expect(xsOf(scene).toSorted((a, b) => a - b)).toEqual([-8, 6, 8]);
  expect([all(scene)[0], all(scene).at(-1)?.halfExtents()?.x]).toEqual([first, 6]);
  mesh.count = 0;
  await scene.ticks(1);
  expect([all(scene), scene.world.bodies.len()]).toEqual([[], 1]);
  expect(said).toEqual([
    expect.stringContaining('"trees" has no colliders now, because its count is 0'),
  ]);
  mesh.count = 2;
  await scene.ticks(1);
  expect(xsOf(scene)).toEqual([-8]);
});

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

test.each<[name: string, make: () => THREE.Object3D, half: unknown]>([
  // In a level that the camera does not see at the moment, too.
  ['the nearest level of an LOD', lod, [1, 1, 1]],
  ['points', () => made(THREE.Points), undefined],
  ['lines', () => made(THREE.LineLoop), undefined],
  ['a sprite', () => new THREE.Sprite(), undefined],
  ['a BatchedMesh', () => new THREE.BatchedMesh(2, 24, 36, material), undefined],
])('%s in a body is taken as it is drawn, or named', async (name, make, half) => {
  const said = muted();
  const scene = await runScene(
    <RigidBody>
      <primitive object={Object.assign(make(), { name })} />
    </RigidBody>,
  );
  await scene.ticks(1);
  expect(halfOf(scene)).toEqual(half);
  const warning = `"${name}" gets no collider, because ${name} `;
  expect(said).toEqual(half === undefined ? [expect.stringContaining(warning)] : []);
});

test('instances of bodies follow the geometry of their mesh and the scale around them', async () => {
  const scene = await runScene(
    <group name="around">
      <InstancedRigidBodies instances={[{ key: 0 }, { key: 1, scale: 2 }]} colliderNodes={NODES}>
        <instancedMesh name="boxes" args={[new BoxGeometry(2, 2, 2), material, 2]} />
      </InstancedRigidBodies>
    </group>,
  );
  const halves = (): unknown[] =>
    all(scene)
      .map((one) => one.halfExtents()?.x)
      .toSorted();
  expect(halves()).toEqual([0.25, 0.5, 1, 2]);
  const mesh = scene.object('boxes') as THREE.InstancedMesh;
  mesh.geometry = new BoxGeometry(6, 6, 6);
  await scene.ticks(1);
  expect(halves()).toEqual([0.25, 0.5, 3, 6]);
  scene.object('around').scale.setScalar(2);
  await scene.ticks(1);
  expect(halves()).toEqual([0.5, 1, 12, 6]);
});

const NODES = [<CuboidCollider key="node" args={[0.25, 0.25, 0.25]} />];

test('a component of a collider follows the scale around it', async () => {
  const scene = await runScene(
    <group name="around">
      <CuboidCollider args={[1, 2, 3]} />
    </group>,
  );
  scene.object('around').scale.setScalar(2);
  await scene.frame();
  expect(halfOf(scene)).toEqual([2, 4, 6]);
  scene.object('around').scale.setScalar(0);
  await scene.frame();
  expect(halfOf(scene)).toBeUndefined();
});

test('of many, a frame follows some, and the next frame others', async () => {
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
});

test('what is edited while a replay is shown is followed when it is closed', async () => {
  const mesh = new Mesh(new BoxGeometry(2, 2, 2));
  const scene = await runScene(
    <RigidBody type="fixed">
      <primitive object={mesh} />
    </RigidBody>,
  );
  await scene.ticks(2);
  const recording = scene.simulation.recording();
  const replay = await act(() => scene.simulation.openReplay(recording));
  const created = vi.spyOn(scene.world, 'createCollider');
  onTestFinished(() => created.mockRestore());
  mesh.geometry = new BoxGeometry(4, 4, 4);
  await scene.frame();
  expect(created).not.toHaveBeenCalled();
  await act(() => replay.close());
  await scene.ticks(1);
  expect(halfOf(scene)).toEqual([2, 2, 2]);
});
