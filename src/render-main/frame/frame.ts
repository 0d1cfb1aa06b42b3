/** The frame to draw. */
import {
  blendValues,
  samplePose,
  sampleMatrices,
  type StatePair,
  type ValuePair,
} from './interpolation.js';
import {
  BODY_ASLEEP,
  IDENTITY_MASK,
  identityOf,
  slotOf,
  type BodyId,
} from '../../shared/memory/body-meta.js';
import {
  BODY_LANES,
  LANE,
  SLOT_HEADER,
  STATE_HEADER,
  VELOCITY_LANE,
  type SlotViews,
} from '../../shared/memory/layout.js';
import { requireValues } from '../../shared/util/validate.js';

/**
 * A sampled frame. Valid until the next call of `sample`: it reads the snapshot in place, and the handle reuses a
 * single frame object.
 */
export interface SampledFrame {
  /** False until the first state has arrived: nothing is drawn until then. */
  readonly hasState: boolean;
  /** Position of the frame between its two states, in [0, 1]. */
  readonly alpha: number;
  /** Tick of the later of the two states. */
  readonly tick: number;
  /** Tick of the newest state that had arrived when the frame was sampled: that of {@link newest}. */
  readonly newestTick: number;
  /** The blend for the kernels: from 0, the earlier state, to 1, the later one; above 1 extrapolates. */
  readonly blend: number;
  /**
   * The sampled pose of one body: for cameras, lights, sounds and single objects. It is what the frame shows.
   *
   * @param out Receives x y z qx qy qz qw; at least seven numbers.
   * @returns `out`, or undefined when the body does not live at this time.
   */
  pose<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined;
  /**
   * The pose of one body in the newest state that had arrived when the frame was sampled: for decisions, such as whether
   * a door is open, and for what is sent elsewhere. It is ahead of what the frame shows, by the delay
   * (`stats().delayMs`), and moves once per tick instead of once per frame. Draw with {@link pose} instead: an object
   * drawn from the newest state stutters, and is ahead of all others.
   *
   * @param out Receives x y z qx qy qz qw; at least seven numbers.
   * @returns `out`, or undefined when the body does not live in that state. A body may live there before it is shown, and
   *   be gone there while it still is.
   */
  newest<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined;
  /**
   * The velocity of one body in the newest state that had arrived when the frame was sampled, which is ahead of what the
   * frame shows: for sounds, trails and decisions. Needs the option `display.velocities`.
   *
   * @param out Receives x y z, in metres (or the simulation's own unit) per second, and wx wy wz, in radians per second;
   *   at least six numbers.
   * @returns `out`, or undefined when the body does not live in that state.
   * @throws Error if velocities are not published.
   */
  velocity<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined;
  /**
   * Whether the engine had put a body to sleep, in the newest state that had arrived when the frame was sampled.
   *
   * @returns Undefined when the body does not live in that state.
   */
  isAsleep(id: BodyId): boolean | undefined;
  /**
   * The simulation's own values in the newest state that had arrived when the frame was sampled, as they were in the
   * worker's `context.values` when it was published: for decisions, scores and texts. They are ahead of what the frame
   * shows, and change once per tick; draw with {@link writeValues} instead. For reading only, and valid until the next
   * call of `sample`. As many as the option `display.values` says.
   *
   * Undefined until the first state has arrived.
   */
  readonly newestValues: Float32Array | undefined;
  /**
   * Writes the simulation's own values as the frame shows them: those of the worker's `context.values` in the frame's two
   * states, blended as poses are. For what is drawn, such as the points of a rope, the bones of a figure, or a needle.
   * Values that the simulation has cut (`context.cutValues`) are not blended. No allocation.
   *
   * @param out Receives them from its beginning, such as the array of a `BufferAttribute`; not shared.
   * @param start Index of the first value. Default 0.
   * @param count How many. Default: as many as `out` has room for.
   * @returns `out`, or undefined until the first state has arrived: `out` is then left unchanged.
   * @throws RangeError if a state does not have these values, or `out` no room for them.
   */
  writeValues(out: Float32Array, start?: number, count?: number): Float32Array | undefined;
  /**
   * Writes the sampled poses of many bodies as column-major 4×4 matrices. No allocation.
   *
   * @param ids Body of each matrix; one that does not live at this time gets a matrix of zeros.
   * @param scales Three factors per body.
   * @param count How many to write.
   * @param out At least 16 × count numbers, not shared.
   * @returns How many of them live.
   */
  writeMatrices(ids: Uint32Array, scales: Float32Array, count: number, out: Float32Array): number;
}

const NO_FLOATS = new Float32Array(0);
const NO_INTEGERS = new Int32Array(0);

const noPair = (blend: number): StatePair => ({
  previous: NO_FLOATS,
  previousMeta: NO_INTEGERS,
  current: NO_FLOATS,
  currentMeta: NO_INTEGERS,
  blend,
});

/** A frame's place between two states, and the states, read in place in a snapshot. A sampler reuses one frame. */
export class Frame implements SampledFrame {
  // Set by the timeline.
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
  /** Whether it follows the schedule: it is not paused, and does not wait for the first states after a start, cut or pause. */
  following = false;

  // Read from the snapshot.
  tick = 0;
  newestTick = 0;
  newestValues: Float32Array | undefined;
  readonly #pair = noPair(0);
  /** Both states are the newest one of the snapshot. */
  readonly #newest = noPair(1);
  readonly #values: ValuePair = {
    previous: NO_FLOATS,
    current: NO_FLOATS,
    words: NO_INTEGERS,
    blend: 0,
  };
  /** A copy of a state for {@link place}, which must not write into the snapshot: both threads read it. */
  readonly #placed = { poses: NO_FLOATS, meta: NO_INTEGERS };
  #spentMs = 0;
  /** Velocities in the newest state; undefined if they are not published. */
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

  /** The integer lane of a body in the newest state; undefined if it does not live there. */
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

  writeValues(out: Float32Array, start = 0, count = out.length): Float32Array | undefined {
    if (!this.hasState) return undefined;
    requireValues(start, count, this.#values.current.length);
    if (count > out.length) {
      throw new RangeError(`${count} values do not fit into an array of ${out.length}`);
    }
    const startMs = performance.now();
    blendValues(this.#values, start, count, out);
    this.#spentMs += performance.now() - startMs;
    return out;
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
      // Copied as integers: as floats, a NaN among the integer lanes could lose bits.
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
    this.newestValues = this.hasState ? slot.values[index] : undefined;
    const values = this.#values;
    values.previous = slot.values[this.previous] ?? NO_FLOATS;
    values.current = slot.values[this.current] ?? NO_FLOATS;
    values.words = slot.valueWords[this.current] ?? NO_INTEGERS;
    values.blend = this.blend;
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
