/** The meshes that have bodies in a world, and how they are drawn. */
import { type Mesh, Vector3 } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import type { BodyId } from '../shared/memory/body-meta.js';
import { requireKnownKeys, requireNumber } from '../shared/util/validate.js';
import type { SampledFrame } from '../render-main/frame/frame.js';
import {
  type Collider,
  type ColliderDesc,
  type RigidBody,
  RigidBodyDesc,
  type World,
  type WorldHandle,
} from '../world/page/index.js';
import { driverOf } from '../world/page/page-world.js';
import type { WorldDriver } from '../world/page/world-driver.js';
import { withSettings } from '../world/page/collider-desc.js';
import { settingsOf } from '../world/page/collider-handle.js';
import { isFlat } from '../world/page/checked-shapes.js';
import { BodyBinding, type RayHit } from './body-binding.js';
import {
  type Drawn,
  drawnBy,
  forget,
  nameOf,
  warnOfMovingShear,
  warnOfOldCollider,
  warnOfNoInstances,
  warnOfEmptyMesh,
  whyNoCollider,
} from './drawn-geometry.js';
import { ChangeDetector } from './change-detector.js';
import {
  countOf,
  isInstanced,
  matrixInScene,
  type Placement,
  type Stretch,
  decomposed,
  placementsOf,
  transformInstances,
} from './scene-space.js';
import { isHollow, requireKind, shapeOfDrawn, type ShapeKind } from './shape-of.js';

/** The settings that `MeshPhysics.addScene` reads from `mesh.userData.physics`. */
export interface MeshPhysicsSettings {
  /** In kg, from 0. Default 0: the mesh is fixed. */
  readonly mass?: number;
  /** How bouncy it is, from 0 to 1. Default 0. */
  readonly restitution?: number;
  /** Default: by the type of the geometry. */
  readonly shape?: ShapeKind;
}

/** A mesh with its bodies. */
interface PlacedMesh {
  readonly mesh: Mesh;
  /** One body, or one for each instance. */
  readonly bodies: RigidBody[];
  /** One collider for each body. */
  readonly colliders: Collider[];
  /** Numbers of the bodies of an InstancedMesh of which at least one instance has moved. */
  ids: (BodyId | undefined)[] | undefined;
  /** Three factors for each body that fits. */
  readonly scales: Float32Array;
  /** The settings with which the mesh was added. Undefined: its collider does not depend on the mesh. */
  readonly settings: MeshPhysicsSettings | undefined;
  readonly changes: ChangeDetector;
  /** The geometry that the shapes were made of. */
  drawn: Drawn | undefined;
  /** A description of the collider of each body. */
  descs: readonly ColliderDesc[];
  /** Whether anything is drawn: otherwise the colliders are disabled. Undefined: it always was. */
  isShown: boolean | undefined;
}

/** Names in `mesh.userData.physics`. The last two are put there for the application. */
const USER_DATA_NAMES = ['mass', 'restitution', 'shape', 'body', 'collider'];

const last = new Vector3();

export class PlacedMeshes {
  readonly #world: World;
  readonly #driver: WorldDriver;
  readonly #binding = new BodyBinding();
  readonly #byMesh = new Map<Mesh, PlacedMesh>();
  /** The mesh and the instance that a body moves, by its handle. */
  readonly #byBody = new Map<number, { readonly placed: PlacedMesh; readonly index: number }>();
  /** All bodies and colliders that it has made: a jump of the run brings back those that are gone. */
  readonly #made = new WeakSet<RigidBody | Collider>();

  constructor(world: World, simulation: WorldHandle) {
    this.#world = world;
    this.#driver = driverOf(world);
    // A body's tag is its handle. Fixed bodies come when they are moved.
    simulation.on('spawn', ({ id, tag }) => this.#draw(tag, id));
    simulation.on('despawn', ({ tag }) => this.#draw(tag, undefined));
    this.#driver.onFollowed = () => this.#resync();
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
    const reason = whyNoCollider(mesh);
    if (reason !== undefined) throw new TypeError(`${nameOf(mesh)} cannot be added: ${reason}`);
    const placements = placementsOf(mesh);
    // Its geometry may have been edited without a new version before it was rendered.
    forget(mesh);
    const descs = nameMesh(mesh, 'be added', () => shapesOf(mesh, settings, placements));
    if (isDevelopment && placements.length === 0) warnOfNoInstances(mesh);
    const isMoving = settings.mass !== undefined && settings.mass > 0;
    if (isDevelopment && isMoving) warnOfMovingShear(mesh, placements);
    this.#place(mesh, placements, descs, settings);
  }

  /**
   * Adds a mesh with what an application has put into `mesh.userData.physics`.
   *
   * @throws TypeError for an unknown name in it.
   */
  addByUserData(mesh: Mesh, settings: MeshPhysicsSettings): void {
    requireKnownKeys(`userData.physics of ${titleOf(mesh)}`, settings, USER_DATA_NAMES);
    this.add(mesh, settings);
  }

  /** @throws As {@link body} does, and TypeError, RangeError naming the mesh and the field of a vector. */
  act(mesh: Mesh, index: number, what: string, act: (body: RigidBody) => void): void {
    const body = this.body(mesh, index);
    nameMesh(mesh, what, () => act(body));
  }

  addHeightfield(mesh: Mesh, desc: ColliderDesc): RigidBody {
    return this.#place(mesh, [decomposed(matrixInScene(mesh))], [desc], undefined)[0] as RigidBody;
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

  /** Has colliders follow meshes that have changed. It allocates nothing if none has. */
  followChanges(): void {
    // A replay stays as it was recorded.
    if (this.#driver.isElsewhere) return;
    for (const placed of this.#byMesh.values()) {
      if (placed.settings === undefined) continue;
      if (takeChange(placed)) this.#follow(placed, placed.settings);
    }
  }

  update(frame: SampledFrame): void {
    this.#binding.update(frame);
  }

  /** Draws no mesh any more. */
  clear(): void {
    for (const placed of this.#byMesh.values()) this.#release(placed);
    this.#byMesh.clear();
    this.#byBody.clear();
  }

  #place(
    mesh: Mesh,
    placements: readonly Placement[],
    descs: readonly ColliderDesc[],
    settings: MeshPhysicsSettings | undefined,
  ): readonly RigidBody[] {
    this.remove(mesh);
    const isMany = settings !== undefined && isInstanced(mesh);
    const placed: PlacedMesh = {
      mesh,
      bodies: [],
      colliders: [],
      ids: undefined,
      scales: new Float32Array(3 * (isMany ? mesh.instanceMatrix.count : 1)),
      settings,
      changes: new ChangeDetector(),
      drawn: settings && drawnBy(mesh),
      descs,
      isShown: undefined,
    };
    this.#byMesh.set(mesh, placed);
    takeChange(placed);
    for (const [index, placement] of placements.entries()) this.#addBody(placed, index, placement);
    writeUserData(placed);
    return placed.bodies;
  }

  #addBody(placed: PlacedMesh, index: number, { position, rotation, scale }: Placement): void {
    const { bodies, colliders, mesh, scales, settings } = placed;
    scale.toArray(scales, index * 3);
    const isDynamic = (settings?.mass ?? 0) > 0;
    const desc = isDynamic ? RigidBodyDesc.dynamic() : RigidBodyDesc.fixed();
    desc.setTranslation(position.x, position.y, position.z).setRotation(rotation);
    const body = this.#world.createRigidBody(desc.setUserData(mesh));
    this.#made.add(body);
    bodies[index] = body;
    colliders[index] = this.#addCollider(placed, index);
    this.#byBody.set(body.handle, { placed, index });
  }

  /** Adds a collider with the settings of the one before it. */
  #addCollider({ bodies, colliders, descs }: PlacedMesh, index: number): Collider {
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

  /** After a jump of the run: gives each mesh what it had before the jump, and removes what no mesh has any more. */
  #resync(): void {
    const world = this.#world;
    if (this.#driver.isElsewhere) return;
    const current = new Set<RigidBody | Collider>();
    for (const placed of this.#byMesh.values()) {
      const { bodies, colliders, ids, isShown, mesh } = placed;
      const placements = placementsOf(mesh, ids !== undefined);
      // `followChanges` removes instances that are not counted any more.
      for (const [index, placement] of placements.slice(0, bodies.length).entries()) {
        const body = bodies[index] as RigidBody;
        if (!body.isValid()) {
          this.#draw(body.handle, undefined);
          this.#byBody.delete(body.handle);
          this.#addBody(placed, index, placement);
        } else if (colliders[index]?.isValid() === false) {
          colliders[index] = this.#addCollider(placed, index);
        }
      }
      if (isShown !== undefined) for (const each of colliders) each.setEnabled(isShown);
      writeUserData(placed);
      for (const item of [...bodies, ...colliders]) current.add(item);
    }
    const isStale = (item: RigidBody | Collider) => this.#made.has(item) && !current.has(item);
    for (const body of world.bodies.getAll().filter(isStale)) world.removeRigidBody(body);
    for (const each of world.colliders.getAll().filter(isStale)) world.removeCollider(each, true);
  }

  #removeBody({ handle }: RigidBody): void {
    this.#byBody.delete(handle);
    const body = this.#world.getRigidBody(handle);
    if (body !== undefined) this.#world.removeRigidBody(body);
  }

  #follow(placed: PlacedMesh, settings: MeshPhysicsSettings): void {
    const { bodies, colliders, ids, mesh, scales } = placed;
    try {
      const drawn = drawnBy(mesh);
      const placements = placementsOf(mesh, ids !== undefined);
      for (const [index, { scale }] of placements.slice(0, bodies.length).entries()) {
        // The matrix of an instance that moves has a rounded scale.
        if (ids !== undefined) scale.fromArray(scales, 3 * index);
      }
      const isShown = !drawn.isEmpty && !placements.some(({ scale }) => isFlat(scale));
      if (isShown !== (placed.isShown ?? true)) {
        for (const each of colliders) each.setEnabled(isShown);
        placed.isShown = isShown;
      }
      if (!isShown) {
        if (isDevelopment) warnOfEmptyMesh(mesh, drawn);
        return;
      }
      placed.descs = shapesOf(mesh, settings, placements);
      for (const [index, placement] of placements.entries()) {
        const { scale } = placement;
        const isSame = drawn === placed.drawn && scale.equals(last.fromArray(scales, 3 * index));
        if (index >= bodies.length) this.#addBody(placed, index, placement);
        else if (!isSame) this.#replace(placed, index);
        scale.toArray(scales, 3 * index);
      }
      placed.drawn = drawn;
      for (const body of bodies.splice(placements.length)) this.#removeBody(body);
      colliders.length = bodies.length;
      if (ids !== undefined) ids.length = bodies.length;
      writeUserData(placed);
    } catch (error) {
      warnOfOldCollider(mesh, error as Error);
    }
  }

  /** Makes another collider. With another shape of the same one, the engine would keep old contacts where nothing moves. */
  #replace(placed: PlacedMesh, index: number): void {
    const before = placed.colliders[index];
    // The application may have removed it.
    if (before?.isValid() !== true) return;
    this.#world.removeCollider(before, true);
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
      transformInstances(mesh, matrixInScene(mesh), placed.bodies.length);
      this.#binding.instancesInOrder(mesh, placed.ids, placed.scales, { keepOthers: true });
    }
    placed.ids[index] = id;
  }

  #release({ mesh, bodies, ids }: PlacedMesh): void {
    this.#binding.detach(mesh);
    if (ids !== undefined && isInstanced(mesh)) {
      transformInstances(mesh, matrixInScene(mesh).invert(), bodies.length);
    }
  }
}

/**
 * Describes the colliders of a mesh, or of each of its instances.
 *
 * @throws As `shapeOf` does, and for an invalid mass or restitution.
 */
function shapesOf(
  mesh: Mesh,
  { mass = 0, restitution = 0, shape }: MeshPhysicsSettings,
  placements: readonly Stretch[],
): readonly ColliderDesc[] {
  requireNumber('mass', mass, 0, Number.MAX_VALUE);
  requireKind(shape);
  const { geometry } = mesh;
  // Triangles have no inside: a body of triangles that moves would fall through the ground.
  const kind = shape ?? (mass > 0 && isHollow(geometry) ? 'hull' : undefined);
  const drawn = drawnBy(mesh);
  const byScale = new Map<string, ColliderDesc>();
  return placements.map(({ scale, shear: ofPlace }) => {
    // Instances that move are drawn without it.
    const shear = mass > 0 && isInstanced(mesh) ? undefined : ofPlace;
    const key = [...scale.toArray(), ...(shear?.elements ?? [])].join();
    const desc = byScale.get(key) ?? shapeOfDrawn(mesh, drawn, kind, { scale, shear });
    byScale.set(key, desc.setRestitution(restitution));
    return mass > 0 ? desc.setMass(mass) : desc;
  });
}

/** Puts bodies and colliders into `mesh.userData.physics`, for the application. */
function writeUserData({ bodies, colliders, mesh, settings }: PlacedMesh): void {
  const isMany = settings !== undefined && isInstanced(mesh);
  mesh.userData['physics'] = {
    ...(mesh.userData['physics'] as object | undefined),
    body: isMany ? bodies : bodies[0],
    collider: isMany ? colliders : colliders[0],
  };
}

/** Whether the mesh has changed since the last call. */
function takeChange({ mesh, changes }: PlacedMesh): boolean {
  changes.addGeometry(mesh.geometry, mesh.material);
  changes.addScales(mesh);
  changes.add(countOf(mesh));
  return changes.takeChange();
}

const titleOf = ({ name }: Mesh): string => (name === '' ? 'a mesh' : `the mesh "${name}"`);

/** @throws whatever `act` throws, named after the mesh and the action. */
function nameMesh<T>(mesh: Mesh, what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { message } = error as Error;
    const Kind = error instanceof TypeError ? TypeError : RangeError;
    throw new Kind(`${titleOf(mesh)} cannot ${what}: ${message}`, { cause: error });
  }
}
