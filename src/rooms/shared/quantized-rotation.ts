/**
 * Rotations as three small integers.
 *
 * A unit quaternion and its negative are the same rotation, and its largest component follows from the other three, each
 * of which is at most 1/√2. So the index of the largest and three integers describe it.
 *
 * Source: Glenn Fiedler, "Snapshot Compression", which calls it smallest three.
 */

/** Range of the bits of a component, and the default: 11 bits err by up to 0.14°. */
export const ROTATION_BITS = { min: 6, max: 15, default: 11 } as const;

/** A rotation as integers. Reused: reading and writing allocate nothing. */
export interface QuantizedRotation {
  /** Which component is left out, 0 to 3 for x, y, z, w. */
  largest: number;
  /** The other three in their action, from −2^(bits − 1) + 1 to 2^(bits − 1) − 1. */
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
