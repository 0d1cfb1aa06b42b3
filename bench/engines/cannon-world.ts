/**
 * Connects a cannon-es world with the bodies of a simulation: stepping it here also publishes the
 * poses.
 *
 * The engine is JavaScript in 64-bit numbers: reading a body is reading its fields, there is no
 * boundary to cross and nothing to free. Per body and step, the adapter reads `type` and
 * `sleepState`, and copies the pose of those awake.
 *
 * Facts about cannon-es 0.20:
 * - `step(dt)` with one argument is exactly one step. `fixedStep` and `step(dt, elapsed)` read the
 *   clock.
 * - Nothing sleeps unless the world's `allowSleep` is set. Removing a body does not wake what
 *   rested on it.
 * - `removeBody` walks through all bodies.
 * - The default broad phase compares all pairs, and the default collision matrix has an entry for
 *   each pair that is cleared in every step: both grow with the square of the bodies.
 * - A NaN spreads within one step to all that is connected by contacts, also through the ground:
 *   the whole world on it becomes invalid immediately. Nothing throws.
 */
import type { Body, World } from 'cannon-es';
import type { BodyId, StateHash } from '../../src/shared/index.js';
import type { Bodies, Pose } from '../../src/sim-worker/index.js';
import { CANNON_NAME } from './cannon-module.js';
import { EngineBodies } from './engine-bodies.js';

// The engine's numbers for these; importing its own constants would load it.
const STATIC: Body['type'] = 2;
const SLEEPING: Body['sleepState'] = 2;

/** A world of cannon-es whose bodies are bodies of the snapshot. */
export class CannonWorld {
  /** The engine's own world. */
  readonly world: World;
  /** Where their poses are written to. */
  readonly bodies: Bodies;
  /** Name and version: other engines and versions give other results. */
  readonly engineName = CANNON_NAME;
  readonly #added: EngineBodies<Body>;
  readonly #known = new Set<Body>();
  // One function for all steps: nothing is allocated for a tick.
  readonly #write = (body: Body, id: BodyId): boolean => {
    const { position: p, quaternion: q } = body;
    return this.bodies.setPose(id, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
  };

  /**
   * @param world Owned by this object from now on.
   * @param bodies The simulation's bodies. Bodies of other engines may be among them.
   */
  constructor(world: World, bodies: Bodies) {
    this.world = world;
    this.bodies = bodies;
    this.#added = new EngineBodies(bodies);
  }

  /**
   * Publishes a body from now on, and adds it to the world if it is in none. A body that is never
   * added here, such as the ground, takes part in the simulation but is not published.
   *
   * @throws CapacityExceededError when all bodies of the snapshot are in use.
   * @throws RangeError if it was added before, is in another world, or if a number of its pose is
   * NaN or infinite.
   */
  add(body: Body): BodyId {
    if (this.#known.has(body)) throw new RangeError('the body was added before');
    if (body.world !== null && body.world !== this.world) {
      throw new RangeError('the body belongs to another world');
    }
    const { position: p, quaternion: q } = body;
    const pose = { x: p.x, y: p.y, z: p.z, qx: q.x, qy: q.y, qz: q.z, qw: q.w };
    const id = this.#added.add(body, pose, isAwake(body), body.sleepState === SLEEPING);
    this.#known.add(body);
    if (body.world === null) this.world.addBody(body);
    return id;
  }

  /** Frees the slots. No other method may be called afterwards. */
  free(): void {
    this.#added.forEach((_body, id) => this.#added.remove(id));
    this.#known.clear();
  }

  /** The engine's body with an id; undefined when it is gone or another engine's. */
  bodyOf(id: BodyId): Body | undefined {
    return this.#added.of(id);
  }

  /**
   * Moves a body to another place; the display snaps to it. Its velocity stays as it was, and it
   * wakes up.
   *
   * @returns False when the body is not one of this world's, or when a number is NaN or infinite:
   * it then
   *   stays where it is.
   */
  teleport(id: BodyId, pose: Pose): boolean {
    const body = this.bodyOf(id);
    if (body === undefined || !this.bodies.teleport(id, pose)) return false;
    moveTo(body, pose);
    body.wakeUp();
    return true;
  }

  /**
   * Advances the world by one step and publishes the poses of the bodies that are awake.
   *
   * A pose with NaN or an infinite number is refused and counted by the bodies; the others
   * continue.
   *
   * @param dt Simulated seconds.
   */
  step(dt: number): void {
    this.world.step(dt);
    this.#added.publish(isAwake, this.#write);
  }

  /**
   * Adds the velocities of all bodies, by slot, to a hash of the state, in 64 bits. Poses are the
   * registry's.
   */
  hashInto(hash: StateHash): void {
    this.#added.forEach(({ velocity: v, angularVelocity: w }) => {
      hash.addNumber(v.x);
      hash.addNumber(v.y);
      hash.addNumber(v.z);
      hash.addNumber(w.x);
      hash.addNumber(w.y);
      hash.addNumber(w.z);
    });
  }
}

function isAwake(body: Body): boolean {
  return body.type !== STATIC && body.sleepState !== SLEEPING;
}

/**
 * Besides the pose, the engine keeps the previous one, bounding boxes and the inertia about the
 * world's axes.
 */
function moveTo(body: Body, { x, y, z, qx, qy, qz, qw }: Pose): void {
  body.position.set(x, y, z);
  body.quaternion.set(qx, qy, qz, qw);
  body.previousPosition.copy(body.position);
  body.previousQuaternion.copy(body.quaternion);
  body.interpolatedPosition.copy(body.position);
  body.interpolatedQuaternion.copy(body.quaternion);
  body.aabbNeedsUpdate = true;
  body.updateInertiaWorld(true);
}
