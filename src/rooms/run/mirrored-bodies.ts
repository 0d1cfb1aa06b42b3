/** Bodies that another run has: a client's simulation shows them as they are there, with the same ids. */
import {
  BODY_ALIVE,
  BODY_ASLEEP,
  bodyId,
  CONTINUITY_MASK,
  GENERATION_MASK,
  slotOf,
  type BodyId,
} from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';
import type { BodyTagEntry } from '../shared/room-messages.js';
import type { Json } from '../../shared/util/json.js';
import type { Bodies } from '../../sim-worker/api/bodies.js';
import { registryOf, type BodyRegistry } from '../../sim-worker/bodies/body-registry.js';
import { NO_TAG, tagOf, type BodyTag } from '../../sim-worker/bodies/body-tag.js';

export class MirroredBodies {
  readonly #bodies: Bodies;
  readonly #tags: BodyTag[] = [];
  /** Where the other run's bodies are written: the same memory, as floats and as integers. */
  readonly poses: Float32Array<ArrayBuffer>;
  readonly metas: Int32Array<ArrayBuffer>;

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
    this.poses = new Float32Array(bodies.capacity * BODY_LANES);
    this.metas = new Int32Array(this.poses.buffer);
  }

  /** @throws SyntaxError, TypeError, RangeError if a tag is none. */
  setTags(tags: readonly BodyTagEntry[]): void {
    for (const { slot, tag } of tags) this.#tags[slot] = tagOf(JSON.parse(tag) as Json);
  }

  /** Takes tags from the bodies of a run in this thread. */
  setTagsOf(bodies: BodyRegistry, ids: readonly BodyId[]): void {
    for (const id of ids) this.#tags[slotOf(id)] = bodies.tagOf(id) ?? NO_TAG;
  }

  /** Shows what is in {@link poses}. @param bodyLimit Bodies from this index on have never been used. */
  show(bodyLimit: number): void {
    if (this.#hasOtherBodies(bodyLimit)) {
      this.#replace(bodyLimit);
      return;
    }
    const { lanes } = registryOf(this.#bodies);
    const { poses, metas } = this;
    for (let slot = 0; slot < bodyLimit; slot++) {
      const at = slot * BODY_LANES;
      const meta = metas[at + LANE.meta] ?? 0;
      if ((meta & BODY_ALIVE) === 0 || isEqual(lanes, metas, at)) continue;
      const id = bodyId(slot, meta & GENERATION_MASK);
      this.#bodies.setPose(
        id,
        poses[at + LANE.x] ?? 0,
        poses[at + LANE.y] ?? 0,
        poses[at + LANE.z] ?? 0,
        poses[at + LANE.qx] ?? 0,
        poses[at + LANE.qy] ?? 0,
        poses[at + LANE.qz] ?? 0,
        poses[at + LANE.qw] ?? 0,
      );
      this.#bodies.setAsleep(id, (meta & BODY_ASLEEP) !== 0);
    }
  }

  /** Whether a body has come, gone, or been teleported. */
  #hasOtherBodies(bodyLimit: number): boolean {
    const { lanes, bodyLimit: before } = registryOf(this.#bodies);
    if (bodyLimit > before) return true;
    for (let at = LANE.meta; at < bodyLimit * BODY_LANES; at += BODY_LANES) {
      if ((((lanes[at] ?? 0) ^ (this.metas[at] ?? 0)) & CONTINUITY_MASK) !== 0) return true;
    }
    return false;
  }

  #replace(nextSlot: number): void {
    const { capacity, generation } = registryOf(this.#bodies);
    const lanes = this.metas.slice(0, nextSlot * BODY_LANES);
    const free: number[] = [];
    for (let slot = nextSlot - 1; slot >= 0; slot--) {
      if (((lanes[slot * BODY_LANES + LANE.meta] ?? 0) & BODY_ALIVE) === 0) free.push(slot);
    }
    registryOf(this.#bodies).restore({
      capacity,
      nextSlot,
      bodyCount: nextSlot - free.length,
      generation,
      lanes,
      free: Int32Array.from(free),
      tags: Array.from({ length: nextSlot }, (_, slot) => this.#tags[slot] ?? NO_TAG),
      velocities: undefined,
    });
  }
}

function isEqual(a: Int32Array, b: Int32Array, at: number): boolean {
  for (let lane = at; lane < at + BODY_LANES; lane++) if (a[lane] !== b[lane]) return false;
  return true;
}
