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
import { Matrix3, Matrix4, Quaternion, Vector3, type Object3D } from 'three';
import { isScene, updateWorldMatrix } from './world-matrix.js';

const IDENTITY = new Matrix4();
/** The iteration is quadratic: after a step this small, the next would be below rounding. */
const LAST_STEP = 1e-9;
/** Enough for axes that are scaled 10¹² times as much as others. */
const MAX_STEPS = 50;

/** M: mirrors x. */
const MIRROR = new Matrix3(-1, 0, 0, 0, 1, 0, 0, 0, 1);

const factor = new Matrix3();
const inverse = new Matrix3();
const turned = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();

/** The parents of attached objects, each with what is computed at most once per update. */
export class ParentSpaces {
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

export class ParentSpace {
  readonly parent: Object3D;
  readonly #spaces: ParentSpaces;
  /** The space of the parent's parent. */
  #above: ParentSpace | undefined;
  /** The parent's topmost ancestor. */
  #top: Object3D;
  #preparedIn = -1;
  #updatedIn = -1;
  #isTopScene = false;
  /** What the rest was computed from. */
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
    this.#rotation.setFromRotationMatrix(turned.setFromMatrix3(factor)).normalize();
  }
}
