/** Single objects that are moved with bodies. */
import type { Object3D, Quaternion } from 'three';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { SampledFrame } from '../render-main/api/sampled-frame.js';
import { ParentSpaces, type ParentSpace } from './parent-space.js';

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
  /** Where it is in the list. */
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
  /** The parent that was last found to change nothing in this update: it is that of most objects. */
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
    // The last takes its place in the list.
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

  /** It is moved again in its turn, to the same pose: cheaper than to mark every object as moved. */
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
