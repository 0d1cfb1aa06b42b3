/** A camera behind the character, which comes closer where a wall is in its way. */
import { Ball, QueryFilterFlags, type Collider, type World } from 'betwixt/world';
import * as THREE from 'three';

const DISTANCE_M = 6.8;
const CLOSE_M = 0.9;
/** The ball that has to fit between the character and the camera. */
const BALL = new Ball(0.3);
const UP = THREE.Object3D.DEFAULT_UP;
const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };
const PITCH = { lowest: -0.5, highest: 1.2 } as const;

export class FollowCamera {
  readonly camera: THREE.PerspectiveCamera;
  readonly #head = new THREE.Vector3();
  readonly #back = new THREE.Vector3();
  readonly #aim = new THREE.Vector3();
  #yaw: number;
  #pitch: number;
  #distance = DISTANCE_M;

  /** @param camera The one that it moves. @param yaw How far it is turned to the left of north, in radians. @param pitch How far it looks down. */
  constructor(camera: THREE.PerspectiveCamera, yaw: number, pitch: number) {
    this.camera = camera;
    this.#yaw = yaw;
    this.#pitch = pitch;
  }

  look(right: number, down: number): void {
    this.#yaw -= right;
    this.#pitch = Math.max(PITCH.lowest, Math.min(PITCH.highest, this.#pitch + down));
  }

  /** Whether it is so close to the character that it would see nothing else. */
  get isClose(): boolean {
    return this.#distance < CLOSE_M;
  }

  /** Where it looks, level with the ground. */
  get forward(): THREE.Vector3 {
    return new THREE.Vector3(-Math.sin(this.#yaw), 0, -Math.cos(this.#yaw));
  }

  /**
   * @param head Of the character, where it is drawn.
   * @param isWall Whether the camera may not go through a collider.
   */
  update(
    world: World,
    head: THREE.Vector3,
    isWall: (collider: Collider) => boolean,
    seconds: number,
  ): void {
    // A teleported character is followed at once. Steps of stairs are smoothed.
    const pace = this.#head.distanceTo(head) > 4 ? 1 : 1 - Math.exp(-14 * seconds);
    const { x, z } = head;
    this.#head.lerp(head, pace).setX(x).setZ(z);
    const level = Math.cos(this.#pitch);
    this.#back.set(Math.sin(this.#yaw) * level, Math.sin(this.#pitch), Math.cos(this.#yaw) * level);
    const far = this.camera.aspect < 1 ? DISTANCE_M * 1.15 : DISTANCE_M;
    const hit = world.castShape(
      this.#head,
      UPRIGHT,
      this.#back,
      BALL,
      0,
      far,
      true,
      QueryFilterFlags.EXCLUDE_SENSORS,
      undefined,
      undefined,
      undefined,
      isWall,
    );
    const free = hit?.time_of_impact ?? far;
    // At once to the front of a wall, and slowly back.
    const slowly = this.#distance + (free - this.#distance) * (1 - Math.exp(-5 * seconds));
    this.#distance = Math.min(free, slowly);
    this.camera.position.copy(this.#head).addScaledVector(this.#back, this.#distance);
    // The middle shows the way ahead: the character is below it, and on its left in a wide window.
    const share = this.#distance / DISTANCE_M;
    const aside = this.camera.aspect < 1 ? 0.1 : 0.9;
    this.#aim.crossVectors(UP, this.#back).multiplyScalar(aside * share);
    this.#aim.add(this.#head).setY(this.#head.y + 0.75 * share);
    this.camera.lookAt(this.#aim);
  }

  /** @param aspect Width over height of the picture: a narrow one sees as much from top to bottom. */
  resize(aspect: number): void {
    this.camera.aspect = aspect;
    this.camera.fov = aspect < 1 ? 62 : 50;
    this.camera.updateProjectionMatrix();
  }
}
