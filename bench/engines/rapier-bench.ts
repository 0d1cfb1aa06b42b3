/** A scene in Rapier. Its defaults are kept: 4 solver iterations, friction of a pair as the mean of the two. */
import type { Bodies } from '../../src/sim-worker/index.js';
import { RapierWorld, type Rapier } from '../../src/rapier/rapier.js';
import type { BenchPose, BenchScene, BenchShape } from '../scenes/index.js';
import { DENSITY, FRICTION, type BenchWorld } from './bench-world.js';
import { loadComparedRapier, type ComparedBuild } from './load-rapier.js';

type World = InstanceType<Rapier['World']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;
type RigidBodyDesc = InstanceType<Rapier['RigidBodyDesc']>;
type ColliderDesc = InstanceType<Rapier['ColliderDesc']>;

const STILL = { x: 0, y: 0, z: 0 };

export async function createRapierBench(
  build: ComparedBuild,
  scene: BenchScene,
  bodies: Bodies,
): Promise<BenchWorld> {
  const { rapier, name } = await loadComparedRapier(build);
  const world = new rapier.World(scene.gravity);
  const physics = new RapierWorld(world, bodies);
  const ids = fillRapierWorld(rapier, world, scene).map((body) => physics.add(body));
  return {
    engineName: name,
    ids,
    step: (dt) => physics.step(dt),
    drop(id, pose) {
      physics.teleport(id, pose);
      const rigidBody = physics.rigidBodyOf(id);
      rigidBody?.setLinvel(STILL, true);
      rigidBody?.setAngvel(STILL, true);
    },
  };
}

/** Creates the bodies of a scene. @returns Those that move, in its order. */
export function fillRapierWorld(
  rapier: Rapier,
  world: World,
  { statics, bodies }: Pick<BenchScene, 'statics' | 'bodies'>,
): RigidBody[] {
  for (const { pose, half } of statics) {
    const rigidBody = world.createRigidBody(at(rapier.RigidBodyDesc.fixed(), pose));
    const desc = rapier.ColliderDesc.cuboid(half.x, half.y, half.z);
    world.createCollider(withSurface(desc), rigidBody);
  }
  return bodies.map(({ shape, pose, canSleep, startsAsleep }) => {
    const desc = at(rapier.RigidBodyDesc.dynamic(), pose).setCanSleep(canSleep);
    const rigidBody = world.createRigidBody(desc.setSleeping(startsAsleep));
    world.createCollider(withSurface(colliderOf(rapier, shape)), rigidBody);
    return rigidBody;
  });
}

function at(desc: RigidBodyDesc, { x, y, z, qx, qy, qz, qw }: BenchPose): RigidBodyDesc {
  return desc.setTranslation(x, y, z).setRotation({ x: qx, y: qy, z: qz, w: qw });
}

function colliderOf(rapier: Rapier, shape: BenchShape): ColliderDesc {
  return shape.kind === 'ball'
    ? rapier.ColliderDesc.ball(shape.radius)
    : rapier.ColliderDesc.cuboid(shape.halfX, shape.halfY, shape.halfZ);
}

function withSurface(desc: ColliderDesc): ColliderDesc {
  return desc.setFriction(FRICTION).setRestitution(0).setDensity(DENSITY);
}
