/** The camera: orbited by the user, following a body if the scene has one to follow. */
import { MathUtils, PerspectiveCamera, Quaternion, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { BodyId } from '../../../src/shared/index.js';
import type { SampledFrame } from '../../../src/render-main/index.js';
import type { SceneDescription } from '../../contract/scene-contract.js';
import { Chase } from './chase.js';

/** Half the visible height at a distance of 1 m. */
const HALF_HEIGHT = { typical: Math.tan(Math.PI / 8), max: 0.68 } as const;
/**
 * Half the width needed at a distance of 1 m: for a whole scene, or for a body and its
 * surroundings.
 */
const HALF_WIDTH = { scene: 0.54, followed: 0.34 } as const;
const CLIP = { near: 0.1, far: 900 } as const;
/** How quickly the orbit's momentum decays, in 1/s. */
const ORBIT_RATE = 14;
/** Zoom range, as shares of the distance at the start. */
const ZOOM = { nearest: 0.12, farthest: 4 } as const;
/** The share of the distance that is left after a step closer by key. */
const KEY_ZOOM = 0.85;
/** Almost level with the target. */
const MIN_ANGLE = 0.495 * Math.PI;
/**
 * Maximum distance from the followed body to the middle of the scene that it may look at, in
 * metres.
 */
const MAX_LIFT = 3;

const UP = new Vector3(0, 1, 0);
const offset = new Vector3();
const move = new Vector3();
const turn = new Quaternion();

export class CameraRig {
  readonly camera = new PerspectiveCamera(45, 1, CLIP.near, CLIP.far);
  /** The same camera, following the current states instead of the sampled ones. */
  readonly latestCamera = new PerspectiveCamera(45, 1, CLIP.near, CLIP.far);
  readonly controls: OrbitControls;
  readonly #chase = new Chase();
  readonly #latestChase = new Chase();
  readonly #pose = new Float64Array(7);
  #followed: BodyId | undefined;
  /** Turns with the body, which is driven and does not tumble. */
  #isTurning = false;
  /** The followed body was seen before: heading and lift are known. */
  #isRejoining = false;
  /** Height of the target above the followed body, in metres. */
  #lift = 0;
  #heading = 0;
  #aspect = 1;
  /**
   * How much farther away the camera is than the scene asks for, so that the scene fits into a
   * narrow window.
   */
  #reach = 1;

  constructor(canvas: HTMLCanvasElement) {
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.maxPolarAngle = MIN_ANGLE;
    this.controls.zoomSpeed = 1.2;
    // Where the canvas has the focus: arrows pan, and turn with Shift, by 15 px and a few degrees a press.
    this.controls.keyPanSpeed = 15;
    this.controls.keyRotateSpeed = 8;
    this.controls.listenToKeyEvents(canvas);
  }

  /** @param steps Closer; negative ones lead away. */
  zoom(steps: number): void {
    const { minDistance, maxDistance, target } = this.controls;
    offset.subVectors(this.camera.position, target);
    const distance = MathUtils.clamp(offset.length() * KEY_ZOOM ** steps, minDistance, maxDistance);
    this.camera.position.copy(target).addScaledVector(offset.normalize(), distance);
  }

  /** Takes the place from which to view a scene. */
  show({ camera, follow, isDrivable }: SceneDescription): void {
    const { controls } = this;
    this.#followed = follow;
    this.#isTurning = isDrivable;
    this.#isRejoining = false;
    this.#chase.stop();
    this.#latestChase.stop();
    // The orbit's remaining momentum would continue in the new scene.
    controls.dampingFactor = 1;
    controls.update();
    this.#fit();
    controls.target.set(...camera.target);
    offset.set(...camera.position).sub(controls.target);
    const distance = offset.length() * this.#reach;
    this.camera.position.copy(controls.target).addScaledVector(offset, this.#reach);
    controls.minDistance = ZOOM.nearest * distance;
    controls.maxDistance = ZOOM.farthest * distance;
    // The next frame would undo any panning away from the followed body.
    controls.enablePan = follow === undefined;
    controls.update();
  }

  /**
   * The run was taken to another moment, or built again: the camera stays as it is, relative to the
   * body it follows.
   *
   * @param follow The followed body, which may have another id now.
   */
  rejoin(follow: BodyId | undefined): void {
    this.#followed = follow;
    this.#isRejoining = this.#chase.hasStarted;
    this.#chase.stop();
    this.#latestChase.stop();
  }

  /** @param aspect Width over height of the viewport. */
  setAspect(aspect: number): void {
    this.#aspect = aspect;
    this.#fit();
  }

  /** Advances by one frame, with the poses of that frame. */
  update(frame: SampledFrame, dt: number): void {
    const { controls } = this;
    controls.dampingFactor = -Math.expm1(-ORBIT_RATE * dt);
    if (this.#followed !== undefined) this.#follow(this.#followed, frame, dt);
    controls.update();
  }

  /** Places the other camera, after `update`: it follows only the current states. */
  updateLatest(frame: SampledFrame, dt: number): void {
    const { camera, latestCamera: other, controls } = this;
    other.position.copy(camera.position);
    other.quaternion.copy(camera.quaternion);
    const chase = this.#latestChase;
    if (this.#followed === undefined || !this.#chase.hasStarted) return;
    if (!chase.hasStarted) chase.copy(this.#chase);
    if (frame.pose(this.#followed, this.#pose) !== undefined) chase.update(this.#pose, dt);
    if (this.#isTurning) turn.setFromAxisAngle(UP, chase.heading - this.#chase.heading);
    else turn.identity();
    offset.subVectors(camera.position, controls.target).applyQuaternion(turn);
    other.position.copy(chase.position).add(offset);
    other.position.y += this.#lift;
    other.quaternion.premultiply(turn);
  }

  /** The other camera is no longer updated. */
  stopCurrentOnly(): void {
    this.#latestChase.stop();
  }

  #follow(id: BodyId, frame: SampledFrame, dt: number): void {
    if (frame.pose(id, this.#pose) === undefined) return;
    const { camera, controls } = this;
    const chase = this.#chase;
    const isFirst = !chase.hasStarted && !this.#isRejoining;
    this.#isRejoining = false;
    chase.update(this.#pose, dt);
    if (isFirst) {
      this.#heading = chase.heading;
      this.#lift = Math.min(MAX_LIFT, Math.max(0, controls.target.y - chase.position.y));
    }
    move.copy(chase.position).sub(controls.target);
    move.y += this.#lift;
    controls.target.add(move);
    camera.position.add(move);
    if (!this.#isTurning) return;
    turn.setFromAxisAngle(UP, chase.heading - this.#heading);
    this.#heading = chase.heading;
    offset.subVectors(camera.position, controls.target).applyQuaternion(turn);
    camera.position.copy(controls.target).add(offset);
  }

  #fit(): void {
    const { typical, max } = HALF_HEIGHT;
    const halfWidth = this.#followed === undefined ? HALF_WIDTH.scene : HALF_WIDTH.followed;
    const halfHeight = Math.min(max, Math.max(typical, halfWidth / this.#aspect));
    for (const camera of [this.camera, this.latestCamera]) {
      camera.fov = (Math.atan(halfHeight) * 360) / Math.PI;
      camera.aspect = this.#aspect;
      camera.updateProjectionMatrix();
    }
    this.#setReach(Math.max(1, halfWidth / (halfHeight * this.#aspect)));
  }

  #setReach(reach: number): void {
    const { camera, controls } = this;
    const change = reach / this.#reach;
    this.#reach = reach;
    controls.minDistance *= change;
    controls.maxDistance *= change;
    offset.subVectors(camera.position, controls.target).multiplyScalar(change);
    camera.position.copy(controls.target).add(offset);
  }
}
