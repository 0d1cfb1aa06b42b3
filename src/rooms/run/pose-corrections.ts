/**
 * Hides corrections of a prediction: where a body jumps, because its run went back, the picture keeps its offset to where
 * it was, and the offset decays. Only the picture: the state is corrected at once.
 *
 * Source: Glenn Fiedler, "State Synchronization" (https://gafferongames.com/post/state_synchronization/): an offset of up to
 * 0.25 units decays by 5 % per frame at 60 Hz, one from 1 unit on by 15 %, and others in between.
 */
import { BODY_ALIVE, CONTINUITY_MASK } from '../../shared/memory/body-meta.js';
import type { BodyLanes } from '../shared/body-stream.js';
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';

/** Offsets beyond this are not hidden: the body is shown where it is. In units of length. */
const MAX_OFFSET = 5;
const SMALL_OFFSET = 0.25;
const LARGE_OFFSET = 1;
const SMALL_KEPT = 0.95;
const LARGE_KEPT = 0.85;
/** Below this, an offset is over: units of length, and length of the rotation's vector. */
const OVER = 1e-4;
/** Floats of an offset: x y z, then the rotation x y z w. */
const OFFSET_FLOATS = 7;

export class PoseCorrections {
  /** By slot. */
  readonly #offsets = new Map<number, Float64Array>();

  /** Bodies with an offset. */
  get count(): number {
    return this.#offsets.size;
  }

  /**
   * Notes how bodies have been corrected, so that the picture stays as it was.
   *
   * @param shown What the picture showed, with offsets. @param corrected The state now, of the same tick.
   */
  note(shown: BodyLanes, corrected: BodyLanes, bodyLimit: number): void {
    for (let slot = 0; slot < bodyLimit; slot++) {
      const at = slot * BODY_LANES;
      const before = shown.metas[at + LANE.meta] ?? 0;
      const now = corrected.metas[at + LANE.meta] ?? 0;
      // Another body has the slot, or it was teleported, or it is gone.
      if (((before ^ now) & CONTINUITY_MASK) !== 0 || (now & BODY_ALIVE) === 0) {
        this.#offsets.delete(slot);
        continue;
      }
      const offset = offsetBetween(shown.poses, corrected.poses, at);
      const size = sizeOf(offset);
      if (size < OVER || Math.hypot(offset[0] ?? 0, offset[1] ?? 0, offset[2] ?? 0) > MAX_OFFSET) {
        this.#offsets.delete(slot);
      } else this.#offsets.set(slot, offset);
    }
  }

  /** Reduces the offsets by as much as a tick lets pass. @param dt In seconds. */
  decay(dt: number): void {
    for (const [slot, offset] of this.#offsets) {
      const size = sizeOf(offset);
      const part = Math.min(1, Math.max(0, (size - SMALL_OFFSET) / (LARGE_OFFSET - SMALL_OFFSET)));
      const kept = (SMALL_KEPT + part * (LARGE_KEPT - SMALL_KEPT)) ** (60 * dt);
      for (let i = 0; i < 6; i++) offset[i] = (offset[i] ?? 0) * kept;
      const [, , , x = 0, y = 0, z = 0] = offset;
      offset[6] = Math.sqrt(Math.max(0, 1 - x * x - y * y - z * z));
      if (sizeOf(offset) < OVER) this.#offsets.delete(slot);
    }
  }

  /** Adds the offsets to poses. */
  apply({ poses, metas }: BodyLanes): void {
    for (const [slot, offset] of this.#offsets) {
      const at = slot * BODY_LANES;
      if (((metas[at + LANE.meta] ?? 0) & BODY_ALIVE) === 0) continue;
      for (let i = 0; i < 3; i++) poses[at + i] = (poses[at + i] ?? 0) + (offset[i] ?? 0);
      const [, , , ox = 0, oy = 0, oz = 0, ow = 1] = offset;
      const x = poses[at + LANE.qx] ?? 0;
      const y = poses[at + LANE.qy] ?? 0;
      const z = poses[at + LANE.qz] ?? 0;
      const w = poses[at + LANE.qw] ?? 0;
      poses[at + LANE.qx] = ow * x + ox * w + oy * z - oz * y;
      poses[at + LANE.qy] = ow * y - ox * z + oy * w + oz * x;
      poses[at + LANE.qz] = ow * z + ox * y - oy * x + oz * w;
      poses[at + LANE.qw] = ow * w - ox * x - oy * y - oz * z;
    }
  }

  clear(): void {
    this.#offsets.clear();
  }
}

const sizeOf = (offset: Float64Array): number => {
  const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0] = offset;
  return Math.max(Math.hypot(x, y, z), 2 * Math.hypot(qx, qy, qz));
};

/** The offset that turns and moves `to` into `from`. */
function offsetBetween(from: Float32Array, to: Float32Array, at: number): Float64Array {
  const offset = new Float64Array(OFFSET_FLOATS);
  for (let i = 0; i < 3; i++) offset[i] = (from[at + i] ?? 0) - (to[at + i] ?? 0);
  const ax = from[at + LANE.qx] ?? 0;
  const ay = from[at + LANE.qy] ?? 0;
  const az = from[at + LANE.qz] ?? 0;
  const aw = from[at + LANE.qw] ?? 0;
  // The inverse of a unit quaternion.
  const bx = -(to[at + LANE.qx] ?? 0);
  const by = -(to[at + LANE.qy] ?? 0);
  const bz = -(to[at + LANE.qz] ?? 0);
  const bw = to[at + LANE.qw] ?? 0;
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  // The shorter way round.
  const length = Math.hypot(x, y, z, w) || 1;
  const sign = w < 0 ? -1 / length : 1 / length;
  offset.set([x * sign, y * sign, z * sign, w * sign], 3);
  return offset;
}
