/** Our simulation of the scene, in Rapier or in cannon-es. */
import type { BodyId } from '../../../src/shared/index.js';
import { RapierWorld } from '../../../src/rapier/rapier.js';
import type { Bodies, Simulation } from '../../../src/sim-worker/index.js';
import { loadCannon, type Cannon } from '../../engines/cannon-module.js';
import { CannonWorld } from '../../engines/cannon-world.js';
import {
  CANNON_CONTACTS,
  CANNON_ITERATIONS,
  CANNON_TOLERANCE,
  DENSITY,
  INSTANCED_PROBE_Y,
  PROBE_RADIUS,
  PROBE_SPEED,
  SINGLE_PROBE_Y,
  type PeerScene,
  type PoseNumbers,
} from '../scene/peer-scene.js';
import { createRapierScene } from '../scene/rapier-scene.js';

export type PeerSetup = { readonly engine: 'rapier' | 'cannon'; readonly scene: PeerScene };

interface PeerWorld {
  readonly boxes: readonly BodyId[];
  readonly single: BodyId;
  readonly instanced: BodyId;
  /** Speed of both probes along z, in m/s. */
  readonly push: (z: number) => void;
  readonly physics: Pick<RapierWorld, 'step' | 'teleport' | 'hashInto' | 'free'>;
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
    hash: (hash) => world().physics.hashInto(hash),
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
    dispose: () => peer?.physics.free(),
  };
}

const UPRIGHT = { qx: 0, qy: 0, qz: 0, qw: 1 };

async function rapierWorld(scene: PeerScene, bodies: Bodies): Promise<PeerWorld> {
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
async function cannonWorld(scene: PeerScene, bodies: Bodies): Promise<PeerWorld> {
  const cannon = await loadCannon();
  const world = new cannon.World({ allowSleep: false });
  world.gravity.set(0, scene.gravityY, 0);
  world.broadphase = new cannon.NaiveBroadphase();
  if (world.solver instanceof cannon.GSSolver) {
    world.solver.iterations = CANNON_ITERATIONS;
    world.solver.tolerance = CANNON_TOLERANCE;
  }
  Object.assign(world.defaultContactMaterial, CANNON_CONTACTS);
  const physics = new CannonWorld(world, bodies);
  for (const { pose, half } of scene.statics) {
    const body = new cannon.Body({ type: cannon.Body.STATIC });
    body.addShape(new cannon.Box(new cannon.Vec3(...half)));
    place(body, pose);
    world.addBody(body);
  }
  const boxes = scene.boxes.map((pose) => {
    const body = new cannon.Body({ mass: DENSITY, linearDamping: 0, angularDamping: 0 });
    body.addShape(new cannon.Box(new cannon.Vec3(0.5, 0.5, 0.5)));
    place(body, pose);
    return physics.add(body);
  });
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

function place(body: InstanceType<Cannon['Body']>, [x, y, z, qx, qy, qz, qw]: PoseNumbers): void {
  body.position.set(x, y, z);
  body.quaternion.set(qx, qy, qz, qw);
}
