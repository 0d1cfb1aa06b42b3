/** Single objects that are moved with bodies. */
import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { SampledFrame } from '../render-main/frame/frame.js';
import { isScene, updateWorldMatrix } from './scene-space.js';

/** Options of {@link BodyBinding.attach}. */
export interface AttachOptions {
  /**
   * Whether the object's `visible` is left alone: the application shows and hides it. While the body does not live, the
   * object then stays where it was. Default false: it is hidden while the body does not live, and shown while it does.
   */
  readonly keepVisible?: boolean;
}

/**
 * Smaller changes of a quaternion's component are rounding: the poses of a body at rest differ by them from frame to
 * frame. Leaving the rotation as it is halves the cost of such a body, because three.js computes Euler angles with each
 * new one.
 */
const ROUNDING = 1e-12;

function isTurned({ x, y, z, w }: Quaternion, pose: Float64Array): boolean {
  return (
    Math.abs(x - (pose[3] as number)) > ROUNDING ||
    Math.abs(y - (pose[4] as number)) > ROUNDING ||
    Math.abs(z - (pose[5] as number)) > ROUNDING ||
    Math.abs(w - (pose[6] as number)) > ROUNDING
  );
}

interface Attachment {
  readonly object: Object3D;
  readonly id: BodyId;
  readonly keepVisible: boolean;
  /** Index in the list. */
  index: number;
  /** The space of the object's parent. */
  space: ParentSpace | undefined;
}

/** Attaching and detaching take constant time, however many objects are attached. */
export class AttachedObjects {
  readonly #list: Attachment[] = [];
  readonly #byObject = new Map<Object3D, Attachment>();
  readonly #byBody = new Map<BodyId, Set<Attachment>>();
  readonly #pose = new Float64Array(7);
  readonly #spaces = new WeakMap<Object3D, ParentSpace>();
  /** Number of the update that runs. */
  updates = 0;
  #frame: SampledFrame | undefined;
  /** The parent that was last found to change nothing in this update. Most objects have the same one. */
  #plainParent: Object3D | undefined;

  attach(object: Object3D, id: BodyId, { keepVisible = false }: AttachOptions = {}): void {
    this.detach(object);
    const index = this.#list.length;
    const attachment = { object, id, keepVisible, index, space: undefined };
    this.#list.push(attachment);
    this.#byObject.set(object, attachment);
    const others = this.#byBody.get(id);
    if (others === undefined) this.#byBody.set(id, new Set([attachment]));
    else others.add(attachment);
  }

  get size(): number {
    return this.#list.length;
  }

  /** The body that an object is attached to. */
  bodyOf(object: Object3D): BodyId | undefined {
    return this.#byObject.get(object)?.id;
  }

  /** Returns whether the object was attached. */
  detach(object: Object3D): boolean {
    const attachment = this.#byObject.get(object);
    if (attachment === undefined) return false;
    const { id, index } = attachment;
    this.#byObject.delete(object);
    const sameBody = this.#byBody.get(id);
    sameBody?.delete(attachment);
    if (sameBody?.size === 0) this.#byBody.delete(id);
    // The last one fills the gap.
    const last = this.#list.pop() as Attachment;
    if (last !== attachment) {
      last.index = index;
      this.#list[index] = last;
    }
    return true;
  }

  /** Detaches all objects of a body. Returns whether there were any. */
  detachBody(id: BodyId): boolean {
    const attachments = this.#byBody.get(id);
    if (attachments === undefined) return false;
    for (const { object } of attachments) this.detach(object);
    return true;
  }

  clear(): void {
    this.#list.length = 0;
    this.#byObject.clear();
    this.#byBody.clear();
  }

  update(frame: SampledFrame): void {
    this.#frame = frame;
    this.#plainParent = undefined;
    this.updates += 1;
    this.#move(0, this.#list.length, frame);
    this.#frame = undefined;
  }

  /** Moves an ancestor that follows a body. The loop moves it again to the same pose, which is cheaper than a mark on each. */
  moveFirst(ancestor: Object3D): void {
    const index = this.#byObject.get(ancestor)?.index;
    if (index !== undefined && this.#frame !== undefined) this.#move(index, index + 1, this.#frame);
  }

  /** The space of a parent, which is computed at most once per update. */
  spaceOf(parent: Object3D): ParentSpace {
    let space = this.#spaces.get(parent);
    if (space === undefined) {
      space = new ParentSpace(parent, this);
      this.#spaces.set(parent, space);
    }
    return space;
  }

  /** Moves the attachments from one index up to another. */
  #move(start: number, end: number, frame: SampledFrame): void {
    const pose = this.#pose;
    for (let index = start; index < end; index++) {
      const attachment = this.#list[index] as Attachment;
      const { object } = attachment;
      const { parent } = object;
      // Before the pose is read: this may move an ancestor, with the same array.
      const space =
        parent === null || parent === this.#plainParent
          ? undefined
          : this.#spaceFor(attachment, parent);
      const isAlive = frame.pose(attachment.id, pose) !== undefined;
      if (!attachment.keepVisible) object.visible = isAlive;
      if (!isAlive) continue;
      if (space !== undefined && !space.toLocal(pose)) continue;
      object.position.set(pose[0] as number, pose[1] as number, pose[2] as number);
      if (isTurned(object.quaternion, pose)) object.quaternion.fromArray(pose, 3);
      // The renderer leaves these alone.
      if (!object.matrixAutoUpdate) object.updateMatrix();
      if (!object.matrixWorldAutoUpdate) updateWorldMatrix(object, true);
    }
  }

  /** The space that an object is moved in. Undefined: the pose in the scene is the pose within its parent. */
  #spaceFor(attachment: Attachment, parent: Object3D): ParentSpace | undefined {
    if (attachment.space?.parent !== parent) attachment.space = this.spaceOf(parent);
    const { space } = attachment;
    space.prepare();
    if (!space.isPlain) return space;
    this.#plainParent = parent;
    return undefined;
  }
}

const IDENTITY = new Matrix4();
const inScene = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

/**
 * From poses in the scene to poses within a parent. With the parent's matrix P within the scene, of which three.js takes the
 * rotation Q, an object with its own scale S gets
 *
 *     position   P⁻¹ p                                     drawn at p
 *     rotation   Q⁻¹ R                                     drawn as P Q⁻¹ R S
 *
 * so it is turned like its body, and then stretched as its parent stretches everything. A uniform scale only changes the size. Of
 * a parent that mirrors, three.js takes a rotation K and a negative scale of x: with the reflection M of x, the local rotation
 * is then M K⁻¹ R M, and the object is drawn with a negative x scale.
 */
class ParentSpace {
  readonly parent: Object3D;
  /** Whether a pose in the scene is also the pose within the parent. Call {@link prepare} first. */
  isPlain = false;
  readonly #objects: AttachedObjects;
  /** The parent's topmost ancestor. */
  #top: Object3D;
  #preparedIn = -1;
  /** The matrix that the other fields were computed from. */
  readonly #world = new Matrix4().multiplyScalar(Number.NaN);
  readonly #sceneWorld = new Matrix4();
  readonly #toLocal = new Matrix4();
  readonly #rotation = new Quaternion();
  #isMirrored = false;
  #isFlat = false;

  constructor(parent: Object3D, objects: AttachedObjects) {
    this.parent = parent;
    this.#top = parent;
    this.#objects = objects;
  }

  /** Computes what depends on the parent alone, once per update: from the top to the parent. */
  prepare(): void {
    if (this.#preparedIn === this.#objects.updates) return;
    this.#preparedIn = this.#objects.updates;
    const { parent } = this;
    this.#objects.moveFirst(parent);
    const above = parent.parent === null ? undefined : this.#objects.spaceOf(parent.parent);
    above?.prepare();
    this.#top = above === undefined ? parent : above.#top;
    updateWorldMatrix(parent);
    const { matrixWorld } = parent;
    const sceneWorld = isScene(this.#top) ? this.#top.matrixWorld : IDENTITY;
    if (this.#world.equals(matrixWorld) && this.#sceneWorld.equals(sceneWorld)) return;
    this.#world.copy(matrixWorld);
    this.#sceneWorld.copy(sceneWorld);
    this.#toLocal.copy(matrixWorld).invert().multiply(sceneWorld);
    this.isPlain = matrixWorld === sceneWorld || this.#toLocal.equals(IDENTITY);
    inScene.copy(sceneWorld).invert().multiply(matrixWorld).decompose(position, rotation, scale);
    this.#rotation.copy(rotation).normalize().invert();
    const determinant = this.#toLocal.determinant();
    this.#isFlat = determinant === 0 || !Number.isFinite(determinant);
    this.#isMirrored = determinant < 0;
  }

  /**
   * Turns a pose in the scene, x y z qx qy qz qw, into the one within the parent. Call {@link prepare} first.
   *
   * @returns False for a parent that is flat, which has no such pose: nothing in it has a volume.
   */
  toLocal(pose: Float64Array): boolean {
    if (this.#isFlat) return false;
    position.fromArray(pose).applyMatrix4(this.#toLocal).toArray(pose);
    rotation.fromArray(pose, 3).premultiply(this.#rotation);
    rotation.toArray(pose, 3);
    if (this.#isMirrored) {
      // M … M, for a quaternion.
      pose[4] = -(pose[4] as number);
      pose[5] = -(pose[5] as number);
    }
    return true;
  }
}
