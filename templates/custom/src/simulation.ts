/**
 * The simulation: a flock of birds, each of which looks at its neighbors, and a pointer that scares them.
 *
 * It has no engine: a simulation only has to write the poses of its bodies. It uses neither the page nor a clock, so
 * the tests run it in Node. It depends only on the seed and the inputs, and uses only + − × ÷ and the square root,
 * which give the same bits in every browser. Sines and cosines do not.
 *
 * After Craig Reynolds, "Flocks, Herds, and Schools: A Distributed Behavioral Model" (SIGGRAPH 1987).
 */
import type { BodyId, PointerState } from 'betwixt/shared';
import type { Simulation, SimulationContext } from 'betwixt/worker';
import { add, length, subtract, turnTo, zero, type Vector } from './vectors.js';

/** In m. Birds see others within `sight`, avoid them within `room`, and turn back beyond `home`. */
const DISTANCE = { sight: 1.8, room: 0.75, home: 5.5, fear: 4 } as const;
/** Weight of each rule, in 1/s² and 1/s; fear in m/s². */
const PULL = { cohesion: 1.4, alignment: 2.2, separation: 2.4, home: 3, fear: 60 } as const;
/** In m/s. Birds faster than `max` slow down at the rate `calm`, in 1/s. */
const SPEED = { min: 3, max: 5.5, calm: 3 } as const;

interface Bird {
  readonly id: BodyId;
  readonly position: Vector;
  readonly velocity: Vector;
  readonly pull: Vector;
}

export function createSimulation() {
  let context: SimulationContext;
  let birds: Bird[] = [];

  function hatch(): Bird {
    const { random, bodies } = context;
    const coordinate = (): number => random.between(-1, 1) * SPEED.min;
    const vector = (): Vector => ({ x: coordinate(), y: coordinate(), z: coordinate() });
    const position = vector();
    const id = bodies.spawn({ ...position, qx: 0, qy: 0, qz: 0, qw: 1 });
    return { id, position, velocity: vector(), pull: zero() };
  }

  /** Computes a bird's desired acceleration from its neighbors' positions and velocities. */
  function decide({ position, velocity, pull }: Bird): void {
    let neighbors = 0;
    const [middle, course, apart] = [zero(), zero(), zero()];
    Object.assign(pull, zero());
    for (const other of birds) {
      subtract(apart, other.position, position);
      const distance = length(apart);
      if (distance > DISTANCE.sight || distance === 0) continue;
      neighbors += 1;
      add(middle, apart);
      add(course, other.velocity);
      if (distance < DISTANCE.room) add(pull, apart, -PULL.separation / (distance * distance));
    }
    if (neighbors > 0) {
      add(pull, middle, PULL.cohesion / neighbors);
      add(pull, course, PULL.alignment / neighbors);
      add(pull, velocity, -PULL.alignment);
    }
    const away = length(position);
    if (away > DISTANCE.home) add(pull, position, (PULL.home * (DISTANCE.home - away)) / away);
  }

  /** Pointers that are down scare all birds near them, at any depth. */
  function flee({ position, pull }: Bird, pointers: readonly PointerState[]): void {
    for (const pointer of pointers) {
      const distance = distanceOf(position, pointer);
      if (!pointer.isDown || distance > DISTANCE.fear || distance === 0) continue;
      const fear = (PULL.fear * (1 - distance / DISTANCE.fear)) / distance;
      add(pull, { x: position.x - pointer.x, y: position.y - pointer.y, z: 0 }, fear);
    }
  }

  function fly({ id, position, velocity, pull }: Bird, dt: number): void {
    add(velocity, pull, dt);
    const haste = length(velocity);
    if (haste > SPEED.max) add(velocity, velocity, (SPEED.max / haste - 1) * SPEED.calm * dt);
    else if (haste < SPEED.min && haste > 0) add(velocity, velocity, SPEED.min / haste - 1);
    add(position, velocity, dt);
    context.bodies.setPose(id, position.x, position.y, position.z, ...turnTo(velocity));
  }

  function reset(): void {
    birds = Array.from({ length: context.capacity }, hatch);
  }

  return {
    /** The custom events: their names and values. */
    events: {} as { startled: { x: number; y: number; birds: number } },

    init(given) {
      context = given;
      reset();
    },

    // Restores the initial state for replays. The library has already removed the old bodies.
    reset,

    step(dt) {
      // Inputs of this tick's time window are in it.
      const pointers = context.input.pointers();
      for (const bird of birds) decide(bird);
      for (const bird of birds) flee(bird, pointers);
      for (const bird of birds) fly(bird, dt);
      for (const pointer of pointers) {
        if (!pointer.wasPressed) continue;
        const near = birds.filter(({ position }) => distanceOf(position, pointer) < DISTANCE.fear);
        context.events.emit('startled', { x: pointer.x, y: pointer.y, birds: near.length });
      }
    },

    // Called by name, as in `await sim.queries.positions()`. Queries only read; functions that change the simulation are
    // `commands`.
    queries: {
      positions: () => birds.map(({ position }) => ({ ...position })),
    },

    hash(hash) {
      for (const { velocity } of birds) Object.values(velocity).forEach((v) => hash.addNumber(v));
    },
  } satisfies Simulation;
}

/** The distance as the player sees it, without depth. */
function distanceOf(position: Vector, pointer: PointerState): number {
  return length({ x: position.x - pointer.x, y: position.y - pointer.y, z: 0 });
}
