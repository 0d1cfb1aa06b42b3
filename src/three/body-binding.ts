/** Draws sampled frames with three.js, on which only this folder depends. */
import type { Color, InstancedMesh, Object3D } from 'three';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { BodyEvent } from '../shared/events/simulation-event.js';
import type { SampledFrame } from '../render-main/frame/frame.js';
import { isDevelopment, whenLoaded } from '../shared/util/development.js';
import { AttachedObjects, type AttachOptions } from './attached-objects.js';
import {
  InstancedBodies,
  OrderedBodies,
  type OrderedIds,
  type OrderedOptions,
  releaseMesh,
} from './instanced-bodies.js';

/** An instance to draw a body with. */
export interface BodyInstance {
  /** From {@link BodyBinding.instances}. */
  readonly instances: InstancedBodies;
  /** Factors of the geometry's size along x, y and z. Default 1. */
  readonly scale?: readonly [number, number, number];
  /** Color of the instance. Default: as the mesh has it. */
  readonly color?: Color;
}

/** Options of {@link BodyBinding.populate}. */
export interface PopulateOptions extends AttachOptions {
  /** The objects are added to it, and removed from it. Default: they are put nowhere. */
  readonly parent?: Object3D;
  /** Called with each object when it is no longer drawn: to dispose of what it alone uses. Default: nothing. */
  readonly onRemove?: (object: Object3D, id: BodyId) => void;
}

/** The part of an `Intersection` of three.js that says what a ray has hit. */
export interface RayHit {
  /** The object that was hit. */
  readonly object: Object3D;
  /** The index of the instance, if it is an InstancedMesh. */
  readonly instanceId?: number | undefined;
}

const NO_ID = 'id is undefined: use populate(), which waits until the worker has made a body';

/** The part of a simulation's handle that tells which bodies live. */
interface BodySource<Tag> {
  /** The tags of the shown bodies. */
  readonly bodies: ReadonlyMap<BodyId, Tag>;
  /** Calls a handler for each body that comes or goes. @returns Removes it. */
  on(name: 'spawn' | 'despawn', handler: (event: BodyEvent<Tag>) => void): () => void;
}

function addInstance(body: InstancedBodies | BodyInstance, id: BodyId): InstancedBodies {
  if (body instanceof InstancedBodies) {
    body.add(id);
    return body;
  }
  const { instances, scale, color } = body;
  const index = instances.add(id, scale);
  const { mesh } = instances;
  if (color !== undefined) {
    mesh.setColorAt(index, color);
    if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
  }
  return instances;
}

/** Everything that is drawn from one simulation: instanced shapes and single objects. */
export class BodyBinding {
  readonly #instanced: (InstancedBodies | OrderedBodies)[] = [];
  readonly #attached = new AttachedObjects();
  /** Each ends one `populate`. */
  readonly #ends = new Set<() => void>();

  /** Draws bodies of one shape with a mesh; add the bodies to the returned object. */
  instances(mesh: InstancedMesh): InstancedBodies {
    const bodies = new InstancedBodies(mesh);
    if (isDevelopment) this.#watch();
    this.#instanced.push(bodies);
    return bodies;
  }

  /**
   * Draws bodies with a mesh in a given order: instance i is always body i of the list. Colors and other attributes of
   * instances then need no attention when bodies come and go.
   *
   * @param mesh Its `count` says how many instances are drawn, and is never changed.
   * @param ids Undefined, like the end of the list: nothing is drawn there. Read in each update, so it may change at any
   *   time. {@link remove} does not change it.
   * @param scales Three factors per instance, of the geometry's size along x, y and z. Also read in each update.
   *   Default: all 1.
   * @param options What instances without a body show.
   * @throws RangeError when the list has more bodies than the mesh has instances, or factors are missing.
   */
  instancesInOrder(
    mesh: InstancedMesh,
    ids: OrderedIds,
    scales?: ArrayLike<number>,
    options?: OrderedOptions,
  ): OrderedBodies {
    const bodies = new OrderedBodies(mesh, ids, scales);
    bodies.keepOthers = options?.keepOthers ?? false;
    if (isDevelopment) this.#watch();
    this.#instanced.push(bodies);
    return bodies;
  }

  /**
   * Moves an object and its children with a body. An object that is attached already follows the new body instead.
   *
   * The object is drawn at the body's pose in the scene, whatever its parents are: they may be moved, turned and scaled,
   * also while it is attached, and may follow bodies themselves. `position` and `quaternion` are written, and `scale` is
   * left alone. Therefore the scale of a parent also scales the object, but does not move it away from its body. If it
   * is not uniform, the object is turned like its body and then stretched along the axes of the parent; no position,
   * rotation and scale could undo that (shear). If it also has turned parents in it, the object is turned nearly like
   * its body. A parent that mirrors the object does so along the body's x axis. With a scale of 0, the object stays.
   *
   * @param object Move its parents before {@link update}. A transformation of the scene itself moves all bodies.
   * @throws TypeError if `id` is undefined, as that of a body that no frame has drawn yet.
   */
  attach(object: Object3D, id: BodyId, options?: AttachOptions): void {
    if (id === undefined) throw new TypeError(NO_ID);
    if (isDevelopment) this.#watch();
    this.#attached.attach(object, id, options);
  }

  /**
   * The body that draws what a ray has hit: what `Raycaster.intersectObjects` returns. A hit of a child of an attached
   * object is one of its body.
   */
  bodyOf(hit: RayHit): BodyId | undefined {
    const { object, instanceId } = hit;
    if (instanceId !== undefined) {
      const drawn = this.#instanced.find(({ mesh }) => mesh === object)?.bodyAt(instanceId);
      if (drawn !== undefined) return drawn;
    }
    for (let at: Object3D | null = object; at !== null; at = at.parent) {
      const id = this.#attached.bodyOf(at);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  /**
   * Stops moving an object, or drawing bodies with a mesh that {@link instances} or {@link instancesInOrder} got. It
   * stays in its scene as it is.
   *
   * @returns False when the object was neither attached nor such a mesh.
   */
  detach(object: Object3D): boolean {
    const count = this.#instanced.length;
    for (let index = count - 1; index >= 0; index--) {
      const { mesh } = this.#instanced[index] as InstancedBodies | OrderedBodies;
      if (mesh !== object) continue;
      releaseMesh(mesh);
      this.#instanced.splice(index, 1);
    }
    return this.#attached.detach(object) || this.#instanced.length < count;
  }

  /**
   * Draws every body of a simulation: those that live, and from then on those that are spawned, until they are removed.
   * Jumps of the run, and workers that are replaced, need no attention. Fixed bodies of a world do not live until they move:
   * put their meshes into the scene.
   *
   *     bodies.populate(sim, ({ shape }) => new Mesh(geometries[shape], material), { parent: scene });
   *
   * @param simulation What `connect` or `World.ready` resolves with.
   * @param create Called once for each body that comes to life, with its tag: returns an object to move, what
   *   {@link instances} returned to draw an instance of it, or {@link BodyInstance} for an instance with a scale or a
   *   color. Undefined: the body is not drawn. An error is reported as uncaught, and that body is not drawn.
   * @param options Where the objects belong.
   * @returns Ends it: what it draws is removed, as if the bodies were. {@link clear} does the same.
   * @throws whatever `create` throws for a body that lives already; nothing is drawn then.
   * @throws TypeError if it is given no simulation.
   */
  populate<Tag>(
    simulation: BodySource<Tag>,
    create: (tag: Tag, id: BodyId) => Object3D | InstancedBodies | BodyInstance | undefined,
    options: PopulateOptions = {},
  ): () => void {
    if (!(simulation.bodies instanceof Map)) {
      throw new TypeError(
        'populate() needs the simulation, which world.ready or connect() resolves with',
      );
    }
    if (isDevelopment) this.#watch();
    const { parent, onRemove, keepVisible = false } = options;
    const drawn = new Map<BodyId, Object3D | InstancedBodies>();
    const add = (id: BodyId, tag: Tag): void => {
      const body = create(tag, id);
      if (body === undefined) return;
      if (!('isObject3D' in body)) {
        drawn.set(id, addInstance(body, id));
        return;
      }
      drawn.set(id, body);
      // Until an update has moved it to its place.
      if (!keepVisible) body.visible = false;
      this.attach(body, id, options);
      parent?.add(body);
      if (isDevelopment && parent === undefined && !keepVisible) this.#watch(body);
    };
    const remove = (id: BodyId): void => {
      const body = drawn.get(id);
      drawn.delete(id);
      if (body instanceof InstancedBodies) {
        body.remove(id);
      } else if (body !== undefined) {
        // `create` may have returned it again, for another body.
        const owner = this.#attached.bodyOf(body);
        if (owner !== undefined && owner !== id) return;
        this.#attached.detach(body);
        parent?.remove(body);
        onRemove?.(body, id);
      }
    };
    const offs = [
      simulation.on('spawn', ({ id, tag }) => add(id, tag)),
      simulation.on('despawn', ({ id }) => remove(id)),
    ];
    const end = (): void => {
      this.#ends.delete(end);
      for (const off of offs) off();
      for (const id of drawn.keys()) remove(id);
    };
    this.#ends.add(end);
    try {
      for (const [id, tag] of simulation.bodies) add(id, tag);
    } catch (error) {
      end();
      throw error;
    }
    return end;
  }

  /**
   * Stops moving or drawing a body. An attached object stays where it is, in its scene. Lists of
   * {@link instancesInOrder} are not changed.
   *
   * @returns False when the body was neither an instance nor attached.
   */
  remove(id: BodyId): boolean {
    let wasDrawn = this.#attached.detachBody(id);
    for (const bodies of this.#instanced) {
      if (bodies instanceof InstancedBodies) wasDrawn = bodies.remove(id) || wasDrawn;
    }
    return wasDrawn;
  }

  /**
   * Removes everything, and ends what {@link populate} began. Other meshes and objects stay in their scene; their owner
   * disposes of them.
   */
  clear(): void {
    for (const end of this.#ends) end();
    for (const { mesh } of this.#instanced) releaseMesh(mesh);
    this.#instanced.length = 0;
    this.#attached.clear();
  }

  /**
   * Writes a frame's poses into everything. Call it after `sample`, and after parents of attached objects have been
   * moved, before rendering. Iterates by index, which allocates nothing.
   */
  update(frame: SampledFrame): void {
    for (let index = 0; index < this.#instanced.length; index++) {
      this.#instanced[index]?.update(frame);
    }
    this.#attached.update(frame);
  }

  /** In development. */
  #watch(unplaced?: Object3D): void {
    const draws = (): boolean => this.#ends.size + this.#instanced.length + this.#attached.size > 0;
    whenLoaded(import('./binding-warnings.js'), ({ watchBinding, watchPlace }) => {
      watchBinding(this, draws);
      if (unplaced !== undefined) watchPlace(this, unplaced);
    });
  }
}
