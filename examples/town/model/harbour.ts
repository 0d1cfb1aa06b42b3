/** The lighthouse on its islet, the tower of the church, and boats. */
import * as THREE from 'three';
import * as color from './colors.js';
import type { Model } from './model.js';
import { Shape, placed } from './shape.js';
import { SEA, TERRACE } from './square.js';

export function addHarbour(model: Model): void {
  // 1. The islet, whose eastern end carries the bridge.
  const stone = model.shape('Stone-col', 'stone');
  stone.post([5.2, 2.6, 4.6], [-27, -2.6, 4], color.STONE, { sides: 14, foot: 0.7 });
  stone.slab([-23.4, -3, 2.4], [-22, 0, 5.6], color.STONE, { foot: 0.7 });

  // 2. The lighthouse.
  const white = model.shape('Houses-col', 'plaster');
  white.frame = placed([-28, 0, 4]);
  white.post([1.9, 0.5, 1.8], [0, 0, 0], color.STONE, { sides: 12 });
  white.post([1.45, 6.4, 1], [0, 0.5, 0], color.WHITE, { sides: 12, foot: 0.85 });
  const trim = model.shape('Trim', 'matte');
  trim.frame = white.frame;
  for (const [y, radius] of [
    [2.2, 1.38],
    [4.7, 1.2],
  ] as const) {
    trim.post([radius, 0.9, radius - 0.07], [0, y, 0], 0xc4503c, { sides: 12 });
  }
  trim.post([1.1, 0.22, 1.35], [0, 6.9, 0], color.PALE_STONE, { sides: 12 });
  trim.post([0.92, 0.9, 0.5], [0, 8.2, 0], 0xc4503c, { sides: 10 });
  trim.post([0.04, 0.8], [0, 9, 0], color.IRON, { sides: 4 });
  for (let post = 0; post < 10; post++) {
    const turn = (post / 10) * 2 * Math.PI;
    trim.box([0.05, 0.5, 0.05], [Math.cos(turn) * 1.26, 7.1, Math.sin(turn) * 1.26], color.IRON);
  }
  const rail = new THREE.TorusGeometry(1.26, 0.03, 4, 20).rotateX(Math.PI / 2);
  trim.add(rail.translate(0, 7.6, 0), color.IRON);
  trim.box([0.8, 1.6, 0.2], [0, 0.5, 1.36], color.DARK_WOOD);
  const glow = model.shape('Lights', 'glow');
  glow.frame = white.frame;
  glow.post([0.55, 1.1], [0, 7.1, 0], 0xffe3a0, { sides: 10 });

  addTower(model);
  addBoats(model);
}

function addTower(model: Model): void {
  const wall = model.shape('Tower-col', 'stone');
  const trim = model.shape('Trim', 'matte');
  for (const shape of [wall, trim]) shape.frame = placed([7.6, TERRACE, -18.4]);
  wall.box([4.4, 1, 4.4], [0, 0, 0], color.STONE, { foot: 0.8 });
  wall.box([4, 8.5, 4], [0, 1, 0], color.WALLS.cream, { foot: 0.86, jitter: 0 });
  trim.box([4.5, 0.3, 4.5], [0, 5, 0], color.PALE_STONE);
  trim.box([4.6, 0.4, 4.6], [0, 9.3, 0], color.PALE_STONE);
  // The belfry: four pillars with arches.
  for (const [x, z] of [
    [-1.6, -1.6],
    [1.6, -1.6],
    [-1.6, 1.6],
    [1.6, 1.6],
  ] as const) {
    trim.box([0.8, 3, 0.8], [x, 9.7, z], color.WALLS.cream);
  }
  for (let side = 0; side < 4; side++) {
    const face = new THREE.Shape([
      new THREE.Vector2(-1.99, 0),
      new THREE.Vector2(1.99, 0),
      new THREE.Vector2(1.99, 1.9),
      new THREE.Vector2(-1.99, 1.9),
    ]);
    face.holes.push(new THREE.Path().absarc(0, 0.02, 1.2, 0, Math.PI, false));
    const arch = new THREE.ExtrudeGeometry(face, { depth: 0.5, bevelEnabled: false });
    arch.translate(0, 11.7, 1.49).rotateY((side * Math.PI) / 2);
    trim.add(arch, color.WALLS.cream, { jitter: 0 });
    const clock = new THREE.CylinderGeometry(0.9, 0.9, 0.12, 20).rotateX(Math.PI / 2);
    trim.add(clock.translate(0, 7.3, 2.02).rotateY((side * Math.PI) / 2), color.WHITE);
    for (const [turn, length] of [
      [0.5, 0.7],
      [-1.4, 0.5],
    ] as const) {
      const hand = new THREE.BoxGeometry(0.07, length, 0.04).translate(0, length / 2, 0);
      hand.rotateZ(-turn).translate(0, 7.3, 2.1);
      trim.add(hand.rotateY((side * Math.PI) / 2), color.IRON);
    }
    const slit = new THREE.BoxGeometry(0.5, 1.6, 0.1).translate(0, 3.4, 2);
    trim.add(slit.rotateY((side * Math.PI) / 2), color.GLASS, { foot: 0.7 });
  }
  trim.box([4.7, 0.35, 4.7], [0, 13.6, 0], color.PALE_STONE);
  // The roof, row by row.
  for (let row = 0; row < 8; row++) {
    const [lower, upper] = [3.5 * (1 - row / 8), 3.5 * (1 - (row + 1.15) / 8)];
    const tint = color.TILES[row % 3] ?? 0;
    const size = [lower, 0.46, Math.max(0.02, upper)] as const;
    trim.post(size, [0, 13.95 + row * 0.4, 0], tint, { sides: 4, turn: Math.PI / 4 });
  }
  trim.box([0.1, 1.3, 0.1], [0, 17, 0], color.IRON);
  trim.box([0.7, 0.1, 0.1], [0, 17.8, 0], color.IRON);
  const bell = [
    new THREE.Vector2(0.02, 0.95),
    new THREE.Vector2(0.3, 0.85),
    new THREE.Vector2(0.42, 0.3),
    new THREE.Vector2(0.62, 0),
  ];
  trim.add(new THREE.LatheGeometry(bell, 12).translate(0, 10.9, 0), 0xb08b3c);
  trim.box([0.12, 1.2, 0.12], [0, 11.7, 0], color.DARK_WOOD);
}

/** Boats that rock in an animation, out of reach. */
function addBoats(model: Model): void {
  for (const [index, [x, z, turn, tint]] of (
    [
      [-15.6, 10.6, 0.2, 0x3f7f9a],
      [-16, -3.2, -0.25, 0xc4503c],
      [-19, 17.5, 1.2, 0xe0b354],
      [-24, -14, 2.2, 0xf3ead8],
    ] as const
  ).entries()) {
    const shape = new Shape();
    const hull = new THREE.Shape();
    hull.moveTo(0, 2.3);
    hull.quadraticCurveTo(0.95, 1.2, 0.85, -0.6);
    hull.lineTo(0.6, -1.9);
    hull.lineTo(-0.6, -1.9);
    hull.lineTo(-0.85, -0.6);
    hull.quadraticCurveTo(-0.95, 1.2, 0, 2.3);
    const side = new THREE.ExtrudeGeometry(hull, {
      depth: 0.6,
      bevelEnabled: true,
      bevelSize: -0.2,
      bevelThickness: 0.3,
      bevelSegments: 1,
      curveSegments: 4,
    });
    shape.add(side.rotateX(Math.PI / 2).translate(0, 0.62, 0), tint, { foot: 0.7 });
    const inside = new THREE.ShapeGeometry(hull, 4).scale(0.72, 0.8, 1).rotateX(Math.PI / 2);
    // Seen from above.
    shape.add(flipped(inside).translate(0, 0.925, 0), color.DARK_WOOD);
    for (const at of [-0.9, 0.5]) shape.box([1.3, 0.08, 0.34], [0, 0.93, at], color.WOOD);
    if (index > 1) {
      shape.post([0.06, 4.4, 0.04], [0, 0.8, 0.3], color.WOOD, { sides: 5 });
      const cloth = new THREE.Shape([
        new THREE.Vector2(0, 0),
        new THREE.Vector2(2, 0.2),
        new THREE.Vector2(0, 3.3),
      ]);
      const sail = new THREE.ExtrudeGeometry(cloth, { depth: 0.03, bevelEnabled: false });
      shape.add(sail.rotateY(Math.PI / 2).translate(0, 1.6, 0.24), color.WHITE, { foot: 0.9 });
    }
    const boat = model.node(`Boat${index + 1}`, shape, placed([x, SEA - 0.25, z], turn));
    model.animations.push(rocking(boat, index));
  }
}

/** With its triangles turned around. */
function flipped(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const { index } = geometry;
  if (index !== null) (index.array as Uint16Array).reverse();
  return geometry;
}

function rocking(boat: THREE.Object3D, phase: number): THREE.AnimationClip {
  const [times, heights, turns] = [[0], [0], [0]] as [number[], number[], number[]];
  times.length = heights.length = turns.length = 0;
  const tilt = new THREE.Quaternion();
  for (let step = 0; step <= 16; step++) {
    const angle = (step / 16) * 2 * Math.PI;
    times.push(step * 0.35);
    heights.push(boat.position.x, boat.position.y + 0.07 * Math.sin(angle), boat.position.z);
    tilt.setFromEuler(
      new THREE.Euler(0.03 * Math.sin(angle + phase), 0, 0.06 * Math.cos(angle + phase)),
    );
    turns.push(...boat.quaternion.clone().multiply(tilt).toArray());
  }
  return new THREE.AnimationClip(boat.name, -1, [
    new THREE.VectorKeyframeTrack(`${boat.name}.position`, times, heights),
    new THREE.QuaternionKeyframeTrack(`${boat.name}.quaternion`, times, turns),
  ]);
}
