/**
 * Boxes on hilly ground and a platform that the player moves, on an engine of one's own choice. It uses neither the page nor
 * a clock, so tests run it in Node.
 */
import { InputState, type AssetName, type BodyId } from 'betwixt/shared';
import type { Pose, Simulation, SimulationContext } from 'betwixt/worker';
import initJolt from 'jolt-physics';
import { createJoltWorld, type Jolt, type Vector } from './jolt-world.js';

/** The size is the extent along x, y and z, in m. */
export type Tag = { kind: 'box' | 'platform'; size: [x: number, y: number, z: number] };
/** The assets with the points and the triangles of the ground. */
export type Ground = { points: AssetName; indices: AssetName };
type Events = { impact: { at: Vector; speed: number } };

/** Speed in m/s, and how far from the middle it goes, in m. */
const PLATFORM = { y: 0.7, speed: 7, reach: 8 } as const;

const limited = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

export function createSimulation() {
  let jolt: Jolt;
  let context: SimulationContext<Events>;
  let world: ReturnType<typeof createWorld> | undefined;
  const input = new InputState();

  // #region world
  /** Gives each body one of the engine, by its tag and its pose. The first is the platform. */
  function createWorld(ground: Ground, ids: readonly BodyId[]) {
    const points = new Float32Array(context.assets.get(ground.points));
    const indices = new Uint32Array(context.assets.get(ground.indices));
    free();
    const engine = createJoltWorld(jolt, (at, speed) => {
      context.events.emit('impact', { at, speed });
    });
    engine.addGround(points, indices);
    const bodies = ids.map((id) => {
      const { kind, size } = context.bodies.tag(id) as Tag;
      const pose = context.bodies.pose(id) as Pose;
      return { id, body: engine.addBox(size, pose, kind === 'platform') };
    });
    return { ground, engine, bodies };
  }
  // #endregion

  function free(): void {
    world?.engine.free();
    world = undefined;
  }

  /** Moves the platform towards the pressed pointer, or as the arrow keys say. */
  function steer({ engine, bodies: [platform] }: NonNullable<typeof world>, dt: number): void {
    if (platform === undefined) return;
    const at = platform.body.GetPosition();
    const [x, z, pointer] = [at.GetX(), at.GetZ(), input.pointer()];
    const toX = pointer?.isDown ? pointer.x : x + input.keyAxis('ArrowLeft', 'ArrowRight');
    const toZ = pointer?.isDown ? pointer.y : z + input.keyAxis('ArrowUp', 'ArrowDown');
    const next = (from: number, to: number): number =>
      from + limited(limited(to, PLATFORM.reach) - from, PLATFORM.speed * dt);
    engine.move(platform.body, [next(x, toX), PLATFORM.y, next(z, toZ)], dt);
  }

  function spawn(x: number, y: number, z: number, tag: Tag): BodyId {
    return context.bodies.spawn({ x, y, z, qx: 0, qy: 0, qz: 0, qw: 1 }, { tag });
  }

  return {
    events: {} as Events,
    tag: {} as Tag,
    engine: () => 'jolt-physics 1.1',

    async init(given) {
      context = given;
      jolt = await initJolt();
    },

    commands: {
      build(ground: Ground, boxes: number) {
        context.bodies.clear();
        const ids = [spawn(0, PLATFORM.y, 0, { kind: 'platform', size: [4, 1, 4] })];
        const side = () => context.random.between(0.5, 0.95);
        for (let index = 0; index < boxes; index += 1) {
          const [x, y, z] = [index % 6, Math.floor(index / 30), Math.floor(index / 6) % 5];
          const tag: Tag = { kind: 'box', size: [side(), side(), side()] };
          ids.push(spawn(x - 2.5, y + 3, z - 2, tag));
        }
        world = createWorld(ground, ids);
      },
      releaseInputs: () => input.clear(),
    },

    step(dt, _tick, inputs) {
      input.apply(inputs);
      if (world === undefined) return;
      steer(world, dt);
      world.engine.step(dt);
      for (const { id, body } of world.bodies) {
        const [p, q] = [body.GetPosition(), body.GetRotation()];
        const rotation = [q.GetX(), q.GetY(), q.GetZ(), q.GetW()] as const;
        context.bodies.setPose(id, p.GetX(), p.GetY(), p.GetZ(), ...rotation);
        context.bodies.setAsleep(id, !body.IsActive());
      }
    },

    queries: {
      /** The body that a ray meets first, and after which part of the ray. The ground has no id. */
      castRay(from: Vector, ray: Vector) {
        const hit = world?.engine.castRay(from, ray);
        if (hit === undefined) return undefined;
        const { id } = world?.bodies.find(({ body }) => body === hit.body) ?? {};
        return { id, fraction: hit.fraction };
      },
    },

    // The library has already removed the bodies.
    reset() {
      free();
      input.clear();
    },

    // Text, a zero, and the engine's bytes.
    save() {
      const ids = world?.bodies.map(({ id }) => id);
      const json = JSON.stringify({ input: input.save(), ground: world?.ground, ids });
      const text = new TextEncoder().encode(json);
      return Uint8Array.from([...text, 0, ...(world?.engine.save() ?? [])]);
    },

    // The library has already restored the bodies, with their ids, tags and poses.
    restore(bytes) {
      const end = bytes.indexOf(0);
      const saved = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
      if (saved.ground === undefined) free();
      else world = createWorld(saved.ground, saved.ids);
      world?.engine.restore(bytes.subarray(end + 1));
      input.restore(saved.input);
    },

    hash(hash) {
      if (world !== undefined) hash.addBytes(world.engine.save());
    },

    dispose: free,
  } satisfies Simulation;
}
