/** Who walks through the town: parts that an animation swings. */
import * as THREE from 'three';
import * as color from './colors.js';
import { meshOf, type Model } from './model.js';
import { Shape, placed, type Triple } from './shape.js';

const SHIRT = 0xf4efe2;
const STRIPE = 0x2f5f86;
const TROUSERS = 0x3c4a63;
const SKIN = 0xd9a07a;
const HAIR = 0x4a2f22;
const STRAW = 0xe8c878;
const SCARF = 0xd1473a;

/** The walker looks along −z, and its feet are at its origin. */
export function addWalker(model: Model): void {
  const walker = model.place('Walker', new THREE.Group(), placed([0.6, 0, 13]));
  const part = (name: string, at: Triple, make: (shape: Shape) => void): void => {
    const shape = new Shape();
    make(shape);
    model.place(name, meshOf(shape, 'matte'), placed(at), undefined, walker);
  };
  part('WalkerBody', [0, 0.78, 0], (shape) => {
    for (let row = 0; row < 6; row++) {
      const tint = row % 2 === 0 ? SHIRT : STRIPE;
      const [low, high] = [0.2 + row * 0.008, 0.208 + row * 0.008];
      shape.post([low, 0.1, high], [0, row * 0.1, 0], tint, { sides: 12, jitter: 0 });
    }
    shape.post([0.2, 0.14, 0.19], [0, -0.1, 0], TROUSERS, { sides: 12 });
    shape.post([0.245, 0.08, 0.1], [0, 0.6, 0], SHIRT, { sides: 12 });
    shape.post([0.15, 0.1, 0.12], [0, 0.63, 0], SCARF, { sides: 10 });
    // Ends of the scarf.
    shape.box([0.09, 0.26, 0.04], [0.07, 0.4, -0.245], SCARF, { turn: 0.2 });
  });
  part('WalkerHead', [0, 1.48, 0], (shape) => {
    shape.add(new THREE.SphereGeometry(0.18, 10, 8).translate(0, 0.13, 0), SKIN, { foot: 0.9 });
    shape.add(new THREE.SphereGeometry(0.19, 10, 6).translate(0, 0.17, 0.035), HAIR);
    shape.post([0.4, 0.03, 0.38], [0, 0.22, 0], STRAW, { sides: 16 });
    shape.post([0.21, 0.15, 0.17], [0, 0.25, 0], STRAW, { sides: 12 });
    shape.post([0.215, 0.05, 0.205], [0, 0.25, 0], SCARF, { sides: 12 });
    shape.box([0.05, 0.05, 0.07], [0, 0.1, -0.19], SKIN);
    for (const x of [-0.07, 0.07]) shape.box([0.03, 0.04, 0.02], [x, 0.14, -0.17], color.IRON);
  });
  for (const [side, which] of [
    [-1, 'L'],
    [1, 'R'],
  ] as const) {
    part(`WalkerArm${which}`, [side * 0.29, 1.34, 0], (shape) => {
      shape.post([0.065, 0.34, 0.085], [0, -0.34, 0], SHIRT, { sides: 8 });
      shape.post([0.05, 0.22, 0.06], [0, -0.56, 0], SKIN, { sides: 8 });
      shape.add(new THREE.SphereGeometry(0.07, 8, 6).translate(0, -0.58, 0), SKIN);
    });
    part(`WalkerLeg${which}`, [side * 0.11, 0.72, 0], (shape) => {
      shape.post([0.08, 0.62, 0.105], [0, -0.62, 0], TROUSERS, { sides: 9 });
      shape.box([0.14, 0.1, 0.29], [0, -0.72, -0.05], color.DARK_WOOD, { foot: 0.7 });
    });
  }

  // One step with each leg takes a second.
  const times: number[] = [];
  const steps = 16;
  for (let step = 0; step <= steps; step++) times.push(step / steps);
  const swing = (name: string, reach: number) => {
    const turn = new THREE.Quaternion();
    const values = times.flatMap((time) => {
      const angle = reach * Math.sin(time * 2 * Math.PI);
      return turn.setFromEuler(new THREE.Euler(angle, 0, 0)).toArray();
    });
    return new THREE.QuaternionKeyframeTrack(`Walker${name}.quaternion`, times, values);
  };
  const bob = times.flatMap((time) => [0, 0.78 + 0.025 * Math.cos(time * 4 * Math.PI), 0]);
  const nod = times.flatMap((time) => [0, 1.48 + 0.025 * Math.cos(time * 4 * Math.PI), 0]);
  model.animations.push(
    new THREE.AnimationClip('Walk', -1, [
      swing('LegL', 0.75),
      swing('LegR', -0.75),
      swing('ArmL', -0.6),
      swing('ArmR', 0.6),
      new THREE.VectorKeyframeTrack('WalkerBody.position', times, bob),
      new THREE.VectorKeyframeTrack('WalkerHead.position', times, nod),
    ]),
  );
}
