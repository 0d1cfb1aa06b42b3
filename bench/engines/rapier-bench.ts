/** A scene in Rapier. Its defaults are kept: 4 solver iterations, friction of a pair as the mean of the two. */
import type { Bodies } from '../../src/sim-worker/index.js';
import { RapierWorld, type Rapier } from '../../src/rapier/rapier.js';
import type { BenchPose, BenchScene, BenchShape } from '../scenes/index.js';
import { DENSITY, FRICTION, type BenchOptions, type BenchWorld } from './bench-world.js';
import { loadComparedRapier, type ComparedBuild } from './load-rapier.js';

type RigidBodyDesc = InstanceType<Rapier['RigidBodyDesc']>;
type ColliderDesc = InstanceType<Rapier['ColliderDesc']>;

const STILL = { x: 0, y: 0, z: 0 };

export async function createRapierBench(
  build: ComparedBuild,
  scene: BenchScene,
  bodies: Bodies,
  { solverIterations }: BenchOptions,
): Promise<BenchWorld> {
  const { rapier, name } = await loadComparedRapier(build);
  const physics = new RapierWorld(new rapier.World(scene.gravity), bodies);
  const { world } = physics;
  if (solverIterations !== undefined) world.numSolverIterations = solverIterations;
  for (const { pose, half } of scene.statics) {
    const rigidBody = world.createRigidBody(at(rapier.RigidBodyDesc.fixed(), pose));
    const desc = rapier.ColliderDesc.cuboid(half.x, half.y, half.z);
    world.createCollider(withSurface(desc), rigidBody);
  }
  const ids = scene.bodies.map(({ shape, pose, canSleep, startsAsleep }) => {
    const desc = at(rapier.RigidBodyDesc.dynamic(), pose).setCanSleep(canSleep);
    const rigidBody = world.createRigidBody(desc.setSleeping(startsAsleep));
    world.createCollider(withSurface(colliderOf(rapier, shape)), rigidBody);
    return physics.add(rigidBody);
  });
  const { probe } = scene;
  const addProbe = ({ shape, pose, velocity }: NonNullable<typeof probe>) => {
    const desc = at(rapier.RigidBodyDesc.dynamic(), pose).setCanSleep(false).setGravityScale(0);
    const rigidBody = world.createRigidBody(desc.setLinvel(velocity.x, velocity.y, velocity.z));
    world.createCollider(colliderOf(rapier, shape).setCollisionGroups(0), rigidBody);
    return physics.add(rigidBody);
  };
  const probeId = probe && addProbe(probe);
  return {
    engineName: name,
    ids,
    probeId,
    step: (dt) => physics.step(dt),
    drop(index, pose) {
      const id = ids[index];
      const rigidBody = id && physics.rigidBodyOf(id);
      if (!id || !rigidBody) return;
      physics.teleport(id, pose);
      rigidBody.setLinvel(STILL, true);
      rigidBody.setAngvel(STILL, true);
    },
    hashInto: (hash) => physics.hashInto(hash),
    free: () => physics.free(),
  };
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
