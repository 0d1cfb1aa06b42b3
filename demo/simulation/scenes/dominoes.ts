/** A spiral of dominoes; the outermost is pushed, and the row falls inwards to a tall last one. */
import type { Vector } from '../../contract/scene-contract.js';
import { COLOR } from '../palette.js';
import { box } from '../shapes.js';
import { Y, rotationAbout } from '../vectors.js';
import { addGround } from './ground.js';
import type { Scene } from './scene.js';
import type { SceneKit } from './scene-kit.js';

const DOMINO: Vector = [0.42, 0.84, 0.12];
const SPACING = 0.42;
/** Between two turns of the spiral: a domino fallen sideways must not reach the next one. */
const TURN_SPACING = 1.25;
const INNER_RADIUS = 1.6;
/** The last ones grow, each by this factor. */
const GROWING = 7;
const GROWTH = 1.13;
/** Dominoes knock gently, and lean on each other. */
const KNOCK = { speed: 0.5, load: 3 };
/** How fast the first one tips, in rad/s. */
const PUSH = 2.5;

const BANDS = [COLOR.lagoon, COLOR.pine, COLOR.sage, COLOR.sand, COLOR.ochre, COLOR.clay] as const;

export function buildDominoes(kit: SceneKit): Scene {
  addGround(kit, 120, { friction: 0.8 });
  const positions = spiral(kit.wantedBodies);
  const first = positions[0] ?? { x: INNER_RADIUS, z: 0, heading: 0 };
  positions.forEach(({ x, z, heading, scale }, index) => {
    const isFirst = index === 0;
    const [width, height, depth] = DOMINO;
    // A domino faces along its z axis, and tips over about its x axis.
    const color = isFirst ? COLOR.signal : colorAt(index / positions.length);
    kit.add(box([width * scale, height * scale, depth * scale], color), {
      position: [x, (height * scale) / 2, z],
      rotation: rotationAbout(Y, heading),
      friction: 0.35,
      isAsleep: !isFirst,
      hit: KNOCK,
      ...(isFirst && push(heading)),
    });
  });
  const radius = Math.hypot(first.x, first.z) + 1;
  return {
    camera: {
      position: [0.2 * radius, 1.25 * radius + 1, 1.35 * radius + 1],
      target: [0, 0, 0.1 * radius],
    },
  };
}

/** Tips it about its lower front edge. */
function push(heading: number): { spin: Vector; velocity: Vector } {
  const [sin, cos] = [Math.sin(heading), Math.cos(heading)];
  const speed = (PUSH * DOMINO[1]) / 2;
  return { spin: [PUSH * cos, 0, -PUSH * sin], velocity: [speed * sin, 0, speed * cos] };
}

interface Point {
  readonly x: number;
  readonly z: number;
  /** Angle about y of the direction in which it falls. */
  readonly heading: number;
  readonly scale: number;
}

/** Places from outside to inside along an Archimedean spiral, evenly spaced along the way. */
function spiral(count: number): Point[] {
  const positions: Point[] = [];
  const pitch = TURN_SPACING / (2 * Math.PI);
  let angle = 0;
  for (let index = 0; index < count; index++) {
    const scale = GROWTH ** Math.max(0, GROWING - index);
    const radius = INNER_RADIUS + pitch * angle;
    const heading = headingAt(angle, radius, pitch);
    positions.push({ x: Math.cos(angle) * radius, z: Math.sin(angle) * radius, heading, scale });
    angle += (SPACING * scale) / Math.hypot(radius, pitch);
  }
  return positions.toReversed();
}

/** The way inwards has a decreasing angle. */
function headingAt(angle: number, radius: number, pitch: number): number {
  const dx = -(pitch * Math.cos(angle) - radius * Math.sin(angle));
  const dz = -(pitch * Math.sin(angle) + radius * Math.cos(angle));
  return Math.atan2(dx, dz);
}

function colorAt(share: number): number {
  return BANDS[Math.floor(share * BANDS.length)] ?? BANDS[0];
}
