/** Physics for the meshes of a scene, with the members of three's own helper `RapierPhysics`. */
import type { Vector } from '../shared/util/vectors.js';
import type { Mesh, Object3D } from 'three';
import { isDevelopment, whenLoaded } from '../shared/util/development.js';
import type { SampledFrame } from '../render-main/frame/frame.js';
import { driverOf } from '../world/page/page-world.js';
import { createWorld, type RigidBody, type World, type WorldOptions } from '../world/page/index.js';
import type { RayHit } from './body-binding.js';
import { nameOf, warnOfNoCollider, whyNoMesh } from './drawn-geometry.js';
import { PlacedMeshes, userDataOf, type MeshPhysicsSettings } from './placed-meshes.js';
import type { ShapeKind } from './shape-of.js';
import * as RAPIER from '../world/page/index.js';

/**
 * Physics for the meshes of a scene. Its members are functions that need no `this`. Poses of meshes are those within the
 * scene, in m or the simulation's own unit.
 *
 * An added mesh has its bodies in `mesh.userData.physics.body` and their colliders in `mesh.userData.physics.collider`:
 * arrays for an InstancedMesh.
 *
 * @typeParam S The simulation of the worker script, for the types of its systems.
 */
export interface MeshPhysics<S = unknown> {
  /** The world, for joints, forces, settings, and what belongs to no mesh. */
  readonly world: World<S>;
  /** The classes and enumerations of `betwixt/world`: `RAPIER.JointData`, `RAPIER.RigidBodyType` … */
  readonly RAPIER: typeof RAPIER;
  /**
   * Adds all meshes of a scene, or below another object, that have {@link MeshPhysicsSettings} in `userData.physics`.
   * Those that were added before stay as they are.
   *
   * @throws As {@link addMesh} does, and TypeError for an unknown name in `userData.physics`; the meshes before stay
   *   added.
   */
  addScene(scene: Object3D): void;
  /**
   * Adds a mesh where it is now, with its scale and those of its parents. Each instance of an InstancedMesh, up to its
   * `count`, gets its own body, where it is and as large as it is. A mesh that was added before gets new bodies. When what
   * is drawn of the mesh, its scale or its `count` changes, its colliders follow with the next {@link update}.
   *
   * @param mass In kg, from 0, of each instance. Default 0: it is fixed.
   * @param restitution How bouncy it is, from 0 to 1. Default 0.
   * @param shape What its colliders have of its geometry. Default: `shape` of `userData.physics`; without it, as `shapeOf`
   *   chooses, but the hull instead of triangles for what moves.
   * @throws TypeError, RangeError for an invalid mass, restitution or shape, and as `shapeOf` does, naming the
   *   mesh; TypeError for a BatchedMesh. Nothing is added then.
   */
  addMesh(mesh: Mesh, mass?: number, restitution?: number, shape?: ShapeKind): void;
  /** Removes the bodies of a mesh, fixed or not. The mesh stays where it is; one that was not added is ignored. */
  removeMesh(mesh: Mesh): void;
  /**
   * Puts a mesh somewhere, and stops it.
   *
   * @param position Within the scene.
   * @param index Which instance of an InstancedMesh, from 0. Default 0.
   * @throws Error if the mesh was not added.
   * @throws RangeError if it has no such instance.
   */
  setMeshPosition(mesh: Mesh, position: Readonly<Vector>, index?: number): void;
  /**
   * Sets the velocity of a mesh.
   *
   * @param velocity In m/s.
   * @param index Which instance of an InstancedMesh, from 0. Default 0.
   * @throws Error if the mesh was not added.
   * @throws RangeError if it has no such instance.
   */
  setMeshVelocity(mesh: Mesh, velocity: Readonly<Vector>, index?: number): void;
  /**
   * Pushes a mesh at its center of mass, at once.
   *
   * @param impulse In N s.
   * @param index Which instance of an InstancedMesh, from 0. Default 0.
   * @throws Error if the mesh was not added.
   * @throws RangeError if it has no such instance.
   */
  applyImpulse(mesh: Mesh, impulse: Readonly<Vector>, index?: number): void;
  /**
   * Adds a terrain around the position of a mesh, turned like it. The mesh itself may have any geometry and scale.
   *
   * @param width Number of squares along z, 1 to 65,536: one less than there are heights.
   * @param depth Number of squares along x, 1 to 65,536.
   * @param heights (width + 1) × (depth + 1) numbers: those at the lowest x first, in the order of their z.
   * @param scale The terrain's whole size along x and z, and a factor of its heights.
   * @returns Its body, which is fixed.
   * @throws RangeError for another number of heights, and TypeError or RangeError for numbers out of range.
   */
  addHeightfield(
    mesh: Mesh,
    width: number,
    depth: number,
    heights: ArrayLike<number>,
    scale: Readonly<Vector>,
  ): RigidBody;
  /**
   * The body of what a ray has hit, such as `raycaster.intersectObjects(scene.children)[0]`, or of a mesh:
   * `bodyOf({ object: mesh })`. A hit of a child of a mesh is one of the mesh. Undefined if there is none.
   */
  bodyOf(hit: RayHit): RigidBody | undefined;
  /**
   * Draws a frame: moves all meshes that are not fixed, and has colliders follow meshes that have changed. Call it once per
   * frame, before rendering. The simulation starts with the first call, so its first tick has all that was added before. A
   * pause before that ends then, unless the option `startPaused` is set.
   *
   * @param stamp The time stamp that `setAnimationLoop` or `requestAnimationFrame` passes, in ms. In a headset,
   *   `predictedDisplayTime` of the frame, where it has that.
   * @returns The frame, for bodies without a mesh.
   * @throws TypeError, RangeError if it is not a finite number from 0.
   */
  update(stamp: number): SampledFrame;
  /** Ends the worker. The meshes stay where they are. */
  dispose(): Promise<void>;
}

/**
 * Starts physics for meshes, in a worker of the library:
 *
 *     const physics = await meshPhysics();
 *     physics.addScene(scene);
 *     renderer.setAnimationLoop((stamp) => {
 *       physics.update(stamp);
 *       renderer.render(scene, camera);
 *     });
 *
 * @param options Those of `createWorld`, such as `gravity`, `capacity` and `tickRateHz`.
 * @returns When the engine has loaded.
 * @throws By the promise, as `createWorld` and `connect` do.
 * @typeParam S As of `createWorld`: with systems of your own, `meshPhysics<typeof simulation>({ createWorker })`.
 */
export async function meshPhysics<S = unknown>(
  options: WorldOptions = {},
): Promise<MeshPhysics<S>> {
  const world = createWorld<S>({ ...options, startPaused: true });
  driverOf(world).names = { capacityOf: 'meshPhysics' };
  const simulation = await world.ready;
  const meshes = new PlacedMeshes(world, simulation);
  if (isDevelopment) {
    whenLoaded(import('./mesh-warnings.js'), ({ watchMeshes }) => watchMeshes(meshes));
  }
  let isStarted = options.startPaused === true;
  return {
    world,
    RAPIER,
    addScene(scene) {
      scene.traverse((object) => {
        const settings = object.userData['physics'] as MeshPhysicsSettings | undefined;
        if (settings === undefined || meshes.has(object as Mesh)) return;
        const reason = whyNoMesh(object);
        if (reason === undefined) meshes.addByUserData(object as Mesh, settings);
        else if (isDevelopment) warnOfNoCollider(nameOf(object), reason);
      });
    },
    addMesh(mesh, mass = 0, restitution = 0, shape = userDataOf(mesh).shape) {
      meshes.add(mesh, { mass, restitution, ...(shape === undefined ? {} : { shape }) });
    },
    removeMesh: (mesh) => meshes.remove(mesh),
    setMeshPosition(mesh, position, index = 0) {
      meshes.act(mesh, index, 'be moved', (body) => {
        body.setTranslation(position, true);
        body.setLinvel({ x: 0, y: 0, z: 0 }, true);
        body.setAngvel({ x: 0, y: 0, z: 0 }, true);
      });
    },
    setMeshVelocity: (mesh, velocity, index = 0) =>
      meshes.act(mesh, index, 'be moved', (body) => body.setLinvel(velocity, true)),
    applyImpulse: (mesh, impulse, index = 0) =>
      meshes.act(mesh, index, 'be pushed', (body) => body.applyImpulse(impulse, true)),
    addHeightfield: (mesh, width, depth, heights, scale) =>
      meshes.addHeightfield(mesh, RAPIER.ColliderDesc.heightfield(width, depth, heights, scale)),
    bodyOf: (hit) => meshes.bodyOf(hit),
    update(stamp) {
      meshes.followChanges();
      const frame = world.sample(stamp);
      if (!isStarted) {
        isStarted = true;
        world.flush();
        // If it has ended, its status says why.
        simulation.resume().catch(() => {});
      }
      meshes.update(frame);
      return frame;
    },
    async dispose() {
      meshes.clear();
      await world.dispose();
    },
  };
}
