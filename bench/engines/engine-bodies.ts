/**
 * Tracks which of a simulation's bodies are an engine's, and which of those moved: for engines that
 * do not list active ones.
 */
import { slotOf, type BodyId } from '../../src/shared/index.js';
import type { Bodies, Pose } from '../../src/sim-worker/index.js';

export class EngineBodies<EngineBody> {
  readonly #bodies: Bodies;
  /** By slot. */
  readonly #engineBodies: (EngineBody | undefined)[] = [];
  /** By slot: the engine's body. */
  readonly #ids: Uint32Array;
  /** By slot: 1 when the body was awake after the last step. */
  readonly #wasAwake: Uint8Array;
  /** How many bodies were awake after the last step. */
  #awakeCount = 0;

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
    this.#ids = new Uint32Array(bodies.capacity);
    this.#wasAwake = new Uint8Array(bodies.capacity);
  }

  /** How many bodies were awake after the last {@link publish}, or were added awake since. */
  get awakeCount(): number {
    return this.#awakeCount;
  }

  /** Takes a slot. Throws like {@link Bodies.spawn}, without changing anything. */
  add(engineBody: EngineBody, pose: Pose, isAwake: boolean, isAsleep: boolean): BodyId {
    const id = this.#bodies.spawn(pose);
    const slot = slotOf(id);
    this.#engineBodies[slot] = engineBody;
    this.#ids[slot] = id;
    this.#wasAwake[slot] = isAwake ? 1 : 0;
    if (isAwake) this.#awakeCount += 1;
    if (isAsleep) this.#bodies.setAsleep(id, true);
    return id;
  }

  /** Frees the slot. Returns false when the body is not the engine's. */
  remove(id: BodyId): boolean {
    if (this.of(id) === undefined) return false;
    const slot = slotOf(id);
    this.#engineBodies[slot] = undefined;
    this.#awakeCount -= this.#wasAwake[slot] ?? 0;
    this.#wasAwake[slot] = 0;
    return this.#bodies.despawn(id);
  }

  of(id: BodyId): EngineBody | undefined {
    const slot = slotOf(id);
    return this.#ids[slot] === id ? this.#engineBodies[slot] : undefined;
  }

  idAt(slot: number): BodyId {
    return this.#ids[slot] as BodyId;
  }

  /** By slot, lowest first. */
  forEach(visit: (engineBody: EngineBody, id: BodyId) => void): void {
    const count = this.#engineBodies.length;
    for (let slot = 0; slot < count; slot++) {
      const engineBody = this.#engineBodies[slot];
      if (engineBody !== undefined) visit(engineBody, this.idAt(slot));
    }
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
    const count = this.#engineBodies.length;
    this.#awakeCount = 0;
    for (let slot = 0; slot < count; slot++) {
      const engineBody = this.#engineBodies[slot];
      if (engineBody === undefined) continue;
      const id = this.idAt(slot);
      const wasAwake = this.#wasAwake[slot] === 1;
      if (isAwake(engineBody)) {
        if (!wasAwake) this.#bodies.setAsleep(id, false);
        this.#wasAwake[slot] = 1;
        this.#awakeCount += 1;
        write(engineBody, id);
      } else if (wasAwake) {
        this.#wasAwake[slot] = 0;
        if (write(engineBody, id)) this.#bodies.setAsleep(id, true);
      }
    }
  }
}
