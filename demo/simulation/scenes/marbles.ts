/**
 * A spiral chute. Marbles that have come down are taken from the basin and put in again at the top.
 */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { Json } from '../../../src/shared/index.js';
import type { RigidBodyRef } from '../../../src/rapier/rapier.js';
import type { Vector } from '../../contract/scene-contract.js';
import { COLOR, MIX } from '../palette.js';
import { ball, box, cylinder, mesh } from '../shapes.js';
import { xyz, yInto } from '../vectors.js';
import { addGround } from './ground.js';
import { ring, trough, type TroughProfile, type WayPoint } from './meshes.js';
import type { Scene } from './scene.js';
import type { SceneKit } from './scene-kit.js';

const RADIUS = 0.24;
const TROUGH: TroughProfile = { radius: 0.62, thickness: 0.09, inner: 1.45, outer: 1.9 };
const TURNS = 3;
const SEGMENTS_PER_TURN = 56;
const INNER_RADIUS = 2.6;
const WIDENING = 1.6;
/** Slope, constant along the way, so that the marbles keep their speed. */
const SLOPE = 0.075;
const MIN_HEIGHT = 2.4;
const BASIN = { depth: 1.5, wall: 0.3 };
/** Air and rolling resistance, in 1/s; with the slope it makes about 4 m/s. */
const DAMPING = 0.13;
/** About how long a marble takes to come down, in seconds. */
const WAY_SECONDS = 22;
/** Where on the way, and how fast, a marble starts. */
const ENTRY = 2;
const SPEED = 3;
const MIN_INTERVAL_SECONDS = 0.11;
/** Rings around the chute that count marbles: near its top and near its end. */
const GATES = { from: 12, beforeEnd: 10, radius: 0.84, rim: 0.07, reach: 0.3 };
/** Marbles roll in good order, so a knock is an event. Where many lie, the lower ones carry a load. */
const KNOCK = { speed: 1.6, load: 20 };

export function buildMarbles(kit: SceneKit): Scene {
  addGround(kit, 120);
  const way = spiralWay();
  kit.addStatic(mesh('chute', trough(way, TROUGH), COLOR.sand), [0, 0, 0], undefined, {
    friction: 0.5,
  });
  addGates(kit, way);
  const basin = addBasin(kit, way);
  addPosts(kit, way, basin);
  const marbles = addMarbles(kit, way, basin);
  const lift = new Lift(kit, marbles, way);
  const top = way[0]?.at[1] ?? 0;
  return {
    camera: { position: [14.5, top + 5, 16], target: [1.6, 0.3 * top, 1] },
    beforeStep: (dt) => lift.advance(dt),
    save: () => lift.save(),
    restore: (saved) => lift.restore(saved),
  };
}

/** Lifts marbles back to the top, in sequence. */
class Lift {
  readonly #kit: SceneKit;
  readonly #marbles: readonly RigidBodyRef[];
  readonly #way: readonly WayPoint[];
  readonly #intervalSeconds: number;
  readonly #position = { x: 0, y: 0, z: 0 };
  #sinceSeconds = 0;
  #next = 0;

  constructor(kit: SceneKit, marbles: readonly RigidBody[], way: readonly WayPoint[]) {
    this.#kit = kit;
    this.#marbles = marbles.map((marble) => kit.physics.ref(marble));
    this.#way = way;
    this.#intervalSeconds = Math.max(MIN_INTERVAL_SECONDS, WAY_SECONDS / marbles.length);
  }

  advance(dt: number): void {
    this.#sinceSeconds += dt;
    // At most one per step: two would be put into the same place.
    if (this.#sinceSeconds < this.#intervalSeconds) return;
    const marble = this.#nextArrived();
    if (marble === undefined) return;
    this.#sinceSeconds = Math.min(
      this.#sinceSeconds - this.#intervalSeconds,
      this.#intervalSeconds,
    );
    this.#takeUp(marble);
  }

  save(): Json {
    return { sinceSeconds: this.#sinceSeconds, next: this.#next };
  }

  restore(saved: Json): void {
    const { sinceSeconds, next } = saved as {
      readonly sinceSeconds: number;
      readonly next: number;
    };
    this.#sinceSeconds = sinceSeconds;
    this.#next = next;
  }

  /** Rotates, so that none is forgotten in the basin. */
  #nextArrived(): RigidBody | undefined {
    for (let tried = 0; tried < this.#marbles.length; tried++) {
      const marble = this.#marbles[this.#next]?.body;
      this.#next = (this.#next + 1) % this.#marbles.length;
      if (marble && marble.translation(this.#position).y < BASIN.depth - 0.2) return marble;
    }
    return undefined;
  }

  #takeUp(marble: RigidBody): void {
    const { physics } = this.#kit;
    const id = physics.bodyIdOf(marble);
    const [x, y, z] = onTheWay(this.#way, ENTRY);
    if (id === undefined) return;
    physics.teleport(id, { x, y, z, qx: 0, qy: 0, qz: 0, qw: 1 });
    marble.setLinvel(xyz(alongTheWay(this.#way, ENTRY)), true);
    marble.setAngvel({ x: 0, y: 0, z: 0 }, true);
  }
}

function spiralWay(): WayPoint[] {
  const count = TURNS * SEGMENTS_PER_TURN + 1;
  const points: { angle: number; radius: number; way: number }[] = [];
  let way = 0;
  for (let index = 0; index < count; index++) {
    const angle = (index / SEGMENTS_PER_TURN) * 2 * Math.PI;
    const radius = INNER_RADIUS + WIDENING * (index / SEGMENTS_PER_TURN);
    points.push({ angle, radius, way });
    way += (radius * 2 * Math.PI) / SEGMENTS_PER_TURN;
  }
  return points.map(({ angle, radius, way: done }) => {
    const outwards: Vector = [Math.cos(angle), 0, Math.sin(angle)];
    const y = MIN_HEIGHT + SLOPE * (way - done) + TROUGH.radius;
    return { at: [outwards[0] * radius, y, outwards[2] * radius], outwards };
  });
}

/** Middle of a marble that lies on the bottom. */
function onTheWay(way: readonly WayPoint[], index: number): Vector {
  const [x, y, z] = way[index]?.at ?? [0, 0, 0];
  return [x, y - TROUGH.radius + RADIUS + 0.02, z];
}

/** A marble's velocity there. */
function alongTheWay(way: readonly WayPoint[], index: number): Vector {
  const [x, , z] = onTheWay(way, index);
  const [nextX, , nextZ] = onTheWay(way, index + 1);
  const scale = SPEED / (Math.hypot(nextX - x, nextZ - z) || 1);
  return [(nextX - x) * scale, 0, (nextZ - z) * scale];
}

function addGates(kit: SceneKit, way: readonly WayPoint[]): void {
  const look = mesh('gate', ring(GATES.radius, GATES.rim), COLOR.signal);
  const reach = cylinder(GATES.radius, GATES.reach, COLOR.signal);
  for (const index of [GATES.from, way.length - GATES.beforeEnd]) {
    const [x, y, z] = way[index]?.at ?? [0, 0, 0];
    kit.addSensor(look, reach, [x, y, z], yInto(alongTheWay(way, index)));
  }
}

interface Basin {
  readonly middle: Vector;
  readonly side: number;
}

/** Below the end of the chute; large enough for all marbles that are not on their way. */
function addBasin(kit: SceneKit, way: readonly WayPoint[]): Basin {
  const last = way.at(-1)?.at ?? [0, 0, 0];
  const side = Math.max(4, Math.sqrt(kit.wantedBodies) * 0.24 + 1.6);
  const middle: Vector = [last[0], 0, last[2] + side / 2];
  const { depth, wall } = BASIN;
  for (const sign of [-1, 1]) {
    const off = (sign * (side + wall)) / 2;
    const across = box([side + 2 * wall, depth, wall], COLOR.lagoon);
    kit.addStatic(across, [middle[0], depth / 2, middle[2] + off]);
    kit.addStatic(box([wall, depth, side], COLOR.lagoon), [middle[0] + off, depth / 2, middle[2]]);
  }
  kit.addStatic(box([side, 0.1, side], COLOR.ink), [middle[0], 0.05, middle[2]]);
  return { middle, side };
}

function addMarbles(kit: SceneKit, way: readonly WayPoint[], basin: Basin): RigidBody[] {
  // The first ones start spread over the chute, the rest in layers in the basin.
  const under = Math.min(Math.ceil(kit.wantedBodies * 0.85), way.length - 8);
  const columns = Math.floor((basin.side - 0.6) / (2.2 * RADIUS));
  return Array.from({ length: kit.wantedBodies }, (_, index) => {
    const color = kit.random.pick(MIX);
    const waypoint = 4 + Math.floor((index / under) * (way.length - 8));
    return kit.add(ball(RADIUS, color), {
      ...(index < under
        ? { position: onTheWay(way, waypoint), velocity: alongTheWay(way, waypoint) }
        : { position: inBasin(basin, columns, index - under) }),
      density: 2.5,
      friction: 0.5,
      restitution: 0.25,
      damping: [DAMPING, DAMPING],
      isFast: true,
      hit: KNOCK,
    });
  });
}

function inBasin({ middle, side }: Basin, columns: number, index: number): Vector {
  const layer = Math.floor(index / columns ** 2);
  const row = Math.floor(index / columns) % columns;
  const step = (side - 0.6) / columns;
  const off = (position: number): number => (position - (columns - 1) / 2) * step;
  return [
    middle[0] + off(index % columns),
    0.15 + RADIUS + layer * 2.2 * RADIUS,
    middle[2] + off(row),
  ];
}

function addPosts(kit: SceneKit, way: readonly WayPoint[], { middle, side }: Basin): void {
  const half = side / 2 + BASIN.wall;
  for (let index = 4; index < way.length; index += SEGMENTS_PER_TURN / 4) {
    const [x, y, z] = way[index]?.at ?? [0, 0, 0];
    // None in the basin: marbles fall there.
    if (Math.abs(x - middle[0]) < half && Math.abs(z - middle[2]) < half) continue;
    const height = y - TROUGH.radius - TROUGH.thickness / 2;
    kit.addStatic(cylinder(0.09, height, COLOR.slate), [x, height / 2, z]);
  }
}
