/**
 * Bodies as integers, and what both ends of a stream of bodies know.
 *
 * A position is three multiples of a step. A rotation is three small integers: a unit quaternion and its negative are the
 * same rotation, and its largest component follows from the other three, each of which is at most 1/√2. So the index of
 * the largest and three integers describe it.
 *
 * The baseline has these integers of each body, and by how much the last packet changed them. Both ends predict the next
 * packet from it, and a packet contains only what differs. All numbers are integers, so that both ends compute the same
 * prediction, in any engine.
 *
 * Source of the rotations: Glenn Fiedler, "Snapshot Compression", which calls it smallest three.
 */
import { checkOptions, integer, number } from '../../shared/util/options.js';

/** Range of the bits of a component, and the default: 11 bits err by up to 0.14°. */
export const ROTATION_BITS = { min: 6, max: 15, default: 11 } as const;

/** A rotation as integers. Reused: reading and writing allocate nothing. */
export interface QuantizedRotation {
  /** Which component is left out, 0 to 3 for x, y, z, w. */
  largest: number;
  /** The other three in their order, from −2^(bits − 1) + 1 to 2^(bits − 1) − 1. */
  a: number;
  b: number;
  c: number;
}

/** Largest integer of a component. */
export const rotationLimit = (bits: number): number => 2 ** (bits - 1) - 1;

/** @param limit See {@link rotationLimit}. The quaternion must not be 0; its length does not matter. */
export function quantizeRotation(
  x: number,
  y: number,
  z: number,
  w: number,
  limit: number,
  to: QuantizedRotation,
): void {
  const absX = Math.abs(x);
  const absY = Math.abs(y);
  const absZ = Math.abs(z);
  const absW = Math.abs(w);
  const most = Math.max(absX, absY, absZ, absW);
  // Before squaring, so that no square is infinite or 0.
  const length = most * Math.hypot(x / most, y / most, z / most, w / most);
  const scale = (limit * Math.SQRT2) / length;
  // The first of equals, and w before the others, because most bodies hardly turn.
  if (absW === most) setRotation(to, 3, x, y, z, w < 0 ? -scale : scale);
  else if (absX === most) setRotation(to, 0, y, z, w, x < 0 ? -scale : scale);
  else if (absY === most) setRotation(to, 1, x, z, w, y < 0 ? -scale : scale);
  else setRotation(to, 2, x, y, w, z < 0 ? -scale : scale);
}

function setRotation(
  to: QuantizedRotation,
  largest: number,
  a: number,
  b: number,
  c: number,
  scale: number,
): void {
  to.largest = largest;
  to.a = Math.round(a * scale);
  to.b = Math.round(b * scale);
  to.c = Math.round(c * scale);
}

/**
 * Writes the unit quaternion of a rotation: x, y, z, w.
 *
 * @param limit As when it was quantized.
 * @param at Index of its x.
 */
export function dequantizeRotation(
  { largest, a, b, c }: QuantizedRotation,
  limit: number,
  to: Float32Array,
  at: number,
): void {
  const scale = Math.SQRT1_2 / limit;
  const p = a * scale;
  const q = b * scale;
  const r = c * scale;
  const rest = 1 - p * p - q * q - r * r;
  const s = rest > 0 ? Math.sqrt(rest) : 0;
  // Three components that were rounded up may be longer than 1 together.
  const unit = rest > 0 ? 1 : 1 / Math.sqrt(1 - rest);
  to[at] = (largest === 0 ? s : p) * unit;
  to[at + 1] = (largest === 0 ? p : largest === 1 ? s : q) * unit;
  to[at + 2] = (largest < 2 ? q : largest === 2 ? s : r) * unit;
  to[at + 3] = (largest === 3 ? s : r) * unit;
}

/** How exact the poses are that a room sends. */
export interface StreamPrecision {
  /**
   * Distance between two neighbouring positions, in units of length, 1e-6 to 1. Default 1 / 1024: about 1 mm,
   * if a unit is a metre. Positions reach 2^31 steps in each direction, 2,097 km by default.
   */
  readonly positionStep: number;
  /** Bits of each of the three numbers of a rotation, 6 to 15. Default 11: rotations err by up to 0.14°. */
  readonly rotationBits: number;
}

export const PRECISION = {
  positionStep: number(1e-6, 1, 1 / 1024),
  rotationBits: integer(ROTATION_BITS.min, ROTATION_BITS.max, ROTATION_BITS.default),
};

/** @throws TypeError, RangeError naming the invalid value. */
export const checkPrecision = (given: Partial<StreamPrecision>): StreamPrecision =>
  checkOptions('precision', given, PRECISION);

const MAX_INTEGER = 2 ** 31 - 1;

/** Positions as multiples of a step. */
export class PositionScale {
  readonly #step: number;
  readonly #perUnit: number;

  /** @param step Greater than 0. */
  constructor(step: number) {
    this.#step = step;
    this.#perUnit = 1 / step;
  }

  /** The nearest multiple, as a 32-bit integer: the largest one for positions beyond it. */
  quantize(coordinate: number): number {
    const multiple = Math.round(coordinate * this.#perUnit);
    return multiple > MAX_INTEGER ? MAX_INTEGER : multiple < -MAX_INTEGER ? -MAX_INTEGER : multiple;
  }

  coordinate(multiple: number): number {
    return multiple * this.#step;
  }
}

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
  /** Typical size of the last packets' corrections, for positions and for rotations. */
  positionSize: 14,
  rotationSize: 15,
} as const;

/** Integers of a pose: three of the position, three of the rotation. */
export const POSE_INTEGERS = 6;

/** Sizes are stored in these fractions of one. */
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
   * @param limit Integers of rotations stay within it.
   */
  predict(limit: number): void {
    const { lanes } = this;
    const end = this.bodyLimit * BASELINE_LANES;
    for (let at = 0; at < end; at += BASELINE_LANES) {
      for (let i = 0; i < POSE_INTEGERS; i++) {
        const change = at + BASELINE.dx + i;
        const before = lanes[at + i] ?? 0;
        const now = before + steady(lanes[change] ?? 0);
        lanes[at + i] = i < 3 ? now : Math.max(-limit, Math.min(limit, now));
        // The correction is added to it: then it is how far the body moved.
        lanes[change] = (lanes[at + i] ?? 0) - before;
      }
    }
  }

  /**
   * Adds a correction to the movement that was expected: then it is the movement since the last packet. Where the sum goes
   * the other way, the body is expected to stay: one that was left out of k packets was moved k times, and would be
   * corrected to −(k − 1) times its movement, so that a tight budget would never let it rest.
   *
   * @param lane The lane of the movement.
   */
  addToMovement(lane: number, correction: number): void {
    const { lanes } = this;
    const expected = lanes[lane] ?? 0;
    lanes[lane] = expected + correction;
    if (expected !== 0 && (expected ^ (lanes[lane] ?? 0)) < 0) lanes[lane] = 0;
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

  /** Forgets how a body moved and was corrected, because its pose is unrelated to the one before. */
  forget(at: number): void {
    this.lanes.fill(0, at + BASELINE.dx, at + BASELINE.dx + POSE_INTEGERS);
    this.lanes[at + BASELINE.positionSize] = 0;
    this.lanes[at + BASELINE.rotationSize] = 0;
  }

  /** Adds the sum of three corrections to a typical size. @param lane The size's lane. */
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
