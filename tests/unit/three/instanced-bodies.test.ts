/** Instances in an order that the application gives, and where instances are drawn when their mesh is not at the origin. */
import {
  BoxGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Object3D,
  Quaternion,
  Raycaster,
  Scene,
  Vector3,
} from 'three';
import { expect, test } from 'vitest';
import { BodyBinding, OrderedBodies } from '../../../src/three/index.js';
import { bodyId, type BodyId } from '../../../src/shared/memory/body-meta.js';
import { frameAt, frameOf } from '../../fixtures/pair-frame.js';
import { poseAt } from '../../fixtures/poses.js';
import { axisAngle } from '../../fixtures/quaternions.js';
import { makePair, rotatedPose } from '../../fixtures/state-pair.js';

const POSES = [0, 1, 2, 3].map((x) => rotatedPose(axisAngle(1, 2, 3, 1 + x), 10 * x + 1, 2, 3));
const { frame, ids } = frameAt(POSES);
const [A, B, C, D] = ids as [BodyId, BodyId, BodyId, BodyId];
/** No body has it. */
const GONE = bodyId(1, 900);

const meshOf = (instances: number): InstancedMesh =>
  new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), instances);

function matrixAt(mesh: InstancedMesh, instance: number): Matrix4 {
  const matrix = new Matrix4();
  mesh.getMatrixAt(instance, matrix);
  return matrix;
}

/** The bodies that instances show: their numbers, or undefined where nothing has an area. */
const shown = (mesh: InstancedMesh): (number | undefined)[] =>
  Array.from({ length: mesh.instanceMatrix.count }, (_, instance) => {
    const matrix = matrixAt(mesh, instance);
    return matrix.determinant() === 0 ? undefined : Math.floor((matrix.elements[12] ?? 0) / 10);
  });

test('instances in order are the bodies of the list, with holes where it has none or they do not live', () => {
  const mesh = meshOf(6);
  new BodyBinding().instancesInOrder(mesh, [C, undefined, A, GONE, B]).update(frame);
  expect(shown(mesh)).toEqual([2, undefined, 0, undefined, 1, undefined]);
  expect(mesh.count).toBe(6);
});

test('instances in order have holes even where a body has the number 0', () => {
  const { pair, made } = makePair(
    1,
    (bodies) => {
      let id = bodies.spawn(poseAt(5));
      // Until its slot has had all numbers of owners, and they begin again.
      while (id !== 0) {
        bodies.despawn(id);
        id = bodies.spawn(poseAt(5));
      }
      return id;
    },
    () => {},
  );
  const mesh = meshOf(2);
  const bodies = new OrderedBodies(mesh, [made, made]);
  bodies.update(frameOf(pair));
  bodies.ids = [undefined, made];
  bodies.update(frameOf(pair));
  expect(shown(mesh)).toEqual([undefined, 0]);
});

test('an instance in order draws its body as a dense one does', () => {
  const [mesh, other] = [meshOf(4), meshOf(4)];
  const binding = new BodyBinding();
  binding.instancesInOrder(mesh, [A, B, C, D], [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1, 1]);
  const instances = binding.instances(other);
  for (const [index, id] of [A, B, C].entries()) {
    instances.add(id, [3 * index + 1, 3 * index + 2, 3 * index + 3]);
  }
  instances.add(D);
  binding.update(frame);
  expect(mesh.instanceMatrix.array).toEqual(other.instanceMatrix.array);
});

test('instances in order follow the list when it changes', () => {
  const mesh = meshOf(3);
  const binding = new BodyBinding();
  const list: (BodyId | undefined)[] = [A, B, C];
  const bodies = binding.instancesInOrder(mesh, list);
  binding.update(frame);
  list[0] = undefined;
  binding.update(frame);
  expect(shown(mesh)).toEqual([undefined, 1, 2]);
  list.length = 2;
  binding.update(frame);
  expect(shown(mesh)).toEqual([undefined, 1, undefined]);
  bodies.ids = [D, C, D];
  bodies.scales = new Float32Array(9).fill(2);
  binding.update(frame);
  expect(shown(mesh)).toEqual([3, 2, 3]);
  expect(matrixAt(mesh, 1).determinant()).toBeCloseTo(8, 4);
  // The mesh's bodies are the list's, not the binding's.
  expect(binding.remove(D)).toBe(false);
  binding.update(frame);
  expect(shown(mesh)).toEqual([3, 2, 3]);
});

test('instances in order are as many as the mesh says, and only those are written and uploaded', () => {
  const mesh = meshOf(4);
  const binding = new BodyBinding();
  binding.instancesInOrder(mesh, [D, C, B, D]);
  mesh.count = 2;
  const { version } = mesh.instanceMatrix;
  binding.update(frame);
  expect(mesh.count).toBe(2);
  // The others are as three.js makes them.
  expect(shown(mesh)).toEqual([3, 2, 0, 0]);
  expect(mesh.instanceMatrix.updateRanges).toEqual([{ start: 0, count: 32 }]);
  expect(mesh.instanceMatrix.version).toBe(version + 1);
  mesh.count = 0;
  binding.update(frame);
  expect(mesh.instanceMatrix.version).toBe(version + 1);
});

test('instances in order without a body keep their matrices, if wanted', () => {
  const mesh = meshOf(4);
  for (let index = 0; index < 4; index++) {
    mesh.setMatrixAt(index, new Matrix4().makeTranslation(10 * index + 70, 0, 0));
  }
  const list = [undefined, A, GONE];
  const binding = new BodyBinding();
  binding.instancesInOrder(mesh, list, undefined, { keepOthers: true });
  binding.update(frame);
  expect(shown(mesh)).toEqual([7, 0, 9, 10]);
  list[1] = undefined;
  binding.update(frame);
  expect(shown(mesh)).toEqual([7, 0, 9, 10]);
});

test('bodies are found by rays wherever they are, as instances and as objects', () => {
  const mesh = meshOf(4);
  const binding = new BodyBinding();
  binding.instancesInOrder(mesh, [D, C]);
  // Bounds that are computed before the bodies move are of no use.
  mesh.computeBoundingSphere();
  const [object, child, dense] = [new Object3D(), new Object3D(), meshOf(1)];
  binding.attach(object.add(child), B);
  binding.instances(dense).add(A);
  binding.update(frame);
  const at = new Vector3().setFromMatrixPosition(matrixAt(mesh, 1));
  const ray = new Raycaster(at.clone().setZ(50), new Vector3(0, 0, -1));
  const [hit] = ray.intersectObject(mesh);
  expect(hit && binding.bodyOf(hit)).toBe(C);
  expect(binding.bodyOf({ object: dense, instanceId: 0 })).toBe(A);
  expect(binding.bodyOf({ object: child })).toBe(B);
  expect(binding.bodyOf({ object: new Object3D() })).toBeUndefined();
  binding.detach(mesh);
  expect(mesh.boundingSphere).toBeNull();
});

test('instances in order refuse lists that do not fit, at once and in an update', () => {
  const mesh = meshOf(2);
  expect(() => new OrderedBodies(mesh, [A, B, C])).toThrow(RangeError);
  expect(() => new OrderedBodies(mesh, [A, B, C])).toThrow(
    'the mesh has 2 instances, too few for 3 bodies',
  );
  expect(() => new OrderedBodies(mesh, [A, B], [1, 1, 1])).toThrow(
    'scales must have 3 numbers for each of 2 bodies, but has 3',
  );
  // A mesh that was refused stays as it is.
  expect(mesh.matrixWorldAutoUpdate).toBe(true);
  const bodies = new OrderedBodies(mesh, [A]);
  bodies.ids = [A, B, C];
  expect(() => bodies.update(frame)).toThrow(RangeError);
});

/** Where an instance is drawn, within the scene. */
function drawnMatrix(mesh: InstancedMesh, instance: number): Matrix4 {
  let top: Object3D = mesh;
  while (top.parent !== null) top = top.parent;
  top.updateMatrixWorld();
  const within = top.matrixWorld.clone().invert();
  return within.multiply(mesh.matrixWorld).multiply(matrixAt(mesh, instance));
}

function expectAtBodies(mesh: InstancedMesh): void {
  for (const [instance, { x, y, z, qx, qy, qz, qw }] of POSES.entries()) {
    const turned = new Matrix4().makeRotationFromQuaternion(new Quaternion(qx, qy, qz, qw));
    const wanted = turned.setPosition(x, y, z).elements.map((value) => expect.closeTo(value, 5));
    expect(drawnMatrix(mesh, instance).elements).toEqual(wanted);
  }
}

const kinds = ['in order', 'dense'] as const;

function drawn(kind: (typeof kinds)[number]) {
  const scene = new Scene();
  const group = new Group();
  const mesh = meshOf(4);
  scene.add(group);
  group.add(mesh);
  const binding = new BodyBinding();
  if (kind === 'in order') {
    binding.instancesInOrder(mesh, [A, B, C, D]);
  } else {
    const instances = binding.instances(mesh);
    for (const id of [A, B, C, D]) instances.add(id);
  }
  return { scene, group, mesh, binding };
}

test.each(kinds)(
  'a mesh of instances %s may be moved, turned and scaled, and the bodies stay at their poses',
  (kind) => {
    const { group, mesh, binding } = drawn(kind);
    for (const [x, y, z] of [
      [2, 3, 4],
      [-1, 1, 1],
      [0, 1, 1],
    ] as const) {
      for (const object of [group, mesh]) {
        object.position.set(1e7, 2, 3);
        object.rotation.set(1, 2, 3);
        object.scale.set(x, y, z);
      }
      binding.update(frame);
      expectAtBodies(mesh);
    }
  },
);

test.each(kinds)('a mesh of instances %s moves with the scene', (kind) => {
  const { scene, mesh, binding } = drawn(kind);
  scene.position.set(4, 5, 6);
  scene.rotation.set(1, 2, 3);
  scene.scale.set(2, 2, 2);
  binding.update(frame);
  expectAtBodies(mesh);
  expect(mesh.matrixWorld.equals(scene.matrixWorld)).toBe(true);
  mesh.removeFromParent();
  binding.update(frame);
  expectAtBodies(mesh);
});

test.each(kinds)(
  'a mesh of instances %s belongs to its owner again when it is detached',
  (kind) => {
    const { scene, group, mesh, binding } = drawn(kind);
    group.position.set(1, 2, 3);
    binding.update(frame);
    scene.updateMatrixWorld();
    expect(mesh.matrixWorld.equals(scene.matrixWorld)).toBe(true);
    // Nothing else makes three.js compute it again.
    for (const object of [scene, group, mesh]) object.matrixAutoUpdate = false;
    const { version } = mesh.instanceMatrix;
    expect([binding.detach(mesh), binding.detach(mesh)]).toEqual([true, false]);
    binding.update(frame);
    expect(mesh.instanceMatrix.version).toBe(version);
    expect(mesh.instanceMatrix.updateRanges).toEqual([]);
    scene.updateMatrixWorld();
    expect(mesh.matrixWorld.equals(group.matrixWorld)).toBe(true);
  },
);
