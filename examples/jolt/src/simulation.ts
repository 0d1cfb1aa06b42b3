/**
 * Boxes on hilly ground and a platform that the player moves, on an engine of one's own choice. It uses neither the page nor
 * a clock, so tests run it in Node.
 */
import type { AssetName } from 'betwixt/shared';
import type { Pose, Simulation, SimulationContext } from 'betwixt/worker';
import initJolt from 'jolt-physics';
import { createJoltWorld, type Body, type Jolt, type Vector } from './jolt-world.js';

/** The size is the extent along x, y and z, in m. */
export type Tag = { kind: 'box' | 'platform'; size: [x: number, y: number, z: number] };
/** The setup of a run: the assets with the points and the triangles of its ground. */
export type Ground = { points: AssetName; indices: AssetName };
type Events = { impact: { at: Vector; speed: number } };

const AT_REST = { qx: 0, qy: 0, qz: 0, qw: 1 } as const;
/** Speed in m/s, and how far from the middle it goes, in m. */
const PLATFORM = { y: 0.7, speed: 7, reach: 8 } as const;

const limited = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

export function createSimulation() {
  let jolt: Jolt;
  let context: SimulationContext<Events>;
  let world: ReturnType<typeof createWorld>;

  // #region world
  /** A world of the engine: the ground, and a body for each of betwixt's. The first is the platform. */
  function createWorld() {
    const engine = createJoltWorld(jolt, (at, speed) => {
      context.events.emit('impact', { at, speed });
    });
    const ground = context.setup as Ground | null;
    if (ground !== null) {
      const points = new Float32Array(context.assets.get(ground.points));
      const indices = new Uint32Array(context.assets.get(ground.indices));
      engine.addGround(points, indices);
    }
    const bodies = context.bodies.ids().map((id) => {
      const { kind, size } = context.bodies.tag(id) as Tag;
      const pose = context.bodies.pose(id) as Pose;
      return { id, body: engine.addBox(size, pose, kind === 'platform') };
    });
    return { engine, bodies };
  }
  // #endregion

  function use(next: typeof world): void {
    world?.engine.free();
    world = next;
  }

  function reset(): void {
    const { bodies: own, capacity, random, setup } = context;
    // The page tells the ground after it has connected.
    const boxes = setup === null ? 0 : capacity - 1;
    const platform: Tag = { kind: 'platform', size: [4, 1, 4] };
    if (boxes > 0) own.spawn({ x: 0, y: PLATFORM.y, z: 0, ...AT_REST }, { tag: platform });
    const side = () => random.between(0.5, 0.95);
    for (let index = 0; index < boxes; index += 1) {
      const [x, y, z] = [index % 6, Math.floor(index / 30), Math.floor(index / 6) % 5];
      const tag: Tag = { kind: 'box', size: [side(), side(), side()] };
      own.spawn({ x: x - 2.5, y: y + 3, z: z - 2, ...AT_REST }, { tag });
    }
    use(createWorld());
  }

  /** Moves the platform towards the pressed pointer, or as the arrow keys say. */
  function steer(platform: Body, dt: number): void {
    const { input } = context;
    const at = platform.GetPosition();
    const [x, z, pointer] = [at.GetX(), at.GetZ(), input.pointer()];
    const toX = pointer?.isDown ? pointer.x : x + input.keyAxis('ArrowLeft', 'ArrowRight');
    const toZ = pointer?.isDown ? pointer.y : z + input.keyAxis('ArrowUp', 'ArrowDown');
    const next = (from: number, to: number): number =>
      from + limited(limited(to, PLATFORM.reach) - from, PLATFORM.speed * dt);
    world.engine.move(platform, [next(x, toX), PLATFORM.y, next(z, toZ)], dt);
  }

  return {
    events: {} as Events,
    tag: {} as Tag,
    engine: () => 'jolt-physics 1.1',

    async init(given) {
      context = given;
      jolt = await initJolt();
      reset();
    },

    // The library has already removed the bodies.
    reset,

    step(dt) {
      const { engine, bodies } = world;
      if (bodies[0] !== undefined) steer(bodies[0].body, dt);
      engine.step(dt);
      for (const { id, body } of bodies) {
        const [p, q] = [body.GetPosition(), body.GetRotation()];
        const rotation = [q.GetX(), q.GetY(), q.GetZ(), q.GetW()] as const;
        context.bodies.setPose(id, p.GetX(), p.GetY(), p.GetZ(), ...rotation);
        context.bodies.setAsleep(id, !body.IsActive());
      }
    },

    queries: {
      /** Begins a run on this ground. */
      build: (ground: Ground) => context.restart({ setup: ground }),

      /** The body that a ray meets first, and after which part of the ray. The ground has no id. */
      castRay(from: Vector, along: Vector) {
        const { body, fraction } = world.engine.castRay(from, along);
        return body && { id: world.bodies.find((each) => each.body === body)?.id, fraction };
      },
    },

    save: () => world.engine.save(),

    // The library has already restored bodies, setup and inputs.
    restore(bytes) {
      const next = createWorld();
      next.engine.restore(bytes);
      use(next);
    },

    hash: (hash) => hash.addBytes(world.engine.save()),
    dispose: () => world?.engine.free(),
  } satisfies Simulation;
}
