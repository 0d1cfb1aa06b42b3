/** Trees, rocks and hills. */
import * as THREE from 'three';
import * as color from './colors.js';
import type { Model } from './model.js';
import { placed, type Shape } from './shape.js';
import { SEA, TERRACE } from './square.js';

export function addNature(model: Model): void {
  const limits = model.shape('Limits-colonly', 'matte');
  const { random } = model;
  // 1. Cypresses, behind the houses and on the hill.
  for (const [x, y, z, size] of [
    [-4.6, TERRACE, -13.6, 1],
    [-4.2, TERRACE, -22, 1.3],
    [10.6, TERRACE, -13.2, 0.9],
    [-14, 6, -36, 1.5],
    [-9, 8.5, -40, 1.7],
    [2, 9.5, -41, 1.6],
    [4, 9.5, -42, 1.9],
    [22, 10, -40, 1.7],
    [25, 10, -41, 1.5],
    [36, 8, -30, 1.6],
    [33, 4, -16, 1.5],
    [29, 2, 2, 1.6],
    [28, 2, 5, 1.3],
    [30, 2, 16, 1.5],
    [-26.6, 0.2, -0.4, 0.7],
  ] as const) {
    const scale = [size, size * (0.9 + 0.25 * random()), size] as const;
    model.copy('Cypresses', 'matte', placed([x, y, z], random() * 6, scale), (shape) => {
      shape.post([0.12, 0.6], [0, 0, 0], color.DARK_WOOD, { sides: 5 });
      shape.blob([0.62, 1.5, 0.62], [0, 1.7, 0], color.CYPRESS);
      shape.blob([0.5, 1.7, 0.5], [0, 3.1, 0], color.CYPRESS);
      shape.blob([0.28, 1.2, 0.28], [0, 4.6, 0], color.CYPRESS);
    });
    if (y === TERRACE && z > -20) limits.box([0.9, 4, 0.9], [x, y, z], 0);
  }
  // 2. Trees with round tops, on the square.
  for (const [x, y, z, size] of [
    [-8.6, 0, 12.6, 1.25],
    [-8.8, 0, -6.4, 1],
    [6.4, 0, 18.6, 1],
    [-7.6, 0, 24, 1.2],
    [14.4, TERRACE, -12.6, 0.9],
    [-24.4, 0.1, 6.4, 0.6],
  ] as const) {
    model.copy('Trees', 'matte', placed([x, y, z], x * 3, [size, size, size]), makeTree);
    limits.box([0.5, 3, 0.5], [x, y, z], 0);
    if (y === 0 && x > -20) {
      const bed = model.shape('Stone-col', 'stone');
      bed.post([1, 0.22, 0.95], [x, 0, z], color.PALE_STONE, { sides: 10, foot: 0.8 });
      model.shape('Trim', 'matte').post([0.8, 0.03], [x, 0.215, z], 0x7a6244, { sides: 10 });
    }
  }
  // 3. Flowers that hang over walls.
  for (const [x, y, z, count] of [
    [-5.3, 4.6, -9.9, 16],
    [3.2, 4.5, -9.9, 15],
    [11.7, 5, -7.2, 18],
    [11.8, 4.6, 9.4, 14],
    [11.8, 4.6, 16.4, 14],
  ] as const) {
    for (let index = 0; index < count; index++) {
      const along = (random() - 0.5) * 2.4;
      const down = random() * 1.5;
      const at =
        x > 11
          ? ([x, y - down, z + along] as const)
          : ([x + along, y - down * 0.8, z + 0.75 + 0.2 * random()] as const);
      const size = 0.18 + 0.2 * random();
      const [name, tint] =
        index % 3 === 0
          ? (['Leaves', color.LEAVES[1]] as const)
          : (['Petals', color.FLOWERS] as const);
      model.copy(name, 'matte', placed(at, index, [size, size, size]), (shape) =>
        shape.blob([1, 1, 1], [0, 0, 0], tint, { detail: 0 }),
      );
    }
  }
  addRocks(model);
  addHills(model);
}

function makeTree(shape: Shape): void {
  shape.post([0.22, 2.6, 0.13], [0, 0, 0], color.DARK_WOOD, { sides: 7 });
  for (const [x, y, z, size, tint] of [
    [0, 3.3, 0, 1.35, 0],
    [0.95, 2.75, 0.35, 0.95, 1],
    [-0.9, 2.8, 0.3, 1, 2],
    [0.1, 2.7, -0.9, 0.95, 1],
    [-0.2, 2.65, 0.95, 0.85, 0],
  ] as const) {
    const leaves = color.LEAVES[tint];
    shape.blob([size, size * 0.82, size], [x, y, z], leaves, { foot: 0.6, jitter: 0.12 });
  }
  // Oranges.
  for (let index = 0; index < 8; index++) {
    const [turn, y] = [index * 2.4, 2.45 + (index % 4) * 0.4];
    const radius = 1.32 - Math.abs(y - 2.8) * 0.35;
    const at = [Math.cos(turn) * radius, y, Math.sin(turn) * radius] as const;
    shape.blob([0.11, 0.11, 0.11], at, 0xf08a24, { detail: 0 });
  }
}

/** Below the quay and around the islet. */
function addRocks(model: Model): void {
  const rocks = model.shape('Rocks-col', 'matte');
  const { random } = model;
  for (let index = 0; index < 26; index++) {
    const turn = (index / 26) * 2 * Math.PI;
    const radius = 5 + random() * 1.2;
    const [x, z] = [-27 + Math.cos(turn) * radius, 4 + Math.sin(turn) * radius * 0.85];
    // Not where the bridge ends.
    if (x > -23.5 && Math.abs(z - 4) < 2.2) continue;
    const size = [0.8 + random(), 0.7 + 0.6 * random(), 0.8 + random()] as const;
    rocks.blob(size, [x, SEA + 0.4 + random() * 0.5, z], 0xb39b77, { detail: 0 });
  }
  for (const [x, z] of [
    [-13.6, 15],
    [-14.2, 16.2],
    [-13.7, 24],
    [-14.6, 25.4],
    [-13.8, -8.6],
    [-8, -12],
    [-10.4, -12.6],
    [-8.4, -16],
    [-9.4, -20],
    [-8.2, -24],
    [-12, -18],
  ] as const) {
    const size = [1 + random(), 0.9 + 0.8 * random(), 1 + random()] as const;
    rocks.blob(size, [x, SEA + 0.2, z], 0xa58e6c, { detail: 0 });
  }
}

/** How high the land behind the town is. */
function landAt(x: number, z: number): number {
  const back = Math.max(0, -z - 24);
  const east = Math.max(0, x - 22);
  const away = Math.hypot(back, east * 0.9);
  const waves =
    2.6 * Math.sin(x * 0.11 + 1.3) + 2.2 * Math.sin(z * 0.13) + Math.sin(x * 0.31 + z * 0.2);
  // Down to the sea in the west.
  const west = Math.min(1, Math.max(0, (x + 46 + waves * 2) / 26));
  return (1.5 + away * 0.4 + waves * Math.min(1, away / 24)) * west - 6 * (1 - west);
}

const GRID = { columns: 30, rows: 23, x: -70, z: -150, width: 200, depth: 230 } as const;

function addHills(model: Model): void {
  const { columns, rows } = GRID;
  const land = new THREE.PlaneGeometry(GRID.width, GRID.depth, columns, rows);
  land.rotateX(-Math.PI / 2).translate(GRID.x + GRID.width / 2, 0, GRID.z + GRID.depth / 2);
  const { position } = land.attributes as { position: THREE.BufferAttribute };
  for (let vertex = 0; vertex < position.count; vertex++) {
    position.setY(vertex, landAt(position.getX(vertex), position.getZ(vertex)));
  }
  // Without what is below the sea, and where the town is.
  const corners = [...(land.index?.array ?? [])];
  const kept: number[] = [];
  for (let first = 0; first < corners.length; first += 3) {
    const triangle = corners.slice(first, first + 3);
    const [x, y, z] = (['getX', 'getY', 'getZ'] as const).map(
      (get) => triangle.reduce((sum, vertex) => sum + position[get](vertex), 0) / 3,
    ) as [number, number, number];
    const isTown = x < 30 && z > -26;
    if (!isTown && y > SEA - 1.5) kept.push(...triangle);
  }
  land.setIndex(kept);
  model
    .shape('Hills', 'matte')
    .add(land, (height) =>
      height < 1 ? 0xb89b6a : Math.sin(height * 9) > 0.2 ? 0x8f8f58 : 0x76854b,
    );
}
