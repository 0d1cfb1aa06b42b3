/** Houses with tiled roofs, windows, shutters and awnings. */
import * as THREE from 'three';
import * as color from './colors.js';
import type { Model } from './model.js';
import { placed, type Shape, type Triple } from './shape.js';

const QUARTER = Math.PI / 2;
const EAVES_M = 0.45;
/** Slope of roofs. */
const SLOPE = 0.42;
const TILE_M = 0.44;

export interface House {
  /** The middle of its floor. */
  readonly at: Triple;
  /** Along its front, upwards, and to its back. */
  readonly size: Triple;
  readonly wall: number;
  /** Quarter turns of the front, which looks south without. */
  readonly turns?: number;
  readonly floors: number;
  readonly shutters?: 0 | 1 | 2;
  /** The sides with windows: 0 is the front, 1 that on its right. */
  readonly sides?: readonly number[];
  /** The color of an awning at its front. */
  readonly awning?: number;
  /** Whether one can go in: the width of the opening. */
  readonly opening?: number;
  readonly balcony?: boolean;
  /** Whether it is too far away for anything small. */
  readonly isFar?: boolean;
}

export function addHouse(model: Model, house: House): void {
  const { at, size, wall, turns = 0, sides = [0], awning, opening, balcony = false } = house;
  const [width, height, depth] = size;
  const frame = placed(at, turns * QUARTER);
  const plaster = model.shape(house.isFar === true ? 'Backdrop' : 'Houses-col', 'plaster');
  const trim = model.shape('Trim', 'matte');
  for (const shape of [plaster, trim]) shape.frame = frame;

  // 1. Walls.
  const paint = { foot: 0.82 };
  if (opening === undefined) plaster.box(size, [0, 0, 0], wall, paint);
  else {
    addRoom(plaster, size, opening, wall);
    furnishBakery(model, frame, size);
  }
  const gable = new THREE.Shape([
    new THREE.Vector2(-depth / 2, 0),
    new THREE.Vector2(depth / 2, 0),
    new THREE.Vector2(0, (depth / 2) * SLOPE),
  ]);
  const extruded = new THREE.ExtrudeGeometry(gable, { depth: width, bevelEnabled: false });
  plaster.add(extruded.translate(0, height, -width / 2).rotateY(QUARTER), wall, { jitter: 0 });
  trim.box([width + 0.24, 0.2, depth + 0.24], [0, height - 0.26, 0], color.PALE_STONE);
  if (opening === undefined) {
    trim.box([width + 0.12, 0.7, depth + 0.12], [0, 0, 0], color.STONE, { foot: 0.7 });
  }

  // 2. The roof.
  addRoof(model, frame, house);

  // 3. Windows, one row for each floor.
  const floorM = (height - 0.4) / house.floors;
  for (const side of sides) {
    const across = side % 2 === 0 ? width : depth;
    const facade = frame.clone().multiply(placed([0, 0, 0], side * QUARTER));
    const out = (side % 2 === 0 ? depth : width) / 2;
    const count = Math.max(1, Math.floor(across / 2.3));
    for (let floor = 0; floor < house.floors; floor++) {
      const isShop = floor === 0 && side === 0;
      if (isShop && (awning !== undefined || opening !== undefined)) continue;
      for (let column = 0; column < count; column++) {
        const x = (column - (count - 1) / 2) * (across / count);
        const y = floor * floorM + floorM * 0.36;
        const isDoor = isShop && column === Math.floor(count / 2);
        const place = facade.clone().multiply(placed([x, isDoor ? 0 : y, out], 0));
        if (isDoor) model.copy('FrontDoors', 'matte', place, makeDoor);
        else addWindow(model, place, house);
        if (house.isFar === true) continue;
        const hasBalcony = balcony && floor > 0 && side === 0 && column % 2 === 1;
        if (hasBalcony || (floor > 0 && side === 0 && model.random() < 0.3)) {
          model.copy('FlowerBoxes', 'matte', place, makeFlowerBox);
        }
      }
    }
  }
  if (awning !== undefined) {
    const place = frame.clone().multiply(placed([0, 2.75, depth / 2]));
    addAwning(trim, place, width * 0.86, awning);
    if (opening === undefined) addShopFront(model, frame, size);
  }
  // 4. A chimney.
  if (house.isFar !== true) {
    const x = (model.random() - 0.5) * width * 0.6;
    trim.frame = frame;
    trim.box([0.6, 1.3, 0.6], [x, height + 0.3, -depth * 0.2], wall, { foot: 0.8 });
    trim.box([0.76, 0.12, 0.76], [x, height + 1.6, -depth * 0.2], color.TILES[0]);
  }
}

/** A ground floor with walls around it, and an opening at its front. */
function addRoom(plaster: Shape, [width, height, depth]: Triple, opening: number, wall: number) {
  const [x, z, thick, top] = [width / 2, depth / 2, 0.3, 3] as const;
  const paint = { foot: 0.82, jitter: 0 };
  plaster.slab([-x, top, -z], [x, height, z], wall, { jitter: 0 });
  plaster.slab([-x, 0, -z], [x, top, -z + thick], wall, paint);
  for (const side of [-1, 1]) {
    const [left, right] = side < 0 ? [-x, -x + thick] : [x - thick, x];
    plaster.slab([left, 0, -z + thick], [right, top, z - thick], wall, paint);
    const [from, to] = side < 0 ? [-x, -opening / 2] : [opening / 2, x];
    plaster.slab([from, 0, z - thick], [to, top, z], wall, paint);
  }
  plaster.slab([-opening / 2, 2.35, z - thick], [opening / 2, top, z], wall, { jitter: 0 });
}

/** A counter, shelves with bread, and a lamp. */
function furnishBakery(model: Model, frame: THREE.Matrix4, [width, , depth]: Triple): void {
  const solid = model.shape('Bakery-col', 'matte', frame);
  const trim = model.shape('Trim', 'matte', frame);
  solid.box([2.8, 0.95, 0.6], [0.6, 0, -depth / 2 + 1.9], color.DARK_WOOD, { foot: 0.8 });
  solid.box([3, 0.08, 0.76], [0.6, 0.95, -depth / 2 + 1.9], color.PALE_STONE);
  for (const y of [0.7, 1.3, 1.9]) {
    trim.box([width - 1, 0.07, 0.4], [0, y, -depth / 2 + 0.5], color.WOOD);
    for (let loaf = 0; loaf < 9; loaf++) {
      const at = placed([(loaf - 4) * 0.52, y + 0.15, -depth / 2 + 0.5], loaf);
      model.copy('Bread', 'matte', frame.clone().multiply(at), (shape) =>
        shape.blob([0.2, 0.12, 0.15], [0, 0, 0], 0xd28a42, { detail: 0 }),
      );
    }
  }
  const glow = model.shape('Lights', 'glow', frame);
  for (const x of [-1.4, 1.4]) {
    trim.box([0.03, 0.5, 0.03], [x, 2.5, 0], color.IRON);
    glow.post([0.2, 0.2, 0.08], [x, 2.3, 0], color.LIT);
  }
}

/** A saddle roof: its ridge is along the front. */
function addRoof(model: Model, frame: THREE.Matrix4, { size, isFar = false }: House): void {
  const [width, height, depth] = size;
  const trim = model.shape('Trim', 'matte');
  const angle = Math.atan(SLOPE);
  const length = (depth / 2 + EAVES_M) / Math.cos(angle);
  const across = width + 2 * EAVES_M;
  const ridge = height + (depth / 2) * SLOPE + 0.06;
  const tileM = isFar ? 1.3 : TILE_M;
  const count = Math.round(across / tileM);
  for (const side of [0, 1]) {
    const slope = frame
      .clone()
      .multiply(placed([0, ridge, 0], side * Math.PI))
      .multiply(new THREE.Matrix4().makeRotationX(angle));
    trim.frame = slope;
    trim.box([across, 0.14, length], [0, -0.08, length / 2], color.DARK_WOOD);
    for (let column = 0; column < count; column++) {
      const x = ((column + 0.5) / count - 0.5) * across;
      const place = slope
        .clone()
        .multiply(placed([x, 0.05, 0], 0, [across / count, isFar ? 0.3 : 0.2, length + 0.08]));
      const kind = Math.floor(model.random() * 2);
      model.copy(`Tiles${kind}`, 'matte', place, (shape) => makeTiles(shape, kind));
    }
  }
  trim.frame = frame;
  const cap = new THREE.CylinderGeometry(0.17, 0.17, across, 6).rotateZ(QUARTER);
  trim.add(cap.translate(0, ridge + 0.08, 0), color.TILES[1]);
}

const TILE_ROWS = 5;

/** A strip of tiles down a roof, 1 m long, wide and high. */
function makeTiles(shape: Shape, kind: number): void {
  for (let row = 0; row < TILE_ROWS; row++) {
    const positions: number[] = [];
    const point = (step: number, end: 0 | 1): Triple => {
      const turn = Math.PI - (step / 3) * Math.PI;
      const radius = end === 0 ? 0.42 : 0.52;
      const y = Math.sin(turn) * (end === 0 ? 0.62 : 1);
      return [Math.cos(turn) * radius, y, (row + end * 1.04) / TILE_ROWS];
    };
    for (let step = 0; step < 3; step++) {
      const [a, b, c, d] = [
        point(step, 0),
        point(step, 1),
        point(step + 1, 1),
        point(step + 1, 0),
      ] as const;
      positions.push(...a, ...b, ...c, ...a, ...c, ...d);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
    const tint = color.TILES[(row * 2 + kind) % color.TILES.length] ?? color.TILES[0];
    shape.add(geometry, tint, { jitter: 0.14 });
  }
}

function addWindow(model: Model, place: THREE.Matrix4, { shutters = 0, isFar }: House): void {
  if (isFar === true) {
    model.copy('FarWindows', 'matte', place, (shape) => {
      shape.box([0.9, 1.4, 0.08], [0, 0, 0], color.GLASS);
      for (const x of [-0.7, 0.7]) shape.box([0.5, 1.46, 0.1], [x, 0, 0], color.SHUTTERS[0]);
    });
    return;
  }
  model.copy(`Windows${shutters}`, 'matte', place, (shape) => {
    shape.box([1.02, 0.1, 0.26], [0, -0.12, 0.05], color.PALE_STONE, { jitter: 0 });
    for (const x of [-0.44, 0.44]) shape.box([0.12, 1.4, 0.16], [x, 0, 0], color.PALE_STONE);
    shape.box([1.06, 0.14, 0.18], [0, 1.36, 0], color.PALE_STONE);
    shape.box([0.05, 1.36, 0.1], [0, 0, 0], color.PALE_STONE);
    shape.box([0.8, 0.05, 0.1], [0, 0.86, 0], color.PALE_STONE);
    const tint = color.SHUTTERS[shutters];
    for (const side of [-1, 1]) {
      shape.box([0.5, 1.46, 0.06], [side * 0.77, -0.03, 0.07], tint, { foot: 0.8 });
      shape.box([0.34, 1.18, 0.04], [side * 0.77, 0.1, 0.11], tint, { foot: 0.65 });
    }
  });
  const isLit = model.random() < 0.16;
  model.copy(isLit ? 'LitPanes' : 'Panes', isLit ? 'glow' : 'matte', place, (shape) => {
    shape.box([0.8, 1.38, 0.04], [0, 0, 0], isLit ? color.LIT : color.GLASS, { foot: 0.75 });
  });
}

function makeDoor(shape: Shape): void {
  for (const x of [-0.62, 0.62]) shape.box([0.2, 2.3, 0.26], [x, 0, 0], color.PALE_STONE);
  shape.box([1.6, 0.24, 0.3], [0, 2.3, 0], color.PALE_STONE);
  shape.box([1.05, 2.3, 0.1], [0, 0, 0], color.DARK_WOOD, { foot: 0.8 });
  for (const x of [-0.26, 0.26]) {
    for (const y of [0.2, 1.25]) shape.box([0.36, 0.85, 0.05], [x, y, 0.05], color.WOOD);
  }
  shape.box([1.5, 0.16, 0.5], [0, 0, 0.2], color.STONE);
}

function makeFlowerBox(shape: Shape): void {
  shape.box([1.1, 0.22, 0.28], [0, -0.3, 0.2], color.TILES[0]);
  for (const [index, x] of [-0.4, -0.1, 0.2, 0.42].entries()) {
    const tint = [color.FLOWERS, color.LEAVES[1], 0xe2604c, color.LEAVES[0]][index] ?? 0;
    shape.blob([0.22, 0.2, 0.17], [x, 0, 0.22], tint, { detail: 0 });
  }
}

/** Stripes of cloth that slope down from a wall. */
function addAwning(trim: Shape, place: THREE.Matrix4, width: number, tint: number): void {
  const stripes = 2 * Math.round(width / 0.9) + 1;
  const each = width / stripes;
  for (let stripe = 0; stripe < stripes; stripe++) {
    const x = (stripe - (stripes - 1) / 2) * each;
    const cloth = stripe % 2 === 0 ? tint : color.WHITE;
    trim.frame = place.clone().multiply(new THREE.Matrix4().makeRotationX(0.42));
    trim.box([each, 0.04, 1.5], [x, 0, 0.75], cloth, { jitter: 0.02 });
    trim.frame = place;
    const [y, z] = [-0.42 * 1.46, 1.38];
    trim.box([each, 0.24, 0.03], [x, y - 0.2, z], cloth, { jitter: 0.02 });
  }
}

/** A window with goods, a door and a bench below an awning. */
function addShopFront(model: Model, frame: THREE.Matrix4, [width, , depth]: Triple): void {
  const trim = model.shape('Trim', 'matte');
  const glow = model.shape('Lights', 'glow');
  for (const shape of [trim, glow]) shape.frame = frame;
  const z = depth / 2;
  const paneM = width * 0.42;
  glow.box([paneM, 1.5, 0.05], [-width * 0.18, 0.8, z + 0.03], color.LIT, { foot: 0.7 });
  for (const part of [-0.5, -0.17, 0.17, 0.5]) {
    trim.box([0.09, 1.6, 0.14], [-width * 0.18 + part * paneM, 0.75, z + 0.04], color.DARK_WOOD);
  }
  trim.box([paneM + 0.2, 0.75, 0.18], [-width * 0.18, 0, z + 0.04], color.DARK_WOOD);
  trim.box([paneM + 0.2, 0.14, 0.2], [-width * 0.18, 2.3, z + 0.04], color.DARK_WOOD);
  model.copy('FrontDoors', 'matte', frame.clone().multiply(placed([width * 0.25, 0, z])), makeDoor);
}
