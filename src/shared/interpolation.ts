/**
 * Interpolation kernels: from the lanes of two states to poses and 4×4 matrices. No allocation.
 *
 * One function, {@link samplePose}, decides and interpolates for a single body; the matrix kernel, the
 * pose of a camera's target and single objects all go through it, so they can never disagree.
 *
 * Between two states a body moves on a straight line and rotates about a fixed axis at constant speed:
 *
 *     position   p(t) = p0 + t (p1 − p0)
 *     rotation   slerp: q(t) = (sin((1 − t) θ) q0 + sin(t θ) q1) / sin θ,   cos θ = q0 · q1
 *
 * Ken Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985. q and −q are the same
 * rotation: when q0 · q1 < 0, q1 is negated, which takes the shorter arc. A blend above 1 extrapolates along
 * the same line and arc.
 *
 * Bodies seldom turn far within a tick. Up to 51° the weights sin(t θ) / sin θ come from a series in
 * cos θ − 1, which needs no trigonometry and keeps its digits where sin θ loses them:
 *
 *     f(t) = t (1 + b1 (1 + b2 (1 + …))),   bi = (t² / (i (2i + 1)) − i / (2i + 1)) (cos θ − 1)
 *
 * David Eberly, "A Fast and Accurate Algorithm for Computing SLERP", Journal of Graphics, GPU and Game Tools
 * 15 (2011). Six terms are exact to float32 there.
 */
import { BODY_LANES, LANE } from './layout.js';
import { CONTINUITY_MASK, IDENTITY_MASK, identityOf, slotOf } from './body-meta.js';

/** Two states, as seen by floats and by integers, and the place between them. */
export interface StatePair {
  previous: Float32Array;
  previousMeta: Int32Array;
  current: Float32Array;
  currentMeta: Int32Array;
  /** 0 is previous, 1 is current; above 1 extrapolates. */
  blend: number;
}

/** Lanes of a pose: x y z qx qy qz qw. */
export const POSE_LANES = 7;

/** Above this cosine of the half angle the series is used: 51.7° of rotation from state to state. */
const SERIES_COSINE = 0.9;
/** Above this one, 0.05° of rotation, the weights of the arc and of the line differ by less than 2e-8. */
const RESTING_COSINE = 1 - 1e-7;

/** sin(t θ) / sin θ, for x = cos θ − 1 from −0.1 to 0 and t from 0 to 2. */
function slerpWeight(t: number, x: number): number {
  const tt = t * t;
  const b6 = (tt / 78 - 6 / 13) * x;
  const b5 = (tt / 55 - 5 / 11) * x * (1 + b6);
  const b4 = (tt / 36 - 4 / 9) * x * (1 + b5);
  const b3 = (tt / 21 - 3 / 7) * x * (1 + b4);
  const b2 = (tt / 10 - 2 / 5) * x * (1 + b3);
  return t * (1 + (tt / 3 - 1 / 3) * x * (1 + b2));
}

/**
 * Samples one body.
 *
 * A body that is not the same one in both states, or that teleported between them, is not interpolated:
 * the previous state holds until the current one is reached (blend 1), then it snaps.
 *
 * @param id The body: its slot, and the generation that it must still have.
 * @param out Receives x y z qx qy qz qw.
 * @returns False when the body does not live at that time; `out` is left as it was.
 */
export function samplePose(pair: StatePair, id: number, out: Float32Array | Float64Array): boolean {
  const lane = slotOf(id) * BODY_LANES;
  const identity = identityOf(id);
  const metaIndex = lane + LANE.meta;
  const previousMeta = pair.previousMeta[metaIndex] as number;
  const currentMeta = pair.currentMeta[metaIndex] as number;
  const { blend } = pair;
  if (((previousMeta ^ currentMeta) & CONTINUITY_MASK) !== 0) {
    const useCurrent = blend >= 1;
    if (((useCurrent ? currentMeta : previousMeta) & IDENTITY_MASK) !== identity) return false;
    copyPose(useCurrent ? pair.current : pair.previous, lane, out);
    return true;
  }
  if ((currentMeta & IDENTITY_MASK) !== identity) return false;
  interpolatePose(pair.previous, pair.current, lane, blend, out);
  return true;
}

function copyPose(from: Float32Array, lane: number, out: Float32Array | Float64Array): void {
  out[0] = from[lane + LANE.x] as number;
  out[1] = from[lane + LANE.y] as number;
  out[2] = from[lane + LANE.z] as number;
  out[3] = from[lane + LANE.qx] as number;
  out[4] = from[lane + LANE.qy] as number;
  out[5] = from[lane + LANE.qz] as number;
  out[6] = from[lane + LANE.qw] as number;
}

function interpolatePose(
  from: Float32Array,
  to: Float32Array,
  lane: number,
  blend: number,
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
  let wa = 1 - blend;
  let wb = blend;
  if (cosine > RESTING_COSINE) {
    // Resting, or as good as: the line is the arc, to the last bit of a 32-bit lane.
  } else if (cosine > SERIES_COSINE) {
    const below = cosine - 1;
    wa = slerpWeight(1 - blend, below);
    wb = slerpWeight(blend, below);
  } else {
    const angle = Math.acos(cosine);
    const inverseSine = 1 / Math.sqrt(1 - cosine * cosine);
    wa = Math.sin((1 - blend) * angle) * inverseSine;
    wb = Math.sin(blend * angle) * inverseSine;
  }
  if (dot < 0) wb = -wb;
  const qx = wa * ax + wb * bx;
  const qy = wa * ay + wb * by;
  const qz = wa * az + wb * bz;
  const qw = wa * aw + wb * bw;
  // Also takes out what float32 lanes lack to unit length, so that matrices never shear.
  const inverseLength = 1 / Math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw);
  out[3] = qx * inverseLength;
  out[4] = qy * inverseLength;
  out[5] = qz * inverseLength;
  out[6] = qw * inverseLength;
}

const scratch = new Float64Array(POSE_LANES);

/**
 * Samples bodies into column-major 4×4 matrices, as WebGL and three.js want them.
 *
 * @param ids Body of each matrix. A body that does not live at that time gets a matrix of zeros, which
 *   draws nothing.
 * @param scales Three factors a matrix: the size of a unit shape.
 * @param count Matrices to write.
 * @param out 16 × count numbers at least. Never shared memory: Safari refuses it in WebGL.
 * @returns How many of the bodies live.
 */
export function sampleMatrices(
  pair: StatePair,
  ids: Uint32Array,
  scales: Float32Array,
  count: number,
  out: Float32Array,
): number {
  let alive = 0;
  for (let index = 0; index < count; index++) {
    const at = index * 16;
    if (!samplePose(pair, ids[index] as number, scratch)) {
      // The last column is left: with three zero columns the matrix has no area whatever it holds.
      for (let element = 0; element < 12; element++) out[at + element] = 0;
      continue;
    }
    alive += 1;
    composeMatrix(scratch, scales, index * 3, out, at);
  }
  return alive;
}

/** Composes position, rotation and scale into a column-major 4×4 matrix. */
function composeMatrix(
  pose: Float64Array,
  scales: Float32Array,
  scaleAt: number,
  out: Float32Array,
  at: number,
): void {
  const x = pose[3] as number;
  const y = pose[4] as number;
  const z = pose[5] as number;
  const w = pose[6] as number;
  const sx = scales[scaleAt] as number;
  const sy = scales[scaleAt + 1] as number;
  const sz = scales[scaleAt + 2] as number;
  const x2 = x + x;
  const y2 = y + y;
  const z2 = z + z;
  const xx = x * x2;
  const xy = x * y2;
  const xz = x * z2;
  const yy = y * y2;
  const yz = y * z2;
  const zz = z * z2;
  const wx = w * x2;
  const wy = w * y2;
  const wz = w * z2;
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
  out[at + 12] = pose[0] as number;
  out[at + 13] = pose[1] as number;
  out[at + 14] = pose[2] as number;
  out[at + 15] = 1;
}
