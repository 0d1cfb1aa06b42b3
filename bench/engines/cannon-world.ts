/**
 * A scene in cannon-es, which is plain JavaScript: reading a body is reading its fields.
 *
 * - `step(dt)` with one argument is exactly one step. `fixedStep` and `step(dt, elapsed)` read the clock.
 * - Nothing sleeps unless the world's `allowSleep` is set.
 * - The default collision matrix has an entry for each pair that is cleared in every step: it grows with the square of the bodies.
 */
import type { Body, World } from 'cannon-es';
import type { BodyId } from '../../src/shared/index.js';
import type { Bodies, Pose } from '../../src/sim-worker/index.js';
import type { BenchPose, BenchScene, BenchShape } from '../scenes/index.js';
import { DENSITY, FRICTION, volumeOf, type BenchWorld } from './bench-world.js';
import { EngineBodies } from './engine-bodies.js';

/** The engine's module, as `import * as` gives it. */
export type Cannon = typeof import('cannon-es');

/** The module itself does not report its version. */
const CANNON_NAME = 'cannon-es 0.20.0';

// The engine's numbers for these; importing its own constants would load it.
const STATIC: Body['type'] = 2;
const SLEEPING: Body['sleepState'] = 2;

export const loadCannon = (): Promise<Cannon> => import('cannon-es');

/** A world of cannon-es whose bodies are bodies of the snapshot. */
export class CannonWorld {
  readonly #world: World;
  readonly #added: EngineBodies<Body>;
  // One function for all steps: nothing is allocated for a tick.
  readonly #write: (body: Body, id: BodyId) => boolean;

  constructor(world: World, bodies: Bodies) {
    this.#world = world;
    this.#added = new EngineBodies(bodies);
    this.#write = ({ position: p, quaternion: q }, id) =>
      bodies.setPose(id, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
  }

  /** Publishes a body from now on. */
  add(body: Body): BodyId {
    const { position: p, quaternion: q } = body;
    this.#world.addBody(body);
    const pose = { x: p.x, y: p.y, z: p.z, qx: q.x, qy: q.y, qz: q.z, qw: q.w };
    return this.#added.add(body, pose, isAwake(body));
  }

  /** Wakes the body up; its velocity stays as it was. */
  teleport(id: BodyId, pose: Pose): Body | undefined {
    const body = this.#added.teleport(id, pose);
    if (body === undefined) return undefined;
    place(body, pose);
    // Besides the pose, the engine keeps what follows from it.
    body.previousPosition.copy(body.position);
    body.previousQuaternion.copy(body.quaternion);
    body.interpolatedPosition.copy(body.position);
    body.interpolatedQuaternion.copy(body.quaternion);
    body.aabbNeedsUpdate = true;
    body.updateInertiaWorld(true);
    body.wakeUp();
    return body;
  }

  step(dt: number): void {
    this.#world.step(dt);
    this.#added.publish(isAwake, this.#write);
  }
}

const isAwake = (body: Body): boolean => body.type !== STATIC && body.sleepState !== SLEEPING;

/**
 * The solver's defaults are kept: 10 iterations, tolerance 1e-7. The broad phase is changed to sweep and prune: the default one
 * compares all pairs.
 */
export async function createCannonBench(scene: BenchScene, bodies: Bodies): Promise<BenchWorld> {
  const cannon = await loadCannon();
  const world = new cannon.World({ allowSleep: true });
  world.broadphase = new cannon.SAPBroadphase(world);
  world.defaultContactMaterial.friction = FRICTION;
  world.defaultContactMaterial.restitution = 0;
  const physics = new CannonWorld(world, bodies);
  const ids = fillCannonWorld(cannon, world, physics, scene);
  return {
    engineName: CANNON_NAME,
    ids,
    step: (dt) => physics.step(dt),
    drop(id, pose) {
      const body = physics.teleport(id, pose);
      body?.velocity.setZero();
      body?.angularVelocity.setZero();
    },
  };
}

/** Creates the bodies of a scene, with its gravity. @returns Those that move, in its order. */
export function fillCannonWorld(
  cannon: Cannon,
  world: World,
  physics: CannonWorld,
  { gravity, statics, bodies }: BenchScene,
): BodyId[] {
  world.gravity.set(gravity.x, gravity.y, gravity.z);
  for (const { pose, half } of statics) {
    const body = new cannon.Body({ type: cannon.Body.STATIC });
    body.addShape(new cannon.Box(new cannon.Vec3(half.x, half.y, half.z)));
    place(body, pose);
    world.addBody(body);
  }
  return bodies.map(({ shape, pose, canSleep, startsAsleep }) => {
    // Damped by 0.01 by default.
    const undamped = { linearDamping: 0, angularDamping: 0 };
    const body = new cannon.Body({ mass: DENSITY * volumeOf(shape), ...undamped });
    body.addShape(shapeOf(cannon, shape));
    place(body, pose);
    body.allowSleep = canSleep;
    if (startsAsleep) body.sleep();
    return physics.add(body);
  });
}

const shapeOf = (cannon: Cannon, shape: BenchShape) =>
  shape.kind === 'ball'
    ? new cannon.Sphere(shape.radius)
    : new cannon.Box(new cannon.Vec3(shape.halfX, shape.halfY, shape.halfZ));

function place(body: Body, { x, y, z, qx, qy, qz, qw }: BenchPose): void {
  body.position.set(x, y, z);
  body.quaternion.set(qx, qy, qz, qw);
}
