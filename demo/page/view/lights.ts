/** Light of the sky, and a sun whose shadows are fitted to the scene. */
import {
  type Box3,
  DirectionalLight,
  HemisphereLight,
  Matrix4,
  type Scene,
  Sphere,
  Vector3,
} from 'three';

/** Direction of the sun, of length 1. */
export const TO_SUN = new Vector3(0.5, 1, 0.35).normalize();
/**
 * Maximum radius of the ball that gets shadows, in metres. Larger ones would have coarse shadows.
 */
const RADIUS = { min: 5, max: 42 } as const;
/**
 * Things fall over and roll apart: extra room around them, as a share of their height, and in
 * metres.
 */
const ROOM = { ofHeight: 0.5, around: 2 } as const;

export const SKY_LIGHT = { sky: 0xf2f6fa, ground: 0xb3a694, intensity: 1.45 } as const;
export const SUN = { color: 0xfff1dc, intensity: 2.1 } as const;

export class Lights {
  readonly #sky = new HemisphereLight(SKY_LIGHT.sky, SKY_LIGHT.ground, SKY_LIGHT.intensity);
  readonly #sun = new DirectionalLight(SUN.color, SUN.intensity);
  readonly #sphere = new Sphere(new Vector3(), RADIUS.min);
  /** Rotation to the light's axes, in which shadow pixels lie on a grid, and back. */
  readonly #toLight = new Matrix4().lookAt(TO_SUN, new Vector3(), new Vector3(0, 1, 0)).transpose();
  readonly #fromLight = this.#toLight.clone().transpose();
  readonly #centre = new Vector3();

  /** @param shadowPixels See {@link setShadows}. */
  constructor(scene: Scene, shadowPixels: number) {
    this.#sun.shadow.radius = 2;
    this.#sun.shadow.bias = -0.0004;
    this.setShadows(shadowPixels);
    scene.add(this.#sky, this.#sun, this.#sun.target);
  }

  /** @param pixels Side of the shadow map; 0: no shadows. */
  setShadows(pixels: number): void {
    const { shadow } = this.#sun;
    this.#sun.castShadow = pixels > 0;
    if (pixels === 0 || shadow.mapSize.x === pixels) return;
    shadow.mapSize.set(pixels, pixels);
    // three makes one of the new size.
    shadow.map?.dispose();
    shadow.map = null;
    this.#setBias();
    this.follow(this.#sphere.center);
  }

  /** Fits the shadows to everything in the box, and to what falls out of it. Changes the box. */
  fit(box: Box3): void {
    const room = ROOM.around + ROOM.ofHeight * (box.max.y - box.min.y);
    box.min.x -= room;
    box.min.z -= room;
    box.max.x += room;
    box.max.z += room;
    box.max.y += ROOM.around;
    box.getBoundingSphere(this.#sphere);
    const radius = Math.min(RADIUS.max, Math.max(RADIUS.min, this.#sphere.radius));
    this.#sphere.radius = radius;
    const { camera } = this.#sun.shadow;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = 0;
    camera.far = 4 * radius;
    camera.updateProjectionMatrix();
    this.#setBias();
    this.follow(this.#sphere.center);
  }

  /** Moves the shadow map by whole pixels, so that shadow edges do not flicker. */
  follow(centre: Vector3): void {
    const pixel = (2 * this.#sphere.radius) / this.#sun.shadow.mapSize.x;
    const at = this.#centre.copy(centre).applyMatrix4(this.#toLight);
    at.x = Math.round(at.x / pixel) * pixel;
    at.y = Math.round(at.y / pixel) * pixel;
    at.applyMatrix4(this.#fromLight);
    this.#sun.target.position.copy(at);
    this.#sun.position.copy(at).addScaledVector(TO_SUN, 2 * this.#sphere.radius);
  }

  /** About the width of a shadow's pixel: lit faces do not shade themselves. */
  #setBias(): void {
    const { shadow } = this.#sun;
    shadow.normalBias = (2.5 * this.#sphere.radius) / shadow.mapSize.x;
  }
}
