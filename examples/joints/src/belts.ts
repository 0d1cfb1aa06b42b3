/** Conveyor belts and a drum, which carry crates in a circle: their surfaces move, and they stay. */
import type { MeshPhysics } from 'betwixt/three';
import type { RigidBody } from 'betwixt/world';
import * as THREE from 'three';
import { blocksIn } from '../../stage/block.js';
import { WOOD, colorOf, painted, solid, type Triple } from '../../stage/stage.js';

/** Speed of all surfaces, in m/s. */
const SPEED = 1.2;
const DRUM_RADIUS = 0.3;
/** Length of the pattern on a belt, in m. */
const PATTERN_M = 0.4;
const LOW = 0.4;
const SLOPE = 0.15;
/** Places along z. */
const FRONT = -3.4;
const BACK = -5.6;
const BETWEEN = (FRONT + BACK) / 2;

/** @returns Moves what is painted on the surfaces by a time in seconds. */
export function addBelts(scene: THREE.Scene, physics: MeshPhysics): (seconds: number) => void {
  const patterns: THREE.Texture[] = [];
  const pattern = painted(64, 64, (context) => {
    context.fillStyle = '#55555b';
    context.fillRect(0, 0, 64, 64);
    context.fillStyle = '#7b7b82';
    context.fillRect(0, 0, 12, 64);
  });
  /** A mesh with the pattern. @param count How many times it fits along the mesh, or around it. */
  const patterned = (geometry: THREE.BufferGeometry, count: number): THREE.Mesh => {
    const map = pattern.clone();
    map.repeat.set(count, 1);
    patterns.push(map);
    return solid(geometry, 0xffffff, { map, roughness: 0.9 });
  };
  const add = (mesh: THREE.Mesh, at: Triple): RigidBody => {
    mesh.position.set(...at);
    scene.add(mesh);
    physics.addMesh(mesh);
    return physics.bodyOf({ object: mesh }) as RigidBody;
  };
  /** A belt runs along its own x axis. @param turn About y, from x. */
  const addBelt = (length: number, at: Triple, turn = 0, slope = 0, width = 1): void => {
    const mesh = patterned(
      new THREE.BoxGeometry(length, 0.2, width),
      Math.round(length / PATTERN_M),
    );
    mesh.rotation.set(0, turn, slope);
    mesh.rotation.order = 'YXZ';
    add(mesh, at).setSurfaceVelocity({ x: SPEED, y: 0, z: 0 });
  };

  // Each ends where the next one begins, across.
  addBelt(8.4, [-0.5, LOW, FRONT]);
  addBelt(2.2, [4.2, LOW, FRONT - 0.6], Math.PI / 2);
  addBelt(7.2, [1.2, LOW + 0.38, BACK], Math.PI, SLOPE);
  addBelt(2.2, [-3.85, LOW, BACK + 0.6], -Math.PI / 2, 0, 1.7);

  const drum = patterned(
    new THREE.CylinderGeometry(DRUM_RADIUS, DRUM_RADIUS, 1, 32),
    Math.round((2 * Math.PI * DRUM_RADIUS) / PATTERN_M),
  );
  drum.rotation.x = Math.PI / 2;
  const turning = { x: 0, y: SPEED / DRUM_RADIUS, z: 0 };
  add(drum, [-2.65, LOW + 0.72, BACK]).setSurfaceAngularVelocity(turning);

  const block = blocksIn(scene, physics);
  /** So smooth that crates slide along. */
  const addRail = (size: Triple, at: Triple): void => {
    const rail = physics.bodyOf({ object: block(size, at, WOOD) })?.collider(0);
    rail?.setFriction(0);
    rail?.setFrictionCombineRule(physics.RAPIER.CoefficientCombineRule.Min);
  };
  addRail([9.6, 0.7, 0.1], [0, 0.35, FRONT + 0.58]);
  addRail([6, 0.7, 0.1], [0.7, 0.35, FRONT - 0.58]);
  addRail([0.1, 0.8, 3.3], [4.76, 0.4, BETWEEN]);
  addRail([0.1, 1.3, 3.3], [-4.76, 0.65, BETWEEN]);
  addRail([9.6, 1.6, 0.1], [0, 0.8, BACK - 0.58]);

  for (let crate = 0; crate < 6; crate++) {
    block([0.45, 0.45, 0.45], [3 - 1.2 * crate, 0.8, FRONT], colorOf(crate), 0.4);
  }

  return (seconds) => {
    for (const { offset } of patterns) offset.x = ((-SPEED * seconds) / PATTERN_M) % 1;
  };
}
