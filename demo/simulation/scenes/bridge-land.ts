/**
 * The bridge's surroundings: solid land on both sides of a gorge, a river on its floor, and trees.
 * Drawn into the haze.
 */
import type { Vector } from '../../contract/scene-contract.js';
import { COLOR } from '../palette.js';
import { box, cone, cylinder } from '../shapes.js';
import { addHalfSpace } from './ground.js';
import type { SceneKit } from './scene-kit.js';

/** Height of the land above the river, in metres. */
export const LAND_HEIGHT = 5;
/** Where the haze hides everything from any viewpoint at the bridge, in metres. */
const REACH = 400;
const GRASS = 0.25;
/**
 * Trees on each side of the gorge, their distance from its edge, and the range along it, in metres.
 */
const TREES = { count: 16, off: [3, 34], along: [16, 60] } as const;
const TRUNK = 0x8a6a4b;

/** @param width Of the gorge, which runs along z with its middle at x = 0, in metres. */
export function addLand(kit: SceneKit, width: number): void {
  addRiver(kit, width);
  for (const side of [-1, 1]) {
    addBank(kit, side, width / 2);
    for (let index = 0; index < TREES.count; index++) {
      const x = side * (width / 2 + kit.random.between(...TREES.off));
      // Three of four are upstream of the bridge in the first view: there they do not hide it.
      const along = kit.random.between(...TREES.along) * (index % 4 === 3 ? 1 : -1);
      addTree(kit, [x, LAND_HEIGHT, along], kit.random.between(0.7, 1.4));
    }
  }
}

/**
 * One solid block each: for bodies driven deep into it by a long step, its top is still the nearest
 * way out.
 */
function addBank(kit: SceneKit, side: number, edge: number): void {
  const { ColliderDesc } = kit.rapier;
  const x = side * (edge + REACH / 2);
  const desc = ColliderDesc.cuboid(REACH / 2, LAND_HEIGHT / 2, REACH)
    .setTranslation(x, LAND_HEIGHT / 2, 0)
    .setFriction(0.6);
  kit.physics.world.createCollider(desc);
  const rock: Vector = [REACH, LAND_HEIGHT - GRASS, 2 * REACH];
  // The grass hangs a little over the edge.
  const grass: Vector = [REACH + 0.05, GRASS, 2 * REACH];
  kit.statics.push(
    drawnBelow(rock, COLOR.stone, [x, LAND_HEIGHT - GRASS, 0]),
    drawnBelow(grass, COLOR.moss, [x - side * 0.025, LAND_HEIGHT, 0]),
  );
}

function addRiver(kit: SceneKit, width: number): void {
  addHalfSpace(kit, 0);
  kit.statics.push(drawnBelow([width, 0.5, 2 * REACH], COLOR.mist, [0, 0, 0]));
}

/**
 * A box positioned by the middle of its top. As a part with an offset the page does not take it for
 * an infinite floor.
 */
function drawnBelow(size: Vector, color: number, position: Vector) {
  return { ...box(size, color, { offset: [0, -size[1] / 2, 0] }), position };
}

function addTree(kit: SceneKit, [x, y, z]: Vector, size: number): void {
  kit.addStatic(cylinder(0.16 * size, 0.9 * size, TRUNK), [x, y + 0.45 * size, z]);
  kit.addStatic(cone(0.95 * size, 1.9 * size, COLOR.pine), [x, y + 1.75 * size, z]);
  kit.addStatic(cone(0.7 * size, 1.5 * size, COLOR.pine), [x, y + 2.65 * size, z]);
}
