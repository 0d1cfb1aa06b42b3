/** Where bodies are in the newest state of the room that a page knows: apart from what it draws. */
import {
  BODY_ALIVE,
  bodyId,
  GENERATION_MASK,
  slotOf,
  type BodyId,
} from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';

export class ConfirmedPoses {
  /** The lanes of the bodies: the same memory, as floats and as integers. */
  poses: Float32Array<ArrayBuffer> = new Float32Array(0);
  metas: Int32Array<ArrayBuffer> = new Int32Array(this.poses.buffer);

  /** Has at least room for these bodies. */
  reserve(bodies: number): void {
    const { poses } = this;
    if (poses.length >= bodies * BODY_LANES) return;
    this.poses = new Float32Array(bodies * BODY_LANES);
    this.poses.set(poses);
    this.metas = new Int32Array(this.poses.buffer);
  }

  /** @param from Slot of the first of these bodies. @param slots Those of all bodies. @param lanes Of these. */
  set(from: number, slots: number, lanes: ArrayBuffer): void {
    this.reserve(slots);
    // What is not a number would not be copied bit for bit as a float.
    this.metas.set(new Int32Array(lanes), from * BODY_LANES);
  }

  pose<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined {
    const slot = slotOf(id);
    const at = slot * BODY_LANES;
    const meta = this.metas[at + LANE.meta] ?? 0;
    if ((meta & BODY_ALIVE) === 0 || bodyId(slot, meta & GENERATION_MASK) !== id) return undefined;
    POSE_LANES.forEach((lane, index) => {
      out[index] = this.poses[at + lane] ?? 0;
    });
    return out;
  }
}

const POSE_LANES = [LANE.x, LANE.y, LANE.z, LANE.qx, LANE.qy, LANE.qz, LANE.qw];

/** @param confirmed Undefined: the page did not ask for them. */
export const confirmedPoseOf =
  (confirmed: ConfirmedPoses | undefined) =>
  <Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined => {
    if (confirmed !== undefined) return confirmed.pose(id, out);
    throw new Error('room.confirmedPose() needs the option confirmedPoses: true of connectRoom');
  };
