/** Physics for the meshes of a scene: what three.js has of it after some ticks. */
import * as THREE from 'three';
import { PlacedMeshes } from '../../../src/three/placed-meshes.js';
import { watchMeshes } from '../../../src/three/mesh-warnings.js';
import { expect, onTestFinished, test } from 'vitest';
import {
  meshPhysics,
  type MeshPhysics,
  type MeshPhysicsSettings,
  shapeOf,
} from '../../../src/three/index.js';
import {
  ShapeType,
  type Collider,
  type RigidBody,
  type WorldHandle,
  type WorldOptions,
} from '../../../src/world/page/index.js';
import { settingsOf } from '../../../src/world/page/collider-handle.js';
import { warned } from '../../../src/shared/util/development.js';
import type { SavedState } from '../../../src/shared/index.js';
import { eventually } from '../../fixtures/eventually.js';
import { drawnPoints, placedModel, POSED_MODELS } from '../../fixtures/posed-models.js';
import { piecesWorkers } from '../../fixtures/pieces-workers.js';
import { present } from '../../fixtures/present.js';
import { colliderError } from '../../fixtures/shape-error.js';
import {
  NO_GRAVITY,
  RECORDED,
  nextFrameMs,
  warningsOfTest,
  worldOptions,
} from '../../fixtures/worlds.js';

const { BoxGeometry, Group, InstancedMesh, Matrix4, Mesh, Quaternion, Scene, Vector3 } = THREE;

interface Added extends MeshPhysicsSettings {
  readonly body: RigidBody;
  readonly collider: Collider;
}

const material = new THREE.MeshBasicMaterial();
const boxMesh = (x = 1, y = x, z = x) => new Mesh(new BoxGeometry(x, y, z), material);
const ballMesh = () => new Mesh(new THREE.SphereGeometry(0.5), material);
const added = (mesh: THREE.Mesh): Added => mesh.userData['physics'] as Added;
const addedMany = (mesh: THREE.Mesh) =>
  mesh.userData['physics'] as { readonly body: RigidBody[]; readonly collider: Collider[] };
const at = (x: number, y: number, z = 0) => new Vector3(x, y, z);

async function start(options: WorldOptions = {}): Promise<MeshPhysics> {
  const physics = await meshPhysics({ ...worldOptions(), ...options });
  onTestFinished(() => physics.dispose());
  return physics;
}

const draw = (physics: MeshPhysics) => physics.update(nextFrameMs(1));

async function advance(physics: MeshPhysics, ticks: number): Promise<void> {
  await (await physics.world.ready).step(ticks);
  draw(physics);
}

/** Position, rotation and size of an instance in the scene. */
function placeAt(mesh: THREE.InstancedMesh, index: number) {
  const [position, quaternion, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  const matrix = new Matrix4();
  mesh.getMatrixAt(index, matrix);
  matrix.premultiply(mesh.matrixWorld).decompose(position, quaternion, scale);
  return { position, quaternion, scale };
}

test('meshes are added by their userData, and those with a mass fall on those without', async () => {
  const physics = await start();
  const floor = boxMesh(10, 1, 10);
  floor.userData['physics'] = { mass: 0 };
  const ball = ballMesh();
  ball.position.set(2, -2, 0);
  ball.userData['physics'] = { mass: 1, restitution: 0.5 };
  const decoration = boxMesh();
  // Where it is in the scene, and as large, whatever its parents are.
  const parent = new Group();
  parent.position.set(-2, 0, 0);
  parent.rotation.z = Math.PI / 2;
  parent.scale.setScalar(2);
  const scene = new Scene().add(floor, parent.add(ball), decoration);
  physics.addScene(scene);
  const { body, collider, mass } = added(ball);
  expect([added(floor).body.isFixed(), body.isDynamic()]).toEqual([true, true]);
  expect([collider.restitution(), mass]).toEqual([0.5, 1]);
  expect([collider.radius(), body.translation().x]).toEqual([1, expect.closeTo(2)]);
  expect(decoration.userData['physics']).toBeUndefined();
  // A clone has the settings and no body.
  expect(ball.clone().userData).toEqual({ physics: { mass: 1, restitution: 0.5 } });
  // Meshes that are there are left alone.
  physics.addScene(scene);
  expect([added(ball).body, physics.world.bodies.len()]).toEqual([body, 2]);
  await advance(physics, 240);
  scene.updateMatrixWorld();
  expect(ball.getWorldPosition(new Vector3()).distanceTo(at(2, 1.5))).toBeLessThan(0.01);
  expect(ball.scale.toArray()).toEqual([1, 1, 1]);
  expect(ball.visible).toBe(true);
  expect(floor.position.toArray()).toEqual([0, 0, 0]);
});

test('a hollow mesh has its hull if it moves, and its triangles if not, unless a shape is chosen', async () => {
  const physics = await start();
  const shapes = (
    [
      [0, undefined],
      [1, undefined],
      [1, 'trimesh'],
      [1, 'ball'],
      [1, undefined, 'ball'],
      [1, 'trimesh', 'ball'],
    ] as const
  ).map(([mass, shape, ofMesh]) => {
    const torus = new Mesh(new THREE.TorusGeometry(1, 0.3, 6, 8), material);
    if (ofMesh !== undefined) torus.userData['physics'] = { shape: ofMesh };
    physics.addMesh(torus, mass, 0, shape);
    return added(torus).collider.shapeType();
  });
  const { Ball, ConvexPolyhedron, TriMesh } = ShapeType;
  expect(shapes).toEqual([TriMesh, ConvexPolyhedron, TriMesh, Ball, Ball, TriMesh]);
  await advance(physics, 1);
});

test('an animation makes no colliders, and the next edit makes one in the pose of then', async () => {
  const physics = await start();
  const mesh = placedModel(present(POSED_MODELS['morph targets and bones'])());
  physics.addMesh(mesh, 0, 0, 'hull');
  (mesh as THREE.SkinnedMesh).skeleton.bones[1]?.rotation.set(1, 1, 1);
  draw(physics);
  expect(colliderError(added(mesh).collider, drawnPoints(mesh))).toBeGreaterThan(0.05);
  // A pose is read once in a turn of the page.
  await Promise.resolve();
  mesh.scale.multiplyScalar(2);
  draw(physics);
  expect(colliderError(added(mesh).collider, drawnPoints(mesh))).toBeLessThan(1e-4);
});

test.each([
  [1, -1, 1],
  [-1, -1, 1],
  [-1, -1, -1],
])('a body leaves a mesh as it was turned, with a scale of (%i, %i, %i)', async (...scale) => {
  const physics = await start(NO_GRAVITY);
  const mesh = new Mesh(new BoxGeometry(1, 2, 3).translate(1, 2, 3), material);
  mesh.scale.fromArray(scale);
  mesh.rotation.set(0.3, 0.2, 0.1);
  new Scene().add(mesh);
  const points = drawnPoints(mesh);
  physics.addMesh(mesh, 1, 0, 'hull');
  await advance(physics, 1);
  const now = drawnPoints(mesh);
  expect(
    Math.max(...now.map((point, index) => point.distanceTo(points[index] as never))),
  ).toBeLessThan(1e-5);
  expect(colliderError(added(mesh).collider, now)).toBeLessThan(1e-4);
  mesh.scale.x *= -1;
  mesh.scale.y *= -1;
  draw(physics);
  expect(colliderError(added(mesh).collider, drawnPoints(mesh))).toBeLessThan(1e-4);
});

test('meshes are put somewhere, set in motion and pushed', async () => {
  const physics = await start(NO_GRAVITY);
  const [put, moved, pushed] = [boxMesh(), boxMesh(), boxMesh()];
  for (const [index, mesh] of [put, moved, pushed].entries()) {
    mesh.position.x = 5 * index;
    physics.addMesh(mesh, 2);
  }
  await advance(physics, 1);
  // Out of order, and without the object: as with the helper of three.js.
  const { setMeshPosition, setMeshVelocity, applyImpulse } = physics;
  setMeshVelocity(put, at(0, 7));
  setMeshPosition(put, at(0, 3));
  setMeshVelocity(moved, at(0, 6));
  applyImpulse(pushed, at(0, 12));
  await advance(physics, 60);
  expect(put.position.y).toBeCloseTo(3, 4);
  // The way of one second, and a few ticks more.
  expect(moved.position.y).toBeGreaterThan(6);
  expect(moved.position.y).toBeLessThan(6.5);
  expect(pushed.position.y).toBeCloseTo(moved.position.y, 3);
});

test('meshes are removed, fixed or not, and may be added again', async () => {
  const physics = await start();
  const [floor, box] = [boxMesh(9, 1, 9), boxMesh()];
  box.position.y = 1;
  physics.addMesh(floor);
  physics.addMesh(box, 1);
  await advance(physics, 10);
  const { body } = added(floor);
  physics.removeMesh(floor);
  expect([body.isValid(), 'body' in added(floor)]).toEqual([false, false]);
  expect(physics.world.colliders.len()).toBe(1);
  await advance(physics, 60);
  expect(box.position.y).toBeLessThan(-2);
  physics.removeMesh(box);
  const { y } = box.position;
  await advance(physics, 30);
  expect(box.position.y).toBe(y);
  // Ignored, as by the helper of three.js.
  physics.removeMesh(box);
  physics.addMesh(box, 1);
  physics.addMesh(box, 1);
  expect(physics.world.bodies.len()).toBe(1);
  await advance(physics, 30);
  expect(box.position.y).toBeLessThan(y - 0.5);
});

/** Two boxes, one turned and twice as large, in a mesh that is moved. */
function instances(): { scene: THREE.Scene; mesh: THREE.InstancedMesh } {
  const mesh = new InstancedMesh(new BoxGeometry(), material, 4);
  mesh.count = 2;
  const turn = new Quaternion().setFromEuler(new THREE.Euler(0, 1, 0));
  mesh.setMatrixAt(0, new Matrix4().makeTranslation(0, 5, 0));
  mesh.setMatrixAt(1, new Matrix4().compose(at(4, 5), turn, new Vector3(2, 2, 2)));
  mesh.position.x = 10;
  const scene = new Scene().add(mesh);
  scene.updateMatrixWorld();
  return { scene, mesh };
}

test('instances fall from where they are, as they are turned and scaled', async () => {
  const physics = await start();
  const { mesh } = instances();
  physics.addMesh(mesh, 3);
  const { body, collider } = addedMany(mesh);
  expect(body.map((each) => each.translation().x)).toEqual([10, 14]);
  expect(body[1]?.rotation().y).toBeCloseTo(Math.sin(0.5), 6);
  const sizes = collider.map((each) => each.shapeSizes());
  expect(sizes).toEqual([0.5, 1].map((half) => [half, half, half]));
  // Until the first state is shown, they are where they were.
  draw(physics);
  expect(placeAt(mesh, 1).position.x).toBeCloseTo(14, 5);
  await advance(physics, 30);
  const { position, quaternion, scale } = placeAt(mesh, 1);
  expect(position.x).toBeCloseTo(14, 3);
  expect(position.y).toBeLessThan(4.5);
  expect(quaternion.y).toBeCloseTo(Math.sin(0.5), 4);
  expect(scale.x).toBeCloseTo(2, 4);
  expect(mesh.count).toBe(2);
  physics.removeMesh(mesh);
  mesh.updateWorldMatrix(true, false);
  expect(placeAt(mesh, 1).position.distanceTo(position)).toBeLessThan(1e-5);
});

test('4096 instances are added in one turn of the page', async () => {
  const physics = await start({ capacity: 4096 });
  const mesh = new InstancedMesh(new BoxGeometry(), material, 4096);
  for (let index = 0; index < 4096; index++) {
    mesh.setMatrixAt(index, new Matrix4().makeTranslation(3 * (index % 64), 3 * (index >> 6), 0));
  }
  physics.addMesh(mesh, 1);
  await advance(physics, 1);
  expect((await physics.world.ready).bodies.size).toBe(4096);
});

test('an instance that moves is drawn without a shear, and has the hull of that', async () => {
  const physics = await start(NO_GRAVITY);
  const parent = new Group();
  parent.scale.set(3, 1, 1);
  const mesh = new InstancedMesh(new BoxGeometry(), material, 1);
  mesh.setMatrixAt(0, new Matrix4().makeRotationZ(Math.PI / 4));
  new Scene().add(parent.add(mesh));
  physics.addMesh(mesh, 1, 0, 'hull');
  await advance(physics, 1);
  const [collider] = addedMany(mesh).collider;
  const drawn = new Matrix4();
  mesh.getMatrixAt(0, drawn);
  const points = drawnPoints(new Mesh(mesh.geometry)).map((point) => point.applyMatrix4(drawn));
  expect(colliderError(present(collider), points)).toBeLessThan(1e-4);
});

test('instances are moved by their index, also fixed ones, and the others stay', async () => {
  const physics = await start();
  const { mesh } = instances();
  physics.addMesh(mesh);
  await advance(physics, 2);
  physics.setMeshPosition(mesh, { x: 1, y: 2, z: 3 }, 1);
  await advance(physics, 2);
  expect(placeAt(mesh, 1).position.toArray()).toEqual([1, 2, 3]);
  expect(placeAt(mesh, 0).position.toArray()).toEqual([10, 5, 0]);
});

// Where rays meet instances: `three/instanced-bodies.test.ts`.
test('the body of a mesh, of an instance and of a child is found', async () => {
  const physics = await start();
  const { scene, mesh } = instances();
  const floor = boxMesh(50, 1, 50);
  const child = boxMesh(0.1);
  scene.add(floor.add(child));
  physics.addMesh(mesh, 1);
  physics.addMesh(floor);
  expect(physics.bodyOf({ object: mesh, instanceId: 1 })).toBe(addedMany(mesh).body[1]);
  for (const object of [floor, child]) expect(physics.bodyOf({ object })).toBe(added(floor).body);
  expect(physics.bodyOf({ object: scene })).toBeUndefined();
});

test('a terrain of heights lies around its mesh', async () => {
  const physics = await start();
  const mesh = new Mesh(new THREE.PlaneGeometry(), material);
  mesh.position.set(5, 2, 0);
  // The field rises along x, from 0 to 3.
  const heights = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3];
  const size = { x: 6, y: 1, z: 8 };
  const body = physics.addHeightfield(mesh, 2, 3, heights, size);
  expect([body.isFixed(), added(mesh).body]).toEqual([true, body]);
  const ball = ballMesh();
  ball.position.set(7.5, 8, 0);
  physics.addMesh(ball, 1);
  await advance(physics, 60);
  // At x = 2.5 of 6, its height is 2.75.
  expect(ball.position.y).toBeGreaterThan(2 + 2.75);
  expect(ball.position.y).toBeLessThan(2 + 2.75 + 1);
  expect(() => physics.addHeightfield(mesh, 3, 3, heights, size)).toThrow(
    /heights must have .* 16 numbers, but has 12/,
  );
});

/** As {@link advance}, with a frame before the ticks, which follows what was edited. */
async function follow(physics: MeshPhysics, ticks: number): Promise<void> {
  draw(physics);
  await advance(physics, ticks);
}

const NOT_FINITE = new THREE.Float32BufferAttribute([0, 0, 0, 0, 1, 0, Number.NaN, 0, 1], 3);

type Edit = readonly [edit: (mesh: THREE.Mesh) => void, half: number[]];
/** Edits of a box of 2 m, whose body has fallen, and half of its size then. Drawn trees have those of its points. */
const EDITS: Readonly<Record<string, Edit>> = {
  'another geometry': [(mesh) => void (mesh.geometry = new BoxGeometry(6, 2, 2)), [3, 1, 1]],
  'another scale': [(mesh) => mesh.scale.set(1, 1, 4), [1, 1, 4]],
  'a scale around it': [(mesh) => mesh.parent?.scale.setScalar(2), [2, 2, 2]],
  'points that are not finite': [
    ({ geometry }) => geometry.setAttribute('position', NOT_FINITE),
    [1, 1, 1],
  ],
  'an index without a point': [({ geometry }) => geometry.setIndex([0, 1, 99]), [1, 1, 1]],
};

test('the collider of a mesh follows what code makes of it, and keeps its settings', async () => {
  const said = warningsOfTest();
  const physics = await start();
  const meshes = Object.entries(EDITS).map(([name, [edit, half]], index) => {
    const mesh = Object.assign(boxMesh(2), { name });
    mesh.position.x = 20 * index;
    new Scene().add(new Group().add(mesh));
    physics.addMesh(mesh, 3, 0.25, 'cuboid');
    return { mesh, name, edit, half, body: added(mesh).body };
  });
  await advance(physics, 1);
  for (const { mesh, edit } of meshes) {
    added(mesh).collider.setFriction(0.125);
    edit(mesh);
  }
  await follow(physics, 1);
  for (const { mesh, name, half, body } of meshes) {
    const { collider } = added(mesh);
    const sizes = collider.shapeSizes().map((size) => Number(size.toFixed(3)));
    expect([name, sizes, added(mesh).body, body.numColliders()]).toEqual([name, half, body, 1]);
    expect([collider.friction(), collider.restitution()]).toEqual([0.125, 0.25]);
    expect(settingsOf(collider)?.mass).toBe(3);
  }
  expect(said().map((text) => text.replace(/ keeps.*/, ''))).toEqual(
    ['points that are not finite', 'an index without a point'].map(
      (name) => `betwixt: the Mesh "${name}"`,
    ),
  );
});

test('instances that are counted later get bodies, and those that are not lose theirs', async () => {
  const physics = await start();
  const { mesh } = instances();
  mesh.count = 0;
  physics.addMesh(mesh, 1);
  const { body } = addedMany(mesh);
  expect(body).toEqual([]);
  mesh.count = 1;
  await follow(physics, 30);
  const [first] = body;
  expect([body.length, first?.numColliders()]).toEqual([1, 1]);
  // One that has no size yet.
  mesh.setMatrixAt(1, new Matrix4().makeScale(0, 0, 0));
  mesh.count = 2;
  await follow(physics, 2);
  expect([body[1], first?.collider(0).isEnabled()]).toEqual([undefined, true]);
  mesh.geometry = mesh.geometry.clone();
  // Drawn within the scene now.
  mesh.setMatrixAt(1, new Matrix4().makeTranslation(40, 5, 0));
  mesh.count = 2;
  await follow(physics, 30);
  expect([body[0], body[1]?.translation().x]).toEqual([first, 40]);
  expect(placeAt(mesh, 1).position.x).toBeCloseTo(40, 3);
  expect(placeAt(mesh, 1).position.y).toBeLessThan(4.5);
  mesh.count = 1;
  await follow(physics, 2);
  expect([body, physics.world.bodies.len()]).toEqual([[first], 1]);
});

test('edits of meshes that change nothing are warned of once, and motions by the library are not', async () => {
  const said = warningsOfTest();
  const physics = await start();
  const meshes = new PlacedMeshes(physics.world, await physics.world.ready);
  watchMeshes(meshes);
  const [ball, wall, door, crate] = [ballMesh(), boxMesh(2), boxMesh(2), boxMesh(2)];
  const trees = new InstancedMesh(new BoxGeometry(), undefined, 2);
  const group = new Group().add(wall);
  const scene = new Scene().add(ball, group, door, crate, trees);
  for (const [name, mesh] of Object.entries({ ball, wall, door, crate, trees })) mesh.name = name;
  const settings = { mass: 1 };
  ball.userData['physics'] = { ...settings };
  meshes.addByUserData(ball, settings);
  crate.userData['physics'] = { mass: 0 };
  for (const mesh of [wall, door, crate, trees]) meshes.add(mesh, { mass: 0 });
  // Other than in its own data, which the call replaces.
  meshes.add(crate, { mass: 1 });
  const drawMeshes = async (frames: number): Promise<void> => {
    for (let frame = 0; frame < frames; frame++) {
      await advance(physics, 1);
      meshes.followChanges();
      meshes.update(draw(physics));
      scene.updateMatrixWorld();
    }
  };
  await drawMeshes(3);
  meshes.act(door, 0, 'be moved', (body) => body.setTranslation({ x: 5, y: 0, z: 0 }, true));
  await drawMeshes(4);
  expect(said()).toEqual([]);
  for (let times = 1; times <= 2; times++) {
    ball.position.x += 1;
    (ball.userData['physics'] as { mass: number }).mass += 1;
    await drawMeshes(1);
  }
  // A fixed mesh moves with what is around it. The next motion is warned of as if it were the first one.
  warned.delete('a mesh that was moved');
  group.position.x = 3;
  trees.setMatrixAt(1, new Matrix4().makeTranslation(1, 2, 3));
  trees.instanceMatrix.needsUpdate = true;
  await drawMeshes(2);
  scene.remove(door);
  await drawMeshes(2);
  expect(said()).toEqual(
    [
      'the Mesh "ball" was moved, and its body was not',
      'mass in userData.physics of the Mesh "ball" was changed after it was added',
      'the Mesh "wall" was moved, and its body was not',
      'the Mesh "trees" has other matrices of instances, and its body',
      'the Mesh "door" was removed from its scene, and its body was not',
    ].map((text) => expect.stringContaining(text) as unknown),
  );
});

/** Numbers of bodies and colliders, and of each mesh a size of its colliders, and which do not collide. */
function had(physics: MeshPhysics, meshes: readonly THREE.Mesh[]): string {
  const { bodies, colliders } = physics.world;
  const sizes = meshes.map((mesh) =>
    [added(mesh).collider].flat().map((each) => {
      const [size] = each.shapeSizes();
      return each.isValid() && each.isEnabled() ? size : `no ${size}`;
    }),
  );
  const named = sizes.map((all) => all.join(' and ')).join(', ');
  return `${bodies.len()} bodies, ${colliders.len()} colliders: ${named}`;
}

type Jump = (simulation: WorldHandle, tick: number, saved: SavedState) => Promise<unknown>;
const JUMPS: Readonly<Record<string, Jump>> = {
  'a seek': (simulation, tick) => simulation.seek(tick),
  'a restored state': (simulation, _, saved) => simulation.restore(saved),
  'a replay': async (simulation, tick) => {
    const replay = await simulation.openReplay(simulation.recording(), { tick });
    await replay.close();
  },
  'another worker': (simulation) => simulation.replaceWorker(),
};

test.each(Object.entries(JUMPS))(
  'after %s, meshes have the bodies and colliders that they are drawn with, once each',
  async (_, jump) => {
    const physics = await start({ ...RECORDED, ...NO_GRAVITY });
    const { mesh: many } = instances();
    const [box, later, gone, hidden] = [boxMesh(2), boxMesh(3), boxMesh(4), boxMesh(5)];
    for (const mesh of [box, many, gone, hidden]) physics.addMesh(mesh, 1, 0, 'cuboid');
    await advance(physics, 1);
    const simulation = await physics.world.ready;
    const saved = await simulation.save();
    const { tick } = saved;
    box.geometry.scale(2, 2, 2);
    many.count = 3;
    await follow(physics, 1);
    many.count = 1;
    many.geometry.scale(4, 4, 4);
    physics.removeMesh(gone);
    hidden.geometry.setDrawRange(0, 0);
    physics.addMesh(later, 1, 0, 'cuboid');
    await follow(physics, 1);
    const drawn = [box, later, hidden, many];
    const now = '4 bodies, 4 colliders: 2, 1.5, no 2.5, 2';
    expect(had(physics, drawn)).toBe(now);
    await jump(simulation, tick, saved);
    await eventually(() => {
      draw(physics);
      expect(had(physics, drawn)).toBe(now);
    });
    await follow(physics, 1);
    expect(had(physics, drawn)).toBe(now);
    box.geometry.scale(2, 2, 2);
    many.count = 2;
    hidden.geometry.setDrawRange(0, Infinity);
    await follow(physics, 1);
    const then = '5 bodies, 5 colliders: 4, 1.5, 2.5, 2 and 4';
    expect(had(physics, drawn)).toBe(then);
    // The worker has the same.
    await simulation.replaceWorker();
    await follow(physics, 1);
    expect(had(physics, drawn)).toBe(then);
    expect(simulation.bodies.size).toBe(5);
  },
);

test('while a replay is shown, nothing is made of meshes', async () => {
  const physics = await start({ ...RECORDED, ...NO_GRAVITY });
  const [box, other] = [boxMesh(2), boxMesh(2)];
  for (const mesh of [box, other]) physics.addMesh(mesh, 1, 0, 'cuboid');
  await advance(physics, 1);
  const simulation = await physics.world.ready;
  const { tick } = await simulation.save();
  box.geometry.scale(2, 2, 2);
  await follow(physics, 1);
  const replay = await simulation.openReplay(simulation.recording(), { tick });
  const shown = (sizes: readonly number[]) => {
    draw(physics);
    const all = physics.world.colliders.getAll().map((each) => each.shapeSizes()[0] ?? 0);
    expect(all.toSorted((a, b) => a - b)).toEqual(sizes);
  };
  await eventually(() => shown([1, 1]));
  for (const mesh of [box, other]) mesh.geometry.scale(2, 2, 2);
  shown([1, 1]);
  shown([1, 1]);
  await replay.close();
  await eventually(() => shown([2, 4]));
});

const named = (name: string, settings?: object): THREE.Mesh => {
  const mesh = boxMesh();
  if (settings !== undefined) mesh.userData['physics'] = settings;
  return Object.assign(mesh, { name });
};
const flat = named('flat');
flat.scale.y = 0;
const sheet = new Mesh(new THREE.PlaneGeometry(), material);

const REFUSED: readonly (readonly [(physics: MeshPhysics) => unknown, RegExp | string])[] = [
  [(to) => to.addMesh(new Group() as never), /a Group cannot be added: it is no mesh: .*traverse/],
  [() => shapeOf(new Group() as never), /must be a Mesh or a BufferGeometry, but is a Group/],
  [
    (to) => to.addMesh(new THREE.BatchedMesh(1, 24, 36, material)),
    'cannot be added: a BatchedMesh draws several geometries in one',
  ],
  [(to) => to.addMesh(new THREE.Points() as never), 'cannot be added: points have no surface'],
  [(to) => to.addMesh(new Mesh(new THREE.BufferGeometry())), /Mesh cannot be added: .*no position/],
  [(to) => to.addMesh(boxMesh().translateX(Number.NaN)), 'translation.x must be finite'],
  [(to) => to.addMesh(flat), /the Mesh "flat" cannot be added: scale\.y/],
  [(to) => to.addMesh(sheet, 1, 0, 'pieces'), /a PlaneGeometry has no such shape: vertices must/],
  [(to) => to.addMesh(boxMesh(), -1), /mass must be/],
  [(to) => to.addMesh(boxMesh(), 1, Number.NaN), /restitution/],
  [
    (to) => to.addScene(named('lid', { mas: 1 })),
    'unknown option "mas" of userData.physics of the Mesh "lid": did you mean "mass"?',
  ],
  [
    (to) => to.setMeshVelocity(named('crate'), at(0, 0)),
    'the Mesh "crate" has no physics: call addMesh before you move it',
  ],
  [(to) => to.update(Number.NaN), /frameMs/],
];

test('what is wrong with a mesh throws at the call, with its name and what to do', async () => {
  const physics = await start();
  for (const [call, message] of REFUSED) expect(() => call(physics)).toThrow(message);
  expect(physics.world.bodies.len()).toBe(0);
  const ball = named('ball', { mass: 1 });
  physics.addScene(ball);
  const again = named('again', { ...added(ball) });
  physics.addScene(again);
  expect(() => physics.setMeshPosition(ball, at(Number.NaN, 0))).toThrow(
    /^the Mesh "ball" cannot be moved: translation\.x must be finite/,
  );
  expect(() => physics.applyImpulse(ball, at(0, 0), 1)).toThrow(
    'index is 1, but the Mesh "ball" has 1 bodies, counted from 0',
  );
});

test('the simulation of meshes starts with the first frame, with all that was added until then', async () => {
  const physics = await start({ startPaused: false });
  const simulation = await physics.world.ready;
  expect(simulation.state).toBe('paused');
  const mesh = boxMesh();
  physics.addMesh(mesh, 1);
  await Promise.resolve();
  physics.addMesh(boxMesh(), 1);
  await eventually(() => {
    draw(physics);
    expect(mesh.position.y).toBeLessThan(-0.01);
  });
  const { entries } = simulation.recording();
  const batches = entries.filter(({ kind }) => kind === 'batch');
  expect(new Set(batches.map(({ tick }) => tick))).toEqual(new Set([1]));
});

test('a mesh whose shape is pieces stays where it is until they are there', async () => {
  const workers = piecesWorkers();
  const physics = await start({ transport: 'local', queries: true });
  const mesh = new Mesh(new THREE.TorusGeometry(1, 0.3, 8, 16), material);
  mesh.position.set(0, 5, 0);
  mesh.scale.set(2, 1, -1);
  mesh.userData['physics'] = { mass: 2, shape: 'pieces' };
  physics.addScene(new Scene().add(mesh));
  const { collider } = added(mesh);
  await advance(physics, 6);
  expect([mesh.position.y, collider.shape.isReady]).toEqual([5, false]);
  await (await workers.next()).answer();
  await collider.shape.ready;
  const inside = [at(0, 5), at(2, 5), at(0, 6)].map((point) => collider.containsPoint(point));
  expect(inside).toEqual([false, true, true]);
  mesh.geometry = new THREE.TorusGeometry(3, 0.3, 8, 16);
  draw(physics);
  expect(added(mesh).collider).toBe(collider);
  await (await workers.next()).answer();
  await shapeOf(mesh, 'pieces').shape.ready;
  draw(physics);
  expect([collider.isValid(), added(mesh).collider.shape.isReady]).toEqual([false, true]);
});
