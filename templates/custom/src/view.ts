/** The three.js scene. It contains no motion. */
import { watchContext } from 'betwixt/three';
import {
  AdditiveBlending,
  Color,
  ConeGeometry,
  DirectionalLight,
  Fog,
  HemisphereLight,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PerspectiveCamera,
  RingGeometry,
  Scene,
  WebGLRenderer,
} from 'three';

const BACKGROUND = 0x142534;
/** From the first bird to the last. */
const COLORS = [new Color(0xf2785c), new Color(0xf7d488)] as const;
/** Duration and final size of the ring that shows a scare. */
const RING = { seconds: 0.7, radiusM: 4 } as const;
/** The size that has to be visible, in m: the camera moves back on narrow windows. */
const WIDTH_M = 18;
const HEIGHT_M = 20;

export class View {
  /** One instance for each bird. */
  readonly birds: InstancedMesh;
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(40, 1, 0.1, 100);
  readonly #ring = new Mesh(
    new RingGeometry(0.94, 1, 96),
    new MeshBasicMaterial({ transparent: true, blending: AdditiveBlending, depthWrite: false }),
  );
  #ringMs = Number.NaN;
  #nowMs = 0;

  /** @throws Error if the browser has no WebGL. */
  constructor(canvas: HTMLCanvasElement, birds: number) {
    const context = canvas.getContext('webgl2', { alpha: false, antialias: true });
    if (context === null) {
      throw new Error(
        'This page needs WebGL 2, which is not available. Turn on hardware acceleration in the ' +
          "browser's settings, or try another browser.",
      );
    }
    this.#renderer = new WebGLRenderer({ canvas, context });
    watchContext(canvas);
    this.birds = createBirds(birds);
    this.#ring.visible = false;
    this.#scene.background = new Color(BACKGROUND);
    const sun = new DirectionalLight(0xffe6c4, 2.4);
    sun.position.set(3, 6, 5);
    this.#scene.add(this.birds, this.#ring, sun, new HemisphereLight(0xbcd7f0, 0x3a2a3c, 1.5));
    this.resize();
    addEventListener('resize', () => this.resize());
  }

  resize(): void {
    const camera = this.#camera;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(innerWidth, innerHeight, false);
    camera.aspect = innerWidth / innerHeight;
    camera.position.z = Math.max(HEIGHT_M, WIDTH_M / camera.aspect) / (2 * this.#slope);
    camera.updateProjectionMatrix();
    // Distant birds fade, regardless of the camera's distance.
    this.#scene.fog = new Fog(BACKGROUND, camera.position.z - 4, camera.position.z + 12);
  }

  /** Converts a position in the window, from −1 to 1, to the simulation's plane z = 0. */
  toPlane({ x, y }: { readonly x: number; readonly y: number }): { x: number; y: number } {
    const half = this.#slope * this.#camera.position.z;
    return { x: x * half * this.#camera.aspect, y: y * half };
  }

  /** Shows a ring that grows from a point in the plane z = 0. */
  showScare(x: number, y: number): void {
    this.#ring.position.set(x, y, 0);
    this.#ringMs = this.#nowMs;
  }

  render(stampMs: number): void {
    this.#nowMs = stampMs;
    const age = (stampMs - this.#ringMs) / (1000 * RING.seconds);
    this.#ring.visible = age < 1;
    this.#ring.scale.setScalar(RING.radiusM * Math.sqrt(Math.max(age, 1e-3)));
    this.#ring.material.opacity = 0.7 * (1 - age);
    this.#renderer.render(this.#scene, this.#camera);
  }

  /** Calls a function once per frame of the display, with the frame's timestamp in ms. */
  onFrame(draw: (stampMs: number) => void): void {
    this.#renderer.setAnimationLoop(draw);
  }

  /** The slope of the view's upper edge, as seen from the camera. */
  get #slope(): number {
    return Math.tan((this.#camera.fov * Math.PI) / 360);
  }
}

function createBirds(count: number): InstancedMesh {
  const material = new MeshLambertMaterial({ flatShading: true });
  const birds = new InstancedMesh(new ConeGeometry(0.13, 0.5, 6), material, count);
  const color = new Color();
  for (let index = 0; index < count; index++) {
    birds.setColorAt(index, color.lerpColors(...COLORS, index / count));
  }
  return birds;
}
