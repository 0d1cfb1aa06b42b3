/**
 * A scene in Jolt. Its solver's defaults are kept: 10 iterations for velocities, 2 for positions.
 * Changed is what differs from the other engines: the density of shapes (1000) and the damping
 * (0.05). Friction of a pair is the geometric mean.
 */
import type JoltModule from 'jolt-physics/wasm-compat';
import type { Bodies } from '../../src/sim-worker/index.js';
import type { BenchPose, BenchScene, BenchShape } from '../scenes/index.js';
import { DENSITY, FRICTION, type BenchWorld } from './bench-world.js';
import { JOLT_LAYER, createJoltInterface, joltNameOf, loadJolt, type Jolt } from './jolt-module.js';
import { JoltWorld } from './jolt-world.js';

interface BodyPlan {
  readonly shape: BenchShape;
  readonly pose: BenchPose;
  readonly layer: number;
  readonly canSleep: boolean;
}

export async function createJoltBench(scene: BenchScene, bodies: Bodies): Promise<BenchWorld> {
  const { jolt, build } = await loadJolt();
  const maxBodies = scene.bodies.length + scene.statics.length + 1;
  const joltInterface = createJoltInterface(jolt, { maxBodies, gravity: scene.gravity });
  const system = joltInterface.GetPhysicsSystem();
  const bodyInterface = system.GetBodyInterface();
  const physics = new JoltWorld(jolt, joltInterface, bodies);
  for (const { pose, half } of scene.statics) {
    const shape = { kind: 'box', halfX: half.x, halfY: half.y, halfZ: half.z } as const;
    const plan = { shape, pose, layer: JOLT_LAYER.still, canSleep: true };
    const body = createBody(jolt, bodyInterface, plan);
    bodyInterface.AddBody(body.GetID(), jolt.EActivation_DontActivate);
  }
  const ids = scene.bodies.map(({ shape, pose, canSleep, startsAsleep }) => {
    const plan = { shape, pose, layer: JOLT_LAYER.moving, canSleep };
    const body = createBody(jolt, bodyInterface, plan);
    const { EActivation_Activate, EActivation_DontActivate } = jolt;
    bodyInterface.AddBody(
      body.GetID(),
      startsAsleep ? EActivation_DontActivate : EActivation_Activate,
    );
    return physics.add(body);
  });
  const still = new jolt.Vec3(0, 0, 0);
  // Bodies were added one by one, which leaves the trees of the broad phase unbalanced.
  system.OptimizeBroadPhase();
  return {
    engineName: joltNameOf(build),
    ids,
    step: (dt) => physics.step(dt),
    drop(index, pose) {
      const id = ids[index];
      const body = id && physics.bodyOf(id);
      if (!id || !body) return;
      physics.teleport(id, pose);
      bodyInterface.SetLinearAndAngularVelocity(body.GetID(), still, still);
    },
    hashInto: (hash) => physics.hashInto(hash),
    free() {
      jolt.destroy(still);
      physics.free();
    },
  };
}

/** Not in the world yet. Temporary objects are freed; the body keeps its shape. */
function createBody(
  jolt: Jolt,
  bodyInterface: JoltModule.BodyInterface,
  { shape, pose, layer, canSleep }: BodyPlan,
): JoltModule.Body {
  const joltShape = shapeOf(jolt, shape);
  const position = new jolt.RVec3(pose.x, pose.y, pose.z);
  const rotation = new jolt.Quat(pose.qx, pose.qy, pose.qz, pose.qw);
  const motion = layer === JOLT_LAYER.still ? jolt.EMotionType_Static : jolt.EMotionType_Dynamic;
  const settings = new jolt.BodyCreationSettings(joltShape, position, rotation, motion, layer);
  settings.mFriction = FRICTION;
  settings.mRestitution = 0;
  settings.mLinearDamping = 0;
  settings.mAngularDamping = 0;
  settings.mAllowSleeping = canSleep;
  const body = bodyInterface.CreateBody(settings);
  for (const own of [settings, position, rotation]) jolt.destroy(own);
  return body;
}

/** Owned only by the settings of the body: nothing else counts a reference. */
function shapeOf(jolt: Jolt, shape: BenchShape): JoltModule.Shape {
  if (shape.kind === 'ball') {
    const ball = new jolt.SphereShape(shape.radius);
    ball.SetDensity(DENSITY);
    return ball;
  }
  const half = new jolt.Vec3(shape.halfX, shape.halfY, shape.halfZ);
  const box = new jolt.BoxShape(half);
  box.SetDensity(DENSITY);
  jolt.destroy(half);
  return box;
}
