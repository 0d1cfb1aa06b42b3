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
import {
  dot,
  inverse,
  plus,
  product,
  scaled,
  type Rotation,
  type Vector,
} from '../../shared/util/vectors.js';

/** Offsets beyond this are not hidden: the body is shown where it is. In units of length. */
const MAX_OFFSET = 5;
const SMALL_OFFSET = 0.25;
const LARGE_OFFSET = 1;
const SMALL_KEPT = 0.95;
const LARGE_KEPT = 0.85;
/** Below this, an offset is over: units of length, and length of the rotation's vector. */
const OVER = 1e-4;

/** From where a body is to where the picture shows it. */
interface Offset {
  readonly position: Vector;
  readonly rotation: Rotation;
}

export class HiddenCorrections {
  /** By slot. */
  readonly #offsets = new Map<number, Offset>();

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
      const back = inverse(rotationAt(corrected, at));
      const offset = {
        position: plus(positionAt(shown, at), positionAt(corrected, at), -1),
        rotation: shorter(product(rotationAt(shown, at), back)),
      };
      if (sizeOf(offset) < OVER || lengthOf(offset.position) > MAX_OFFSET) {
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
      const turn = scaled(offset.rotation, kept);
      const w = Math.sqrt(Math.max(0, 1 - dot(turn, turn)));
      const left = { position: scaled(offset.position, kept), rotation: { ...turn, w } };
      if (sizeOf(left) < OVER) this.#offsets.delete(slot);
      else this.#offsets.set(slot, left);
    }
  }

  /** Adds the offsets to poses. */
  apply(bodies: BodyLanes): void {
    const { poses, metas } = bodies;
    for (const [slot, { position, rotation }] of this.#offsets) {
      const at = slot * BODY_LANES;
      if (((metas[at + LANE.meta] ?? 0) & BODY_ALIVE) === 0) continue;
      const { x, y, z } = plus(positionAt(bodies, at), position);
      const turned = product(rotation, rotationAt(bodies, at));
      poses.set([x, y, z], at + LANE.x);
      poses.set([turned.x, turned.y, turned.z, turned.w], at + LANE.qx);
    }
  }
}

const lengthOf = (vector: Readonly<Vector>): number => Math.sqrt(dot(vector, vector));

const sizeOf = ({ position, rotation }: Offset): number =>
  Math.max(lengthOf(position), 2 * lengthOf(rotation));

const positionAt = ({ poses }: BodyLanes, at: number): Vector => ({
  x: poses[at + LANE.x] ?? 0,
  y: poses[at + LANE.y] ?? 0,
  z: poses[at + LANE.z] ?? 0,
});

const rotationAt = ({ poses }: BodyLanes, at: number): Rotation => ({
  x: poses[at + LANE.qx] ?? 0,
  y: poses[at + LANE.qy] ?? 0,
  z: poses[at + LANE.qz] ?? 0,
  w: poses[at + LANE.qw] ?? 0,
});

/** The same rotation the shorter way round, and of length 1. */
function shorter(rotation: Readonly<Rotation>): Rotation {
  const { w } = rotation;
  const length = Math.sqrt(dot(rotation, rotation) + w * w) || 1;
  const factor = (w < 0 ? -1 : 1) / length;
  return { ...scaled(rotation, factor), w: w * factor };
}
