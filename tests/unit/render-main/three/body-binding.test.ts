/**
 * What three.js receives for a frame: matrices of instances, positions of single objects, and
 * nothing for unused slots.
 */
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
import { beforeEach, describe, expect, test } from 'vitest';
import { ReusedFrame } from '../../../../src/render-main/frame/reused-frame.js';
import { BodyBinding, InstancedBodies } from '../../../../src/render-main/three/index.js';
import type { BodyEvent } from '../../../../src/shared/events/simulation-event.js';
import { bodyId, type BodyId } from '../../../../src/shared/memory/body-meta.js';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import { Schedule } from '../../../../src/shared/time/schedule.js';
import { SnapshotReader } from '../../../../src/shared/memory/snapshot-reader.js';
import { SnapshotWriter } from '../../../../src/sim-worker/bodies/snapshot-writer.js';
import { Timeline } from '../../../../src/render-main/frame/timeline.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import { poseAt } from '../../../fixtures/poses.js';
import { axisAngle } from '../../../fixtures/quaternions.js';
import { rotatedPose } from '../../../fixtures/state-pair.js';

const CAPACITY = 8;
/** Where the frames are between the two states. */
const ALPHA = 0.25;

let bodies: BodyRegistry;
let writer: SnapshotWriter;
let schedule: Schedule;
let reader: SnapshotReader;
let tick: number;

beforeEach(() => {
  const views = createBuffer(CAPACITY, 2);
  bodies = new BodyRegistry(CAPACITY);
  writer = new SnapshotWriter(views, bodies);
  reader = new SnapshotReader(views);
  schedule = new Schedule(60);
  tick = -1;
});

function publish(): void {
  tick += 1;
  const stamp = {
    tick,
    virtualMs: schedule.dueVirtualMs(tick),
    simulatedSeconds: tick / 60,
    latenessMs: 0,
  };
  writer.publishState(stamp, schedule);
  bodies.beginState(writer.nextState);
}

/** A frame between the last two published states. */
function frameNow(): ReusedFrame {
  reader.fetch();
  const frame = new ReusedFrame();
  const { slot } = reader;
  const capacity = slot.stateHeaders.length;
  const placed = {
    ...new Timeline().frame,
    hasState: true,
    previous: (tick + capacity - 1) % capacity,
    current: tick % capacity,
    alpha: ALPHA,
    blend: ALPHA,
  };
  frame.set(slot, placed);
  return frame;
}

const meshOf = (instances: number): InstancedMesh =>
  new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), instances);

function matrixAt(mesh: InstancedMesh, instance: number): Matrix4 {
  const matrix = new Matrix4();
  mesh.getMatrixAt(instance, matrix);
  return matrix;
}

/** Position, rotation and scale of an instance, decomposed from its matrix by three.js. */
function partsOf(mesh: InstancedMesh, instance: number) {
  const position = new Vector3();
  const rotation = new Quaternion();
  const scale = new Vector3();
  matrixAt(mesh, instance).decompose(position, rotation, scale);
  return { position: position.toArray(), rotation, scale: scale.toArray() };
}

/** Three bodies that move and turn from one state to the next; the frame is between the two. */
function threeMoved(): { ids: BodyId[]; frame: ReusedFrame } {
  const ids = [0, 1, 2].map((x) => bodies.spawn(poseAt(10 * x)));
  publish();
  for (const [index, id] of ids.entries()) {
    const { x, y, z, qx, qy, qz, qw } = rotatedPose(
      axisAngle(1, 2, 3, 1 + index),
      10 * index + 4,
      8,
      -4,
    );
    bodies.setPose(id, x, y, z, qx, qy, qz, qw);
  }
  publish();
  return { ids, frame: frameNow() };
}

const idAt = (ids: readonly BodyId[], index: number): BodyId => ids[index] as BodyId;

describe('instances', () => {
  test('are drawn where the sampled poses are, each with its own scale', () => {
    const { ids, frame } = threeMoved();
    const mesh = meshOf(3);
    const instanced = new InstancedBodies(mesh);
    for (const [index, id] of ids.entries()) instanced.add(id, [1, 2, 3 + index]);
    instanced.update(frame);
    const pose = new Float64Array(7);
    for (const [index, id] of ids.entries()) {
      expect(frame.pose(id, pose)).toBe(pose);
      const { position, rotation, scale } = partsOf(mesh, index);
      for (const axis of [0, 1, 2]) {
        expect(position[axis]).toBeCloseTo(pose[axis] ?? Number.NaN, 5);
        expect(scale[axis]).toBeCloseTo([1, 2, 3 + index][axis] ?? Number.NaN, 5);
      }
      const sampled = new Quaternion(pose[3], pose[4], pose[5], pose[6]);
      expect(rotation.angleTo(sampled)).toBeLessThan(1e-3);
    }
    // Between the two states, and at neither.
    expect(partsOf(mesh, 0).position).toEqual([1, 2, -1]);
  });

  test('that are not used are not drawn', () => {
    const { ids, frame } = threeMoved();
    const mesh = meshOf(5);
    const instanced = new InstancedBodies(mesh);
    // Before the first body, too: a new mesh draws all of its instances, at the origin.
    expect(mesh.count).toBe(0);
    instanced.add(idAt(ids, 0));
    instanced.add(idAt(ids, 1));
    instanced.update(frame);
    expect(mesh.count).toBe(2);
    expect(instanced.count).toBe(2);
    expect(instanced.bodyAt(1)).toBe(ids[1]);
    expect(instanced.bodyAt(2)).toBeUndefined();
    instanced.remove(idAt(ids, 0));
    instanced.update(frame);
    expect(mesh.count).toBe(1);
    expect(instanced.bodyAt(1)).toBeUndefined();
  });

  test('of dead bodies have no area, and appear with their bodies', () => {
    const { ids } = threeMoved();
    const mesh = meshOf(3);
    const instanced = new InstancedBodies(mesh);
    for (const id of ids) instanced.add(id);
    bodies.despawn(idAt(ids, 1));
    publish();
    publish();
    instanced.update(frameNow());
    expect(matrixAt(mesh, 0).determinant()).toBeCloseTo(1, 5);
    expect(matrixAt(mesh, 1).determinant()).toBe(0);
    expect(matrixAt(mesh, 2).determinant()).toBeCloseTo(1, 5);
    // The slot's next owner is another body: the id of the old one does not draw it.
    bodies.spawn(poseAt(50));
    publish();
    publish();
    instanced.update(frameNow());
    expect(matrixAt(mesh, 1).determinant()).toBe(0);
  });

  test('stay dense: the last one replaces a removed one, with scale and colour', () => {
    const { ids, frame } = threeMoved();
    const mesh = meshOf(3);
    mesh.setColorAt(0, new Color());
    const colors = mesh.instanceColor?.array;
    if (colors === undefined) throw new Error('no colours');
    colors.set([1, 1, 1, 2, 2, 2, 3, 3, 3]);
    const colorVersion = mesh.instanceColor?.version ?? 0;
    const instanced = new InstancedBodies(mesh);
    for (const [index, id] of ids.entries()) instanced.add(id, [index + 1, 1, 1]);
    expect(instanced.remove(idAt(ids, 0))).toBe(true);
    instanced.update(frame);
    expect([instanced.bodyAt(0), instanced.bodyAt(1)]).toEqual([ids[2], ids[1]]);
    expect(partsOf(mesh, 0).scale[0]).toBeCloseTo(3, 5);
    expect(partsOf(mesh, 0).position[0]).toBeCloseTo(21, 5);
    expect(partsOf(mesh, 1).scale[0]).toBeCloseTo(2, 5);
    expect(colors.slice(0, 6)).toEqual(Float32Array.of(3, 3, 3, 2, 2, 2));
    expect(mesh.instanceColor?.version).toBeGreaterThan(colorVersion);
    // The one that was moved is found at its new index.
    expect(instanced.remove(idAt(ids, 2))).toBe(true);
    expect(instanced.bodyAt(0)).toBe(ids[1]);
    expect(instanced.remove(idAt(ids, 2))).toBe(false);
    expect(instanced.count).toBe(1);
  });

  test('that do not fit are refused, and the others stay', () => {
    const { ids } = threeMoved();
    const instanced = new InstancedBodies(meshOf(2));
    expect(instanced.add(idAt(ids, 0))).toBe(0);
    expect(instanced.add(idAt(ids, 1))).toBe(1);
    expect(() => instanced.add(idAt(ids, 2))).toThrow(RangeError);
    expect(() => instanced.add(idAt(ids, 2))).toThrow(/all 2 instances/);
    expect(instanced.count).toBe(2);
    expect(instanced.remove(idAt(ids, 2))).toBe(false);
  });

  test('are uploaded with every frame, and only the drawn ones', () => {
    const { ids, frame } = threeMoved();
    const mesh = meshOf(5);
    const instanced = new InstancedBodies(mesh);
    for (const id of ids) instanced.add(id);
    const { instanceMatrix } = mesh;
    const { version } = instanceMatrix;
    instanced.update(frame);
    instanced.update(frame);
    expect(instanceMatrix.version).toBe(version + 2);
    expect(instanceMatrix.updateRanges).toEqual([{ start: 0, count: 3 * 16 }]);
    const [range] = instanceMatrix.updateRanges;
    // As the renderer does after an upload. The range is always the same object, in a list that is
    // never empty.
    instanceMatrix.clearUpdateRanges();
    expect(instanceMatrix.updateRanges[0]).toBe(range);
    instanced.remove(idAt(ids, 0));
    instanced.update(frame);
    expect(instanceMatrix.updateRanges).toEqual([{ start: 0, count: 2 * 16 }]);
    expect(instanceMatrix.updateRanges[0]).toBe(range);
    // A range added by the application is uploaded once.
    instanceMatrix.addUpdateRange(64, 16);
    instanceMatrix.clearUpdateRanges();
    expect(instanceMatrix.updateRanges).toEqual([range]);
    // Its bounds are those of the first frame, so three.js may not leave it out by them.
    expect(mesh.frustumCulled).toBe(false);
  });

  test('are not uploaded when there are none: an empty range would mean the whole array', () => {
    const { ids, frame } = threeMoved();
    const mesh = meshOf(3);
    const instanced = new InstancedBodies(mesh);
    const { version } = mesh.instanceMatrix;
    instanced.update(frame);
    expect(mesh.instanceMatrix.version).toBe(version);
    instanced.add(idAt(ids, 0));
    instanced.update(frame);
    instanced.remove(idAt(ids, 0));
    instanced.update(frame);
    expect([mesh.count, mesh.instanceMatrix.version]).toEqual([0, version + 1]);
  });

  test('exist once per body, however often the body is added', () => {
    const { ids, frame } = threeMoved();
    const mesh = meshOf(2);
    const instanced = new InstancedBodies(mesh);
    expect(instanced.add(idAt(ids, 0))).toBe(0);
    expect(instanced.add(idAt(ids, 1))).toBe(1);
    // The mesh is full, and the body is already in it.
    expect(instanced.add(idAt(ids, 0), [1, 2, 3])).toBe(0);
    expect(instanced.count).toBe(2);
    instanced.update(frame);
    const { scale } = partsOf(mesh, 0);
    for (const axis of [0, 1, 2]) expect(scale[axis]).toBeCloseTo(axis + 1, 5);
    expect(instanced.remove(idAt(ids, 0))).toBe(true);
    expect([instanced.count, instanced.bodyAt(0)]).toEqual([1, ids[1]]);
    expect(instanced.remove(idAt(ids, 0))).toBe(false);
  });

  test("belong to the mesh's owner again after a clear: all of them are uploaded", () => {
    const mesh = meshOf(3);
    const binding = new BodyBinding();
    binding.instances(mesh);
    expect(mesh.instanceMatrix.updateRanges).toHaveLength(1);
    binding.clear();
    expect(mesh.instanceMatrix.updateRanges).toEqual([]);
    mesh.instanceMatrix.addUpdateRange(0, 16);
    mesh.instanceMatrix.clearUpdateRanges();
    expect(mesh.instanceMatrix.updateRanges).toEqual([]);
  });
});

/** An object for each body, attached to it. */
function objectsFor(binding: BodyBinding, ids: readonly BodyId[]): Object3D[] {
  return ids.map((id) => {
    const object = new Object3D();
    binding.attach(object, id);
    return object;
  });
}

describe('single objects', () => {
  test('move as instances do', () => {
    const { ids, frame } = threeMoved();
    const binding = new BodyBinding();
    const mesh = meshOf(3);
    const instanced = binding.instances(mesh);
    const objects = objectsFor(binding, ids);
    for (const id of ids) instanced.add(id);
    binding.update(frame);
    for (const [index, object] of objects.entries()) {
      object.updateMatrix();
      const elements = matrixAt(mesh, index).elements;
      for (const [element, value] of object.matrix.elements.entries()) {
        expect(value).toBeCloseTo(elements[element] ?? Number.NaN, 5);
      }
    }
    expect(objects[0]?.position.toArray()).toEqual([1, 2, -1]);
  });

  test('are hidden while their bodies are dead', () => {
    const { ids, frame } = threeMoved();
    const binding = new BodyBinding();
    const object = new Object3D();
    binding.attach(object, idAt(ids, 1));
    binding.update(new ReusedFrame());
    expect(object.visible).toBe(false);
    binding.update(frame);
    expect(object.visible).toBe(true);
    bodies.despawn(idAt(ids, 1));
    publish();
    publish();
    binding.update(frameNow());
    expect(object.visible).toBe(false);
  });

  test('that are removed stay where they are; so does everything after a clear', () => {
    const { ids, frame } = threeMoved();
    const binding = new BodyBinding();
    const mesh = meshOf(3);
    const instanced = binding.instances(mesh);
    const objects = objectsFor(binding, ids);
    instanced.add(idAt(ids, 0));
    expect(binding.remove(idAt(ids, 0))).toBe(true);
    expect(binding.remove(idAt(ids, 0))).toBe(false);
    binding.update(frame);
    expect(instanced.count).toBe(0);
    expect(objects.map(({ position }) => position.x)).toEqual([0, 11, 21]);
    binding.clear();
    for (const { position } of objects) position.set(0, 0, 0);
    binding.update(frame);
    expect(objects.map(({ position }) => position.x)).toEqual([0, 0, 0]);
  });
});

/** Bodies that a test makes come and go. */
class FakeSource {
  readonly bodies = new Map<BodyId, string>();
  readonly #handlers = new Set<readonly [name: string, handle: (event: never) => void]>();

  on(name: 'spawn' | 'despawn', handler: (event: BodyEvent<string>) => void): () => void {
    const entry = [name, handler] as const;
    this.#handlers.add(entry);
    return () => void this.#handlers.delete(entry);
  }

  spawn(id: BodyId, tag: string): void {
    this.bodies.set(id, tag);
    this.#call('spawn', { id, tag, tick: 1 });
  }

  despawn(id: BodyId): void {
    const tag = this.bodies.get(id) ?? '';
    this.bodies.delete(id);
    this.#call('despawn', { id, tag, tick: 1 });
  }

  #call(name: string, event: BodyEvent<string>): void {
    for (const [of, handle] of this.#handlers) if (of === name) handle(event as never);
  }
}

describe('populate', () => {
  const [A, B, C] = [bodyId(0, 1), bodyId(1, 1), bodyId(2, 1)] as const;
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
    const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 2);
    instances = binding.instances(mesh);
    source.spawn(A, 'object');
    end = binding.populate(
      source,
      (tag, id) => {
        if (tag === 'instance') return instances;
        if (tag === 'large') return { instances, scale: [2, 3, 4], color: new Color('red') };
        if (tag === 'bad') throw new Error('there is no such shape');
        return tag === 'none' ? undefined : Object.assign(new Object3D(), { name: `${tag} ${id}` });
      },
      { parent, onRemove: (object, id) => removed.push([object.name, id]) },
    );
  });

  const children = (): string[] => parent.children.map(({ name }) => name);

  test('draws the bodies that live, and those that come, until they go', () => {
    source.spawn(B, 'object');
    source.spawn(C, 'none');
    expect(children()).toEqual([`object ${A}`, `object ${B}`]);
    expect(parent.children.some(({ visible }) => visible)).toBe(false);
    source.despawn(A);
    source.despawn(C);
    expect(children()).toEqual([`object ${B}`]);
    expect(removed).toEqual([[`object ${A}`, A]]);
    expect([binding.remove(A), binding.remove(B)]).toEqual([false, true]);
  });

  test('draws instances, with a scale and a color, and reuses those of bodies that are gone', () => {
    source.spawn(B, 'instance');
    source.spawn(C, 'large');
    expect([instances.bodyAt(0), instances.bodyAt(1)]).toEqual([B, C]);
    const color = new Color();
    instances.mesh.getColorAt(1, color);
    expect(color.getHexString()).toBe('ff0000');
    source.despawn(B);
    source.spawn(bodyId(1, 2), 'instance');
    expect(instances.count).toBe(2);
  });

  test.each(['the function that it returned', 'clear'])('is ended by %s', (how) => {
    source.spawn(B, 'instance');
    if (how === 'clear') binding.clear();
    else end();
    source.spawn(C, 'object');
    expect([children(), instances.count]).toEqual([[], 0]);
    expect(removed).toEqual([[`object ${A}`, A]]);
  });

  test('draws nothing if a body that lives already cannot be drawn', () => {
    source.bodies.set(B, 'bad');
    const populate = () =>
      new BodyBinding().populate(
        source,
        (tag) => {
          if (tag === 'bad') throw new Error('there is no such shape');
          return new Object3D();
        },
        { parent },
      );
    expect(populate).toThrow('there is no such shape');
    expect(children()).toEqual([`object ${A}`]);
  });

  test('leaves an object to the body that it was last returned for', () => {
    const shared = new Object3D();
    new BodyBinding().populate(source, () => shared, { parent });
    source.spawn(B, 'object');
    expect(parent.children).toContain(shared);
    source.despawn(A);
    expect(parent.children).toContain(shared);
    source.despawn(B);
    expect(parent.children).not.toContain(shared);
  });

  test('leaves the visibility of objects alone if asked', () => {
    const object = new Object3D();
    const other = new BodyBinding();
    other.populate(source, () => object, { keepVisible: true });
    expect(object.visible).toBe(true);
    other.update(new ReusedFrame());
    expect(object.visible).toBe(true);
  });
});
