/** A frame in three.js: matrices of dense instances, their uploads, and objects made for bodies that come. */
import {
  BoxGeometry,
  Color,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Object3D,
  Quaternion,
  Vector3,
} from 'three';
import { beforeEach, expect, test } from 'vitest';
import { Frame } from '../../../src/render-main/frame/frame.js';
import { BodyBinding, InstancedBodies } from '../../../src/three/index.js';
import type { BodyEvent } from '../../../src/shared/events/simulation-event.js';
import { bodyId, type BodyId } from '../../../src/shared/memory/body-meta.js';
import { frameOf } from '../../fixtures/pair-frame.js';
import { poseAt } from '../../fixtures/poses.js';
import { axisAngle } from '../../fixtures/quaternions.js';
import { makePair, rotatedPose } from '../../fixtures/state-pair.js';

/** Three bodies that move and turn from one state to the next; the frame is a quarter between the two. */
const { pair, made: ids } = makePair(
  3,
  (bodies) => [0, 1, 2].map((x) => bodies.spawn(poseAt(10 * x))),
  (bodies, moved) => {
    for (const [index, id] of moved.entries()) {
      const turned = rotatedPose(axisAngle(1, 2, 3, 1 + index), 10 * index + 4, 8, -4);
      const { x, y, z, qx, qy, qz, qw } = turned;
      bodies.setPose(id, x, y, z, qx, qy, qz, qw);
    }
  },
);
const frame = frameOf({ ...pair, blend: 0.25 });
const [A, B, C] = ids as [BodyId, BodyId, BodyId];

function open(instances: number) {
  const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), instances);
  return { mesh, instanced: new InstancedBodies(mesh) };
}

/** Position, rotation and scale of an instance, decomposed from its matrix by three.js. */
function partsOf(mesh: InstancedMesh, instance: number) {
  const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  const matrix = new Matrix4();
  mesh.getMatrixAt(instance, matrix);
  matrix.decompose(position, rotation, scale);
  return { position: position.toArray(), rotation, scale: scale.toArray() };
}

const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 5));

test('instances are drawn where the sampled poses are, each with its scale', () => {
  const { mesh, instanced } = open(3);
  for (const [index, id] of ids.entries()) instanced.add(id, [1, 2, 3 + index]);
  instanced.update(frame);
  for (const [index, id] of ids.entries()) {
    const pose = frame.pose(id, new Float64Array(7)) ?? new Float64Array(0);
    const { position, rotation, scale } = partsOf(mesh, index);
    expect(position).toEqual(close([...pose.subarray(0, 3)]));
    expect(scale).toEqual(close([1, 2, 3 + index]));
    expect(rotation.angleTo(new Quaternion(...pose.subarray(3)))).toBeLessThan(1e-3);
  }
  // Between the two states, and at neither.
  expect(partsOf(mesh, 0).position).toEqual([1, 2, -1]);
});

test('instances of dead bodies have no area, also when another body has the slot', () => {
  for (const isReplaced of [false, true]) {
    const { pair: later, made } = makePair(
      2,
      (bodies) => [bodies.spawn(poseAt(1)), bodies.spawn(poseAt(2))] as const,
      (bodies, [, second]) => {
        bodies.despawn(second);
        if (isReplaced) bodies.spawn(poseAt(50));
      },
    );
    const { mesh, instanced } = open(2);
    for (const id of made) instanced.add(id);
    instanced.update(frameOf({ ...later, blend: 1 }));
    const matrix = new Matrix4();
    const areas = [0, 1].map((at) => (mesh.getMatrixAt(at, matrix), matrix.determinant()));
    expect(areas).toEqual(close([1, 0]));
  }
});

test('instances stay dense: the last one replaces a removed one, with scale and colour', () => {
  const { mesh, instanced } = open(3);
  mesh.setColorAt(0, new Color());
  const colors = mesh.instanceColor?.array;
  if (colors === undefined) throw new Error('no colours');
  colors.set([1, 1, 1, 2, 2, 2, 3, 3, 3]);
  const colorVersion = mesh.instanceColor?.version ?? 0;
  for (const [index, id] of ids.entries()) instanced.add(id, [index + 1, 1, 1]);
  expect(instanced.remove(A)).toBe(true);
  instanced.update(frame);
  expect([instanced.bodyAt(0), instanced.bodyAt(1)]).toEqual([C, B]);
  expect(partsOf(mesh, 0).scale[0]).toBeCloseTo(3, 5);
  expect(partsOf(mesh, 0).position[0]).toBeCloseTo(21, 5);
  expect(partsOf(mesh, 1).scale[0]).toBeCloseTo(2, 5);
  expect(colors.slice(0, 6)).toEqual(Float32Array.of(3, 3, 3, 2, 2, 2));
  expect(mesh.instanceColor?.version).toBeGreaterThan(colorVersion);
  // The one that was moved is found at its new index.
  expect(instanced.remove(C)).toBe(true);
  expect(instanced.bodyAt(0)).toBe(B);
  expect(instanced.remove(C)).toBe(false);
  expect(instanced.count).toBe(1);
});

test('a body has one instance, however often it is added, and none if all are in use', () => {
  const { mesh, instanced } = open(2);
  expect([instanced.add(A), instanced.add(B)]).toEqual([0, 1]);
  expect(() => instanced.add(C)).toThrow(/all 2 instances/);
  expect(instanced.remove(C)).toBe(false);
  // The mesh is full, and the body is already in it.
  expect(instanced.add(A, [1, 2, 3])).toBe(0);
  expect(instanced.count).toBe(2);
  instanced.update(frame);
  expect(partsOf(mesh, 0).scale).toEqual(close([1, 2, 3]));
  expect([instanced.remove(A), instanced.remove(A)]).toEqual([true, false]);
  expect([instanced.count, instanced.bodyAt(0)]).toEqual([1, B]);
});

test('instances are uploaded with every frame, and only the drawn ones', () => {
  const { mesh, instanced } = open(5);
  const { instanceMatrix } = mesh;
  const { version } = instanceMatrix;
  instanced.update(frame);
  // A new mesh of three.js draws all of its instances, at the origin.
  expect(mesh.count).toBe(0);
  // An empty range would mean the whole array.
  expect(instanceMatrix.version).toBe(version);
  for (const id of ids) instanced.add(id);
  instanced.update(frame);
  instanced.update(frame);
  expect(instanceMatrix.version).toBe(version + 2);
  expect(instanceMatrix.updateRanges).toEqual([{ start: 0, count: 3 * 16 }]);
  const [range] = instanceMatrix.updateRanges;
  // As the renderer does after an upload. The range is always the same object, in a list that is
  // never empty.
  instanceMatrix.clearUpdateRanges();
  expect(instanceMatrix.updateRanges[0]).toBe(range);
  instanced.remove(A);
  instanced.update(frame);
  expect([mesh.count, instanced.bodyAt(1), instanced.bodyAt(2)]).toEqual([2, B, undefined]);
  expect(instanceMatrix.updateRanges).toEqual([{ start: 0, count: 2 * 16 }]);
  expect(instanceMatrix.updateRanges[0]).toBe(range);
  // A range added by the application is uploaded once.
  instanceMatrix.addUpdateRange(64, 16);
  instanceMatrix.clearUpdateRanges();
  expect(instanceMatrix.updateRanges).toEqual([range]);
  // The mesh's bounds are those of the first frame, so three.js may not leave it out by them.
  expect(mesh.frustumCulled).toBe(false);
  for (const id of [B, C]) instanced.remove(id);
  instanced.update(frame);
  expect([mesh.count, instanceMatrix.version]).toEqual([0, version + 3]);
});

test('removing a body or clearing the binding leaves objects and meshes to their owner', () => {
  const binding = new BodyBinding();
  const { mesh } = open(3);
  const instanced = binding.instances(mesh);
  expect(mesh.instanceMatrix.updateRanges).toHaveLength(1);
  const objects = ids.map((id) => {
    const object = new Object3D();
    binding.attach(object, id);
    return object;
  });
  instanced.add(A);
  expect([binding.remove(A), binding.remove(A)]).toEqual([true, false]);
  binding.update(frame);
  expect(instanced.count).toBe(0);
  expect(objects.map(({ position }) => position.x)).toEqual([0, 11, 21]);
  binding.clear();
  for (const { position } of objects) position.set(0, 0, 0);
  binding.update(frame);
  expect(objects.map(({ position }) => position.x)).toEqual([0, 0, 0]);
  expect(mesh.instanceMatrix.updateRanges).toEqual([]);
  mesh.instanceMatrix.addUpdateRange(0, 16);
  mesh.instanceMatrix.clearUpdateRanges();
  expect(mesh.instanceMatrix.updateRanges).toEqual([]);
});

type Handler = (event: BodyEvent<string>) => void;

/** Bodies that a test makes come and go. */
class FakeSource {
  readonly bodies = new Map<BodyId, string>();
  readonly #handlers = { spawn: new Set<Handler>(), despawn: new Set<Handler>() };

  on(name: 'spawn' | 'despawn', handler: Handler): () => void {
    this.#handlers[name].add(handler);
    return () => void this.#handlers[name].delete(handler);
  }

  spawn(id: BodyId, tag: string): void {
    this.bodies.set(id, tag);
    for (const handle of this.#handlers.spawn) handle({ id, tag, tick: 1 });
  }

  despawn(id: BodyId): void {
    const tag = this.bodies.get(id) ?? '';
    this.bodies.delete(id);
    for (const handle of this.#handlers.despawn) handle({ id, tag, tick: 1 });
  }
}

const [X, Y, Z] = [bodyId(0, 1), bodyId(1, 1), bodyId(2, 1)] as const;
let source: FakeSource;
let binding: BodyBinding;
let parent: Object3D;
let removed: unknown[];
let instances: InstancedBodies;
let end: () => void;

beforeEach(() => {
  source = new FakeSource();
  binding = new BodyBinding();
  parent = new Object3D();
  removed = [];
  instances = binding.instances(open(2).mesh);
  source.spawn(X, 'object');
  end = binding.populate(
    source,
    (tag, id) => {
      if (tag === 'instance') return instances;
      if (tag === 'large') return { instances, scale: [2, 3, 4], color: new Color('red') };
      return tag === 'none' ? undefined : Object.assign(new Object3D(), { name: `${tag} ${id}` });
    },
    { parent, onRemove: (object, id) => removed.push([object.name, id]) },
  );
});

const children = (): string[] => parent.children.map(({ name }) => name);

test('populate draws the bodies that live, and those that come, until they go', () => {
  source.spawn(Y, 'object');
  source.spawn(Z, 'none');
  expect(children()).toEqual([`object ${X}`, `object ${Y}`]);
  expect(parent.children.some(({ visible }) => visible)).toBe(false);
  source.despawn(X);
  source.despawn(Z);
  expect(children()).toEqual([`object ${Y}`]);
  expect(removed).toEqual([[`object ${X}`, X]]);
  expect([binding.remove(X), binding.remove(Y)]).toEqual([false, true]);
});

test('populate draws instances, with a scale and a color, and reuses those of bodies that are gone', () => {
  source.spawn(Y, 'instance');
  source.spawn(Z, 'large');
  expect([instances.bodyAt(0), instances.bodyAt(1)]).toEqual([Y, Z]);
  const color = new Color();
  instances.mesh.getColorAt(1, color);
  expect(color.getHexString()).toBe('ff0000');
  source.despawn(Y);
  source.spawn(bodyId(1, 2), 'instance');
  expect(instances.count).toBe(2);
});

test.each(['the function that it returned', 'clear'])('populate is ended by %s', (how) => {
  source.spawn(Y, 'instance');
  if (how === 'clear') binding.clear();
  else end();
  source.spawn(Z, 'object');
  expect([children(), instances.count]).toEqual([[], 0]);
  expect(removed).toEqual([[`object ${X}`, X]]);
});

function drawnUnlessBad(tag: string): Object3D {
  if (tag === 'bad') throw new Error('there is no such shape');
  return new Object3D();
}

test('populate draws nothing if a body that lives already cannot be drawn', () => {
  source.bodies.set(Y, 'bad');
  const populate = () => new BodyBinding().populate(source, drawnUnlessBad, { parent });
  expect(populate).toThrow('there is no such shape');
  expect(children()).toEqual([`object ${X}`]);
});

test('populate asks for the simulation if it is given a world', () => {
  const world = { bodies: [], on: () => () => {} };
  const populate = () => new BodyBinding().populate(world as never, drawnUnlessBad);
  expect(populate).toThrow('populate() needs the simulation, which world.ready');
});

test('populate leaves an object to the body that it was last returned for', () => {
  const shared = new Object3D();
  new BodyBinding().populate(source, () => shared, { parent });
  source.spawn(Y, 'object');
  expect(parent.children).toContain(shared);
  source.despawn(X);
  expect(parent.children).toContain(shared);
  source.despawn(Y);
  expect(parent.children).not.toContain(shared);
});

test('populate leaves the visibility of objects alone if asked', () => {
  const object = new Object3D();
  const other = new BodyBinding();
  other.populate(source, () => object, { keepVisible: true });
  expect(object.visible).toBe(true);
  other.update(new Frame());
  expect(object.visible).toBe(true);
});
