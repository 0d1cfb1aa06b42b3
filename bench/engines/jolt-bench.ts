/**
 * A scene in Jolt. Its solver's defaults are kept: 10 iterations for velocities, 2 for positions.
 * Changed is what differs from the other engines: the density of shapes (1000) and the damping
 * (0.05). Friction of a pair is the geometric mean.
 *
 * Calls into WebAssembly, per step: one for the step, one for the number of active bodies, and,
 * unless nothing is or was awake, one per body (`IsActive`) and one more per body awake, which
 * writes position and rotation to the engine's memory, from where they are read as numbers. Nothing
 * is allocated.
 *
 * An object that was made with `new` is freed with `destroy`. What a method returns is not freed: it
 * is part of something, or a place that the method reuses at its next call.
 */
import type JoltModule from 'jolt-physics/wasm-compat';
import type { BodyId } from '../../src/shared/index.js';
import type { Bodies } from '../../src/sim-worker/index.js';
import type { BenchPose, BenchScene, BenchShape } from '../scenes/index.js';
import { DENSITY, FRICTION, type BenchWorld } from './bench-world.js';
import { EngineBodies } from './engine-bodies.js';
import { JOLT_LAYER, createJoltInterface, joltNameOf, loadJolt, type Jolt } from './jolt-module.js';

type Body = JoltModule.Body;

export async function createJoltBench(scene: BenchScene, bodies: Bodies): Promise<BenchWorld> {
  const { jolt, build } = await loadJolt();
  const maxBodies = scene.bodies.length + scene.statics.length;
  const physics = createJoltInterface(jolt, { maxBodies, gravity: scene.gravity });
  const system = physics.GetPhysicsSystem();
  // Without locks: there is one thread.
  const bodyInterface = system.GetBodyInterfaceNoLock();
  const added = new EngineBodies<Body>(bodies);
  const addBody = (shape: BenchShape, pose: BenchPose, layer: number, isAwake: boolean): Body => {
    const body = createBody(jolt, bodyInterface, { shape, pose, layer });
    const { EActivation_Activate, EActivation_DontActivate } = jolt;
    bodyInterface.AddBody(body.GetID(), isAwake ? EActivation_Activate : EActivation_DontActivate);
    return body;
  };
  for (const { pose, half } of scene.statics) {
    const shape = { kind: 'box', halfX: half.x, halfY: half.y, halfZ: half.z } as const;
    addBody(shape, pose, JOLT_LAYER.still, false);
  }
  const ids = scene.bodies.map(({ shape, pose, canSleep, startsAsleep }) => {
    const body = addBody(shape, pose, JOLT_LAYER.moving, !startsAsleep);
    body.SetAllowSleeping(canSleep);
    return added.add(body, pose, !startsAsleep);
  });
  // Bodies were added one by one, which leaves the trees of the broad phase unbalanced.
  system.OptimizeBroadPhase();
  // Buffers in the engine's memory, for arguments and results.
  const [position, rotation] = [new jolt.RVec3(0, 0, 0), new jolt.Quat(0, 0, 0, 1)];
  const still = new jolt.Vec3(0, 0, 0);
  // Indices of the two in its 32-bit numbers.
  const [p, q] = [jolt.getPointer(position) >>> 2, jolt.getPointer(rotation) >>> 2];
  const heap: Float32Array = jolt.HEAPF32;
  const at = (index: number): number => heap[index] ?? Number.NaN;
  const isActive = (body: Body): boolean => body.IsActive();
  const write = (body: Body, id: BodyId): boolean => {
    bodyInterface.GetPositionAndRotation(body.GetID(), position, rotation);
    return bodies.setPose(id, at(p), at(p + 1), at(p + 2), at(q), at(q + 1), at(q + 2), at(q + 3));
  };
  return {
    engineName: joltNameOf(build),
    ids,
    step(dt) {
      physics.Step(dt, 1);
      const active = system.GetNumActiveBodies(jolt.EBodyType_RigidBody);
      if (active > 0 || !added.wereAllAsleep) added.publish(isActive, write);
    },
    drop(id, pose) {
      const body = added.teleport(id, pose);
      if (body === undefined) return;
      position.Set(pose.x, pose.y, pose.z);
      rotation.Set(pose.qx, pose.qy, pose.qz, pose.qw);
      const bodyId = body.GetID();
      bodyInterface.SetPositionAndRotation(bodyId, position, rotation, jolt.EActivation_Activate);
      bodyInterface.SetLinearAndAngularVelocity(bodyId, still, still);
    },
  };
}

interface BodyPlan {
  readonly shape: BenchShape;
  readonly pose: BenchPose;
  readonly layer: number;
}

/** Not in the world yet. Temporary objects are freed; the body keeps its shape. */
function createBody(
  jolt: Jolt,
  bodyInterface: JoltModule.BodyInterface,
  { shape, pose, layer }: BodyPlan,
): Body {
  const joltShape = shapeOf(jolt, shape);
  const position = new jolt.RVec3(pose.x, pose.y, pose.z);
  const rotation = new jolt.Quat(pose.qx, pose.qy, pose.qz, pose.qw);
  const motion = layer === JOLT_LAYER.still ? jolt.EMotionType_Static : jolt.EMotionType_Dynamic;
  const settings = new jolt.BodyCreationSettings(joltShape, position, rotation, motion, layer);
  settings.mFriction = FRICTION;
  settings.mRestitution = 0;
  settings.mLinearDamping = 0;
  settings.mAngularDamping = 0;
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
