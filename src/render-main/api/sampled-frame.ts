/** The frame to draw. */
import type { BodyId } from '../../shared/memory/body-meta.js';

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
   * The simulation's own values, as they stood in the worker's `context.values` when the newest state that had arrived
   * was published: scores, gauges, or distances that are shown on every frame. For reading only, and valid until the
   * next call of `sample`. As many as the option `display.values` says.
   *
   * Undefined until the first state has arrived.
   */
  readonly newestValues: Float32Array | undefined;
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
