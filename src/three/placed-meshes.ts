/** The meshes that have bodies in a world, and how they are drawn. */
import { type Mesh, Vector3 } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import type { BodyId } from '../shared/memory/body-meta.js';
import { requireKnownKeys, requireNumber } from '../shared/util/validate.js';
import type { SampledFrame } from '../render-main/api/sampled-frame.js';
import {
  type Collider,
  type ColliderDesc,
  type RigidBody,
  RigidBodyDesc,
  type WorldHandle,
} from '../world/page/index.js';
import type { PageWorld } from '../world/page/page-world.js';
import { withSettings } from '../world/page/collider-desc.js';
import { settingsOf } from '../world/page/collider-handle.js';
import { isFlat } from '../world/page/vectors.js';
import { BodyBinding, type RayHit } from './body-binding.js';
import {
  type Drawn,
  drawnBy,
  forget,
  nameOf,
  warnOfKept,
  warnOfNoInstances,
  warnOfNothing,
  whyNone,
} from './drawn-geometry.js';
import { MadeOf } from './change-detector.js';
import type { MeshPhysicsSettings } from './mesh-physics.js';
import {
  countOf,
  isInstanced,
  matrixInScene,
  type Place,
  placeOf,
  placesOf,
  transform,
} from './scene-space.js';
import { isHollow, requireKind, shapeOfDrawn } from './shape-of.js';

const last = new Vector3();

export class PlacedMeshes {
  readonly #world: PageWorld;
  readonly #binding = new BodyBinding();
  readonly #byMesh = new Map<Mesh, Placed>();
  /** Which mesh, and which instance, a body moves: by its handle. */
  readonly #byBody = new Map<number, { readonly placed: Placed; readonly index: number }>();
  /** All bodies and colliders that it has made: a jump of the run brings back those that are gone. */
  readonly #made = new WeakSet<RigidBody | Collider>();

  constructor(world: PageWorld, simulation: WorldHandle) {
    this.#world = world;
    // A body's tag is its handle. Fixed bodies come when they are moved.
    simulation.on('spawn', ({ id, tag }) => this.#draw(tag, id));
    simulation.on('despawn', ({ tag }) => this.#draw(tag, undefined));
    world.onFollowed = () => this.#agree();
  }

  has(mesh: Mesh): boolean {
    return this.#byMesh.has(mesh);
  }

  /** @throws Error if the mesh was not added. @throws RangeError if it has no such instance. */
  body(mesh: Mesh, index: number): RigidBody {
    const placed = this.#byMesh.get(mesh);
    if (placed === undefined) {
      throw new Error(`${titleOf(mesh)} has no physics: call addMesh before you move it`);
    }
    const body = placed.bodies[index];
    if (body !== undefined) return body;
    throw new RangeError(
      `index is ${index}, but ${titleOf(mesh)} has ${placed.bodies.length} bodies, counted from 0`,
    );
  }

  /** @throws TypeError, RangeError for invalid settings, or as `shapeOf` does: nothing is added then. */
  add(mesh: Mesh, settings: MeshPhysicsSettings): void {
    const reason = whyNone(mesh);
    if (reason !== undefined) throw new TypeError(`${nameOf(mesh)} cannot be added: ${reason}`);
    const places = placesOf(mesh);
    // It may have been edited without saying so, before it was rendered.
    forget(mesh);
    const descs = naming(mesh, 'be added', () => shapesOf(mesh, settings, places));
    if (isDevelopment && places.length === 0) warnOfNoInstances(mesh);
    this.#place(mesh, places, descs, settings);
  }

  /**
   * As {@link add}, with what an application has put into `mesh.userData.physics`.
   *
   * @throws TypeError for an unknown name in it.
   */
  addByUserData(mesh: Mesh, settings: MeshPhysicsSettings): void {
    requireKnownKeys(`userData.physics of ${titleOf(mesh)}`, settings, SETTINGS);
    this.add(mesh, settings);
  }

  /** @throws As {@link body} does, and TypeError, RangeError naming the mesh and the field of a vector. */
  act(mesh: Mesh, index: number, what: string, act: (body: RigidBody) => void): void {
    const body = this.body(mesh, index);
    naming(mesh, what, () => act(body));
  }

  addHeightfield(mesh: Mesh, desc: ColliderDesc): RigidBody {
    const place = placeOf(matrixInScene(mesh));
    return this.#place(mesh, [place], [desc], undefined)[0] as RigidBody;
  }

  remove(mesh: Mesh): void {
    const placed = this.#byMesh.get(mesh);
    if (placed === undefined) return;
    this.#byMesh.delete(mesh);
    this.#release(placed);
    for (const body of placed.bodies) this.#removeBody(body);
    const data = mesh.userData['physics'] as Record<string, unknown> | undefined;
    delete data?.['body'];
    delete data?.['collider'];
  }

  bodyOf({ object, instanceId }: RayHit): RigidBody | undefined {
    for (let at: RayHit['object'] | null = object; at !== null; at = at.parent) {
      const placed = this.#byMesh.get(at as Mesh);
      if (placed === undefined) continue;
      const index = at === object ? (instanceId ?? 0) : 0;
      return placed.bodies[index];
    }
    return undefined;
  }

  /** Has colliders follow meshes that are not what they were. It allocates nothing if all are. */
  look(): void {
    // A replay stays as it was recorded.
    if (this.#world.isElsewhere) return;
    for (const placed of this.#byMesh.values()) {
      if (placed.settings === undefined) continue;
      if (takeChange(placed)) this.#follow(placed, placed.settings);
    }
  }

  update(frame: SampledFrame): void {
    this.#binding.update(frame);
  }

  /** Draws none any more. */
  clear(): void {
    for (const placed of this.#byMesh.values()) this.#release(placed);
    this.#byMesh.clear();
    this.#byBody.clear();
  }

  #place(
    mesh: Mesh,
    places: readonly Place[],
    descs: readonly ColliderDesc[],
    settings: MeshPhysicsSettings | undefined,
  ): readonly RigidBody[] {
    this.remove(mesh);
    const isMany = settings !== undefined && isInstanced(mesh);
    const placed: Placed = {
      mesh,
      bodies: [],
      colliders: [],
      ids: undefined,
      scales: new Float32Array(3 * (isMany ? mesh.instanceMatrix.count : 1)),
      settings,
      madeOf: new MadeOf(),
      drawn: settings && drawnBy(mesh),
      descs,
      isShown: undefined,
    };
    this.#byMesh.set(mesh, placed);
    takeChange(placed);
    for (const [index, place] of places.entries()) this.#addBody(placed, index, place);
    noteInMesh(placed);
    return placed.bodies;
  }

  #addBody(placed: Placed, index: number, { position, quaternion, scale }: Place): void {
    const { bodies, colliders, mesh, scales, settings } = placed;
    scale.toArray(scales, index * 3);
    const isDynamic = (settings?.mass ?? 0) > 0;
    const desc = isDynamic ? RigidBodyDesc.dynamic() : RigidBodyDesc.fixed();
    desc.setTranslation(position.x, position.y, position.z).setRotation(quaternion);
    const body = this.#world.createRigidBody(desc.setUserData(mesh));
    this.#made.add(body);
    bodies[index] = body;
    colliders[index] = this.#addCollider(placed, index);
    this.#byBody.set(body.handle, { placed, index });
  }

  /** With the settings of the one before it. */
  #addCollider({ bodies, colliders, descs }: Placed, index: number): Collider {
    const before = colliders[index];
    const settings = before && settingsOf(before);
    const desc = descs[index] as ColliderDesc;
    const collider = this.#world.createCollider(
      settings ? withSettings(desc, settings) : desc,
      bodies[index],
    );
    this.#made.add(collider);
    return collider;
  }

  /** After a jump of the run, each mesh has what it had before it, and what has no mesh any more goes. */
  #agree(): void {
    const world = this.#world;
    if (world.isElsewhere) return;
    const kept = new Set<RigidBody | Collider>();
    for (const placed of this.#byMesh.values()) {
      const { bodies, colliders, ids, isShown, mesh } = placed;
      const places = placesOf(mesh, ids !== undefined);
      // Of instances that are not counted any more, `look` is about to find that.
      for (const [index, place] of places.slice(0, bodies.length).entries()) {
        const body = bodies[index] as RigidBody;
        if (!body.isValid()) {
          this.#draw(body.handle, undefined);
          this.#byBody.delete(body.handle);
          this.#addBody(placed, index, place);
        } else if (colliders[index]?.isValid() === false) {
          colliders[index] = this.#addCollider(placed, index);
        }
      }
      if (isShown !== undefined) for (const each of colliders) each.setEnabled(isShown);
      noteInMesh(placed);
      for (const thing of [...bodies, ...colliders]) kept.add(thing);
    }
    const isGone = (thing: RigidBody | Collider) => this.#made.has(thing) && !kept.has(thing);
    for (const body of world.bodies.getAll().filter(isGone)) world.removeRigidBody(body);
    for (const each of world.colliders.getAll().filter(isGone)) world.removeCollider(each);
  }

  #removeBody({ handle }: RigidBody): void {
    this.#byBody.delete(handle);
    const body = this.#world.getRigidBody(handle);
    if (body !== undefined) this.#world.removeRigidBody(body);
  }

  #follow(placed: Placed, settings: MeshPhysicsSettings): void {
    const { bodies, colliders, ids, mesh, scales } = placed;
    try {
      const drawn = drawnBy(mesh);
      const places = placesOf(mesh, ids !== undefined);
      for (const [index, { scale }] of places.slice(0, bodies.length).entries()) {
        // Of those that move, the scale in their matrix is rounded.
        if (ids !== undefined) scale.fromArray(scales, 3 * index);
      }
      const isShown = !drawn.isEmpty && !places.some(({ scale }) => isFlat(scale));
      if (isShown !== (placed.isShown ?? true)) {
        for (const each of colliders) each.setEnabled(isShown);
        placed.isShown = isShown;
      }
      if (!isShown) {
        if (isDevelopment) warnOfNothing(mesh, drawn);
        return;
      }
      placed.descs = shapesOf(mesh, settings, places);
      for (const [index, place] of places.entries()) {
        const { scale } = place;
        const isSame = drawn === placed.drawn && scale.equals(last.fromArray(scales, 3 * index));
        if (index >= bodies.length) this.#addBody(placed, index, place);
        else if (!isSame) this.#replace(placed, index);
        scale.toArray(scales, 3 * index);
      }
      placed.drawn = drawn;
      for (const body of bodies.splice(places.length)) this.#removeBody(body);
      colliders.length = bodies.length;
      if (ids !== undefined) ids.length = bodies.length;
      noteInMesh(placed);
    } catch (error) {
      warnOfKept(mesh, error as Error);
    }
  }

  /** Not another shape of the same collider: where nothing moves, the engine keeps the contacts of the shape before. */
  #replace(placed: Placed, index: number): void {
    const before = placed.colliders[index];
    // The application may have removed it.
    if (before?.isValid() !== true) return;
    this.#world.removeCollider(before);
    placed.colliders[index] = this.#addCollider(placed, index);
  }

  #draw(handle: number, id: BodyId | undefined): void {
    const found = this.#byBody.get(handle);
    if (found === undefined) return;
    const { placed, index } = found;
    const { mesh } = placed;
    if (!isInstanced(mesh)) {
      if (id === undefined) this.#binding.detach(mesh);
      else this.#binding.attach(mesh, id, { keepVisible: true });
      return;
    }
    if (placed.ids === undefined) {
      if (id === undefined) return;
      placed.ids = [];
      // From now on, its matrices are poses in the scene, also those of instances that do not move.
      transform(mesh, matrixInScene(mesh), placed.bodies.length);
      this.#binding.instancesInOrder(mesh, placed.ids, placed.scales, { keepOthers: true });
    }
    placed.ids[index] = id;
  }

  #release({ mesh, bodies, ids }: Placed): void {
    this.#binding.detach(mesh);
    if (ids !== undefined && isInstanced(mesh)) {
      transform(mesh, matrixInScene(mesh).invert(), bodies.length);
    }
  }
}

export interface Placed {
  readonly mesh: Mesh;
  /** One, or one for each instance. */
  readonly bodies: RigidBody[];
  /** One of each body. */
  readonly colliders: Collider[];
  /** The same for an InstancedMesh of which at least one instance has moved. */
  ids: (BodyId | undefined)[] | undefined;
  /** Three factors for each body that fits. */
  readonly scales: Float32Array;
  /** What the mesh was added with. Undefined: they have nothing of the mesh. */
  readonly settings: MeshPhysicsSettings | undefined;
  readonly madeOf: MadeOf;
  /** What the shapes were made of. */
  drawn: Drawn | undefined;
  /** What the colliders are made of: one for each body. */
  descs: readonly ColliderDesc[];
  /** Whether anything is drawn: otherwise the colliders are disabled. Undefined: it always was. */
  isShown: boolean | undefined;
}

/** Of `mesh.userData.physics`; the last two are put there for the application. */
export const SETTINGS = ['mass', 'restitution', 'shape', 'body', 'collider'];

/**
 * The colliders of a mesh, or of each of its instances, by what an application says of them.
 *
 * @throws As `shapeOf` does, and for a mass or a restitution that is none.
 */
export function shapesOf(
  mesh: Mesh,
  { mass = 0, restitution = 0, shape }: MeshPhysicsSettings,
  places: readonly { readonly scale: Vector3 }[],
): readonly ColliderDesc[] {
  requireNumber('mass', mass, 0, Number.MAX_VALUE);
  requireKind(shape);
  const { geometry } = mesh;
  // Triangles have no inside: others would fall into what moves, and it through the ground.
  const kind = shape ?? (mass > 0 && isHollow(geometry) ? 'hull' : undefined);
  const drawn = drawnBy(mesh);
  const known = new Map<string, ColliderDesc>();
  return places.map(({ scale }) => {
    const key = scale.toArray().join();
    const desc = known.get(key) ?? shapeOfDrawn(geometry, drawn, kind, scale);
    known.set(key, desc.setRestitution(restitution));
    return mass > 0 ? desc.setMass(mass) : desc;
  });
}

/** For the application. */
export function noteInMesh({ bodies, colliders, mesh, settings }: Placed): void {
  const isMany = settings !== undefined && isInstanced(mesh);
  mesh.userData['physics'] = {
    ...(mesh.userData['physics'] as object | undefined),
    body: isMany ? bodies : bodies[0],
    collider: isMany ? colliders : colliders[0],
  };
}

/** Whether it has changed since the last call. */
export function takeChange({ mesh, madeOf }: Placed): boolean {
  madeOf.addGeometry(mesh.geometry, mesh.material);
  madeOf.addScales(mesh);
  madeOf.add(countOf(mesh));
  return madeOf.takeChange();
}

export const titleOf = ({ name }: Mesh): string => (name === '' ? 'a mesh' : `the mesh "${name}"`);

/** Errors of what is done with a mesh name it. */
export function naming<T>(mesh: Mesh, what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { message } = error as Error;
    const Kind = error instanceof TypeError ? TypeError : RangeError;
    throw new Kind(`${titleOf(mesh)} cannot ${what}: ${message}`, { cause: error });
  }
}
