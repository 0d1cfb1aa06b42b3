/** The whole town. */
import { WALLS } from './colors.js';
import { writeGlb } from './glb.js';
import { addHarbour } from './harbour.js';
import { addHouse, type House } from './houses.js';
import { addMachines } from './machines.js';
import { Model } from './model.js';
import { addNature } from './nature.js';
import { TERRACE, addSquare } from './square.js';
import { addWalker } from './walker.js';

/** Quarter turns. */
const WEST = 3;

const HOUSES: readonly House[] = [
  // 1. Along the square, in the east.
  { at: [15, 0, 24.6], size: [7, 7.4, 6], wall: WALLS.rose, turns: WEST, floors: 2, shutters: 0 },
  {
    at: [15, 0, 17.6],
    size: [6.6, 9.4, 6],
    wall: WALLS.lemon,
    turns: WEST,
    floors: 3,
    shutters: 1,
    sides: [0, 1],
    balcony: true,
  },
  {
    at: [15.2, 0, 11.2],
    size: [5.8, 7.6, 6.2],
    wall: WALLS.brick,
    turns: WEST,
    floors: 2,
    shutters: 0,
    sides: [0, 1],
    awning: 0xd9a441,
  },
  {
    at: [15, 0, 5.25],
    size: [5.8, 9.8, 6],
    wall: WALLS.cream,
    turns: WEST,
    floors: 3,
    shutters: 2,
    sides: [0, 1],
    awning: 0x3f7f74,
    opening: 1.74,
    balcony: true,
  },
  {
    at: [15.1, 0, -0.6],
    size: [5.6, 7.8, 6.1],
    wall: WALLS.apricot,
    turns: WEST,
    floors: 2,
    shutters: 1,
    sides: [0, 1],
    awning: 0xc4503c,
  },
  {
    at: [15, 0, -6.7],
    size: [6.4, 10.6, 6],
    wall: WALLS.rose,
    turns: WEST,
    floors: 3,
    shutters: 0,
    sides: [0, 1],
    balcony: true,
  },
  // 2. On the terrace.
  {
    at: [-3, TERRACE, -19.4],
    size: [5.4, 6.4, 6],
    wall: WALLS.ochre,
    floors: 2,
    shutters: 0,
    sides: [0, 3],
    balcony: true,
  },
  {
    at: [2.3, TERRACE, -19.6],
    size: [5, 9, 6],
    wall: WALLS.chalk,
    floors: 3,
    shutters: 1,
    sides: [0, 1, 3],
    balcony: true,
  },
  {
    at: [12.6, TERRACE, -18.6],
    size: [5.6, 7, 6],
    wall: WALLS.brick,
    floors: 2,
    shutters: 0,
    sides: [0, 3],
    awning: 0x47779a,
  },
  { at: [18.4, TERRACE, -19], size: [5.8, 9.2, 6], wall: WALLS.lemon, floors: 3, shutters: 2 },
  // 3. In the south.
  { at: [6.5, 0, 34.6], size: [9, 8, 6], wall: WALLS.ochre, turns: 2, floors: 2, shutters: 1 },
  { at: [-3, 0, 35], size: [8, 6.4, 6], wall: WALLS.apricot, turns: 2, floors: 2, shutters: 0 },
  // 4. On the hill, out of reach.
  ...(
    [
      [-6.8, 5.5, -31, 6, 6, 'rose'],
      [0.4, 6.5, -32, 6.4, 7.4, 'lemon'],
      [7.4, 7, -31.6, 6, 6.4, 'cream'],
      [14, 7, -31, 6.4, 8, 'apricot'],
      [21.4, 7.5, -32, 7, 6, 'chalk'],
      [-12.6, 7, -41, 6.4, 5, 'cream'],
      [-3, 11, -42, 7, 5, 'ochre'],
      [9, 12, -43, 6.4, 6, 'rose'],
      [17, 12, -44, 6, 5, 'lemon'],
      [27, 8, -22, 6, 7, 'ochre'],
    ] as const
  ).map(([x, y, z, width, height, wall], index): House => {
    return {
      at: [x, y - 4, z],
      size: [width, height + 4, 6],
      wall: WALLS[wall],
      floors: 3,
      shutters: (index % 3) as 0 | 1 | 2,
      isFar: true,
    };
  }),
];

/** @returns The bytes of town.glb. */
export function makeTown(): Promise<Uint8Array> {
  const model = new Model();
  addSquare(model);
  for (const house of HOUSES) addHouse(model, house);
  addHarbour(model);
  addNature(model);
  addMachines(model);
  addWalker(model);
  model.finish();
  return writeGlb(model.scene, model.animations, model.physics);
}
