/** Draws sampled frames with three.js, the only module that depends on it. */
import {
  type Color,
  type InstancedMesh,
  type Object3D,
  BufferAttribute,
  DynamicDrawUsage,
} from 'three';
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { BodyEvent } from '../../shared/events/simulation-event.js';
import type { SampledFrame } from '../api/sampled-frame.js';

/**
 * The bodies of one shape, drawn by one InstancedMesh. Instances stay dense: removing one moves the last into its
 * place. Unused instances are not drawn, and those of bodies that do not live at the moment have no area.
 */
export class InstancedBodies {
  /** The given mesh; its `count` and its matrices are written. */
  readonly mesh: InstancedMesh;
  readonly #ids: Uint32Array;
  readonly #scales: Float32Array;
  readonly #indexById = new Map<BodyId, number>();
  readonly #drawn = { start: 0, count: 0 };
  #count = 0;

  /** @param mesh Its instance count is the most bodies that fit; its matrices must be floats. */
  constructor(mesh: InstancedMesh) {
    const capacity = mesh.instanceMatrix.count;
    this.mesh = mesh;
    this.#ids = new Uint32Array(capacity);
    this.#scales = new Float32Array(capacity * 3);
    mesh.count = 0;
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    keepRange(mesh.instanceMatrix, this.#drawn);
    // three.js computes the bounds of an InstancedMesh once, but these move every frame.
    mesh.frustumCulled = false;
  }

  /** Number of bodies that it draws. */
  get count(): number {
    return this.#count;
  }

  /** The body drawn by the instance with an index from 0, such as a ray cast's `instanceId`. */
  bodyAt(instance: number): BodyId | undefined {
    return instance < this.#count ? (this.#ids[instance] as BodyId) : undefined;
  }

  /**
   * Draws a body from the next update on. One that is already drawn keeps its instance and gets the new scale.
   *
   * @param scale Factors of the geometry's size along x, y and z. Default 1.
   * @returns The index of its instance, for colours and the like; removing another body may change it.
   * @throws RangeError when all instances are taken.
   */
  add(id: BodyId, scale: readonly [number, number, number] = [1, 1, 1]): number {
    const taken = this.#indexById.get(id);
    if (taken !== undefined) {
      this.#scales.set(scale, taken * 3);
      return taken;
    }
    if (this.#count === this.#ids.length) {
      throw new RangeError(`all ${this.#ids.length} instances of the mesh are taken`);
    }
    const index = this.#count;
    this.#count += 1;
    this.#ids[index] = id;
    this.#scales.set(scale, index * 3);
    this.#indexById.set(id, index);
    return index;
  }

  /** Stops drawing a body. Returns false when it was not drawn. */
  remove(id: BodyId): boolean {
    const index = this.#indexById.get(id);
    if (index === undefined) return false;
    this.#indexById.delete(id);
    const last = this.#count - 1;
    this.#count = last;
    if (index !== last) {
      const moved = this.#ids[last] as BodyId;
      this.#ids[index] = moved;
      this.#scales.copyWithin(index * 3, last * 3, last * 3 + 3);
      this.#indexById.set(moved, index);
      const colors = this.mesh.instanceColor;
      if (colors !== null) {
        colors.array.copyWithin(index * 3, last * 3, last * 3 + 3);
        colors.needsUpdate = true;
      }
    }
    return true;
  }

  /** Writes the frame's poses into the mesh. */
  update(frame: SampledFrame): void {
    const { mesh } = this;
    mesh.count = this.#count;
    // WebGL interprets an empty range as the whole array, of which nothing would be drawn.
    if (this.#count === 0) return;
    const attribute = mesh.instanceMatrix;
    frame.writeMatrices(this.#ids, this.#scales, this.#count, attribute.array as Float32Array);
    this.#drawn.count = this.#count * 16;
    attribute.needsUpdate = true;
  }
}

/**
 * Makes three.js upload one range of an attribute at each update, and nothing else. After an upload, three.js empties
 * the list of ranges, which frees the list's memory, and adding the range again would allocate every frame. So the
 * range stays, as one permanent object. The first upload, and the one after a lost context, is always the whole array.
 */
function keepRange(attribute: BufferAttribute, range: { start: number; count: number }): void {
  const { updateRanges } = attribute;
  attribute.clearUpdateRanges = () => {
    // Ranges from elsewhere have been uploaded, or merged into the first.
    updateRanges[0] = range;
    updateRanges.length = 1;
  };
  attribute.clearUpdateRanges();
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

/** Restores the attribute to how three.js created it. */
function releaseRange(attribute: BufferAttribute): void {
  attribute.clearUpdateRanges = BufferAttribute.prototype.clearUpdateRanges;
  attribute.clearUpdateRanges();
}

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
export interface PopulateOptions {
  /** The objects are added to it, and removed from it. Default: they are put nowhere. */
  readonly parent?: Object3D;
  /** Called with each object when it is no longer drawn: to dispose of what it alone uses. Default: nothing. */
  readonly onRemove?: (object: Object3D, id: BodyId) => void;
}

/** The part of a simulation's handle that tells which bodies live. */
interface BodySource<Tag> {
  /** The tags of the shown bodies. */
  readonly bodies: ReadonlyMap<BodyId, Tag>;
  /** Calls a handler for each body that comes or goes. @returns Removes it. */
  on(name: 'spawn' | 'despawn', handler: (event: BodyEvent<Tag>) => void): () => void;
}

/** Everything that is drawn from one simulation: instanced shapes and single objects. */
export class BodyBinding {
  readonly #instanced: InstancedBodies[] = [];
  readonly #objects: Object3D[] = [];
  /** The body of each object, at the same index. */
  readonly #ids: BodyId[] = [];
  readonly #pose = new Float64Array(7);
  /** Each ends one `populate`. */
  readonly #ends = new Set<() => void>();

  /** Draws bodies of one shape with a mesh; add the bodies to the returned object. */
  instances(mesh: InstancedMesh): InstancedBodies {
    const bodies = new InstancedBodies(mesh);
    this.#instanced.push(bodies);
    return bodies;
  }

  /** Moves an object and its children with a body. Hidden while the body does not live. */
  attach(object: Object3D, id: BodyId): void {
    this.#objects.push(object);
    this.#ids.push(id);
  }

  /**
   * Draws every body of a simulation: those that live, and from then on those that are spawned, until they are removed.
   * Jumps of the run, and workers that are replaced, need no attention.
   *
   *     bodies.populate(sim, ({ shape }) => new Mesh(geometries[shape], material), { parent: scene });
   *
   * @param simulation What `connect` resolves with.
   * @param create Called once for each body that comes to live, with its tag: returns an object to move, what
   *   {@link instances} returned to draw an instance of it, or {@link BodyInstance} for an instance with a scale or a
   *   color. Undefined: the body is not drawn. An error is reported as uncaught, and that body is not drawn.
   * @param options Where the objects belong.
   * @returns Ends it: what it draws is removed, as if the bodies were. {@link clear} does the same.
   * @throws What `create` throws for a body that lives already; nothing is drawn then.
   */
  populate<Tag>(
    simulation: BodySource<Tag>,
    create: (tag: Tag, id: BodyId) => Object3D | InstancedBodies | BodyInstance | undefined,
    options: PopulateOptions = {},
  ): () => void {
    const { parent, onRemove } = options;
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
      body.visible = false;
      this.attach(body, id);
      parent?.add(body);
    };
    const remove = (id: BodyId): void => {
      const body = drawn.get(id);
      drawn.delete(id);
      if (body instanceof InstancedBodies) {
        body.remove(id);
      } else if (body !== undefined) {
        this.#detach(this.#objects.indexOf(body));
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
   * Stops moving or drawing a body. An attached object stays where it is, in its scene.
   *
   * @returns False when the body was neither an instance nor attached.
   */
  remove(id: BodyId): boolean {
    let wasDrawn = false;
    for (const bodies of this.#instanced) wasDrawn = bodies.remove(id) || wasDrawn;
    for (let index = this.#ids.length - 1; index >= 0; index--) {
      if (this.#ids[index] !== id) continue;
      this.#detach(index);
      wasDrawn = true;
    }
    return wasDrawn;
  }

  /**
   * Removes everything, and ends what {@link populate} began. Other meshes and objects stay in their scene; their owner
   * disposes of them.
   */
  clear(): void {
    for (const end of this.#ends) end();
    for (const { mesh } of this.#instanced) releaseRange(mesh.instanceMatrix);
    this.#instanced.length = 0;
    this.#objects.length = 0;
    this.#ids.length = 0;
  }

  #detach(index: number): void {
    if (index < 0) return;
    this.#ids.splice(index, 1);
    this.#objects.splice(index, 1);
  }

  /**
   * Writes a frame's poses into everything. Call it after `sample`, before rendering. Iterates by index so that it
   * allocates nothing.
   */
  update(frame: SampledFrame): void {
    const pose = this.#pose;
    for (let index = 0; index < this.#instanced.length; index++) {
      this.#instanced[index]?.update(frame);
    }
    for (let index = 0; index < this.#objects.length; index++) {
      const object = this.#objects[index] as Object3D;
      object.visible = frame.pose(this.#ids[index] as BodyId, pose) !== undefined;
      if (!object.visible) continue;
      object.position.set(pose[0] as number, pose[1] as number, pose[2] as number);
      object.quaternion.set(
        pose[3] as number,
        pose[4] as number,
        pose[5] as number,
        pose[6] as number,
      );
    }
  }
}
