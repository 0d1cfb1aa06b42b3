/**
 * What both ends of a connection know about the bodies after each packet: the next packet contains only what differs
 * from what this state predicts.
 *
 * All numbers are integers, so that both ends compute the same prediction, in any engine.
 */
import type { QuantizedRotation } from './quantized-rotation.js';

/** Integers per body. */
export const BASELINE_LANES = 16;

/** Index of each integer of a body. The six of a pose, and those by which they changed, are adjacent. */
export const BASELINE = {
  x: 0,
  a: 3,
  dx: 6,
  da: 9,
  largest: 12,
  meta: 13,
  /** Typical size of what the last packets had to correct, for positions and for rotations. */
  positionSize: 14,
  rotationSize: 15,
} as const;

/** Integers of a pose: three of the position, three of the rotation. */
export const POSE_INTEGERS = 6;

/** Sizes are stored in this many parts. */
const SIZE_UNIT = 16;
const MAX_SIZE = 1 << 20;

export class BodyBaseline {
  /** {@link BASELINE_LANES} integers per body. */
  lanes = new Int32Array(0);
  /** Bodies from this index on have never been used. */
  bodyLimit = 0;

  /** Makes room for bodies. New ones are zeros. */
  setBodyLimit(bodyLimit: number): void {
    if (bodyLimit * BASELINE_LANES > this.lanes.length) {
      const lanes = new Int32Array(Math.max(bodyLimit, 64, this.bodyLimit * 2) * BASELINE_LANES);
      lanes.set(this.lanes);
      this.lanes = lanes;
    }
    this.bodyLimit = Math.max(this.bodyLimit, bodyLimit);
  }

  /**
   * Moves every body as it moved in the last packet. Sums wrap, in the same way at both ends.
   *
   * @param rotationLimit Integers of rotations stay within it.
   */
  predict(rotationLimit: number): void {
    const { lanes } = this;
    const end = this.bodyLimit * BASELINE_LANES;
    for (let at = 0; at < end; at += BASELINE_LANES) {
      for (let i = 0; i < POSE_INTEGERS; i++) {
        const change = at + BASELINE.dx + i;
        const before = lanes[at + i] ?? 0;
        const now = before + steady(lanes[change] ?? 0);
        lanes[at + i] = i < 3 ? now : Math.max(-rotationLimit, Math.min(rotationLimit, now));
        // A correction is added, and the sum is how far the body moved.
        lanes[change] = (lanes[at + i] ?? 0) - before;
      }
    }
  }

  /** Reads the rotation of a body, by the offset of its integers. */
  rotationAt(at: number, to: QuantizedRotation): QuantizedRotation {
    const { lanes } = this;
    to.largest = lanes[at + BASELINE.largest] ?? 0;
    to.a = lanes[at + BASELINE.a] ?? 0;
    to.b = lanes[at + BASELINE.a + 1] ?? 0;
    to.c = lanes[at + BASELINE.a + 2] ?? 0;
    return to;
  }

  /** The six integers of a body are new: it begins without a velocity, and nothing is known about corrections. */
  forget(at: number): void {
    this.lanes.fill(0, at + BASELINE.dx, at + BASELINE.dx + POSE_INTEGERS);
    this.lanes[at + BASELINE.positionSize] = 0;
    this.lanes[at + BASELINE.rotationSize] = 0;
  }

  /**
   * Notes the sum of three corrections.
   *
   * @param lane Of the typical size.
   */
  noteSize(at: number, lane: number, sum: number): void {
    const { lanes } = this;
    const size = lanes[at + lane] ?? 0;
    const now = Math.min(sum, MAX_SIZE) * SIZE_UNIT;
    lanes[at + lane] = size + ((now - size) >> 1);
  }

  /** The parameter of the Rice code for a correction of the typical size, 0 to 20. */
  riceBits(at: number, lane: number): number {
    // The mean of three. The optimum for a geometric distribution is near the logarithm of its mean.
    const mean = Math.floor((this.lanes[at + lane] ?? 0) / (3 * SIZE_UNIT));
    return mean === 0 ? 0 : 31 - Math.clz32(mean);
  }
}

/** Maps signed integers to unsigned ones: 0, −1, 1, −2 become 0, 1, 2, 3. */
export const zigzag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0;

export const unzigzag = (value: number): number => (value >>> 1) ^ -(value & 1);

/** How far a body is expected to move. One step is more often the rounding of a slower movement. */
const steady = (change: number): number => (change > 1 || change < -1 ? change : 0);
