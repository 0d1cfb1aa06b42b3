import { HeldInputs, type BodyId, type Simulation, type SimulationContext } from 'betwixt/worker';

interface Drop {
  readonly id: BodyId;
  readonly place: [x: number, y: number, z: number];
  readonly speed: [x: number, y: number, z: number];
}

/** Where drops come from and vanish, in m. */
const BOTTOM = -7;

export function createSimulation() {
  let context: SimulationContext;
  let drops: Drop[] = [];
  const held = new HeldInputs();

  function spray({ id, place, speed }: Drop): void {
    const { random, bodies } = context;
    place.splice(0, 3, 0, BOTTOM, 0);
    speed.splice(0, 3, random.between(-2, 2), random.between(9, 15), random.between(-2, 2));
    // Not `setPose`: the display would draw the way down as well.
    bodies.teleport(id, { x: 0, y: BOTTOM, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
  }

  function createDrop(): Drop {
    const y = BOTTOM - context.random.between(0, 20);
    const id = context.bodies.spawn({ x: 0, y, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
    return { id, place: [0, y, 0], speed: [0, 10, 0] };
  }

  function reset(): void {
    held.clear();
    drops = Array.from({ length: context.capacity }, createDrop);
  }

  return {
    init(given) {
      context = given;
      reset();
    },

    // The beginning once more, for replays. The library has taken the old bodies away.
    reset,

    step(stepS, _tick, inputs) {
      held.apply(inputs);
      // While the pointer is down, wind blows towards it.
      const pointer = held.pointer();
      const wind = pointer?.isDown ? pointer.x : 0;
      for (const drop of drops) {
        const { id, place, speed } = drop;
        if (place[1] > BOTTOM) {
          speed[0] += wind * stepS;
          speed[1] -= 9.81 * stepS;
        }
        for (const axis of [0, 1, 2] as const) place[axis] += speed[axis] * stepS;
        if (place[1] < BOTTOM && speed[1] < 0) spray(drop);
        else context.bodies.setPose(id, ...place, 0, 0, 0, 1);
      }
    },

    queries: {
      ids: () => drops.map(({ id }) => id),
      places: () => drops.map(({ place: [x, y, z] }) => ({ x, y, z })),
    },
  } satisfies Simulation;
}
