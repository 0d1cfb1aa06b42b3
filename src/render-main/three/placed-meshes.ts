/** The meshes that have bodies in a world, and how they are drawn. */
import { type InstancedMesh, type Mesh, Matrix4, Quaternion, Vector3 } from 'three';
import type { BodyId } from '../../shared/memory/body-meta.js';
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import { requireNumber } from '../../shared/util/validate.js';
import type { SampledFrame } from '../api/sampled-frame.js';
import {
  RigidBodyDesc,
  type Collider,
  type ColliderDesc,
  type RigidBody,
  type World,
  type WorldHandle,
} from '../world/index.js';
import { BodyBinding, type RayHit } from './body-binding.js';
import type { MeshPhysicsSettings } from './mesh-physics.js';
import { isHollow, shapeOf, type ShapeKind } from './shape-of.js';
import { isScene, topOf } from './world-matrix.js';

interface Placed {
  readonly mesh: Mesh;
  /** One, or one for each instance. */
  readonly bodies: readonly RigidBody[];
  /** The same for an InstancedMesh of which at least one instance has moved. */
  ids: (BodyId | undefined)[] | undefined;
  /** Three factors for each body. */
  readonly scales: Float32Array;
}

interface Place {
  readonly position: Vector3;
  readonly quaternion: Quaternion;
  readonly scale: Vector3;
}

export class PlacedMeshes {
  readonly #world: World;
  readonly #binding = new BodyBinding();
  readonly #byMesh = new Map<Mesh, Placed>();
  /** Which mesh, and which instance, a body moves: by its handle. */
  readonly #byBody = new Map<number, { readonly placed: Placed; readonly index: number }>();

  constructor(world: World, simulation: WorldHandle) {
    this.#world = world;
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
      throw new Error(`${nameOf(mesh)} has no physics: call addMesh before you move it`);
    }
    const body = this.#current(placed.bodies[index]);
    if (body !== undefined) return body;
    throw new RangeError(
      `index is ${index}, but ${nameOf(mesh)} has ${placed.bodies.length} bodies, counted from 0`,
    );
  }

  /** @throws TypeError, RangeError for invalid settings, or as `shapeOf` does: nothing is added then. */
  add(mesh: Mesh, { mass = 0, restitution = 0, shape }: MeshPhysicsSettings): void {
    const places = placesOf(mesh);
    const shapes = new Map<string, ColliderDesc>();
    const descs = naming(mesh, 'be added', () => {
      requireNumber('mass', mass, 0, Number.MAX_VALUE);
      return places.map(({ scale }) => {
        const key = scale.toArray().join();
        const desc = shapes.get(key) ?? describe(mesh, mass, shape, scale);
        shapes.set(key, desc.setRestitution(restitution));
        return desc;
      });
    });
    this.#place(mesh, places, descs, mass > 0, isInstanced(mesh));
  }

  /**
   * As {@link add}, with what an application has put into `mesh.userData.physics`.
   *
   * @throws TypeError for an unknown name in it.
   */
  addByUserData(mesh: Mesh, settings: MeshPhysicsSettings): void {
    requireKnownKeys(`userData.physics of ${nameOf(mesh)}`, settings, SETTINGS);
    this.add(mesh, settings);
  }

  /** @throws As {@link body} does, and TypeError, RangeError naming the mesh and the field of a vector. */
  act(mesh: Mesh, index: number, what: string, act: (body: RigidBody) => void): void {
    const body = this.body(mesh, index);
    naming(mesh, what, () => act(body));
  }

  addHeightfield(mesh: Mesh, desc: ColliderDesc): RigidBody {
    const place = placeOf(matrixInScene(mesh));
    return this.#place(mesh, [place], [desc], false, false)[0] as RigidBody;
  }

  remove(mesh: Mesh): void {
    const placed = this.#byMesh.get(mesh);
    if (placed === undefined) return;
    this.#byMesh.delete(mesh);
    this.#release(placed);
    for (const { handle } of placed.bodies) {
      this.#byBody.delete(handle);
      const body = this.#world.getRigidBody(handle);
      if (body !== undefined) this.#world.removeRigidBody(body);
    }
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
    isDynamic: boolean,
    isMany: boolean,
  ): readonly RigidBody[] {
    this.remove(mesh);
    const colliders: Collider[] = [];
    const scales = new Float32Array(places.length * 3);
    const bodies = places.map(({ position, quaternion, scale }, index) => {
      scale.toArray(scales, index * 3);
      const { x, y, z } = position;
      const desc = isDynamic ? RigidBodyDesc.dynamic() : RigidBodyDesc.fixed();
      desc.setTranslation(x, y, z).setRotation(quaternion).setUserData(mesh);
      const body = this.#world.createRigidBody(desc);
      colliders.push(this.#world.createCollider(descs[index] as ColliderDesc, body));
      return body;
    });
    const placed: Placed = { mesh, bodies, scales, ids: undefined };
    this.#byMesh.set(mesh, placed);
    for (const [index, { handle }] of bodies.entries()) this.#byBody.set(handle, { placed, index });
    mesh.userData['physics'] = {
      ...(mesh.userData['physics'] as object | undefined),
      body: isMany ? bodies : bodies[0],
      collider: isMany ? colliders : colliders[0],
    };
    return bodies;
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

const isInstanced = (mesh: Mesh): mesh is InstancedMesh => 'isInstancedMesh' in mesh;

const nameOf = ({ name }: Mesh): string => (name === '' ? 'a mesh' : `the mesh "${name}"`);

/** The matrix of a mesh within its scene, also of one that was never rendered. */
function matrixInScene(mesh: Mesh): Matrix4 {
  mesh.updateWorldMatrix(true, false);
  const top = topOf(mesh);
  const matrix = mesh.matrixWorld.clone();
  return isScene(top) ? matrix.premultiply(top.matrixWorld.clone().invert()) : matrix;
}

/** Where a mesh is within its scene, or each of its instances. */
function placesOf(mesh: Mesh): Place[] {
  const matrix = matrixInScene(mesh);
  if (!isInstanced(mesh)) return [placeOf(matrix)];
  const own = new Matrix4();
  return Array.from({ length: mesh.count }, (_, index) => {
    mesh.getMatrixAt(index, own);
    return placeOf(own.premultiply(matrix));
  });
}

function placeOf(matrix: Matrix4): Place {
  const place = { position: new Vector3(), quaternion: new Quaternion(), scale: new Vector3() };
  matrix.decompose(place.position, place.quaternion, place.scale);
  // Of a flat one, three.js returns a scale of 1.
  if (matrix.determinant() === 0) place.scale.setFromMatrixScale(matrix);
  // Instances of one size get one shape: rounding makes them differ after six digits.
  for (const axis of ['x', 'y', 'z'] as const) {
    place.scale[axis] = Number(place.scale[axis].toPrecision(6));
  }
  return place;
}

function transform(mesh: InstancedMesh, matrix: Matrix4, count: number): void {
  const own = new Matrix4();
  for (let index = 0; index < count; index++) {
    mesh.getMatrixAt(index, own);
    mesh.setMatrixAt(index, own.premultiply(matrix));
  }
  mesh.instanceMatrix.needsUpdate = true;
}

function describe(
  mesh: Mesh,
  mass: number,
  kind: ShapeKind | undefined,
  scale: Vector3,
): ColliderDesc {
  const { geometry } = mesh;
  // Triangles have no inside: others would fall into what moves, and it through the ground.
  const chosen = kind ?? (mass > 0 && isHollow(geometry) ? 'hull' : undefined);
  const desc = shapeOf(geometry, chosen, scale);
  return mass > 0 ? desc.setMass(mass) : desc;
}

/** Errors of what is done with a mesh name it. */
function naming<T>(mesh: Mesh, what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { message } = error as Error;
    const Kind = error instanceof TypeError ? TypeError : RangeError;
    throw new Kind(`${nameOf(mesh)} cannot ${what}: ${message}`, { cause: error });
  }
}
