/** The meshes that have bodies in a world, and how they are drawn. */
import { Vector3, type Mesh } from 'three';
import { isDevelopment } from '../../shared/development/is-development.js';
import type { BodyId } from '../../shared/memory/body-meta.js';
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import type { SampledFrame } from '../api/sampled-frame.js';
import {
  RigidBodyDesc,
  type Collider,
  type ColliderDesc,
  type RigidBody,
  type World,
  type WorldHandle,
} from '../world/index.js';
import { withSettings } from '../world/bodies/collider-desc.js';
import { settingsOf } from '../world/bodies/collider-handle.js';
import { isFlat } from '../world/values/vectors.js';
import { BodyBinding, type RayHit } from './body-binding.js';
import { drawnBy, forget, nameOf } from './drawn-geometry.js';
import { whyNone, warnOfKept, warnOfNoInstances, warnOfNothing } from './drawn-warnings.js';
import { MadeOf } from './made-of.js';
import type { MeshPhysicsSettings } from './mesh-physics.js';
import {
  isInstanced,
  matrixInScene,
  placeOf,
  placesOf,
  transform,
  type Place,
} from './mesh-places.js';
import { noteInMesh, shapesOf, takeChange, type Placed } from './placed-mesh.js';

const before = new Vector3();

export class PlacedMeshes {
  readonly #world: World;
  readonly #simulation: WorldHandle;
  readonly #binding = new BodyBinding();
  readonly #byMesh = new Map<Mesh, Placed>();
  /** Which mesh, and which instance, a body moves: by its handle. */
  readonly #byBody = new Map<number, { readonly placed: Placed; readonly index: number }>();

  constructor(world: World, simulation: WorldHandle) {
    this.#world = world;
    this.#simulation = simulation;
    // A body's tag is its handle. Fixed bodies come when they are moved.
    simulation.on('spawn', ({ id, tag }) => this.#draw(tag, id));
    simulation.on('despawn', ({ tag }) => this.#draw(tag, undefined));
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
    const body = this.#current(placed.bodies[index]);
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
      return this.#current(placed.bodies[index]);
    }
    return undefined;
  }

  /** Has colliders follow meshes that are not what they were. It allocates nothing if all are. */
  look(): void {
    // It stays as it was recorded.
    if (this.#simulation.replay !== undefined) return;
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
      isShown: true,
    };
    this.#byMesh.set(mesh, placed);
    takeChange(placed);
    this.#addBodies(placed, places, descs);
    noteInMesh(placed);
    return placed.bodies;
  }

  /** Those that it lacks. */
  #addBodies(placed: Placed, places: readonly Place[], descs: readonly ColliderDesc[]): void {
    const { bodies, colliders, mesh, scales, settings } = placed;
    const isDynamic = (settings?.mass ?? 0) > 0;
    for (let index = bodies.length; index < places.length; index++) {
      const { position, quaternion, scale } = places[index] as Place;
      scale.toArray(scales, index * 3);
      const desc = isDynamic ? RigidBodyDesc.dynamic() : RigidBodyDesc.fixed();
      desc.setTranslation(position.x, position.y, position.z).setRotation(quaternion);
      const body = this.#world.createRigidBody(desc.setUserData(mesh));
      bodies.push(body);
      colliders.push(this.#world.createCollider(descs[index] as ColliderDesc, body));
      this.#byBody.set(body.handle, { placed, index });
    }
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
      if (isShown !== placed.isShown) for (const each of colliders) each.setEnabled(isShown);
      placed.isShown = isShown;
      if (!isShown) {
        if (isDevelopment) warnOfNothing(mesh, drawn);
        return;
      }
      const descs = shapesOf(mesh, settings, places);
      for (const [index, { scale }] of places.slice(0, bodies.length).entries()) {
        const isSame = drawn === placed.drawn && scale.equals(before.fromArray(scales, 3 * index));
        if (!isSame)
          colliders[index] = this.#replace(
            colliders[index] as Collider,
            descs[index] as ColliderDesc,
          );
        scale.toArray(scales, 3 * index);
      }
      placed.drawn = drawn;
      this.#addBodies(placed, places, descs);
      for (const body of bodies.splice(places.length)) this.#removeBody(body);
      colliders.length = bodies.length;
      if (ids !== undefined) ids.length = bodies.length;
      noteInMesh(placed);
    } catch (error) {
      warnOfKept(mesh, error as Error);
    }
  }

  /** Not another shape of the same collider: where nothing moves, the engine keeps the contacts of the shape before. */
  #replace(old: Collider, desc: ColliderDesc): Collider {
    const body = old.parent();
    // The application may have removed it.
    if (!old.isValid() || body === null) return old;
    this.#world.removeCollider(old, true);
    return this.#world.createCollider(withSettings(desc, settingsOf(old) ?? {}), body);
  }

  /** After a jump of the run, a body that was gone may have come back as another object. */
  #current(body: RigidBody | undefined): RigidBody | undefined {
    return body && (this.#world.getRigidBody(body.handle) ?? body);
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

/** Of `mesh.userData.physics`; the last two are put there for the application. */
const SETTINGS = ['mass', 'restitution', 'shape', 'body', 'collider'];

const titleOf = ({ name }: Mesh): string => (name === '' ? 'a mesh' : `the mesh "${name}"`);

/** Errors of what is done with a mesh name it. */
function naming<T>(mesh: Mesh, what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { message } = error as Error;
    const Kind = error instanceof TypeError ? TypeError : RangeError;
    throw new Kind(`${titleOf(mesh)} cannot ${what}: ${message}`, { cause: error });
  }
}
