import type { BodyId } from 'betwixt/shared';
import type { Simulation, SimulationContext } from 'betwixt/worker';

interface Drop {
  readonly id: BodyId;
  readonly position: [x: number, y: number, z: number];
  readonly velocity: [x: number, y: number, z: number];
}

/** Height at which drops appear and disappear, in m. */
const BOTTOM = -7;

export function createSimulation() {
  let context: SimulationContext;
  let drops: Drop[] = [];
  let wind = 0;

  function spray({ id, position, velocity }: Drop): void {
    const { random, bodies } = context;
    position.splice(0, 3, 0, BOTTOM, 0);
    velocity.splice(0, 3, random.between(-2, 2), random.between(9, 15), random.between(-2, 2));
    // `setPose` would be interpolated: the drop would be seen falling back down.
    bodies.teleport(id, { x: 0, y: BOTTOM, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
  }

  function createDrop(): Drop {
    const y = BOTTOM - context.random.between(0, 20);
    const id = context.bodies.spawn({ x: 0, y, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
    return { id, position: [0, y, 0], velocity: [0, 10, 0] };
  }

  function reset(): void {
    wind = 0;
    drops = Array.from({ length: context.capacity }, createDrop);
  }

  return {
    events: {} as { gust: { x: number; y: number } },

    init(given) {
      context = given;
      reset();
    },

    // Restores the initial state for replays. The library has already removed the old bodies.
    reset,

    step(dt) {
      // While the pointer is down, the wind rises towards it.
      const pointer = context.input.pointer();
      wind += 2 * ((pointer?.isDown ? pointer.x : 0) - wind) * dt;
      if (pointer?.wasPressed) context.events.emit('gust', { x: pointer.x, y: pointer.y });
      context.values[0] = wind;
      for (const drop of drops) {
        const { id, position, velocity } = drop;
        if (position[1] > BOTTOM) {
          velocity[0] += wind * dt;
          velocity[1] -= 9.81 * dt;
        }
        for (const axis of [0, 1, 2] as const) position[axis] += velocity[axis] * dt;
        if (position[1] < BOTTOM && velocity[1] < 0) spray(drop);
        else context.bodies.setPose(id, ...position, 0, 0, 0, 1);
      }
    },

    commands: {
      calm() {
        wind = 0;
        context.cutValues();
      },
    },

    queries: {
      positions: () => drops.map(({ position: [x, y, z] }) => ({ x, y, z })),
    },
  } satisfies Simulation;
}
