/** A tray of rings: they are concave and move, so each collides as pieces that are convex. */
import type { MeshPhysics } from 'betwixt/three';
import * as THREE from 'three';
import { blocksIn } from '../../stage/block.js';
import { WOOD, colorOf, solid } from '../../stage/stage.js';

/** Center of the tray. */
const [X, Z] = [-1.8, 1.9];
const WIDTH = 3;
const ON_PEG = 4;
const COUNT = 9;

export function addRings(scene: THREE.Scene, physics: MeshPhysics): void {
  const block = blocksIn(scene, physics);
  block([WIDTH, 0.1, WIDTH], [X, 0.05, Z], WOOD);
  for (const side of [-WIDTH / 2, WIDTH / 2]) {
    block([0.1, 0.25, WIDTH], [X + side, 0.2, Z], WOOD);
    block([WIDTH, 0.25, 0.1], [X, 0.2, Z + side], WOOD);
  }
  const peg = solid(new THREE.CapsuleGeometry(0.1, 1.3, 8, 16), WOOD);
  peg.position.set(X, 0.75, Z);
  scene.add(peg);
  physics.addMesh(peg);

  // One geometry, whose pieces are computed once.
  const geometry = new THREE.TorusGeometry(0.4, 0.12, 16, 32);
  for (let ring = 0; ring < COUNT; ring++) {
    const mesh = solid(geometry, colorOf(ring));
    // The others fall around the peg.
    const out = ring < ON_PEG ? 0 : 0.95;
    const height = ring < ON_PEG ? 0.3 + 0.3 * ring : 0.4 * ring;
    mesh.position.set(X + out * Math.cos(2.5 * ring), height, Z + out * Math.sin(2.5 * ring));
    mesh.rotation.x = Math.PI / 2 + 0.5 * out;
    scene.add(mesh);
    physics.addMesh(mesh, 0.3, 0, 'pieces');
  }
}
