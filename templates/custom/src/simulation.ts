/**
 * The simulation: a flock of birds, each of which looks at its neighbours, and a pointer that scares them.
 *
 * No engine: what a simulation has to do is to write where its bodies are. It knows neither the page nor the clock,
 * so the tests run it in Node. Nothing but the seed and the inputs decides what happens, and it keeps to + − × ÷ and
 * the square root, which give the same bits in every browser; sines and cosines do not.
 *
 * After Craig Reynolds, "Flocks, Herds, and Schools: A Distributed Behavioral Model" (SIGGRAPH 1987).
 */
import {
  InputState,
  type BodyId,
  type PointerState,
  type Simulation,
  type SimulationContext,
} from 'betwixt/worker';
import { add, length, subtract, turnTo, zero, type Vector } from './vectors.js';

/** In m. A bird sees others within `sight`, keeps them off within `room`, and turns back beyond `home`. */
const DISTANCE = { sight: 1.8, room: 0.75, home: 5.5, fear: 4 } as const;
/** How much each wish counts, in 1/s² and 1/s; fear in m/s². */
const WISH = { cohesion: 1.4, alignment: 2.2, separation: 2.4, home: 3, fear: 60 } as const;
/** In m/s. Who is faster than `max` calms down, in 1/s. */
const SPEED = { min: 3, max: 5.5, calm: 3 } as const;

interface Bird {
  readonly id: BodyId;
  readonly position: Vector;
  readonly velocity: Vector;
  readonly wish: Vector;
}

export function createSimulation() {
  let context: SimulationContext;
  let birds: Bird[] = [];
  const input = new InputState();

  function hatch(): Bird {
    const { random, bodies } = context;
    const coordinate = (): number => random.between(-1, 1) * SPEED.min;
    const vector = (): Vector => ({ x: coordinate(), y: coordinate(), z: coordinate() });
    const position = vector();
    const id = bodies.spawn({ ...position, qx: 0, qy: 0, qz: 0, qw: 1 });
    return { id, position, velocity: vector(), wish: zero() };
  }

  /** What a bird would like to do, from where the others are and how they fly. */
  function decide({ position, velocity, wish }: Bird): void {
    let neighbours = 0;
    const [middle, course, apart] = [zero(), zero(), zero()];
    Object.assign(wish, zero());
    for (const other of birds) {
      subtract(apart, other.position, position);
      const distance = length(apart);
      if (distance > DISTANCE.sight || distance === 0) continue;
      neighbours += 1;
      add(middle, apart);
      add(course, other.velocity);
      if (distance < DISTANCE.room) add(wish, apart, -WISH.separation / (distance * distance));
    }
    if (neighbours > 0) {
      add(wish, middle, WISH.cohesion / neighbours);
      add(wish, course, WISH.alignment / neighbours);
      add(wish, velocity, -WISH.alignment);
    }
    const away = length(position);
    if (away > DISTANCE.home) add(wish, position, (WISH.home * (DISTANCE.home - away)) / away);
  }

  /** Pointers that are down scare all that is near them, however deep in the picture. */
  function flee({ position, wish }: Bird, pointers: readonly PointerState[]): void {
    for (const pointer of pointers) {
      const distance = distanceOf(position, pointer);
      if (!pointer.isDown || distance > DISTANCE.fear || distance === 0) continue;
      const fear = (WISH.fear * (1 - distance / DISTANCE.fear)) / distance;
      add(wish, { x: position.x - pointer.x, y: position.y - pointer.y, z: 0 }, fear);
    }
  }

  function fly({ id, position, velocity, wish }: Bird, dt: number): void {
    add(velocity, wish, dt);
    const haste = length(velocity);
    if (haste > SPEED.max) add(velocity, velocity, (SPEED.max / haste - 1) * SPEED.calm * dt);
    else if (haste < SPEED.min && haste > 0) add(velocity, velocity, SPEED.min / haste - 1);
    add(position, velocity, dt);
    context.bodies.setPose(id, position.x, position.y, position.z, ...turnTo(velocity));
  }

  function reset(): void {
    input.clear();
    birds = Array.from({ length: context.capacity }, hatch);
  }

  return {
    /** Its own events: their names, and what they carry. */
    events: {} as { startled: { x: number; y: number; birds: number } },

    init(given) {
      context = given;
      reset();
    },

    // The beginning once more, for replays. The library has taken the old bodies away.
    reset,

    // Each tick is given the inputs of its own input window.
    step(dt, _tick, inputs) {
      input.apply(inputs);
      const pointers = input.pointers();
      for (const bird of birds) decide(bird);
      for (const bird of birds) flee(bird, pointers);
      for (const bird of birds) fly(bird, dt);
      for (const pointer of pointers) {
        if (!pointer.wasPressed) continue;
        const near = birds.filter(({ position }) => distanceOf(position, pointer) < DISTANCE.fear);
        context.events.emit('startled', { x: pointer.x, y: pointer.y, birds: near.length });
      }
    },

    // Called by the page and by tests. These only ask; what changes the simulation would be one of its `commands`.
    queries: {
      ids: () => birds.map(({ id }) => id),
      positions: () => birds.map(({ position }) => ({ ...position })),
    },

    hash(hash) {
      for (const { velocity } of birds) Object.values(velocity).forEach((v) => hash.addNumber(v));
    },
  } satisfies Simulation;
}

/** As seen by the player. */
function distanceOf(position: Vector, pointer: PointerState): number {
  return length({ x: position.x - pointer.x, y: position.y - pointer.y, z: 0 });
}
