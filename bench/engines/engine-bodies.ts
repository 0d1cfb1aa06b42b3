/** Publishes the bodies of an engine that does not list active ones. */
import type { BodyId } from '../../src/shared/index.js';
import type { Bodies, Pose } from '../../src/sim-worker/index.js';

export class EngineBodies<EngineBody> {
  readonly #bodies: Bodies;
  /** In the order in which they were added. */
  readonly #engineBodies: EngineBody[] = [];
  readonly #ids: BodyId[] = [];
  readonly #wasAwake: boolean[] = [];

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
  }

  /** Whether all slept after the last step. */
  get wereAllAsleep(): boolean {
    return !this.#wasAwake.includes(true);
  }

  /** @throws CapacityExceededError if there is no room. */
  add(engineBody: EngineBody, pose: Pose, isAwake: boolean): BodyId {
    const id = this.#bodies.spawn(pose);
    this.#engineBodies.push(engineBody);
    this.#ids.push(id);
    this.#wasAwake.push(isAwake);
    if (!isAwake) this.#bodies.setAsleep(id, true);
    return id;
  }

  /** The display snaps to the pose. @returns The engine's body, which the caller moves. */
  teleport(id: BodyId, pose: Pose): EngineBody | undefined {
    this.#bodies.teleport(id, pose);
    return this.#engineBodies[this.#ids.indexOf(id)];
  }

  /**
   * Publishes what is awake, and what has just fallen asleep one more time.
   *
   * @param write Writes the pose; returns false when that was refused.
   */
  publish(
    isAwake: (engineBody: EngineBody) => boolean,
    write: (engineBody: EngineBody, id: BodyId) => boolean,
  ): void {
    for (let index = 0; index < this.#ids.length; index++) {
      const engineBody = this.#engineBodies[index] as EngineBody;
      const id = this.#ids[index] as BodyId;
      const wasAwake = this.#wasAwake[index];
      if (isAwake(engineBody)) {
        if (!wasAwake) this.#bodies.setAsleep(id, false);
        this.#wasAwake[index] = true;
        write(engineBody, id);
      } else if (wasAwake) {
        this.#wasAwake[index] = false;
        if (write(engineBody, id)) this.#bodies.setAsleep(id, true);
      }
    }
  }
}
