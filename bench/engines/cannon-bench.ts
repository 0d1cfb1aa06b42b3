/**
 * A scene in cannon-es. Its solver's defaults are kept: 10 iterations, tolerance 1e-7. The broad
 * phase is changed to sweep and prune: the default one compares all pairs. Its default damping of
 * 0.01 is switched off.
 */
import type { Bodies } from '../../src/sim-worker/index.js';
import type { BenchPose, BenchProbe, BenchScene, BenchShape } from '../scenes/index.js';
import { DENSITY, FRICTION, volumeOf, type BenchOptions, type BenchWorld } from './bench-world.js';
import { loadCannon, type Cannon } from './cannon-module.js';
import { CannonWorld } from './cannon-world.js';

type CannonBody = InstanceType<Cannon['Body']>;

export async function createCannonBench(
  scene: BenchScene,
  bodies: Bodies,
  { solverIterations }: BenchOptions,
): Promise<BenchWorld> {
  const cannon = await loadCannon();
  const world = new cannon.World({ allowSleep: true });
  world.gravity.set(scene.gravity.x, scene.gravity.y, scene.gravity.z);
  world.broadphase = new cannon.SAPBroadphase(world);
  world.defaultContactMaterial.friction = FRICTION;
  world.defaultContactMaterial.restitution = 0;
  if (solverIterations !== undefined && world.solver instanceof cannon.GSSolver) {
    world.solver.iterations = solverIterations;
  }
  const physics = new CannonWorld(world, bodies);
  for (const { pose, half } of scene.statics) {
    const body = new cannon.Body({ type: cannon.Body.STATIC });
    body.addShape(new cannon.Box(new cannon.Vec3(half.x, half.y, half.z)));
    place(body, pose);
    world.addBody(body);
  }
  const ids = scene.bodies.map(({ shape, pose, canSleep, startsAsleep }) => {
    const body = bodyOf(cannon, shape, pose);
    body.allowSleep = canSleep;
    if (startsAsleep) body.sleep();
    return physics.add(body);
  });
  const { probe } = scene;
  const probeId = probe && physics.add(probeOf(cannon, probe));
  return {
    engineName: physics.engineName,
    ids,
    probeId,
    step: (dt) => physics.step(dt),
    drop(index, pose) {
      const id = ids[index];
      const body = id && physics.bodyOf(id);
      if (!id || !body) return;
      physics.teleport(id, pose);
      body.velocity.setZero();
      body.angularVelocity.setZero();
    },
    hashInto: (hash) => physics.hashInto(hash),
    free: () => physics.free(),
  };
}

function bodyOf(cannon: Cannon, shape: BenchShape, pose: BenchPose): CannonBody {
  const body = new cannon.Body({
    mass: DENSITY * volumeOf(shape),
    linearDamping: 0,
    angularDamping: 0,
  });
  body.addShape(
    shape.kind === 'ball'
      ? new cannon.Sphere(shape.radius)
      : new cannon.Box(new cannon.Vec3(shape.halfX, shape.halfY, shape.halfZ)),
  );
  place(body, pose);
  return body;
}

/** Kinematic: gravity cannot be switched off for a single body, and affects only dynamic ones. */
function probeOf(cannon: Cannon, { shape, pose, velocity }: BenchProbe): CannonBody {
  const body = bodyOf(cannon, shape, pose);
  body.type = cannon.Body.KINEMATIC;
  body.mass = 0;
  body.updateMassProperties();
  body.collisionFilterGroup = 0;
  body.collisionFilterMask = 0;
  body.allowSleep = false;
  body.velocity.set(velocity.x, velocity.y, velocity.z);
  return body;
}

function place(body: CannonBody, { x, y, z, qx, qy, qz, qw }: BenchPose): void {
  body.position.set(x, y, z);
  body.quaternion.set(qx, qy, qz, qw);
}
