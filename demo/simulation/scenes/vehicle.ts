/** A car on rolling ground, with crates, barrels and ramps to hit, and a gate that keeps turning. */
import type { Vector } from '../../contract/scene-contract.js';
import { COLOR, WOOD } from '../palette.js';
import { box, cylinder, hull, mesh } from '../shapes.js';
import { Y, rotationAbout, turned, plus, yInto } from '../vectors.js';
import { Car } from './car.js';
import { addHalfSpace } from './ground.js';
import { ring, terrain } from './meshes.js';
import type { Scene } from './scene.js';
import type { SceneKit } from './scene-kit.js';

const SIDE = 140;
const CELLS = 70;
/** The middle is flat up to here, and hilly from the second radius on. */
const FLAT: readonly [from: number, to: number] = [31, 46];
/** From here on it rises to a rim too steep to drive over. */
const RIM = 56;
/** Thickness of the ground; below it nothing falls any further. */
const BEDROCK = 12;
const CAR_BODIES = 5;
const START: Vector = [0, 0, 25];
const CRATE = 0.8;
/** A wall of crates: width and height, in crates. */
const WALL = { columns: 5, rows: 4 };
/** Distances from the middle; the ramps end before the first. */
const WALL_RINGS = [13, 17.5, 22] as const;
const BARRELS_FROM = 27.5;
/** Rings to drive through. Those on the round course are between walls and barrels. */
const RINGS = { radius: 2.1, rim: 0.12, height: 0.9, reach: 1, first: 19.8, round: 24.75 };
/** Crates are light, and carry each other. */
const KNOCK = { speed: 4, load: 30 };

export function buildVehicle(kit: SceneKit): Scene {
  const ground = mesh('terrain', terrain(SIDE, CELLS, heightAt), COLOR.moss);
  kit.addStatic(ground, [0, 0, 0], undefined, { friction: 0.9 });
  // A mesh is only a surface: below its flat part a solid returns what a long step pushes through.
  kit.addStatic(cylinder(FLAT[0], BEDROCK, COLOR.moss), [0, -BEDROCK / 2 - 0.05, 0]);
  addHalfSpace(kit, -BEDROCK);
  const car = new Car(kit, onGround(START, 0.9), rotationAbout(Y, Math.PI));
  addGate(kit);
  addRings(kit);
  addRamps(kit);
  addObstacles(kit, kit.wantedBodies - CAR_BODIES - 1);
  return {
    camera: { position: [START[0] + 3, 6, START[2] + 11], target: [START[0], 1, START[2] - 4] },
    follow: car.ref,
    drive: (input) => car.drive(input),
    beforeStep: (dt) => car.beforeStep(dt),
    afterStep: () => car.afterStep(),
    save: () => car.save(),
    restore: (saved) => car.restore(saved),
  };
}

function heightAt(x: number, z: number): number {
  const distance = Math.hypot(x, z);
  const hilly = smoothstep(FLAT[0], FLAT[1], distance);
  const hills =
    1.3 * Math.sin(x * 0.13 + 0.6) * Math.cos(z * 0.11) +
    0.7 * Math.sin(x * 0.07 - z * 0.19) +
    0.25 * Math.cos(x * 0.37 + z * 0.29);
  const rim = Math.max(0, distance - RIM);
  return hilly * hills + Math.min(14, 0.12 * rim * rim);
}

function smoothstep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

function onGround([x, , z]: Vector, above: number): Vector {
  return [x, heightAt(x, z) + above, z];
}

/** A revolving gate in the middle. */
function addGate(kit: SceneKit): void {
  kit.addStatic(cylinder(0.35, 2.2, COLOR.slate), [0, 1.1, 0]);
  kit.add(
    [
      box([9, 0.5, 0.25], COLOR.signal, { offset: [0, 0, 0] }),
      box([0.25, 0.5, 9], COLOR.chalk, { offset: [0, 0, 0] }),
    ],
    { position: [0, 0.9, 0], spin: [0, 0.7, 0], isKinematic: true, friction: 0.3 },
  );
}

/**
 * One straight ahead, and four on a round course about the middle, which can be driven in both
 * directions.
 */
function addRings(kit: SceneKit): void {
  const { radius, rim, height, reach, first, round } = RINGS;
  const look = mesh('ring', ring(radius, rim), COLOR.lagoon);
  const inside = cylinder(radius, reach, COLOR.lagoon);
  kit.addSensor(look, inside, [0, height, first], yInto([0, 0, 1]));
  for (let index = 0; index < 4; index++) {
    const angle = ((index + 0.5) / 4) * 2 * Math.PI;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    kit.addSensor(look, inside, [cos * round, height, sin * round], yInto([-sin, 0, cos]));
  }
}

const RAMP = { width: 4, length: 5.5, height: 1.25, distance: 8.2 };

/** Four, around the gate; they lead outwards. */
function addRamps(kit: SceneKit): void {
  const { width, length, height, distance } = RAMP;
  const [w, l] = [width / 2, length / 2];
  // Rises towards +z.
  const points = new Float32Array([
    -w,
    -0.2,
    -l,
    w,
    -0.2,
    -l,
    -w,
    -0.2,
    l,
    w,
    -0.2,
    l,
    -w,
    height,
    l,
    w,
    height,
    l,
  ]);
  for (let index = 0; index < 4; index++) {
    const heading = ((index + 0.5) / 4) * 2 * Math.PI;
    const at: Vector = [Math.sin(heading) * distance, 0, Math.cos(heading) * distance];
    const ramp = hull('ramp', points, COLOR.ochre);
    kit.addStatic(ramp, at, rotationAbout(Y, heading), { friction: 0.9 });
  }
}

/**
 * Walls of crates around the middle, then rows of barrels further out. They sleep until they are
 * hit.
 */
function addObstacles(kit: SceneKit, bodies: number): void {
  const perWall = WALL.columns * WALL.rows;
  const barrels = Math.floor(bodies * 0.3);
  const crates = bodies - barrels;
  const walls = Math.ceil(crates / perWall);
  for (let index = 0; index < crates; index++) {
    const wall = Math.floor(index / perWall);
    // Next to the car's way, which comes from +z.
    const angle = Math.PI / 2 + ((wall + 0.5) / Math.max(walls, 5)) * 2 * Math.PI;
    addCrate(kit, index % perWall, WALL_RINGS[wall % WALL_RINGS.length] ?? 0, angle);
  }
  const rows = Math.ceil(barrels / 3);
  for (let index = 0; index < barrels; index++) {
    const angle = Math.PI / 2 + ((Math.floor(index / 3) + 0.5) / rows) * 2 * Math.PI;
    const distance = BARRELS_FROM + (index % 3) * 0.9;
    addBarrel(kit, [Math.cos(angle) * distance, 0, Math.sin(angle) * distance]);
  }
}

function addCrate(kit: SceneKit, index: number, distance: number, angle: number): void {
  const column = (index % WALL.columns) - (WALL.columns - 1) / 2;
  const row = Math.floor(index / WALL.columns);
  const facing = rotationAbout(Y, -angle + Math.PI / 2);
  const middle: Vector = [Math.cos(angle) * distance, 0, Math.sin(angle) * distance];
  const at = plus(middle, turned(facing, [column * (CRATE + 0.03), 0, 0]));
  kit.add(box([CRATE, CRATE, CRATE], kit.random.pick(WOOD)), {
    position: onGround(at, CRATE / 2 + row * CRATE),
    rotation: facing,
    hit: KNOCK,
    density: 0.12,
    friction: 0.5,
    isAsleep: true,
  });
}

function addBarrel(kit: SceneKit, at: Vector): void {
  kit.add(cylinder(0.34, 0.95, COLOR.lagoon), {
    position: onGround(at, 0.48),
    decoration: [cylinder(0.355, 0.08, COLOR.mist, { offset: [0, 0.25, 0] })],
    hit: KNOCK,
    density: 0.15,
    friction: 0.5,
    isAsleep: true,
  });
}
