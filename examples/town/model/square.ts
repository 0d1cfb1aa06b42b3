/** The square and the terrace above it, with small things. */
import * as THREE from 'three';
import * as color from './colors.js';
import type { Model } from './model.js';
import { placed, type Shape, type Triple } from './shape.js';

/** Heights, in m. */
export const SEA = -1.7;
export const TERRACE = 4;

export function addSquare(model: Model): void {
  const paving = model.shape('Paving-col', 'paving');
  const stone = model.shape('Stone-col', 'stone');

  // 1. The ground: one plate for each height.
  paving.slab([-12.5, -4, -10], [24, 0, 32], color.PAVING, { jitter: 0 });
  paving.slab([-6, -4, -30], [36, TERRACE, -10.4], color.PAVING, { jitter: 0 });
  // A path of pale stones around the fountain and to the stairs.
  paving.post([4.6, 0.03], [-1, 0, 2], color.PALE_STONE, { sides: 24 });
  paving.slab([-3.4, 0, -3.6], [-1, 0.025, -1.8], color.PALE_STONE, { jitter: 0 });

  // 2. The quay, the wall below the terrace, and parapets.
  stone.slab([-13, -4, -10], [-12.5, 0.16, 32], color.PALE_STONE, { foot: 0.6 });
  stone.slab([-6.5, -4, -30], [-6, TERRACE + 0.9, -10], color.STONE, { foot: 0.6 });
  stone.slab([-13, -4, -10.4], [-6.5, 1, -10], color.STONE, { foot: 0.7 });
  stone.slab([-13, -4, 32], [24, 1, 32.5], color.STONE, { foot: 0.7 });
  for (const [from, to] of [
    [-6, -4.2],
    [-0.2, 7.3],
    [9.7, 12.2],
  ] as const) {
    stone.slab([from, TERRACE, -10.4], [to, TERRACE + 0.2, -10.05], color.PALE_STONE);
    stone.slab([from, TERRACE + 0.78, -10.45], [to, TERRACE + 0.95, -10], color.PALE_STONE);
    const count = Math.round((to - from) / 0.42);
    for (let index = 0; index < count; index++) {
      const x = from + ((index + 0.5) / count) * (to - from);
      const at = placed([x, TERRACE + 0.2, -10.22]);
      model.copy('Balusters', 'matte', at, (shape) => {
        shape.post([0.07, 0.2, 0.12], [0, 0, 0], color.PALE_STONE, { sides: 6 });
        shape.post([0.12, 0.38, 0.06], [0, 0.2, 0], color.PALE_STONE, { sides: 6 });
      });
    }
    for (const x of [from + 0.16, to - 0.16]) {
      stone.box([0.44, 1.1, 0.44], [x, TERRACE, -10.22], color.PALE_STONE);
    }
    // Between its posts one does not fall through.
    model.shape('Limits-colonly', 'matte').slab([from, TERRACE, -10.4], [to, 5, -10.05], 0);
  }
  addArcade(stone);
  addStairs(model);
  addFountain(model, [-1, 0.03, 2]);
  addSmallThings(model);
  addFlags(model);
}

/** The wall below the terrace, with arches. */
function addArcade(stone: Shape): void {
  const wall = new THREE.Shape([
    new THREE.Vector2(-6, 0),
    new THREE.Vector2(13, 0),
    new THREE.Vector2(13, TERRACE),
    new THREE.Vector2(-6, TERRACE),
  ]);
  for (const x of [1.6, 4.8]) {
    const arch = new THREE.Path();
    arch.moveTo(x - 1.15, 0.02);
    arch.lineTo(x + 1.15, 0.02);
    arch.lineTo(x + 1.15, 1.75);
    arch.absarc(x, 1.75, 1.15, 0, Math.PI, false);
    arch.lineTo(x - 1.15, 0.02);
    wall.holes.push(arch);
  }
  const options = { depth: 0.9, bevelEnabled: false, curveSegments: 8 };
  const geometry = new THREE.ExtrudeGeometry(wall, options).translate(0, 0, -10);
  stone.add(geometry, color.STONE, { foot: 0.75, jitter: 0 });
  for (const x of [1.6, 4.8]) {
    // Stones around each arch.
    for (let step = 0; step < 9; step++) {
      const angle = ((step + 0.5) / 9) * Math.PI;
      const block = new THREE.BoxGeometry(0.36, 0.42, 0.2).rotateZ(angle - Math.PI / 2);
      const [dx, dy] = [Math.cos(angle) * 1.32, Math.sin(angle) * 1.32];
      stone.add(block.translate(x + dx, 1.75 + dy, -9.06), color.PALE_STONE, { jitter: 0.08 });
    }
    for (const side of [-1, 1]) {
      stone.box([0.4, 1.75, 0.24], [x + side * 1.34, 0, -9.08], color.PALE_STONE, { foot: 0.75 });
    }
  }
  stone.slab([-6, TERRACE - 0.35, -9.12], [7.2, TERRACE - 0.12, -9], color.PALE_STONE);
  stone.slab([9.8, TERRACE - 0.35, -9.12], [13, TERRACE - 0.12, -9], color.PALE_STONE);
}

const STEPS = 20;

function addStairs(model: Model): void {
  const stone = model.shape('Stairs-col', 'stone');
  const run = 7.1 / STEPS;
  for (let step = 0; step < STEPS; step++) {
    const [top, z] = [((step + 1) * TERRACE) / STEPS, -3.3 - step * run];
    stone.slab([-4, top - 0.25, -10.4], [-0.4, top, z], color.PALE_STONE, { jitter: 0.04 });
  }
  // Walls at both sides, which rise with the steps.
  for (const x of [-4.35, -0.4]) {
    const side = new THREE.Shape([
      new THREE.Vector2(2.7, 0),
      new THREE.Vector2(2.7, 0.75),
      new THREE.Vector2(3.2, 0.75),
      new THREE.Vector2(10, TERRACE + 0.62),
      new THREE.Vector2(10.4, TERRACE + 0.62),
      new THREE.Vector2(10.4, 0),
    ]);
    const geometry = new THREE.ExtrudeGeometry(side, { depth: 0.35, bevelEnabled: false });
    stone.add(geometry.rotateY(Math.PI / 2).translate(x, 0, 0), color.STONE, { foot: 0.8 });
    stone.box([0.5, 1.15, 0.5], [x + 0.175, 0, -2.6], color.PALE_STONE, { foot: 0.8 });
    model.copy('Pots', 'matte', placed([x + 0.175, 1.15, -2.6], 0, [0.8, 0.8, 0.8]), makePot);
  }
}

function addFountain(model: Model, at: Triple): void {
  const stone = model.shape('Fountain-col', 'matte');
  stone.frame = placed(at);
  stone.post([2.3, 0.16], [0, 0, 0], color.STONE, { sides: 16, foot: 0.8 });
  const rim = new THREE.LatheGeometry(
    [
      new THREE.Vector2(1.75, 0.1),
      new THREE.Vector2(2, 0.1),
      new THREE.Vector2(1.95, 0.5),
      new THREE.Vector2(2.1, 0.62),
      new THREE.Vector2(1.7, 0.62),
      new THREE.Vector2(1.7, 0.1),
    ],
    16,
  );
  stone.add(rim, color.PALE_STONE, { foot: 0.75 });
  stone.post([0.5, 0.4, 0.36], [0, 0.1, 0], color.STONE, { sides: 12 });
  stone.post([0.24, 1, 0.17], [0, 0.5, 0], color.PALE_STONE, { sides: 10 });
  stone.post([0.2, 0.28, 0.95], [0, 1.4, 0], color.PALE_STONE, { sides: 14, foot: 0.75 });
  stone.post([0.16, 0.5, 0.1], [0, 1.62, 0], color.PALE_STONE, { sides: 10 });
  stone.post([0.14, 0.14, 0.32], [0, 2.1, 0], color.PALE_STONE, { sides: 10 });
  const water = model.shape('Water', 'glow');
  water.frame = placed(at);
  water.post([1.72, 0.02], [0, 0.46, 0], 0x77b7bb, { sides: 16 });
  water.post([0.84, 0.02], [0, 1.64, 0], 0x8cc7c8, { sides: 14 });
  for (let jet = 0; jet < 8; jet++) {
    // Water falls from the upper bowl in arcs.
    const points = [0, 1, 2, 3, 4].map((step) => {
      const way = step / 4;
      return new THREE.Vector3(0.9 + 0.42 * way, 1.66 + 0.16 * way - 1.36 * way * way, 0);
    });
    const tube = new THREE.TubeGeometry(new THREE.CatmullRomCurve3(points), 5, 0.028, 4);
    water.add(tube.rotateY((jet / 8) * 2 * Math.PI), 0xd9f0ee);
  }
}

/** Pots, benches, lamps, tables: small things around the square. */
function addSmallThings(model: Model): void {
  const limits = model.shape('Limits-colonly', 'matte');
  for (const [x, z, turn] of [
    [-7.4, -3.4, 0.4],
    [5.4, 1.2, -Math.PI / 2],
    [-7.6, 6.4, Math.PI / 2],
    [3, TERRACE, 0],
  ] as const) {
    const at: Triple = z === TERRACE ? [x, TERRACE, -11.3] : [x, 0, z];
    model.copy('Benches', 'matte', placed(at, turn), makeBench);
    limits.frame = placed(at, turn);
    limits.box([1.9, 0.48, 0.5], [0, 0, 0], 0);
    limits.frame = new THREE.Matrix4();
  }
  for (const [x, y, z] of [
    [-11.4, 0, 0],
    [-11.4, 0, 10.4],
    [-11.4, 0, 20],
    [6.4, 0, -3.4],
    [7.6, 0, 11],
    [-5.4, TERRACE, -11],
    [6.4, TERRACE, -11],
  ] as const) {
    model.copy('Lamps', 'matte', placed([x, y, z]), makeLamp);
    model.copy('Bulbs', 'glow', placed([x, y + 3.02, z]), (shape) =>
      shape.post([0.13, 0.34, 0.18], [0, 0, 0], 0xffdf9e, { sides: 6 }),
    );
    limits.box([0.24, 3.4, 0.24], [x, y, z], 0);
  }
  for (const [x, y, z] of [
    [11.4, 0, 8.8],
    [11.5, 0, 2.6],
    [11.4, 0, -3],
    [-5.4, 0, -8.6],
    [-4.7, 0, -8],
    [0.3, 0, -8.4],
    [6.6, 0, -8.4],
    [11.5, 0, 14.6],
    [-0.6, TERRACE, -16.2],
    [4.2, TERRACE, -16.3],
  ] as const) {
    model.copy('Pots', 'matte', placed([x, y, z], x * 7), makePot);
    limits.box([0.6, 0.9, 0.6], [x, y, z], 0);
  }
  for (const [x, z] of [
    [8.2, 14.1],
    [9, 11.6],
  ] as const) {
    model.copy('Tables', 'matte', placed([x, 0, z], x), makeTable);
    limits.box([0.8, 0.75, 0.8], [x, 0, z], 0);
  }
}

/** Small flags on ropes across the square. */
function addFlags(model: Model): void {
  const ropes = model.shape('Ropes', 'matte');
  for (const [from, to, sag] of [
    [[-11.4, 3.3, 10.4], [12, 6.4, 8], 2],
    [[-11.4, 3.3, 0], [12, 6.6, 2.3], 1.6],
    [[7.6, 3.3, 11], [12, 6.4, 14], 0.6],
  ] as const) {
    const [start, end] = [new THREE.Vector3(...from), new THREE.Vector3(...to)];
    const at = (way: number): THREE.Vector3 => {
      const point = start.clone().lerp(end, way);
      return point.setY(point.y - 4 * sag * way * (1 - way));
    };
    const count = Math.round(start.distanceTo(end) / 0.75);
    const path = new THREE.CatmullRomCurve3(Array.from({ length: 9 }, (_, step) => at(step / 8)));
    ropes.add(new THREE.TubeGeometry(path, 12, 0.015, 3), color.IRON);
    const turn = Math.atan2(start.z - end.z, end.x - start.x);
    for (let flag = 0; flag < count; flag++) {
      const { x, y, z } = at((flag + 0.5) / count);
      const tint = [0xd1473a, 0xf3e3c2, 0x3f7f9a, 0xe6b34c][flag % 4] ?? 0;
      model.copy(`Flags${flag % 4}`, 'matte', placed([x, y, z], turn), (shape) =>
        shape.add(
          new THREE.CylinderGeometry(0.24, 0, 0.5, 3, 1).translate(0, -0.26, 0).scale(1, 1, 0.12),
          tint,
          { foot: 0.85 },
        ),
      );
    }
  }
}

export function makePot(shape: Shape): void {
  shape.post([0.22, 0.46, 0.34], [0, 0, 0], color.TILES[1], { foot: 0.7 });
  shape.post([0.38, 0.1], [0, 0.42, 0], color.TILES[0]);
  shape.blob([0.44, 0.5, 0.44], [0, 0.86, 0], color.LEAVES[1]);
  for (const [x, y, z] of [
    [0.3, 0.95, 0.18],
    [-0.28, 1.02, 0.2],
    [0.02, 1.26, -0.1],
    [-0.1, 0.8, -0.38],
    [0.25, 1.1, -0.24],
  ] as const) {
    shape.blob([0.16, 0.13, 0.16], [x, y, z], color.FLOWERS, { detail: 0 });
  }
}

function makeBench(shape: Shape): void {
  for (const x of [-0.75, 0.75]) {
    shape.box([0.16, 0.42, 0.44], [x, 0, 0], color.STONE, { foot: 0.75 });
  }
  for (const z of [-0.16, 0, 0.16]) shape.box([1.9, 0.07, 0.14], [0, 0.42, z], color.WOOD);
}

function makeLamp(shape: Shape): void {
  shape.post([0.17, 0.3, 0.1], [0, 0, 0], color.IRON);
  shape.post([0.055, 2.7, 0.045], [0, 0.3, 0], color.IRON, { sides: 6 });
  shape.post([0.09, 0.06, 0.2], [0, 2.97, 0], color.IRON, { sides: 6 });
  shape.post([0.26, 0.18, 0.03], [0, 3.36, 0], color.IRON, { sides: 6 });
}

function makeTable(shape: Shape): void {
  shape.post([0.26, 0.05], [0, 0, 0], color.IRON);
  shape.post([0.05, 0.7], [0, 0, 0], color.IRON, { sides: 6 });
  shape.post([0.5, 0.05], [0, 0.7, 0], color.WHITE, { sides: 12 });
  for (const turn of [0.4, 2.6, 4.6]) {
    const [x, z] = [Math.cos(turn) * 0.85, Math.sin(turn) * 0.85];
    const paint = { turn: -turn };
    shape.box([0.42, 0.05, 0.42], [x, 0.44, z], color.WOOD, paint);
    for (const side of [-1, 1]) {
      const [dx, dz] = [Math.cos(turn + side * 0.2) * 1.02, Math.sin(turn + side * 0.2) * 1.02];
      shape.box([0.05, 0.9, 0.05], [dx, 0, dz], color.DARK_WOOD, paint);
    }
    shape.box([0.06, 0.26, 0.44], [x * 1.22, 0.66, z * 1.22], color.WOOD, paint);
    shape.post([0.04, 0.44], [x * 0.82, 0, z * 0.82], color.DARK_WOOD, { sides: 4 });
  }
}
