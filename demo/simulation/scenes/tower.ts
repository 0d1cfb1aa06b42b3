/** A round tower of bricks, and a wrecking ball on a chain that swings into it. */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { Vector } from '../../contract/scene-contract.js';
import { COLOR } from '../palette.js';
import { DEFAULT_HIT, type HitLimit } from '../scene-events.js';
import { ball, box, cone, cylinder } from '../shapes.js';
import { Y, Z, rotationAbout, turned } from '../vectors.js';
import { addGround } from './ground.js';
import type { Scene } from './scene.js';
import type { SceneKit } from './scene-kit.js';

const BRICK: Vector = [0.8, 0.4, 0.4];
const ROWS_PER_FLOOR = 6;
/**
 * A brick carries up to this multiple of the weight above it when others have slipped from below.
 */
const UNEVEN_LOAD = 5;
const FLOOR_HEIGHT = 0.16;
/** Share of the places of a ring: more of them side by side would look like one more ring. */
const MAX_BATTLEMENTS = 0.75;
const LINKS = 9;
/** From straight down, in radians. */
const PULLED_BACK = 1.2;
const CHAIN_GROUP = 1;

export function buildTower(kit: SceneKit): Scene {
  addGround(kit, 90);
  const tower = addBricks(kit, kit.wantedBodies - LINKS - 1);
  addWreckingBall(kit, tower);
  const away = tower.height + tower.radius;
  return {
    camera: {
      // Far enough back and high enough to have the crane's arm in view.
      position: [-0.95 * away, 0.8 * away + 1, 1.85 * away],
      target: [-0.08 * away, 0.6 * tower.height, 0],
    },
  };
}

interface Tower {
  readonly radius: number;
  readonly height: number;
}

function addBricks(kit: SceneKit, bodies: number): Tower {
  const ring = Math.min(34, Math.max(8, Math.round(Math.sqrt(bodies))));
  // Bricks of a ring touch at their inner corners.
  const radius = BRICK[2] / 2 + (BRICK[0] / 2 + 0.01) / Math.tan(Math.PI / ring);
  const outer = radius + BRICK[2] / 2;
  const hit = { ...DEFAULT_HIT, load: UNEVEN_LOAD * Math.max(4, Math.floor(bodies / ring)) };
  const walls: Ring = { radius, count: ring, hit };
  const minBattlements = Math.floor(ring / 2);
  // A lid below the battlements, and the roof.
  let left = bodies - 2;
  let y = 0;
  for (let row = 0; left - minBattlements >= ring; row++) {
    if (row > 0 && row % ROWS_PER_FLOOR === 0 && left - minBattlements > ring) {
      addFloor(kit, outer, y);
      y += FLOOR_HEIGHT;
      left -= 1;
    }
    addRing(kit, walls, y, ring, row);
    y += BRICK[1];
    left -= ring;
  }
  addFloor(kit, outer, y);
  y += FLOOR_HEIGHT;
  addBattlements(kit, walls, y, left);
  const roof = (radius - BRICK[2] / 2) * 0.92;
  kit.add(cone(roof, roof * 1.3, COLOR.lagoon), {
    position: [0, y + roof * 0.65, 0],
    density: 0.3,
  });
  return { radius: outer, height: y };
}

/**
 * All bricks that do not fill a whole ring, so that the number of bodies is exact. They are on the
 * lid, where each is well supported; stacked where they would leave no gaps.
 */
function addBattlements(kit: SceneKit, walls: Ring, y: number, bricks: number): void {
  const isDouble = bricks > MAX_BATTLEMENTS * walls.count;
  const count = isDouble ? Math.ceil(bricks / 2) : bricks;
  const battlements = { ...walls, count };
  addRing(kit, battlements, y, count, 0, COLOR.clay);
  addRing(kit, battlements, y + BRICK[1], bricks - count, 0, COLOR.clay);
}

interface Ring {
  /** To the middle of the bricks, in metres. */
  readonly radius: number;
  /** Number of bricks that the full circle is divided into. */
  readonly count: number;
  readonly hit: HitLimit;
}

/** @param bricks How many of its places have one, from the first on. */
function addRing(
  kit: SceneKit,
  { radius, count, hit }: Ring,
  y: number,
  bricks: number,
  row: number,
  color?: number,
): void {
  const colors = row % 2 === 0 ? ([COLOR.sand, COLOR.stone] as const) : ([COLOR.sand] as const);
  for (let index = 0; index < bricks; index++) {
    const angle = ((index + (row % 2) / 2) / count) * 2 * Math.PI;
    kit.add(box(BRICK, color ?? kit.random.pick(colors)), {
      position: [Math.sin(angle) * radius, y + BRICK[1] / 2, Math.cos(angle) * radius],
      rotation: rotationAbout(Y, angle),
      friction: 0.7,
      hit,
    });
  }
}

function addFloor(kit: SceneKit, radius: number, y: number): void {
  kit.add(cylinder(radius + 0.06, FLOOR_HEIGHT, COLOR.ochre), {
    position: [0, y + FLOOR_HEIGHT / 2, 0],
    friction: 0.7,
    density: 0.6,
  });
}

function addWreckingBall(kit: SceneKit, tower: Tower): void {
  const radius = 0.3 + 0.22 * tower.radius;
  const length = 2.5 + 0.5 * tower.height;
  const pivot: Vector = [-tower.radius - 0.3, 0.55 * tower.height + length, 0];
  // About z, so that it hangs pulled back to the left.
  const pulledBack = rotationAbout(Z, -PULLED_BACK);
  // The longer the chain the slower it would swing, so it gets a push; all links share it.
  const push = 0.06 * length;
  const at = (distance: number): Vector => {
    const [x, y] = turned(pulledBack, [0, -distance, 0]);
    return [pivot[0] + x, pivot[1] + y, 0];
  };
  const moving = (distance: number): Vector => turned(pulledBack, [push * distance, 0, 0]);
  const hang = { rotation: pulledBack, spin: [0, 0, push] as Vector, group: CHAIN_GROUP };
  const half = (length - radius) / LINKS / 2;
  const { rapier } = kit;

  let above: RigidBody = kit.anchor;
  let hook = { x: pivot[0], y: pivot[1], z: pivot[2] };
  for (let index = 0; index < LINKS; index++) {
    const distance = (2 * index + 1) * half;
    const flat = index % 2 === 0;
    const link = kit.add(box([flat ? 0.2 : 0.07, half * 2.1, flat ? 0.07 : 0.2], COLOR.slate), {
      ...hang,
      position: at(distance),
      velocity: moving(distance),
      density: 8,
      extraIterations: 6,
      damping: [0, 0.5],
      // The topmost one rubs on the crane.
      hit: 'none',
    });
    kit.join(rapier.JointData.spherical(hook, { x: 0, y: half, z: 0 }), above, link);
    above = link;
    hook = { x: 0, y: -half, z: 0 };
  }
  const wreckingBall = kit.add(ball(radius, COLOR.ink), {
    ...hang,
    position: at(length),
    velocity: moving(length),
    density: 14,
    isFast: true,
  });
  kit.join(rapier.JointData.spherical(hook, { x: 0, y: radius, z: 0 }), above, wreckingBall);
  // A chain of light links stretches under a heavy ball; a rope parallel to it does not.
  const [x, y, z] = pivot;
  const rope = rapier.JointData.rope(length, { x, y, z }, { x: 0, y: 0, z: 0 });
  kit.join(rope, kit.anchor, wreckingBall);
  addCrane(kit, pivot, tower.radius + 3);
}

/** Behind the swing. */
function addCrane(kit: SceneKit, [x, top]: Vector, behind: number): void {
  kit.addStatic(box([0.6, top + 0.3, 0.6], COLOR.slate), [x, (top + 0.3) / 2, -behind]);
  kit.addStatic(box([0.4, 0.4, behind + 0.6], COLOR.slate), [x, top + 0.25, -behind / 2]);
  kit.addStatic(box([2.4, 0.5, 2.4], COLOR.ink), [x, 0.25, -behind]);
}
