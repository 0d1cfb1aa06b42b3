/**
 * Follows a body at an elastic distance, as a function of time stamps alone.
 *
 * The lag behind the body obeys lag' = velocity − rate × lag. Over a frame of dt seconds in which
 * the body moves evenly by d, that has an exact solution,
 *
 *     lag(dt) = lag × e^(−rate dt) + d × (1 − e^(−rate dt)) / (rate dt)
 *
 * so the camera moves the same at every frame rate. A filter that goes a fixed share of the way
 * each frame depends on the rate instead, and jitters when it changes.
 */
import { Quaternion, Vector3 } from 'three';

/** In 1/s: about 1 / rate seconds behind. */
const POSITION_RATE = 9;
const HEADING_RATE = 2.2;
/**
 * Maximum lag, in metres. Beyond it the camera is pulled along, and so jumps with a body that
 * teleports.
 */
const MAX_LAG = 3;
/** Share of a body's z axis that must be level to determine its heading. */
const MIN_LEVEL = 0.25;

const body = new Vector3();
const rotation = new Quaternion();
const axis = new Vector3();

export class Chase {
  /** The target. */
  readonly position = new Vector3();
  /** Direction about y, in radians. Only differences have a meaning. */
  heading = 0;
  readonly #body = new Vector3();
  readonly #lag = new Vector3();
  #bodyHeading = 0;
  #headingLag = 0;
  #hasStarted = false;

  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Forgets the body. */
  stop(): void {
    this.#hasStarted = false;
  }

  copy(other: Chase): void {
    this.position.copy(other.position);
    this.heading = other.heading;
    this.#body.copy(other.#body);
    this.#lag.copy(other.#lag);
    this.#bodyHeading = other.#bodyHeading;
    this.#headingLag = other.#headingLag;
    this.#hasStarted = other.#hasStarted;
  }

  /**
   * Advances by one frame.
   *
   * @param pose x y z qx qy qz qw of the body.
   * @param dt Time since the frame before, in seconds.
   */
  update(pose: Float64Array, dt: number): void {
    body.fromArray(pose);
    rotation.fromArray(pose, 3);
    const turn = this.#turnOf(rotation);
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      this.#lag.set(0, 0, 0);
      this.#headingLag = 0;
      this.heading = this.#bodyHeading;
    } else {
      const kept = Math.exp(-POSITION_RATE * dt);
      const moved = this.#body.subVectors(body, this.#body);
      this.#lag.multiplyScalar(kept).addScaledVector(moved, shareOfMove(POSITION_RATE * dt));
      this.#lag.clampLength(0, MAX_LAG);
      this.#headingLag *= Math.exp(-HEADING_RATE * dt);
      this.#headingLag += turn * shareOfMove(HEADING_RATE * dt);
      this.#headingLag = withinHalfTurn(this.#headingLag);
    }
    this.#body.copy(body);
    this.position.subVectors(body, this.#lag);
    this.heading = this.#bodyHeading - this.#headingLag;
  }

  /** Notes the body's heading, and returns by how much it has turned. */
  #turnOf(bodyRotation: Quaternion): number {
    axis.set(0, 0, 1).applyQuaternion(bodyRotation);
    if (Math.hypot(axis.x, axis.z) < MIN_LEVEL) return 0;
    const heading = Math.atan2(axis.x, axis.z);
    const turn = withinHalfTurn(heading - this.#bodyHeading);
    this.#bodyHeading = heading;
    return turn;
  }
}

/** (1 − e^−x) / x, which is 1 at 0. */
function shareOfMove(x: number): number {
  return x < 1e-6 ? 1 : -Math.expm1(-x) / x;
}

function withinHalfTurn(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
