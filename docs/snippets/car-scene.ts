/** A small scene for a car: what a reader's own game has. */
import {
  BoxGeometry,
  CylinderGeometry,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  SphereGeometry,
  type BufferGeometry,
} from 'three';
import { camera, renderer, scene } from './scene.js';

export { renderer, scene };

function add(geometry: BufferGeometry, color: number, y: number, z = 0): Mesh {
  const mesh = new Mesh(geometry, new MeshStandardMaterial({ color }));
  mesh.position.set(0, y, z);
  scene.add(mesh);
  return mesh;
}

scene.add(new HemisphereLight(0xffffff, 0x888888, 3));
export const ground = add(new BoxGeometry(100, 1, 100), 0x667766, -0.5);
export const car = add(new BoxGeometry(1.8, 0.5, 4), 0xcc3333, 1.5);
export const coin = add(new SphereGeometry(0.5), 0xffcc00, 0.5, 12);
export const wheel = new Mesh(
  new CylinderGeometry(0.4, 0.4, 0.3).rotateZ(Math.PI / 2),
  new MeshStandardMaterial({ color: 0x222222 }),
);

const output = document.body.appendChild(document.createElement('output'));
output.style.cssText = 'position: fixed; top: 0; left: 0; color: gray';

/** @param height In m, of the car. */
export function show(score: number, height = 0): void {
  output.textContent = `${score} points, ${height.toFixed(1)} m high`;
  camera.position.set(car.position.x, car.position.y + 4, car.position.z - 9);
  camera.lookAt(car.position);
  renderer.render(scene, camera);
}
