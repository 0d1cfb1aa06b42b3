/**
 * Interpolation kernels: from the lanes of two states to poses and 4×4 matrices. No allocation.
 *
 * Between two states a body moves on a straight line and rotates about a fixed axis at constant speed:
 *
 *     position   p(t) = p0 + t (p1 − p0)
 *     rotation   slerp: q(t) = (sin((1 − t) θ) q0 + sin(t θ) q1) / sin θ,   cos θ = q0 · q1
 *
 * Ken Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985. q and −q are the same rotation: when
 * q0 · q1 < 0, q1 is negated, which takes the shorter arc. A blend above 1 extrapolates along the same line and arc.
 *
 * Bodies seldom turn far within a tick. Up to 51° the weights sin(t θ) / sin θ come from a series in cos θ − 1, which
 * needs no trigonometry and keeps its precision where sin θ loses it:
 *
 *     f(t) = t (1 + b1 (1 + b2 (1 + …))),   bi = (t² − i²) / (i (2i + 1)) (cos θ − 1)
 *
 * David Eberly, "A Fast and Accurate Algorithm for Computing SLERP", Journal of Graphics, GPU and Game Tools 15 (2011).
 * Four terms are accurate to 1.2e-7 there, the last digit of a 32-bit lane. Bodies that turn by less than 0.05° use the
 * line instead: the error is below 2e-8 of the arc.
 *
 * The simulation's own values move on a line, too.
 */
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';
import {
  CONTINUITY_MASK,
  IDENTITY_MASK,
  identityOf,
  slotOf,
} from '../../shared/memory/body-meta.js';

/** Two states, each viewed as floats and as integers, and the position between them. */
export interface StatePair {
  previous: Float32Array;
  previousMeta: Int32Array;
  current: Float32Array;
  currentMeta: Int32Array;
  /** 0 is previous, 1 is current; above 1 extrapolates. */
  blend: number;
}

/** Above this cosine of the half angle the series is used: 51.7° of rotation from state to state. */
const SERIES_COSINE = 0.9;
/** Above this one, 0.05° of rotation, the weights of the arc and of the line differ by less than 2e-8. */
const RESTING_COSINE = 1 - 1e-7;

/** Factor i of the series for a blend: bi / (cos θ − 1). The same for all bodies of a frame. */
const factor = (i: number, t: number): number => (t * t - i * i) / (i * (2 * i + 1));

/** Weight of one end of the arc, sin(t θ) / sin θ, outside the range of the series. */
function wideWeight(t: number, cosine: number): number {
  return Math.sin(t * Math.acos(cosine)) / Math.sqrt(1 - cosine * cosine);
}

/**
 * Samples one body.
 *
 * @param id The body: its slot, and the generation that it must still have.
 * @param out Receives x y z qx qy qz qw.
 * @returns False when the body does not live at that time; `out` is left unchanged.
 */
export function samplePose(pair: StatePair, id: number, out: Float32Array | Float64Array): boolean {
  const lane = slotOf(id) * BODY_LANES;
  const meta = pair.currentMeta[lane + LANE.meta] as number;
  const previousMeta = pair.previousMeta[lane + LANE.meta] as number;
  if (((previousMeta ^ meta) & CONTINUITY_MASK) !== 0) return samplePose(heldPair(pair), id, out);
  if ((meta & IDENTITY_MASK) !== identityOf(id)) return false;
  interpolatePose(pair, lane, out);
  return true;
}

/** Takes the pair: a fraction that is passed to a function is an object, unless the engine inlines the call. */
function interpolatePose(
  { previous: from, current: to, blend }: StatePair,
  lane: number,
  out: Float32Array | Float64Array,
): void {
  const x = from[lane + LANE.x] as number;
  const y = from[lane + LANE.y] as number;
  const z = from[lane + LANE.z] as number;
  out[0] = x + blend * ((to[lane + LANE.x] as number) - x);
  out[1] = y + blend * ((to[lane + LANE.y] as number) - y);
  out[2] = z + blend * ((to[lane + LANE.z] as number) - z);

  const ax = from[lane + LANE.qx] as number;
  const ay = from[lane + LANE.qy] as number;
  const az = from[lane + LANE.qz] as number;
  const aw = from[lane + LANE.qw] as number;
  const bx = to[lane + LANE.qx] as number;
  const by = to[lane + LANE.qy] as number;
  const bz = to[lane + LANE.qz] as number;
  const bw = to[lane + LANE.qw] as number;
  const dot = ax * bx + ay * by + az * bz + aw * bw;
  const cosine = dot < 0 ? -dot : dot;
  const rest = 1 - blend;
  let wa = rest;
  let wb = blend;
  if (cosine > RESTING_COSINE) {
    // Nearly at rest: the line equals the arc to the last bit of a 32-bit lane.
  } else if (cosine > SERIES_COSINE) {
    // Written out: as a call, which browsers do not inline here, each weight would be garbage of each body and frame.
    const below = cosine - 1;
    const rr = rest * rest;
    const bb = blend * blend;
    wa = 1 + ((rr - 16) / 36) * below;
    wa = 1 + ((rr - 9) / 21) * below * wa;
    wa = 1 + ((rr - 4) / 10) * below * wa;
    wa = rest * (1 + ((rr - 1) / 3) * below * wa);
    wb = 1 + ((bb - 16) / 36) * below;
    wb = 1 + ((bb - 9) / 21) * below * wb;
    wb = 1 + ((bb - 4) / 10) * below * wb;
    wb = blend * (1 + ((bb - 1) / 3) * below * wb);
  } else {
    wa = wideWeight(rest, cosine);
    wb = wideWeight(blend, cosine);
  }
  if (dot < 0) wb = -wb;
  const qx = wa * ax + wb * bx;
  const qy = wa * ay + wb * by;
  const qz = wa * az + wb * bz;
  const qw = wa * aw + wb * bw;
  // Normalised, which corrects the rounding of float32 lanes, so that matrices never shear.
  const inverseLength = 1 / Math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw);
  out[3] = qx * inverseLength;
  out[4] = qy * inverseLength;
  out[5] = qz * inverseLength;
  out[6] = qw * inverseLength;
}

/**
 * Samples bodies into column-major 4×4 matrices, as WebGL and three.js expect them.
 *
 * The quaternion is not normalised first: its matrix is divided by the squared length instead, which saves the square
 * root. Only the states and the matrix go through memory.
 *
 * @param ids Body of each matrix. A body that does not live at that time gets a matrix of zeros, which draws nothing.
 * @param scales Three factors per matrix: the size of a unit shape.
 * @param count Matrices to write.
 * @param out At least 16 × count numbers. Never shared memory: Safari refuses it in WebGL.
 * @returns How many of the bodies live.
 */
export function sampleMatrices(
  pair: StatePair,
  ids: Uint32Array,
  scales: Float32Array,
  count: number,
  out: Float32Array,
): number {
  return sampleRange(pair, ids, scales, 0, count, out);
}

function sampleRange(
  pair: StatePair,
  ids: Uint32Array,
  scales: Float32Array,
  start: number,
  end: number,
  out: Float32Array,
): number {
  const { previous: from, previousMeta: metasBefore, current: to, currentMeta, blend } = pair;
  const rest = 1 - blend;
  // All bodies share these: to compute them for each would be a third of the time.
  const p1 = factor(1, rest);
  const p2 = factor(2, rest);
  const p3 = factor(3, rest);
  const p4 = factor(4, rest);
  const c1 = factor(1, blend);
  const c2 = factor(2, blend);
  const c3 = factor(3, blend);
  const c4 = factor(4, blend);
  let alive = 0;
  for (let index = start; index < end; index++) {
    const id = ids[index] as number;
    const lane = slotOf(id) * BODY_LANES;
    const meta = currentMeta[lane + LANE.meta] as number;
    const previousMeta = metasBefore[lane + LANE.meta] as number;
    if (((previousMeta ^ meta) & CONTINUITY_MASK) !== 0) {
      alive += sampleRange(heldPair(pair), ids, scales, index, index + 1, out);
      continue;
    }
    const at = index * 16;
    if ((meta & IDENTITY_MASK) !== identityOf(id)) {
      // The last column is left unchanged: with three zero columns the matrix has no area anyway.
      for (let element = 0; element < 12; element++) out[at + element] = 0;
      continue;
    }
    alive += 1;
    const ax = from[lane + LANE.qx] as number;
    const ay = from[lane + LANE.qy] as number;
    const az = from[lane + LANE.qz] as number;
    const aw = from[lane + LANE.qw] as number;
    const bx = to[lane + LANE.qx] as number;
    const by = to[lane + LANE.qy] as number;
    const bz = to[lane + LANE.qz] as number;
    const bw = to[lane + LANE.qw] as number;
    const dot = ax * bx + ay * by + az * bz + aw * bw;
    const cosine = dot < 0 ? -dot : dot;
    let wa = rest;
    let wb = blend;
    if (cosine > RESTING_COSINE) {
      // Nearly at rest: the line equals the arc to the last bit of a 32-bit lane.
    } else if (cosine > SERIES_COSINE) {
      const below = cosine - 1;
      wa *= 1 + p1 * below * (1 + p2 * below * (1 + p3 * below * (1 + p4 * below)));
      wb *= 1 + c1 * below * (1 + c2 * below * (1 + c3 * below * (1 + c4 * below)));
    } else {
      wa = wideWeight(rest, cosine);
      wb = wideWeight(blend, cosine);
    }
    if (dot < 0) wb = -wb;
    const qx = wa * ax + wb * bx;
    const qy = wa * ay + wb * by;
    const qz = wa * az + wb * bz;
    const qw = wa * aw + wb * bw;

    // A rotation matrix consists of doubled products of two components.
    const twice = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
    const x2 = qx * twice;
    const y2 = qy * twice;
    const z2 = qz * twice;
    const xx = qx * x2;
    const xy = qx * y2;
    const xz = qx * z2;
    const yy = qy * y2;
    const yz = qy * z2;
    const zz = qz * z2;
    const wx = qw * x2;
    const wy = qw * y2;
    const wz = qw * z2;
    const sx = scales[index * 3] as number;
    const sy = scales[index * 3 + 1] as number;
    const sz = scales[index * 3 + 2] as number;
    out[at] = (1 - (yy + zz)) * sx;
    out[at + 1] = (xy + wz) * sx;
    out[at + 2] = (xz - wy) * sx;
    out[at + 3] = 0;
    out[at + 4] = (xy - wz) * sy;
    out[at + 5] = (1 - (xx + zz)) * sy;
    out[at + 6] = (yz + wx) * sy;
    out[at + 7] = 0;
    out[at + 8] = (xz + wy) * sz;
    out[at + 9] = (yz - wx) * sz;
    out[at + 10] = (1 - (xx + yy)) * sz;
    out[at + 11] = 0;
    const x = from[lane + LANE.x] as number;
    const y = from[lane + LANE.y] as number;
    const z = from[lane + LANE.z] as number;
    out[at + 12] = x + blend * ((to[lane + LANE.x] as number) - x);
    out[at + 13] = y + blend * ((to[lane + LANE.y] as number) - y);
    out[at + 14] = z + blend * ((to[lane + LANE.z] as number) - z);
    out[at + 15] = 1;
  }
  return alive;
}

/** The values of two states, and the position between them. */
export interface ValuePair {
  previous: Float32Array;
  current: Float32Array;
  /** Words of the current state: see `valueWordsOf`. */
  words: Int32Array;
  /** 0 is previous, 1 is current; above 1 extrapolates. */
  blend: number;
}

/**
 * Blends values. One that is cut is not blended, but holds the previous value until the current one is reached (blend 1).
 * The two states are always neighbors, so the bits of the current one say all that happened between them.
 *
 * @param start First value, whose index in `out` is 0.
 * @param count How many; all must exist.
 */
export function blendValues(
  { previous, current, words, blend }: ValuePair,
  start: number,
  count: number,
  out: Float32Array,
): void {
  const held = blend >= 1 ? current : previous;
  // At the current state itself, so that no rounding remains of the previous one.
  const from = blend === 1 ? current : previous;
  const end = start + count;
  for (let at = start; at < end;) {
    const cuts = words[current.length + (at >>> 5)] as number;
    const next = Math.min(end, (at | 31) + 1);
    for (; at < next && cuts === 0; at++) {
      const value = from[at] as number;
      out[at - start] = value + blend * ((current[at] as number) - value);
    }
    // A word with cuts, bit by bit.
    for (; at < next; at++) {
      const isCut = ((cuts >>> at) & 1) === 1;
      const value = (isCut ? held : from)[at] as number;
      out[at - start] = isCut ? value : value + blend * ((current[at] as number) - value);
    }
  }
}

/** Both states are the one that a body is held at: the kernels then draw that state. */
const held: StatePair = {
  previous: new Float32Array(0),
  previousMeta: new Int32Array(0),
  current: new Float32Array(0),
  currentMeta: new Int32Array(0),
  blend: 1,
};

/**
 * The pair for a body that is not the same one in both states, or that teleported between them: it is not interpolated,
 * but holds the previous state until the current one is reached (blend 1), then snaps.
 */
function heldPair(pair: StatePair): StatePair {
  const isReached = pair.blend >= 1;
  held.previous = held.current = isReached ? pair.current : pair.previous;
  held.previousMeta = held.currentMeta = isReached ? pair.currentMeta : pair.previousMeta;
  return held;
}
