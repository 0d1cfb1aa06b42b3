/** The look of the table, and a camera that shows all of it: upright in a window that is higher than wide. */
import { watchContext } from 'betwixt/three';
import * as THREE from 'three';
import { box, furnish, painted, solid } from '../../stage/stage.js';
import type { Look } from './game.js';

const WOOD = 0x6a3f24;
/** The part that has to be visible: half of the table along x and z, and the texts above and below it, in CSS pixels. */
const HALF = { x: 1.16, z: 0.86 } as const;
const TEXTS_PX = 150;
/** From the middle of the table to the camera. */
const LANDSCAPE = new THREE.Vector3(0, 1, 0.22).normalize();
const UPRIGHT = new THREE.Vector3(-0.22, 1, 0).normalize();

const geometries = {
  ball: new THREE.SphereGeometry(1, 32, 24),
  box: new THREE.BoxGeometry(2, 2, 2),
};

/** Draws a body by its look. */
function draw({ shape, size, color }: Look): THREE.Mesh {
  const isMatt = shape === 'box' || color === 'black';
  const mesh = solid(geometries[shape], color, { roughness: isMatt ? 1 : 0.15 });
  mesh.scale.set(...size);
  return mesh;
}

/** The frame with its marks, and the legs: what no ball touches. */
function furniture(): THREE.Object3D {
  const group = new THREE.Group();
  const add = (mesh: THREE.Mesh, x: number, y: number, z: number): void => {
    mesh.position.set(x, y, z);
    group.add(mesh);
  };
  for (const side of [-1, 1]) {
    add(box([2.2, 0.12, 0.11], WOOD, 0.02), 0, -0.03, 0.745 * side);
    add(box([0.11, 0.12, 1.4], WOOD, 0.02), 1.045 * side, -0.03, 0);
    for (const end of [-1, 1]) add(box([0.14, 0.7, 0.14], WOOD), 0.9 * end, -0.45, 0.6 * side);
    const mark = new THREE.SphereGeometry(0.012, 16, 8).scale(1, 0.3, 1);
    for (const x of [-0.675, -0.45, -0.225, 0.225, 0.45, 0.675]) {
      add(solid(mark, 0xf4ead2), x, 0.03, 0.745 * side);
    }
    for (const z of [-0.3, 0, 0.3]) add(solid(mark, 0xf4ead2), 1.045 * side, 0.03, z);
  }
  add(box([2.1, 0.2, 1.5], WOOD), 0, -0.2, 0);
  return group;
}

/** A floor of boards. */
function boards(): THREE.Texture {
  const texture = painted(256, 256, (context) => {
    for (let board = 0; board < 8; board += 1) {
      context.fillStyle = `hsl(28, 32%, ${62 + ((board * 5) % 8)}%)`;
      context.fillRect(0, 32 * board, 256, 31);
      context.fillRect((board * 91) % 256, 32 * board, 2, 32);
    }
  });
  texture.repeat.setScalar(200);
  return texture;
}

export const isUpright = (): boolean => innerHeight > innerWidth;

export function createTable(canvas: HTMLCanvasElement) {
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
  watchContext(canvas);
  renderer.shadowMap.enabled = true;
  const scene = new THREE.Scene().add(furniture());
  const { ground } = furnish(scene, 1.6);
  ground.position.y -= 0.8;
  const floor = new THREE.MeshStandardMaterial({ map: boards(), roughness: 0.8 });
  ground.material = floor;
  const camera = new THREE.PerspectiveCamera(30, 1, 0.1, 100);

  function resize(): void {
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(innerWidth, innerHeight, false);
    camera.aspect = innerWidth / innerHeight;
    const slope = Math.tan((camera.fov * Math.PI) / 360);
    const [across, along] = isUpright() ? [HALF.z, HALF.x] : [HALF.x, HALF.z];
    const share = Math.max(0.5, 1 - TEXTS_PX / innerHeight);
    const distance = Math.max(across / (slope * camera.aspect), along / (slope * share));
    camera.position.copy(isUpright() ? UPRIGHT : LANDSCAPE).multiplyScalar(distance);
    camera.lookAt(0, 0, 0);
    camera.updateProjectionMatrix();
  }
  resize();
  addEventListener('resize', resize);

  return {
    scene,
    camera,
    draw,
    onFrame(update: (stampMs: number) => void): void {
      renderer.setAnimationLoop((stampMs) => {
        update(stampMs);
        renderer.render(scene, camera);
      });
    },
  };
}
