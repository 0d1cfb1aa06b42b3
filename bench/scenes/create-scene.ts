/** The scenes: (name, number of bodies, seed) → the same data everywhere. */
import { Random } from '../../src/shared/index.js';
import { requireChoice, requireInteger } from '../../src/shared/util/validate.js';
import {
  SCENE_NAMES,
  type BenchBody,
  type BenchPose,
  type BenchScene,
  type BenchShape,
  type BenchStatic,
  type SceneName,
} from './bench-scene.js';

type Parts = Pick<BenchScene, 'bodies' | 'statics' | 'respawn'>;

const GRAVITY = { x: 0, y: -9.81, z: 0 };
const UNIT_BOX: BenchShape = { kind: 'box', halfX: 0.5, halfY: 0.5, halfZ: 0.5 };
const TOWER = 10;
/** The capacity of every engine: Jolt's memory is the smallest. */
const MAX_BODIES = 16_384;

const BUILDERS: Readonly<Record<SceneName, (bodies: number, random: Random) => Parts>> = {
  heap,
  rain,
  resting,
  stack,
};

/**
 * @param bodies How many, 1 to 16,384.
 * @param seed A whole number of 32 bits without sign.
 * @throws RangeError if there is no such scene, or a number is out of range.
 */
export function createScene(name: SceneName, bodies: number, seed: number): BenchScene {
  requireChoice('scene', name, SCENE_NAMES);
  requireInteger('bodies', bodies, 1, MAX_BODIES);
  requireInteger('seed', seed, 0, 0xffffffff);
  const parts = BUILDERS[name](bodies, new Random(seed));
  return { name, seed, gravity: GRAVITY, ...parts };
}

/** About five boxes deep: the deeper, the more contacts a box has, up to about 3.5. */
function heap(count: number, random: Random): Parts {
  const side = Math.max(2, Math.ceil(Math.sqrt(count / 5)));
  const spacing = 1.6;
  const bodies = Array.from({ length: count }, (_, index): BenchBody => {
    const layer = Math.floor(index / side ** 2);
    const pose = jittered(random, index, side, spacing, 1.2 + layer * 2, 0.1);
    // Every other layer meets the edges of the one below: boxes that land flat on each other would
    // form columns.
    const shift = layer % 2 === 0 ? 0 : spacing / 2;
    const shifted = { ...pose, x: pose.x + shift, z: pose.z + shift };
    return { shape: UNIT_BOX, pose: shifted, canSleep: false, startsAsleep: false };
  });
  return { bodies, statics: pit((side * spacing) / 2 + 0.8, 16), respawn: undefined };
}

function rain(count: number, random: Random): Parts {
  const side = Math.max(2, Math.ceil(Math.sqrt(count / 10)));
  const spacing = 1.8;
  const bodies = Array.from({ length: count }, (_, index): BenchBody => {
    const layer = Math.floor(index / side ** 2);
    const pose = jittered(random, index, side, spacing, 16 + layer * 1.8, 0.2);
    return { shape: someShape(random), pose, canSleep: false, startsAsleep: false };
  });
  return { bodies, statics: pegs(side, spacing), respawn: { belowY: -8, everyTicks: 4 } };
}

function resting(count: number, random: Random): Parts {
  const side = Math.ceil(Math.sqrt(count));
  const bodies = Array.from({ length: count }, (_, index): BenchBody => {
    const { x, z } = cell(index, side, 2);
    const pose = { x, y: 0.5, z, ...turned(random.between(0, Math.PI)) };
    return { shape: UNIT_BOX, pose, canSleep: true, startsAsleep: true };
  });
  return { bodies, statics: [ground(side + 2)], respawn: undefined };
}

function stack(count: number, random: Random): Parts {
  const towers = Math.ceil(count / TOWER);
  const side = Math.ceil(Math.sqrt(towers));
  const bodies: BenchBody[] = [];
  for (let tower = 0; tower < towers; tower++) {
    const { x, z } = cell(tower, side, 3);
    for (let level = 0; level < TOWER && bodies.length < count; level++) {
      const offset = random.between(-0.02, 0.02);
      const pose = { x: x + offset, y: level + 0.5, z: z - offset, ...turned(0) };
      bodies.push({ shape: UNIT_BOX, pose, canSleep: false, startsAsleep: false });
    }
  }
  return { bodies, statics: [ground(side * 1.5 + 8)], respawn: undefined };
}

/** Boxes and balls in equal numbers, all about as heavy as half a cubic metre. */
function someShape(random: Random): BenchShape {
  if (random.next() < 0.5) return { kind: 'ball', radius: random.between(0.4, 0.6) };
  const half = (): number => random.between(0.3, 0.5);
  return { kind: 'box', halfX: half(), halfY: half(), halfZ: half() };
}

/**
 * A place in a square of cells around the origin, row by row, and then from the beginning again.
 */
function cell(index: number, side: number, spacing: number): { x: number; z: number } {
  const at = index % side ** 2;
  const middle = (side - 1) / 2;
  return { x: ((at % side) - middle) * spacing, z: (Math.floor(at / side) - middle) * spacing };
}

function jittered(
  random: Random,
  index: number,
  side: number,
  spacing: number,
  y: number,
  jitter: number,
): BenchPose {
  const { x, z } = cell(index, side, spacing);
  const off = (): number => random.between(-jitter, jitter);
  return { x: x + off(), y: y + off(), z: z + off(), ...tilted(random) };
}

/** A rotation about the upright axis, in radians. */
function turned(angle: number): { qx: number; qy: number; qz: number; qw: number } {
  return { qx: 0, qy: Math.sin(angle / 2), qz: 0, qw: Math.cos(angle / 2) };
}

/** A ground whose top is at height 0. */
function ground(half: number): BenchStatic {
  return { pose: { x: 0, y: -1, z: 0, ...turned(0) }, half: { x: half, y: 1, z: half } };
}

/** A rotation of up to 0.3 about any axis. */
function tilted(random: Random): { qx: number; qy: number; qz: number; qw: number } {
  const part = (): number => random.between(-0.15, 0.15);
  const [qx, qy, qz] = [part(), part(), part()];
  return { qx, qy, qz, qw: Math.sqrt(1 - qx * qx - qy * qy - qz * qz) };
}

/** A ground with walls two metres thick around a square. */
function pit(half: number, height: number): BenchStatic[] {
  const wall = (x: number, z: number): BenchStatic => ({
    pose: { x: x * (half + 1), y: height / 2, z: z * (half + 1), ...turned(0) },
    half: { x: x === 0 ? half + 2 : 1, y: height / 2, z: z === 0 ? half + 2 : 1 },
  });
  return [ground(half + 2), wall(1, 0), wall(-1, 0), wall(0, 1), wall(0, -1)];
}

/**
 * Three layers of bars, crosswise, with gaps that everything falls through, and an edge up: nothing
 * rests on them.
 */
function pegs(side: number, spacing: number): BenchStatic[] {
  const reach = (side * spacing) / 2 + 4;
  const gap = 4;
  const [sin, cos] = [Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)];
  const statics: BenchStatic[] = [];
  for (let layer = 0; layer < 3; layer++) {
    const y = layer * 5;
    for (let at = -reach + (layer * gap) / 3; at <= reach; at += gap) {
      statics.push(
        layer % 2 === 0
          ? {
              pose: { x: 0, y, z: at, qx: sin, qy: 0, qz: 0, qw: cos },
              half: { x: reach, y: 0.3, z: 0.3 },
            }
          : {
              pose: { x: at, y, z: 0, qx: 0, qy: 0, qz: sin, qw: cos },
              half: { x: 0.3, y: 0.3, z: reach },
            },
      );
    }
  }
  return statics;
}
