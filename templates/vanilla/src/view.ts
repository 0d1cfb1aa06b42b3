/** The three.js scene. It contains no motion. */
import { watchContext } from 'betwixt/three';
import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PerspectiveCamera,
  Scene,
  SphereGeometry,
  WebGLRenderer,
} from 'three';
import { BODIES, CONE_HEIGHT_M, PLATE_M, RADIUS_M, type BodyLook } from './looks.js';

const BACKGROUND = 0xe9e4da;
/** Remaining part of a flash after one second. */
const FLASH_LEFT = 0.02;
/** The size that has to be visible, in m: the camera moves back on narrow windows. */
const WIDTH_M = 8.4;
const HEIGHT_M = 6.6;
/** Height of the hint at the bottom, in CSS pixels. The scene stays above it. */
const HINT_PX = 64;

export class View {
  readonly canvas = document.querySelector<HTMLCanvasElement>('#canvas') as HTMLCanvasElement;
  /** One for each of `BODIES`. */
  readonly meshes: readonly Mesh<BufferGeometry, MeshStandardMaterial>[];
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new PerspectiveCamera(35, 1, 0.1, 100);
  #lastMs = 0;

  /** @throws Error if the browser has no WebGL. */
  constructor() {
    const { canvas } = this;
    const context = canvas.getContext('webgl2', { alpha: false, antialias: true });
    addEventListener('error', ({ error, message }) => showError(error ?? message));
    addEventListener('unhandledrejection', ({ reason }) => showError(reason));
    if (context === null) {
      throw new Error(
        'This page needs WebGL 2, which is not available. Turn on hardware acceleration in the ' +
          "browser's settings, or try another browser.",
      );
    }
    this.#renderer = new WebGLRenderer({ canvas, context });
    watchContext(canvas);
    this.#renderer.shadowMap.enabled = true;
    this.#scene.background = new Color(BACKGROUND);
    this.#addLights();
    this.#addPlate();
    this.meshes = BODIES.map((look) => this.#addBody(look));
    this.resize();
    addEventListener('resize', () => this.resize());
  }

  resize(): void {
    const camera = this.#camera;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(innerWidth, innerHeight, false);
    camera.aspect = innerWidth / innerHeight;
    // A window barely higher than the hint has no room for both.
    const heightM = HEIGHT_M / Math.max(1 - HINT_PX / innerHeight, 0.5);
    const slope = Math.tan((camera.fov * Math.PI) / 360);
    const distance = Math.max(heightM, WIDTH_M / camera.aspect) / (2 * slope);
    camera.position.set(0, 0.36 * distance + 1, 0.9 * distance);
    camera.lookAt(0, 0.6, 0);
    // Center the scene in the space above the hint.
    camera.setViewOffset(innerWidth, innerHeight, 0, HINT_PX / 2, innerWidth, innerHeight);
  }

  /** Makes a body light up briefly. */
  flash(index: number): void {
    const material = this.meshes[index]?.material;
    if (material !== undefined) material.emissiveIntensity = 0.9;
  }

  /** Draws each frame of the display. @param place Called before, with the frame's timestamp in ms: moves the meshes. */
  onFrame(place: (stampMs: number) => void): void {
    this.#renderer.setAnimationLoop((stampMs) => {
      place(stampMs);
      const left = FLASH_LEFT ** ((stampMs - this.#lastMs) / 1000);
      this.#lastMs = stampMs;
      for (const { material } of this.meshes) material.emissiveIntensity *= left;
      this.#renderer.render(this.#scene, this.#camera);
    });
  }

  #addLights(): void {
    const sun = new DirectionalLight(0xfff1dc, 2.1);
    sun.position.set(4, 9, 5);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.radius = 3;
    sun.shadow.normalBias = 0.02;
    const { camera } = sun.shadow;
    camera.left = camera.bottom = -5;
    camera.right = camera.top = 5;
    this.#scene.add(sun, new HemisphereLight(0xffffff, 0xd8cbb4, 1.9));
  }

  #addPlate(): void {
    const { radius, halfHeight } = PLATE_M;
    const plate = new Mesh(
      new CylinderGeometry(radius, radius, 2 * halfHeight, 96),
      new MeshStandardMaterial({ color: 0xf4efe6, roughness: 0.9 }),
    );
    plate.receiveShadow = true;
    this.#scene.add(plate);
  }

  #addBody(look: BodyLook): Mesh<BufferGeometry, MeshStandardMaterial> {
    const { color } = look;
    const material = new MeshStandardMaterial({ color, roughness: 0.55, emissive: 0xffffff });
    material.emissiveIntensity = 0;
    const mesh = new Mesh(geometryOf(look), material);
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    // Hidden until the simulation provides a pose.
    mesh.visible = false;
    this.#scene.add(mesh);
    return mesh;
  }
}

function geometryOf({ shape }: BodyLook): BufferGeometry {
  if (shape === 'ball') return new SphereGeometry(RADIUS_M, 48, 32);
  if (shape === 'box') return new BoxGeometry(2 * RADIUS_M, 2 * RADIUS_M, 2 * RADIUS_M);
  return new ConeGeometry(RADIUS_M, CONE_HEIGHT_M, 48);
}

/** Errors that are not caught anywhere: of the page, and of its worker. */
function showError(error: unknown): void {
  const message = document.querySelector<HTMLElement>('#message');
  if (message === null) return;
  message.textContent = error instanceof Error ? error.message : String(error);
  message.hidden = false;
}
