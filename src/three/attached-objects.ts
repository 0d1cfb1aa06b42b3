/** Single objects that are moved with bodies. */
import { Matrix3, Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
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
  readonly #spaces = new ParentSpaces((ancestor) => this.#moveFirst(ancestor));
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
    this.#spaces.update += 1;
    this.#move(0, this.#list.length, frame);
    this.#frame = undefined;
  }

  /** Moves an ancestor that follows a body. The loop moves it again to the same pose, which is cheaper than a mark on each. */
  #moveFirst(ancestor: Object3D): void {
    const index = this.#byObject.get(ancestor)?.index;
    if (index !== undefined && this.#frame !== undefined) this.#move(index, index + 1, this.#frame);
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
    if (attachment.space?.parent !== parent) attachment.space = this.#spaces.of(parent);
    const { space } = attachment;
    space.prepare();
    if (!space.isPlain) return space;
    this.#plainParent = parent;
    return undefined;
  }
}

const IDENTITY = new Matrix4();
/** The iteration is quadratic: after a step this small, the next would be below rounding. */
const LAST_STEP = 1e-9;
/** Enough for axes that are scaled 10¹² times as much as others. */
const MAX_STEPS = 50;

/** M: mirrors x. */
const MIRROR = new Matrix3(-1, 0, 0, 0, 1, 0, 0, 0, 1);

const factor = new Matrix3();
const inverse = new Matrix3();
const rotationMatrix = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();

/** The parents of attached objects, each with what is computed at most once per update. */
class ParentSpaces {
  /** Number of the update that runs. */
  update = 0;
  /** Moves an ancestor that follows a body itself, in the same update. */
  readonly moveFirst: (ancestor: Object3D) => void;
  readonly #spaces = new WeakMap<Object3D, ParentSpace>();

  constructor(moveFirst: (ancestor: Object3D) => void) {
    this.moveFirst = moveFirst;
  }

  of(parent: Object3D): ParentSpace {
    let space = this.#spaces.get(parent);
    if (space === undefined) {
      space = new ParentSpace(parent, this);
      this.#spaces.set(parent, space);
    }
    return space;
  }
}

/**
 * From poses in the scene to poses within a parent. With the parent's matrix P within the scene, and its polar
 * decomposition P = U Q into a stretch U and a rotation Q, an object with its own scale S gets
 *
 *     position   P⁻¹ p                                     drawn at p
 *     rotation   Q⁻¹ R                                     drawn as P Q⁻¹ R S = U R S
 *
 * so it is turned like its body, and then stretched as its parent stretches everything. A uniform scale U only changes
 * the size. A mirroring parent has no rotation Q, but Q = K⁻¹ M with a rotation K and the reflection M of x: the local
 * rotation is then M K R M, and the object is drawn as U R M S, which is what three.js takes apart into the rotation R
 * and a negative x scale.
 *
 * Q is found by Newton's iteration X ← (X + X⁻ᵀ) / 2. Nicholas Higham, "Computing the Polar Decomposition", SIAM Journal
 * on Scientific and Statistical Computing 7 (1986).
 */
class ParentSpace {
  readonly parent: Object3D;
  readonly #spaces: ParentSpaces;
  /** The space of the parent's parent. */
  #above: ParentSpace | undefined;
  /** The parent's topmost ancestor. */
  #top: Object3D;
  #preparedIn = -1;
  #updatedIn = -1;
  #isTopScene = false;
  /** The matrix that the other fields were computed from. */
  readonly #world = new Matrix4().multiplyScalar(Number.NaN);
  readonly #sceneWorld = new Matrix4();
  readonly #toLocal = new Matrix4();
  #isIdentity = false;
  /** K for a parent that mirrors, Q⁻¹ otherwise. */
  readonly #rotation = new Quaternion();
  #isMirrored = false;
  #isFlat = false;

  constructor(parent: Object3D, spaces: ParentSpaces) {
    this.parent = parent;
    this.#top = parent;
    this.#spaces = spaces;
  }

  /** Whether a pose in the scene is also the pose within the parent. Call {@link prepare} first. */
  get isPlain(): boolean {
    return this.#isTopScene || this.#isIdentity;
  }

  /** Computes what depends on the parent alone, once per update. */
  prepare(): void {
    const { update } = this.#spaces;
    if (this.#preparedIn === update) return;
    this.#preparedIn = update;
    this.#isTopScene = this.parent.parent === null && isScene(this.parent);
    if (this.#isTopScene) return;
    this.#updateWorld();
    const { matrixWorld } = this.parent;
    const sceneWorld = isScene(this.#top) ? this.#top.matrixWorld : IDENTITY;
    if (this.#world.equals(matrixWorld) && this.#sceneWorld.equals(sceneWorld)) return;
    this.#world.copy(matrixWorld);
    this.#sceneWorld.copy(sceneWorld);
    this.#toLocal.copy(matrixWorld).invert().multiply(sceneWorld);
    this.#isIdentity = this.#toLocal.equals(IDENTITY);
    this.#decompose();
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

  /** Brings the world matrices up to date, from the top to the parent. */
  #updateWorld(): void {
    const { parent } = this;
    const { update } = this.#spaces;
    if (this.#updatedIn === update) return;
    this.#updatedIn = update;
    this.#spaces.moveFirst(parent);
    if (parent.parent === null) {
      this.#top = parent;
    } else {
      if (this.#above?.parent !== parent.parent) this.#above = this.#spaces.of(parent.parent);
      this.#above.#updateWorld();
      this.#top = this.#above.#top;
    }
    updateWorldMatrix(parent);
  }

  #decompose(): void {
    factor.setFromMatrix4(this.#toLocal);
    const determinant = factor.determinant();
    this.#isFlat = determinant === 0 || !Number.isFinite(determinant);
    if (this.#isFlat) return;
    this.#isMirrored = determinant < 0;
    const { elements } = factor;
    const size = Math.cbrt(Math.abs(determinant));
    for (let index = 0; index < 9; index++) elements[index] = (elements[index] as number) / size;
    let step = 1;
    for (let steps = 0; step > LAST_STEP && steps < MAX_STEPS; steps++) {
      const transposed = inverse.copy(factor).invert().transpose().elements;
      step = 0;
      for (let index = 0; index < 9; index++) {
        const change = ((transposed[index] as number) - (elements[index] as number)) / 2;
        elements[index] = (elements[index] as number) + change;
        step = Math.max(step, Math.abs(change));
      }
    }
    if (this.#isMirrored) factor.premultiply(MIRROR);
    this.#rotation.setFromRotationMatrix(rotationMatrix.setFromMatrix3(factor)).normalize();
  }
}
