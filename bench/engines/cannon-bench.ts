/**
 * A scene in cannon-es. Its solver's defaults are kept: 10 iterations, tolerance 1e-7. The broad
 * phase is changed to sweep and prune: the default one compares all pairs. Its default damping of
 * 0.01 is switched off.
 */
import type { Bodies } from '../../src/sim-worker/index.js';
import type { BenchPose, BenchScene, BenchShape } from '../scenes/index.js';
import { DENSITY, FRICTION, volumeOf, type BenchWorld } from './bench-world.js';
import { loadCannon, type Cannon } from './cannon-module.js';
import { CannonWorld } from './cannon-world.js';

type CannonBody = InstanceType<Cannon['Body']>;

export async function createCannonBench(scene: BenchScene, bodies: Bodies): Promise<BenchWorld> {
  const cannon = await loadCannon();
  const world = new cannon.World({ allowSleep: true });
  world.gravity.set(scene.gravity.x, scene.gravity.y, scene.gravity.z);
  world.broadphase = new cannon.SAPBroadphase(world);
  world.defaultContactMaterial.friction = FRICTION;
  world.defaultContactMaterial.restitution = 0;
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
  return {
    engineName: physics.engineName,
    ids,
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

function place(body: CannonBody, { x, y, z, qx, qy, qz, qw }: BenchPose): void {
  body.position.set(x, y, z);
  body.quaternion.set(qx, qy, qz, qw);
}
