/** A frame, as it is drawn. */
import type { BodyId } from '../../shared/memory/body-meta.js';

/**
 * Valid until the next call of `sample`: the frame reads the snapshot in place, and the handle reuses one
 * frame object for ever.
 */
export interface SampledFrame {
  /** False until the first state has arrived: nothing is drawn then. */
  readonly hasState: boolean;
  /** Place of the frame between its two states, in [0, 1]. */
  readonly alpha: number;
  /** Tick of the later of the two states. */
  readonly tick: number;
  /** What the kernels are given: from 0, the earlier state, to 1, the later one; above 1 extrapolates. */
  readonly blend: number;
  /**
   * The sampled pose of one body: for cameras, lights, sounds and single objects.
   *
   * @param out Receives x y z qx qy qz qw; seven numbers at least.
   * @returns `out`, or undefined when the body does not live at this time.
   */
  pose<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined;
  /**
   * The sampled poses of many bodies as 4×4 matrices, column-major. No allocation.
   *
   * @param ids Body of each matrix; one that does not live at this time gets a matrix of zeros.
   * @param scales Three factors a body.
   * @param count How many to write.
   * @param out At least 16 × count numbers, not shared.
   * @returns How many of them live.
   */
  writeMatrices(ids: Uint32Array, scales: Float32Array, count: number, out: Float32Array): number;
}
