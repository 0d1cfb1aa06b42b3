/** A frame: where the timeline places it, and two states of a snapshot, read in place. A sampler reuses one. */
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

const NO_FLOATS = new Float32Array(0);
const NO_INTEGERS = new Int32Array(0);

const noPair = (blend: number): StatePair => ({
  previous: NO_FLOATS,
  previousMeta: NO_INTEGERS,
  current: NO_FLOATS,
  currentMeta: NO_INTEGERS,
  blend,
});

export class Frame implements SampledFrame {
  // Where the timeline places it.
  hasState = false;
  /** Indices of the two states in the slot's ring. */
  previous = 0;
  current = 0;
  /** Overstep / period, in [0, 1]. */
  alpha = 0;
  /** The kernels' blend: alpha, but 1 in mode `none`, and above 1 beyond the newest state. */
  blend = 0;
  /** Virtual time shown, in ms. */
  shownVirtualMs = Number.NaN;
  /** Frame time minus the page time that is shown, in ms: its change is the animation error. */
  lagMs = Number.NaN;
  delayMs = 0;
  marginMs = 0;
  /** No state at or after the target. */
  starved = false;
  /** The target was reset: drawn time jumped. */
  reset = false;
  /** Whether the run is paused: it shows the newest state. */
  paused = true;
  /** It follows the schedule: it is not paused, and does not wait for the first states after a start, cut or pause. */
  following = false;

  // What it shows.
  tick = 0;
  newestTick = 0;
  newestValues: Float32Array | undefined;
  readonly #pair = noPair(0);
  /** Both states are the newest one of the snapshot. */
  readonly #newest = noPair(1);
  /** Where {@link place} writes, because the snapshot belongs to both threads. */
  readonly #placed = { poses: NO_FLOATS, meta: NO_INTEGERS };
  #spentMs = 0;
  /** Of the newest state. Undefined: velocities are not published. */
  #velocities: Float32Array | undefined;

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

  /** Called by the sampler with the snapshot in which the timeline has placed it. */
  show(slot: SlotViews): void {
    const pair = this.#pair;
    pair.previous = slot.poses[this.previous] ?? NO_FLOATS;
    pair.previousMeta = slot.metas[this.previous] ?? NO_INTEGERS;
    pair.current = slot.poses[this.current] ?? NO_FLOATS;
    pair.currentMeta = slot.metas[this.current] ?? NO_INTEGERS;
    pair.blend = this.blend;
    const newest = this.#newest;
    const index = (slot.header[SLOT_HEADER.newestState] ?? 0) % slot.poses.length;
    newest.previous = newest.current = slot.poses[index] ?? NO_FLOATS;
    newest.previousMeta = newest.currentMeta = slot.metas[index] ?? NO_INTEGERS;
    this.#velocities = slot.velocities[index];
    this.newestValues = this.hasState ? slot.values : undefined;
    this.newestTick = slot.header[SLOT_HEADER.newestTick] ?? 0;
    this.tick = slot.stateHeaders[this.current]?.[STATE_HEADER.tick] ?? 0;
  }

  /** Shows the later state of another frame. */
  showLater(slot: SlotViews, { hasState, current, alpha, paused }: Frame): void {
    this.hasState = hasState;
    this.previous = this.current = current;
    this.alpha = alpha;
    this.blend = 1;
    this.paused = paused;
    this.show(slot);
  }

  /** Called by the sampler: time spent in kernels since the last call, in ms. */
  takeSpentMs(): number {
    const spentMs = this.#spentMs;
    this.#spentMs = 0;
    return spentMs;
  }
}
