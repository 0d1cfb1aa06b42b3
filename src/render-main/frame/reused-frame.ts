/** A sampler's only frame object: two states of a snapshot, read in place, and the position between them. */
import { samplePose, sampleMatrices, type StatePair } from './interpolation.js';
import {
  BODY_ASLEEP,
  IDENTITY_MASK,
  identityOf,
  slotOf,
  type BodyId,
} from '../../shared/memory/body-meta.js';
import type { SampledFrame } from '../api/sampled-frame.js';
import {
  BODY_LANES,
  LANE,
  SLOT_HEADER,
  STATE_HEADER,
  VELOCITY_LANE,
  type SlotViews,
} from '../../shared/memory/layout.js';
import type { TimelineFrame } from './timeline-frame.js';

const NO_FLOATS = new Float32Array(0);
const NO_INTEGERS = new Int32Array(0);

const noPair = (blend: number): StatePair => ({
  previous: NO_FLOATS,
  previousMeta: NO_INTEGERS,
  current: NO_FLOATS,
  currentMeta: NO_INTEGERS,
  blend,
});

export class ReusedFrame implements SampledFrame {
  readonly #pair = noPair(0);
  /** Both states are the newest one of the snapshot. */
  readonly #newest = noPair(1);
  hasState = false;
  alpha = 0;
  tick = 0;
  newestTick = 0;
  newestValues: Float32Array | undefined;
  /** Whether the run is paused: it shows the newest state. */
  isPaused = false;
  /** Where {@link place} writes, because the snapshot belongs to both threads. */
  readonly #placed = { poses: NO_FLOATS, meta: NO_INTEGERS };
  #spentMs = 0;
  /** Of the newest state. Undefined: velocities are not published. */
  #velocities: Float32Array | undefined;

  get blend(): number {
    return this.#pair.blend;
  }

  pose<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined {
    if (!this.hasState) return undefined;
    return samplePose(this.#pair, id, out) ? out : undefined;
  }

  newest<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined {
    if (!this.hasState) return undefined;
    return samplePose(this.#newest, id, out) ? out : undefined;
  }

  velocity<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined {
    const velocities = this.#velocities;
    const meta = this.#newestMeta(id);
    if (this.hasState && velocities === undefined) {
      throw new Error(
        'velocities are not published: connect with the option display: { velocities: true }',
      );
    }
    if (meta === undefined || velocities === undefined) return undefined;
    const at = slotOf(id) * BODY_LANES;
    out[0] = velocities[at + VELOCITY_LANE.x] as number;
    out[1] = velocities[at + VELOCITY_LANE.y] as number;
    out[2] = velocities[at + VELOCITY_LANE.z] as number;
    out[3] = velocities[at + VELOCITY_LANE.wx] as number;
    out[4] = velocities[at + VELOCITY_LANE.wy] as number;
    out[5] = velocities[at + VELOCITY_LANE.wz] as number;
    return out;
  }

  isAsleep(id: BodyId): boolean | undefined {
    const meta = this.#newestMeta(id);
    return meta === undefined ? undefined : (meta & BODY_ASLEEP) !== 0;
  }

  /** Undefined: the body does not live in the newest state. */
  #newestMeta(id: BodyId): number | undefined {
    if (!this.hasState) return undefined;
    const meta = this.#newest.currentMeta[slotOf(id) * BODY_LANES + LANE.meta] ?? 0;
    return (meta & IDENTITY_MASK) === identityOf(id) ? meta : undefined;
  }

  writeMatrices(ids: Uint32Array, scales: Float32Array, count: number, out: Float32Array): number {
    if (!this.hasState) {
      out.fill(0, 0, count * 16);
      return 0;
    }
    const startMs = performance.now();
    const alive = sampleMatrices(this.#pair, ids, scales, count, out);
    this.#spentMs += performance.now() - startMs;
    return alive;
  }

  /** Shows a body elsewhere, in this frame alone. While paused: both states are the same. */
  place(id: BodyId, pose: Float64Array): void {
    const pair = this.#pair;
    const placed = this.#placed;
    if (pair.current !== placed.poses) {
      if (placed.poses.length !== pair.current.length) {
        placed.poses = new Float32Array(pair.current.length);
        placed.meta = new Int32Array(placed.poses.buffer);
      }
      // As integers: floats would lose the bits of the others.
      placed.meta.set(pair.currentMeta);
      pair.previous = pair.current = placed.poses;
      pair.previousMeta = pair.currentMeta = placed.meta;
    }
    const at = slotOf(id) * BODY_LANES;
    for (let lane = 0; lane < 3; lane++) placed.poses[at + lane] = pose[lane] as number;
    for (let lane = 3; lane < 7; lane++) placed.poses[at + lane + 1] = pose[lane] as number;
  }

  /**
   * Called by the sampler with the states of this frame.
   *
   * @param blend As {@link blend}: from 0, the earlier state, to 1, the later one, or above.
   */
  set(slot: SlotViews, placed: TimelineFrame, blend = placed.blend): void {
    const pair = this.#pair;
    pair.previous = slot.poses[placed.previous] ?? NO_FLOATS;
    pair.previousMeta = slot.metas[placed.previous] ?? NO_INTEGERS;
    pair.current = slot.poses[placed.current] ?? NO_FLOATS;
    pair.currentMeta = slot.metas[placed.current] ?? NO_INTEGERS;
    pair.blend = blend;
    const newest = this.#newest;
    const index = (slot.header[SLOT_HEADER.newestState] ?? 0) % slot.poses.length;
    newest.previous = newest.current = slot.poses[index] ?? NO_FLOATS;
    newest.previousMeta = newest.currentMeta = slot.metas[index] ?? NO_INTEGERS;
    this.#velocities = slot.velocities[index];
    this.newestValues = placed.hasState ? slot.values : undefined;
    this.newestTick = slot.header[SLOT_HEADER.newestTick] ?? 0;
    this.hasState = placed.hasState;
    this.isPaused = placed.paused;
    this.alpha = placed.alpha;
    this.tick = slot.stateHeaders[placed.current]?.[STATE_HEADER.tick] ?? 0;
  }

  /** Called by the sampler: time spent in kernels since the last call, in ms. */
  takeSpentMs(): number {
    const spentMs = this.#spentMs;
    this.#spentMs = 0;
    return spentMs;
  }
}
