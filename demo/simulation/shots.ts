/** Balls that visitors shoot. */
import type { BodyId, Json } from '../../src/shared/index.js';
import type { Rapier, RapierWorld } from '../../src/rapier/rapier.js';
import type { BodyLook, Vector } from '../contract/scene-contract.js';
import { COLOR } from './palette.js';
import type { SceneEvents } from './scene-events.js';
import { ball, colliderOf } from './shapes.js';

const RADIUS = 0.32;
/** t/m³. */
const DENSITY = 5;
/** m/s. */
const SPEED = 32;
const MAX_SHOTS = 40;
const PARTS = [ball(RADIUS, COLOR.ink)] as const;

export class Shots {
  readonly #rapier: Rapier;
  readonly #physics: RapierWorld;
  readonly #events: SceneEvents;
  /** Oldest first. */
  readonly #balls: BodyId[] = [];

  constructor(rapier: Rapier, physics: RapierWorld, events: SceneEvents) {
    this.#rapier = rapier;
    this.#physics = physics;
    this.#events = events;
  }

  /**
   * Shoots a ball. The oldest one goes when there would be too many.
   *
   * @param direction A unit vector.
   * @throws CapacityExceededError when there is no slot left.
   */
  shoot(origin: Vector, direction: Vector): BodyLook {
    const { RigidBodyDesc } = this.#rapier;
    const { world } = this.#physics;
    if (this.#balls.length >= MAX_SHOTS) this.#removeOldest();
    const rigidBody = world.createRigidBody(
      RigidBodyDesc.dynamic()
        .setTranslation(...origin)
        .setLinvel(direction[0] * SPEED, direction[1] * SPEED, direction[2] * SPEED)
        .setCcdEnabled(true),
    );
    world.createCollider(
      colliderOf(this.#rapier, PARTS[0]).setDensity(DENSITY).setRestitution(0.3),
      rigidBody,
    );
    this.#events.watchHits(rigidBody);
    try {
      const id = this.#physics.add(rigidBody);
      this.#balls.push(id);
      return { id, parts: PARTS };
    } catch (error) {
      world.removeRigidBody(rigidBody);
      throw error;
    }
  }

  /** The current balls. */
  describe(): BodyLook[] {
    return this.#balls
      .filter((id) => this.#physics.rigidBodyOf(id) !== undefined)
      .map((id) => ({ id, parts: PARTS }));
  }

  save(): Json {
    return this.#balls;
  }

  restore(saved: Json): void {
    this.#balls.splice(0, this.#balls.length, ...(saved as readonly BodyId[]));
    // The scene's own bodies are watched already, since it was built.
    for (const id of this.#balls) {
      const rigidBody = this.#physics.rigidBodyOf(id);
      if (rigidBody !== undefined) this.#events.rewatchHits(rigidBody);
    }
  }

  #removeOldest(): void {
    const oldest = this.#balls.shift();
    if (oldest !== undefined) this.#physics.remove(oldest);
  }
}
