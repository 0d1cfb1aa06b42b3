/**
 * A flag and a rope in the wind. The velocity of a point is its way since the last tick, and links that have become longer
 * or shorter are put right a few times in each tick, as in Thomas Jakobsen, "Advanced Character Physics", GDC 2001. Only
 * + − × ÷ and the square root are used, which give the same bits in every browser.
 */
import type { Simulation, SimulationContext } from 'betwixt/worker';
import { CLOTH, hang, normalAt, pushOutOfPole, putRight, type Point } from './cloth.js';

const GRAVITY = 9.81;
/** How often the links are put right in a tick: the more often, the stiffer. */
const ROUNDS = 14;
/** Share of the air's velocity that points take on per second: along the cloth, across it, and on the rope. */
const DRAG = { along: 1, across: 7, rope: 0.15 } as const;
/** The wind's speed in m/s, and how long it stays in s. */
const GUST = { low: 4, high: 12, shortest: 1, longest: 3 } as const;
/** The air behind the pole swings from side to side. */
const EDDY = { stiffness: 70, damping: 1.5, strength: 260 } as const;
/** How far a pressed pointer reaches in m, and how hard it pushes in m/s². */
const PUSH = { reach: 0.9, strength: 90 } as const;

export function createSimulation() {
  let context: SimulationContext;
  let { rows, rope, points, links } = hang();
  const air = { speed: 0, gust: 0, gustEnds: 0, eddy: 0, eddyChange: 0 };
  /** How fast the air blows sideways at each column of the cloth. */
  const sideways = new Float64Array(CLOTH.columns);
  const pointer = { x: 0, y: 0, buttons: 0 };
  const parts = (): Record<string, number>[] => [...points, air, pointer];
  const numbers = () => [...parts().flatMap(Object.values<number>), ...sideways];

  function reset(): void {
    ({ rows, rope, points, links } = hang());
    sideways.fill(0);
    Object.assign(air, { speed: GUST.low, gust: GUST.high, gustEnds: 2, eddy: 0, eddyChange: 0 });
    Object.assign(pointer, { x: 0, y: 0, buttons: 0 });
  }

  function blow(dt: number): void {
    const { random } = context;
    air.gustEnds -= dt;
    if (air.gustEnds < 0) {
      air.gust = random.between(GUST.low, GUST.high);
      air.gustEnds = random.between(GUST.shortest, GUST.longest);
    }
    air.speed += (air.gust - air.speed) * dt;
    const pull = EDDY.strength * random.between(-1, 1) - EDDY.stiffness * air.eddy;
    air.eddyChange += (pull - EDDY.damping * air.eddyChange) * dt;
    air.eddy += air.eddyChange * dt;
    // Eddies travel one column in a tick.
    sideways.copyWithin(1, 0);
    sideways[0] = air.eddy;
  }

  /** Moves a point by its velocity, gravity, the pointer, and the air, of which the cloth takes most along its normal. */
  function move(p: Point, dt: number, side: number, along: number, normal: readonly number[]) {
    const [nx = 0, ny = 0, nz = 0] = normal;
    const [vx, vy, vz] = [(p.x - p.oldX) / dt, (p.y - p.oldY) / dt, (p.z - p.oldZ) / dt];
    p.oldX = p.x;
    p.oldY = p.y;
    p.oldZ = p.z;
    if (p.ease === 0) return;
    const [ax, ay, az] = [air.speed - vx, -vy, side - vz];
    const into = (DRAG.across - along) * (ax * nx + ay * ny + az * nz);
    const [dx, dy] = [p.x - pointer.x, p.y - pointer.y];
    const near = 1 - Math.sqrt(dx * dx + dy * dy) / PUSH.reach;
    const push = pointer.buttons === 0 ? 0 : PUSH.strength * Math.max(0, near);
    p.x += (vx + (along * ax + into * nx + push * dx) * dt) * dt;
    p.y += (vy + (along * ay + into * ny + push * dy - GRAVITY) * dt) * dt;
    p.z += (vz + (along * az + into * nz - push) * dt) * dt;
  }

  return {
    init(given) {
      context = given;
      reset();
    },
    reset,
    step(dt, _tick, inputs) {
      for (const { kind, x, y, w } of inputs) {
        if (kind.startsWith('pointer')) Object.assign(pointer, { x, y, buttons: w });
      }
      blow(dt);
      for (const [row, line] of rows.entries()) {
        for (const [column, p] of line.entries()) {
          move(p, dt, sideways[column] ?? 0, DRAG.along, normalAt(rows, row, column));
        }
      }
      for (const p of rope) move(p, dt, 0, DRAG.rope, []);
      for (let round = 0; round < ROUNDS; round++) {
        for (const link of links) putRight(link);
        for (const p of points) pushOutOfPole(p);
      }
      for (const [index, { x, y, z }] of points.entries()) context.values.set([x, y, z], 3 * index);
    },
    commands: {
      restart() {
        reset();
        // Everything jumps: nothing is drawn between the last state and the next one.
        context.cutValues();
      },
    },
    save: () => new Uint8Array(Float64Array.from(numbers()).buffer),
    restore(bytes) {
      const saved = new Float64Array(bytes.slice().buffer);
      sideways.set(saved.subarray(-sideways.length));
      let at = 0;
      for (const part of parts()) for (const key of Object.keys(part)) part[key] = saved[at++] ?? 0;
    },
    hash(hash) {
      for (const number of numbers()) hash.addNumber(number);
    },
  } satisfies Simulation;
}
