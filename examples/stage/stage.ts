/**
 * The stage of the examples: sky, ground, light, shadows, camera and materials, all made by code. An example that is
 * opened without the others needs this folder next to its own.
 */
import { watchContext } from 'betwixt/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { element } from './page.js';

export type Triple = readonly [x: number, y: number, z: number];

/** Colors that go together. */
const COLORS = [0xe3a13f, 0x4f8fc9, 0xd65a4f, 0x6fae78, 0xa97fc2, 0xefe2c0] as const;
export const colorOf = (index: number): number => COLORS[index % COLORS.length] ?? COLORS[0];
export const WOOD = 0xb5875a;
export const STONE = 0xc9c2b4;
const GROUND = 0xd0d8c6;
const HORIZON = '#dfe6e6';
const ZENITH = '#7fabcb';

/** Towards the sun. */
const SUN = new THREE.Vector3(4, 7, 5);
const SHADOW_PIXELS = 1024;
const GROUND_M = 400;
const TILE_M = 4;

/** A mesh with shadows. */
export function solid(
  geometry: THREE.BufferGeometry,
  color: THREE.ColorRepresentation,
  look: THREE.MeshStandardMaterialParameters = {},
): THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial> {
  const material = new THREE.MeshStandardMaterial({ color, roughness: 0.55, ...look });
  const mesh = new THREE.Mesh(geometry, material);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** A box with round edges. */
export const box = ([x, y, z]: Triple, color: THREE.ColorRepresentation, radius = 0.04) =>
  solid(new RoundedBoxGeometry(x, y, z, 2, radius), color);

/** A texture that is painted once. */
export function painted(
  width: number,
  height: number,
  paint: (context: CanvasRenderingContext2D) => void,
): THREE.CanvasTexture {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (context !== null) paint(context);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.anisotropy = 8;
  return texture;
}

/** A gradient all around: pale at the horizon, which is where the ground ends in fog. */
function sky(): THREE.Texture {
  const texture = painted(1, 256, (context) => {
    const gradient = context.createLinearGradient(0, 0, 0, 256);
    gradient.addColorStop(0, ZENITH);
    gradient.addColorStop(0.5, HORIZON);
    gradient.addColorStop(1, ZENITH);
    context.fillStyle = gradient;
    context.fillRect(0, 0, 1, 256);
  });
  texture.mapping = THREE.EquirectangularReflectionMapping;
  return texture;
}

/** A plain of large tiles, whose top is at height 0. It is a box, so that it can have physics. */
function plain(): THREE.Mesh {
  const map = painted(256, 256, (context) => {
    context.fillStyle = '#f3f3f3';
    context.fillRect(0, 0, 256, 256);
    context.fillStyle = '#fff';
    context.strokeStyle = '#ddd';
    for (const at of [0, 128]) {
      context.fillRect(at, at, 128, 128);
      context.strokeRect(at, at, 128, 128);
    }
  });
  map.repeat.setScalar(GROUND_M / TILE_M);
  const ground = solid(new THREE.BoxGeometry(GROUND_M, 1, GROUND_M), GROUND, { map, roughness: 1 });
  ground.position.y = -0.5;
  ground.castShadow = false;
  return ground;
}

/**
 * Gives a scene its sky, light and ground.
 *
 * @param reachM How far from the place that is lit there are shadows, in m.
 */
export function furnish(scene: THREE.Scene, reachM: number) {
  const background = sky();
  scene.background = background;
  scene.fog = new THREE.Fog(HORIZON, 40, GROUND_M / 2);
  const sun = new THREE.DirectionalLight(0xfff1dc, 2.4);
  sun.castShadow = true;
  sun.shadow.mapSize.setScalar(SHADOW_PIXELS);
  sun.shadow.radius = 3;
  sun.shadow.normalBias = reachM / 400;
  const sides = { left: -reachM, right: reachM, top: reachM, bottom: -reachM, far: 5 * reachM };
  Object.assign(sun.shadow.camera, sides);
  const toLight = new THREE.Matrix4().lookAt(SUN, new THREE.Vector3(), THREE.Object3D.DEFAULT_UP);
  const fromLight = toLight.clone();
  toLight.transpose();
  const pixelM = (2 * reachM) / SHADOW_PIXELS;
  // By whole pixels of the shadows, whose edges would flicker otherwise.
  const lightAt = (target: THREE.Vector3Like): void => {
    const at = sun.target.position.copy(target).applyMatrix4(toLight).divideScalar(pixelM);
    at.round().multiplyScalar(pixelM).applyMatrix4(fromLight);
    sun.position
      .copy(SUN)
      .setLength(2.5 * reachM)
      .add(at);
  };
  lightAt({ x: 0, y: 0, z: 0 });
  const ground = plain();
  const skyLight = new THREE.HemisphereLight(0xf2f6fa, 0xb3a694, 1.6);
  scene.add(skyLight, sun, sun.target, ground);
  return {
    ground,
    /** Moves the sun, so that there are shadows around a place. */
    lightAt,
    dispose(): void {
      scene.remove(skyLight, sun, sun.target, ground);
      sun.dispose();
      background.dispose();
    },
  };
}

export interface StageOptions {
  /** Where the camera is, and what it looks at. */
  readonly from: Triple;
  readonly to: Triple;
  /** Width ÷ height of the narrowest canvas that shows all from there. The camera steps back on narrower ones. Default: 1.4. */
  readonly aspect?: number;
  /** How far from there shadows reach, in m. Default: 12. */
  readonly reachM?: number;
  /** Whether a pointer turns the camera. Default: yes. */
  readonly turns?: boolean;
}

/** The stage of a page with a canvas, as large as the window. */
export function createStage({ from, to, aspect = 1.4, reachM = 12, turns = true }: StageOptions) {
  const canvas = element('canvas');
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
  watchContext(canvas);
  renderer.shadowMap.enabled = true;
  const scene = new THREE.Scene();
  const { ground, lightAt } = furnish(scene, reachM);
  const camera = new THREE.PerspectiveCamera(40, 1, 0.1, 2 * GROUND_M);
  const target = new THREE.Vector3(...to);
  lightAt(target);
  camera.position.set(...from);
  camera.lookAt(target);
  const controls = turns ? new OrbitControls(camera, canvas) : undefined;
  controls?.target.copy(target);

  let steppedBack = 1;
  /** Fits the picture into a width and a height, which a part of the canvas may have. */
  function fit(width: number, height: number): void {
    camera.aspect = width / height;
    // A narrow window shows as much from left to right as a wide one: half by a step back, half by the zoom.
    const back = Math.sqrt(Math.max(1, aspect / camera.aspect));
    camera.position
      .sub(target)
      .multiplyScalar(back / steppedBack)
      .add(target);
    steppedBack = back;
    camera.zoom = 1 / back;
    camera.updateProjectionMatrix();
  }
  function resize(): void {
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(innerWidth, innerHeight, false);
    fit(innerWidth, innerHeight);
  }
  resize();
  addEventListener('resize', resize);

  return {
    canvas,
    renderer,
    scene,
    camera,
    ground,
    lightAt,
    fit,
    /** Draws each frame of the display. @param update Called before. */
    onFrame(update: (stampMs: number) => void): void {
      renderer.setAnimationLoop((stampMs) => {
        update(stampMs);
        controls?.update();
        renderer.render(scene, camera);
      });
    },
  };
}
