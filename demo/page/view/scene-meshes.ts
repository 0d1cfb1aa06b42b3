/** Everything drawn of one scene: its bodies, bound to their poses, and what never moves. */
import {
  type Box3,
  type BufferGeometry,
  Group,
  type Intersection,
  InstancedMesh,
  Mesh,
  type Object3D,
} from 'three';
import type { BodyId } from '../../../src/shared/index.js';
import type { SampledFrame } from '../../../src/render-main/index.js';
import { BodyBinding } from '../../../src/three/body-binding.js';
import type { InstancedBodies } from '../../../src/three/index.js';
import type {
  BodyLook,
  Part,
  SceneDescription,
  Shape,
  StaticLook,
} from '../../contract/scene-contract.js';
import type { Detail } from '../quality/levels.js';
import { compoundGeometry, compoundKeyOf, mergeStatics } from './compound.js';
import { DetailedGeometries } from './detailed-geometries.js';
import { createUnitGeometry, isRound, sidesFor, unitShapeOf } from './geometries.js';
import { InstancePool } from './instance-pool.js';
import { addInstance, createInstancedMesh } from './instances.js';
import type { Finish, Materials } from './materials.js';
import { isForSingleDraw, SingleDraw } from './single-draw.js';

/** Maximum number of later bodies of one shape, from shots; beyond it the oldest goes. */
const LATER_BODIES = 1024;
/** Usual number of bodies. */
const LATER_FEW = 40;

/** Drawn by instances of a unit shape: one part in the middle of its body. */
interface SimpleLook {
  readonly id: BodyId;
  readonly part: Part;
}

/** A layer that cameras do not draw, but rays hit. */
export const UNDRAWN_LAYER = 1;
/**
 * The detail at which instances are drawn in one piece. Its levels have vertex-lit materials and no
 * shadows.
 */
const SINGLE_AT: Detail = 'coarse';

const SHOT = { kind: 'ball', radius: 1 } as const;

const WHITE = 0xffffff;

/** FNV's. */
const PRIME = 0x01000193;
/** One body's visibility and pose, and the bits of them. */
const placed = new Float64Array(8);
const placedLanes = new Int32Array(placed.buffer);

export class SceneMeshes {
  readonly root = new Group();
  readonly #materials: Materials;
  readonly #geometries: DetailedGeometries;
  /**
   * Instances that can be drawn in one piece, where that is faster: made when it is first needed.
   */
  readonly #single: { readonly source: InstancedMesh; readonly make: () => SingleDraw }[] = [];
  #singleDraws: readonly SingleDraw[] = [];
  #isSingle = false;
  readonly #binding = new BodyBinding();
  readonly #instanced = new Map<Object3D, InstancedBodies>();
  /** The bits of each one's matrices. */
  readonly #lanes = new Map<Object3D, Int32Array>();
  readonly #attached = new Map<Object3D, BodyId>();
  readonly #later = new Map<string, InstancePool>();
  readonly #meshes: Mesh[] = [];
  readonly #ids: readonly BodyId[];

  /** @param statics Those of the description to draw here. */
  constructor(
    { bodies }: SceneDescription,
    statics: readonly StaticLook[],
    materials: Materials,
    detail: Detail,
  ) {
    this.#materials = materials;
    this.#geometries = new DetailedGeometries(detail);
    this.#ids = bodies.map(({ id }) => id);
    const simple = bodies.flatMap(simpleLookOf);
    for (const group of grouped(simple, ({ part }) => unitShapeOf(part.shape).key)) {
      this.#addSimple(group);
    }
    const compounds = bodies.filter((look) => simpleLookOf(look).length === 0);
    for (const group of grouped(compounds, ({ parts }) => compoundKeyOf(parts))) {
      this.#addCompounds(group);
    }
    // Thin surfaces are seen from behind as well.
    this.#addStatics(statics.filter(isSurface), 'surface');
    this.#addStatics(
      statics.filter((look) => !isSurface(look)),
      'fixed',
    );
    // Made before the first shot, which would have to wait for it.
    this.#poolOf(SHOT);
    this.#setSingle(detail === SINGLE_AT);
  }

  /** Draws a body that came later. */
  addBody(look: BodyLook): void {
    const [simple] = simpleLookOf(look);
    if (simple === undefined) {
      this.#addCompounds([look]);
      return;
    }
    const { shape, color } = simple.part;
    this.#poolOf(shape).add(look.id, unitShapeOf(shape).scale, color);
  }

  setDetail(detail: Detail): void {
    this.#geometries.setDetail(detail);
    this.#setSingle(detail === SINGLE_AT);
  }

  /**
   * Makes it forget everything on the graphics card except the drawn geometries: call it while the
   * context is lost.
   */
  forgetUploads(): void {
    this.#geometries.forgetUnused();
    for (const single of this.#singleDraws) single.forgetUpload();
  }

  /** Applies a frame's poses to everything. */
  update(frame: SampledFrame): void {
    this.#binding.update(frame);
    if (this.#isSingle) for (const single of this.#singleDraws) single.update();
  }

  /**
   * A hash of all poses that were written. The tick is not enough: a run that was restarted, or
   * taken elsewhere, may reach the same tick with other poses.
   */
  get poseHash(): number {
    let hash = 0;
    for (const [mesh, { count }] of this.#instanced) {
      const lanes = this.#lanes.get(mesh);
      const end = 16 * count;
      for (let lane = 0; lane < end; lane++) hash = mixed(hash, lanes?.[lane] ?? 0);
    }
    for (const { visible, position, quaternion } of this.#attached.keys()) {
      // A hidden body stays where it was.
      placed.set([visible ? 1 : 0, ...position, ...quaternion]);
      for (const lane of placedLanes) hash = mixed(hash, lane);
    }
    return hash;
  }

  /** The body that a ray hit; undefined for what never moves. */
  bodyOf({ object, instanceId }: Intersection): BodyId | undefined {
    if (instanceId === undefined) return this.#attached.get(object);
    return this.#instanced.get(object)?.bodyAt(instanceId);
  }

  /**
   * Grows a box by the bodies of the description.
   *
   * @returns How many of them live.
   */
  measure(frame: SampledFrame, box: Box3): number {
    const pose = new Float32Array(7);
    let alive = 0;
    for (const id of this.#ids) {
      if (frame.pose(id, pose) === undefined) continue;
      const [x = 0, y = 0, z = 0] = pose;
      box.min.set(Math.min(box.min.x, x), Math.min(box.min.y, y), Math.min(box.min.z, z));
      box.max.set(Math.max(box.max.x, x), Math.max(box.max.y, y), Math.max(box.max.z, z));
      alive += 1;
    }
    return alive;
  }

  dispose(): void {
    this.#binding.clear();
    for (const mesh of this.#meshes) {
      this.#materials.release(mesh);
      if (mesh instanceof InstancedMesh) mesh.dispose();
    }
    for (const single of this.#singleDraws) single.dispose();
    this.#geometries.dispose();
    this.root.removeFromParent();
  }

  #addSimple(group: readonly SimpleLook[]): void {
    const shape = group[0]?.part.shape;
    if (shape === undefined) return;
    const mesh = this.#detailed([shape], unitGeometryOf(shape, group.length), (geometry) =>
      createInstancedMesh(geometry, group.length),
    );
    const bodies = this.#binding.instances(mesh);
    this.#register(mesh, finishOf(shape), bodies);
    for (const { id, part } of group) {
      addInstance(bodies, id, unitShapeOf(part.shape).scale, part.color);
    }
    this.#addSingle(mesh, unitGeometryOf(shape, group.length), finishOf(shape));
  }

  /** Instances whose number is fixed. */
  #addSingle(
    source: InstancedMesh,
    create: (detail: Detail) => BufferGeometry,
    finish: Finish,
  ): void {
    if (!isForSingleDraw(source)) return;
    const make = (): SingleDraw => {
      const unit = create(SINGLE_AT);
      const single = new SingleDraw(source, unit, finish !== 'plain');
      unit.dispose();
      return single;
    };
    this.#single.push({ source, make });
  }

  /** Draws instances in one piece, or as instances. Rays hit the instances either way. */
  #setSingle(isSingle: boolean): void {
    if (isSingle === this.#isSingle) return;
    this.#isSingle = isSingle;
    if (isSingle && this.#singleDraws.length === 0) {
      this.#singleDraws = this.#single.map(({ make }) => make());
      for (const { mesh } of this.#singleDraws) this.root.add(mesh);
    }
    for (const { source } of this.#single) source.layers.set(isSingle ? UNDRAWN_LAYER : 0);
    for (const single of this.#singleDraws) {
      single.mesh.visible = isSingle;
      single.update();
    }
  }

  /** Where later bodies of a shape are drawn. */
  #poolOf(shape: Shape): InstancePool {
    const { key } = unitShapeOf(shape);
    const found = this.#later.get(key);
    if (found) return found;
    const mesh = this.#detailed([shape], unitGeometryOf(shape, LATER_FEW), (geometry) =>
      createInstancedMesh(geometry, LATER_BODIES),
    );
    const pool = new InstancePool(this.#binding, mesh);
    this.#later.set(key, pool);
    this.#register(pool.bodies.mesh, finishOf(shape), pool.bodies);
    return pool;
  }

  /** Bodies that look the same: a single one is a separate object, several are instances. */
  #addCompounds(group: readonly BodyLook[]): void {
    const first = group[0];
    if (first === undefined) return;
    const shapes = first.parts.map(({ shape }) => shape);
    const create = (detail: Detail): BufferGeometry => compoundGeometry(first.parts, detail);
    if (group.length === 1) {
      const mesh = this.#detailed(shapes, create, (geometry) => new Mesh(geometry));
      this.#register(mesh, 'compound');
      this.#attached.set(mesh, first.id);
      this.#binding.attach(mesh, first.id);
      return;
    }
    const mesh = this.#detailed(shapes, create, (geometry) =>
      createInstancedMesh(geometry, group.length),
    );
    const bodies = this.#binding.instances(mesh);
    this.#register(mesh, 'compound', bodies);
    for (const { id } of group) addInstance(bodies, id, [1, 1, 1], WHITE);
    this.#addSingle(mesh, create, 'compound');
  }

  #addStatics(statics: readonly StaticLook[], finish: Finish): void {
    if (statics.length === 0) return;
    const create = (detail: Detail): BufferGeometry => mergeStatics(statics, detail);
    const shapes = statics.map(({ shape }) => shape);
    const mesh = this.#detailed(shapes, create, (geometry) => new Mesh(geometry));
    this.#register(mesh, finish);
    mesh.matrixAutoUpdate = false;
  }

  /** A mesh whose round shapes always have as many sides as the detail requires. */
  #detailed<M extends Mesh>(
    shapes: readonly Shape[],
    create: (detail: Detail) => BufferGeometry,
    createMesh: (geometry: BufferGeometry) => M,
  ): M {
    return this.#geometries.createMesh(create, createMesh, shapes.some(isRound));
  }

  #register(mesh: Mesh, finish: Finish, bodies?: InstancedBodies): void {
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    this.#materials.apply(mesh, finish);
    this.#meshes.push(mesh);
    if (bodies !== undefined) {
      this.#instanced.set(mesh, bodies);
      this.#lanes.set(mesh, new Int32Array(bodies.mesh.instanceMatrix.array.buffer));
    }
    this.root.add(mesh);
  }
}

/**
 * A product carries differences upwards only, and those of opposite signs would cancel out: the
 * shift brings them down.
 */
function mixed(hash: number, lane: number): number {
  const product = Math.imul(hash ^ lane, PRIME);
  return product ^ (product >>> 15);
}

/** A list of one look or none, for `flatMap`. */
function simpleLookOf({ id, parts }: BodyLook): SimpleLook[] {
  const [part] = parts;
  const isSimple = parts.length === 1 && part?.offset === undefined && part?.rotation === undefined;
  return isSimple && part !== undefined ? [{ id, part }] : [];
}

const isSurface = ({ shape }: Part): boolean => shape.kind === 'mesh';

/** @param count How many bodies have it. */
const unitGeometryOf =
  (shape: Shape, count: number) =>
  (detail: Detail): BufferGeometry =>
    createUnitGeometry(shape, sidesFor(count, detail));

const finishOf = (shape: Shape): Finish => (isRound(shape) ? 'striped' : 'plain');

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Iterable<readonly T[]> {
  return Map.groupBy(items, keyOf).values();
}
