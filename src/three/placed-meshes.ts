/** The meshes that have bodies in a world, and how they are drawn. */
import type { Mesh } from 'three';
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
import { BodyBinding, type RayHit } from './body-binding.js';
import {
  drawnBy,
  forget,
  nameOf,
  warnOfMovingShear,
  warnOfOldCollider,
  warnOfOtherBones,
  whyNoMesh,
} from './drawn-geometry.js';
import { isDevelopment } from '../shared/util/development.js';
import { type MeshCollider, MeshColliders, MeshShape } from './mesh-colliders.js';
import {
  countOf,
  isInstanced,
  matrixInScene,
  type Placement,
  placementsOf,
  transformInstances,
} from './scene-space.js';
import { isHollow, shapeOfDrawn, type ShapeKind } from './shape-of.js';

/**
 * The settings that `MeshPhysics.addScene` reads from `mesh.userData.physics`. Friction and all else: set it on the collider or
 * the body, which are in there afterwards.
 */
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
  readonly bodies: (RigidBody | undefined)[];
  /** One collider for each body. */
  readonly colliders: Collider[];
  /** Numbers of the bodies of an InstancedMesh of which at least one instance has moved. */
  ids: (BodyId | undefined)[] | undefined;
  /** Three factors for each body that fits. */
  readonly scales: Float32Array;
  /** Where the mesh or its instances are, when its colliders are synchronized. */
  placements: readonly Placement[];
  /** The settings with which the mesh was added. */
  readonly settings: MeshPhysicsSettings;
  /** The content of `userData.physics` then. */
  readonly userData: MeshPhysicsSettings;
  readonly shapes: MeshColliders<AddedCollider>;
}

/** A mesh, and what it was added with. */
export type AddedMesh = Pick<PlacedMesh, 'mesh' | 'settings' | 'userData'>;

/** A shape that is made of a mesh, or a terrain. */
type AddedShape = Pick<MeshShape, 'isMoved' | 'matrix' | 'prepare' | 'key' | 'describe'>;

/** The collider of a mesh, or of an instance, that has its own body. */
interface AddedCollider extends MeshCollider {
  readonly source: AddedShape;
  /** Origin of the collider's shape. */
  origin: unknown;
  /** Whether nothing is drawn: the collider is disabled then. Undefined: something always was. */
  isHidden: boolean | undefined;
}

/** Names in `mesh.userData.physics`. The last two are put there for the application. */
const USER_DATA_NAMES = ['mass', 'restitution', 'shape', 'body', 'collider'];

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

  /** All meshes that were added. */
  get all(): Iterable<AddedMesh> {
    return this.#byMesh.values();
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
    const body = placed.bodies[index];
    if (body !== undefined) return body;
    throw new RangeError(
      `index is ${index}, but ${nameOf(mesh)} has ${placed.bodies.length} bodies, counted from 0`,
    );
  }

  /** @throws TypeError, RangeError for invalid settings, or as `shapeOf` does: nothing is added then. */
  add(mesh: Mesh, settings: MeshPhysicsSettings): void {
    const reason = whyNoMesh(mesh);
    if (reason !== undefined) throw new TypeError(`${nameOf(mesh)} cannot be added: ${reason}`);
    // The geometry may have been edited without a new version before it was rendered.
    forget(mesh);
    const placed = this.#place(mesh, settings, shapeAt);
    if (isDevelopment && settings.mass) {
      warnOfMovingShear(mesh, placed.placements);
      warnOfOtherBones(mesh, mesh);
    }
  }

  /**
   * Adds a mesh with what an application has put into `mesh.userData.physics`.
   *
   * @throws TypeError for an unknown name in it.
   */
  addByUserData(mesh: Mesh, settings: MeshPhysicsSettings): void {
    requireKnownKeys(`userData.physics of ${nameOf(mesh)}`, settings, USER_DATA_NAMES);
    this.add(mesh, settings);
  }

  /** @throws As {@link body} does, and TypeError, RangeError naming the mesh and the field of a vector. */
  act(mesh: Mesh, index: number, what: string, act: (body: RigidBody) => void): void {
    const body = this.body(mesh, index);
    nameMesh(mesh, what, () => act(body));
  }

  addHeightfield(mesh: Mesh, desc: ColliderDesc): RigidBody {
    const shape = {
      isMoved: false,
      matrix: undefined,
      prepare: () => true,
      key: () => [],
      describe: () => desc,
    };
    return this.#place(mesh, {}, () => shape).bodies[0] as RigidBody;
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
    for (const { shapes } of this.#byMesh.values()) shapes.followChanges();
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

  /** Gives a mesh its bodies, and removes those that it had. With an error, it keeps these. */
  #place(
    mesh: Mesh,
    settings: MeshPhysicsSettings,
    makeShape: (placed: PlacedMesh, index: number) => AddedShape,
  ): PlacedMesh {
    const placements = placementsOf(mesh);
    const placed: PlacedMesh = {
      mesh,
      bodies: [],
      colliders: [],
      ids: undefined,
      scales: new Float32Array(3 * (isInstanced(mesh) ? mesh.instanceMatrix.count : 1)),
      placements,
      settings,
      userData: userDataOf(mesh),
      shapes: new MeshColliders<AddedCollider>(mesh, {
        root: mesh,
        make: (_mesh, index) => {
          const collider: AddedCollider = {
            source: makeShape(placed, index),
            origin: undefined,
            isHidden: undefined,
            sync: () => this.#sync(placed, index, collider),
            remove: () => this.#removeBody(placed.bodies[index]),
          };
          return collider;
        },
        attempt: (act) => this.#attempt(placed, act),
      }),
    };
    try {
      nameMesh(mesh, 'be added', () => {
        placed.shapes.sync();
        const hidden = placed.shapes.all.findIndex(({ isHidden }) => isHidden);
        // The error says why.
        if (hidden >= 0) shapeOfDrawn(mesh, drawnBy(mesh), 'hull', placements[hidden] as Placement);
      });
    } catch (error) {
      for (const body of placed.bodies) this.#removeBody(body);
      throw error;
    }
    this.remove(mesh);
    this.#byMesh.set(mesh, placed);
    writeUserData(placed);
    return placed;
  }

  #sync(placed: PlacedMesh, index: number, collider: AddedCollider): void {
    const { source, origin } = collider;
    const isHidden = !source.prepare();
    if (isHidden !== (collider.isHidden ?? false)) {
      placed.colliders[index]?.setEnabled(!isHidden);
      collider.isHidden = isHidden;
    }
    if (isHidden) return;
    [collider.origin] = source.key();
    if (placed.bodies[index] === undefined) this.#addBody(placed, index);
    else if (collider.origin !== origin || source.isMoved) this.#replace(placed, index);
    source.isMoved = false;
    placed.placements[index]?.scale.toArray(placed.scales, 3 * index);
  }

  #addBody(placed: PlacedMesh, index: number): void {
    const { bodies, colliders, mesh, scales } = placed;
    const { position, rotation, scale } = placed.placements[index] as Placement;
    // The shape is described with the scale.
    scale.toArray(scales, index * 3);
    const desc = placed.settings.mass ? RigidBodyDesc.dynamic() : RigidBodyDesc.fixed();
    desc.setTranslation(position.x, position.y, position.z).setRotation(rotation);
    const body = this.#world.createRigidBody(desc.setUserData(mesh));
    this.#made.add(body);
    bodies[index] = body;
    colliders[index] = this.#addCollider(placed, index);
    this.#byBody.set(body.handle, { placed, index });
  }

  /** Adds a collider with the settings of the one before it. */
  #addCollider({ bodies, colliders, settings, shapes }: PlacedMesh, index: number): Collider {
    const { mass = 0, restitution = 0 } = settings;
    const before = colliders[index] && settingsOf(colliders[index]);
    const { source } = shapes.all[index] as AddedCollider;
    const desc = source.describe().setRestitution(restitution);
    if (mass > 0) desc.setMass(mass);
    const collider = this.#world.createCollider(
      before ? withSettings(desc, before) : desc,
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
      const { bodies, colliders, ids, mesh, shapes } = placed;
      placed.placements = placementsOf(mesh, ids !== undefined);
      for (const [index, body] of bodies.entries()) {
        // `followChanges` removes instances that are not counted any more.
        if (index >= placed.placements.length) break;
        if (body === undefined) continue;
        if (!body.isValid()) {
          this.#draw(body.handle, undefined);
          this.#byBody.delete(body.handle);
          this.#addBody(placed, index);
        } else if (colliders[index]?.isValid() === false) {
          colliders[index] = this.#addCollider(placed, index);
        }
        const isHidden = shapes.all[index]?.isHidden;
        if (isHidden !== undefined) colliders[index]?.setEnabled(!isHidden);
      }
      writeUserData(placed);
      for (const item of [...bodies, ...colliders]) if (item !== undefined) current.add(item);
    }
    const isStale = (item: RigidBody | Collider) => this.#made.has(item) && !current.has(item);
    for (const body of world.bodies.getAll().filter(isStale)) world.removeRigidBody(body);
    for (const each of world.colliders.getAll().filter(isStale)) world.removeCollider(each, true);
  }

  /** @param body Undefined for an instance that never had a size. */
  #removeBody(body: RigidBody | undefined): void {
    if (body === undefined) return;
    const { handle } = body;
    this.#byBody.delete(handle);
    const living = this.#world.getRigidBody(handle);
    if (living !== undefined) this.#world.removeRigidBody(living);
  }

  #attempt(placed: PlacedMesh, act: () => void): void {
    const { bodies, colliders, ids, mesh } = placed;
    placed.placements = placementsOf(mesh, ids !== undefined);
    try {
      act();
    } catch (error) {
      warnOfOldCollider(mesh, error as Error);
    }
    const count = countOf(mesh);
    for (const each of [bodies, colliders, ids]) {
      if (each !== undefined && each.length > count) each.length = count;
    }
    writeUserData(placed);
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

/** The shape of a mesh, or of an instance. */
function shapeAt(placed: PlacedMesh, index: number): MeshShape {
  const { mesh, scales, settings } = placed;
  const { mass = 0, shape } = settings;
  requireNumber('mass', mass, 0, Number.MAX_VALUE);
  // Triangles have no inside: a body of triangles that moves would fall through the ground.
  const kind = (): ShapeKind | undefined =>
    shape ?? (mass > 0 && isHollow(mesh.geometry) ? 'hull' : undefined);
  return new MeshShape(mesh, kind, {
    root: mesh,
    body: () => {
      const { scale, shear } = placed.placements[index] as Placement;
      // The matrix of an instance that moves has a rounded scale.
      const isMoved = placed.ids !== undefined && index < placed.bodies.length;
      return {
        scale: isMoved ? scale.fromArray(scales, 3 * index) : scale,
        // Instances that move are drawn without a shear.
        shear: mass > 0 && isInstanced(mesh) ? undefined : shear,
      };
    },
  });
}

/** A copy. */
export const userDataOf = (mesh: Mesh): MeshPhysicsSettings => ({
  ...(mesh.userData['physics'] as MeshPhysicsSettings | undefined),
});

/** Puts bodies and colliders into `mesh.userData.physics`, for the application. */
function writeUserData({ bodies, colliders, mesh }: PlacedMesh): void {
  const isMany = isInstanced(mesh);
  mesh.userData['physics'] = {
    ...userDataOf(mesh),
    body: isMany ? bodies : bodies[0],
    collider: isMany ? colliders : colliders[0],
  };
}

/** @throws whatever `act` throws, named after the mesh and the action. */
function nameMesh<T>(mesh: Mesh, what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { message } = error as Error;
    const Kind = error instanceof TypeError ? TypeError : RangeError;
    throw new Kind(`${nameOf(mesh)} cannot ${what}: ${message}`, { cause: error });
  }
}
