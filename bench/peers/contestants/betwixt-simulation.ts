/** Our simulation of the scene, in Rapier or in cannon-es. */
import type { BodyId } from '../../../src/shared/index.js';
import { RapierWorld } from '../../../src/rapier/rapier.js';
import type { Bodies, Simulation } from '../../../src/sim-worker/index.js';
import {
  CannonWorld,
  fillCannonWorld,
  loadCannon,
  type Cannon,
} from '../../engines/cannon-world.js';
import type { BenchScene } from '../../scenes/index.js';
import {
  CANNON_CONTACTS,
  CANNON_ITERATIONS,
  CANNON_TOLERANCE,
  INSTANCED_PROBE_Y,
  PROBE_RADIUS,
  PROBE_SPEED,
  SINGLE_PROBE_Y,
} from '../scene/peer-scene.js';
import { createRapierScene } from '../scene/rapier-scene.js';

export type PeerSetup = { readonly engine: 'rapier' | 'cannon'; readonly scene: BenchScene };

interface PeerWorld {
  readonly boxes: readonly BodyId[];
  readonly single: BodyId;
  readonly instanced: BodyId;
  /** Speed of both probes along z, in m/s. */
  readonly push: (z: number) => void;
  readonly physics: RapierWorld | CannonWorld;
}

/** The page's queries to the worker. */
export type PeerQueries = {
  ids: () => { boxes: Uint32Array; single: BodyId; instanced: BodyId };
  failNextStep: () => void;
};

/** The page's commands to the worker. */
export type PeerCommands = { teleport: (x: number) => void; push: (z: number) => void };

export type PeerSimulation = Simulation<PeerCommands, Record<never, never>, PeerQueries>;

export function createPeerSimulation(): PeerSimulation {
  let peer: PeerWorld | undefined;
  let failsNext = false;
  const world = (): PeerWorld => {
    if (peer === undefined) throw new Error('the simulation has not been started');
    return peer;
  };
  return {
    async init({ setup, bodies }) {
      const { engine, scene } = setup as unknown as PeerSetup;
      peer = await (engine === 'rapier' ? rapierWorld : cannonWorld)(scene, bodies);
    },
    step(dt) {
      if (failsNext) throw new Error('this step fails on request');
      world().physics.step(dt);
    },
    commands: {
      teleport: (x) => {
        const { physics, single, instanced } = world();
        physics.teleport(single, { x, y: SINGLE_PROBE_Y, z: 0, ...UPRIGHT });
        physics.teleport(instanced, { x, y: INSTANCED_PROBE_Y, z: 0, ...UPRIGHT });
      },
      push: (z) => world().push(z),
    },
    queries: {
      ids: () => {
        const { boxes, single, instanced } = world();
        return { boxes: Uint32Array.from(boxes), single, instanced };
      },
      failNextStep: () => {
        failsNext = true;
      },
    },
  };
}

const UPRIGHT = { qx: 0, qy: 0, qz: 0, qw: 1 };

async function rapierWorld(scene: BenchScene, bodies: Bodies): Promise<PeerWorld> {
  const { world, boxes, single, instanced } = await createRapierScene(scene);
  const physics = new RapierWorld(world, bodies);
  return {
    physics,
    push(z) {
      for (const body of [single, instanced]) body.setLinvel({ x: PROBE_SPEED, y: 0, z }, true);
    },
    boxes: boxes.map((body) => physics.add(body)),
    single: physics.add(single),
    instanced: physics.add(instanced),
  };
}

/** Like the world of the peer's worker. */
async function cannonWorld(scene: BenchScene, bodies: Bodies): Promise<PeerWorld> {
  const cannon = await loadCannon();
  const world = new cannon.World({ allowSleep: false });
  world.broadphase = new cannon.NaiveBroadphase();
  if (world.solver instanceof cannon.GSSolver) {
    world.solver.iterations = CANNON_ITERATIONS;
    world.solver.tolerance = CANNON_TOLERANCE;
  }
  Object.assign(world.defaultContactMaterial, CANNON_CONTACTS);
  const physics = new CannonWorld(world, bodies);
  const boxes = fillCannonWorld(cannon, world, physics, scene);
  const probes = [SINGLE_PROBE_Y, INSTANCED_PROBE_Y].map((y) => cannonProbe(cannon, y));
  const [single, instanced] = probes.map((probe) => physics.add(probe)) as [BodyId, BodyId];
  const push = (z: number): void => {
    for (const { velocity } of probes) velocity.z = z;
  };
  return { physics, push, boxes, single, instanced };
}

function cannonProbe(cannon: Cannon, y: number) {
  const body = new cannon.Body({ type: cannon.Body.KINEMATIC, mass: 0 });
  body.addShape(new cannon.Sphere(PROBE_RADIUS));
  body.collisionFilterGroup = 0;
  body.collisionFilterMask = 0;
  body.position.set(0, y, 0);
  body.velocity.set(PROBE_SPEED, 0, 0);
  return body;
}
