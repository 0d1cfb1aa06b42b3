/** How a page is connected to its room: how far behind it draws, the poses that the room has confirmed, and counts. */
import type { SampledFrame } from '../../render-main/frame/frame.js';
import {
  BODY_ALIVE,
  bodyId,
  GENERATION_MASK,
  slotOf,
  type BodyId,
} from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';
import {
  Histogram,
  type HistogramShape,
  type Percentiles,
} from '../../shared/statistics/histogram.js';
import type { PredictionState } from '../run/prediction-messages.js';
import type { StreamCounters } from '../run/streamed-simulation.js';
import type { BodyLanes } from '../shared/body-stream.js';
import type { ClientTiming } from '../shared/client-timing.js';
import type { RoomMode } from '../shared/room-messages.js';
import type { RoomBeginning, RoomChannel } from './room-channel.js';

/** How a page is connected to its room. */
export interface RoomConnection {
  /** The seat of this client, 0 to 32,767: the first argument of its commands in the simulation. */
  readonly seat: number;
  /** Whether the page draws what the room sends, or predicts it. */
  readonly mode: RoomMode;
  /** The shortest round trip of the last ten seconds, in ms. NaN until the first one is known. */
  readonly roundTripMs: number;
  /**
   * How far the picture of the last frame was behind the room, in ms; negative: ahead, as in the mode `predict` over a network.
   * Always a number: 0 until it is known, and as exact as half of {@link roundTripMs}.
   */
  readonly behindMs: number;
  /** Counts of the ticks that showed packets, in the mode `stream`. */
  readonly stream: Readonly<StreamCounters> | undefined;
  /** How the prediction is doing, in the mode `predict`, as of the last packet. */
  readonly prediction: PredictionState | undefined;
  /**
   * Number of times that the page has asked for the whole state: once at first, and again until it came, with pauses.
   */
  readonly stateRequests: number;
  /**
   * Where a body is in the newest state of the room that this page knows, which differs from what it draws: in the mode
   * `stream`, packets that have arrived wait for their time, and in the mode `predict`, the room has not confirmed the newest
   * ticks yet. To show that difference. Needs the option `confirmedPoses` of `connectRoom`.
   *
   * @param out Receives x y z and the quaternion x y z w; at least seven numbers.
   * @returns `out`, or undefined when the body does not live in that state.
   * @throws Error without the option.
   */
  confirmedPose<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined;
  /**
   * Why the connection ended: the room was left, or a message of it cannot be read. Undefined while it lasts. The picture then
   * stays as it was.
   */
  readonly error: Error | undefined;
}

/** @param confirmed Undefined if the page did not ask for confirmed poses. */
export const createRoomConnection = (
  channel: RoomChannel,
  { welcome: { seat, mode }, timing }: RoomBeginning,
  drawn: DrawnTime,
  confirmed: ConfirmedPoses | undefined,
  stream: StreamCounters | undefined,
  prediction: () => PredictionState | undefined,
): RoomConnection => ({
  seat,
  mode,
  stream,
  confirmedPose(id, out) {
    if (confirmed !== undefined) return confirmed.pose(id, out);
    throw new Error('room.confirmedPose() needs the option confirmedPoses: true of connectRoom');
  },
  get roundTripMs() {
    return timing.roundTripMs;
  },
  get behindMs() {
    return drawn.behindMs;
  },
  get prediction() {
    return prediction();
  },
  get stateRequests() {
    return channel.stateRequests;
  },
  get error() {
    return channel.error;
  },
});

const POSE_LANES = [LANE.x, LANE.y, LANE.z, LANE.qx, LANE.qy, LANE.qz, LANE.qw];

/** Where bodies are in the newest state of the room that a page knows: apart from what it draws. */
export class ConfirmedPoses implements BodyLanes {
  poses: Float32Array<ArrayBuffer> = new Float32Array(0);
  metas: Int32Array<ArrayBuffer> = new Int32Array(this.poses.buffer);

  /** Makes room for this number of bodies. */
  reserve(bodies: number): void {
    const { poses } = this;
    if (poses.length >= bodies * BODY_LANES) return;
    this.poses = new Float32Array(bodies * BODY_LANES);
    this.poses.set(poses);
    this.metas = new Int32Array(this.poses.buffer);
  }

  /**
   * Sets some of the bodies.
   *
   * @param from Slot of the first of them.
   * @param slots Number of slots of all bodies.
   * @param lanes The lanes of the given bodies.
   */
  set(from: number, slots: number, lanes: ArrayBuffer): void {
    this.reserve(slots);
    // As integers: a float that is not a number would not be copied bit for bit.
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

/** 0.1 ms, and 0.1 % of what is longer than 0.1 s. */
const SHAPE: HistogramShape = { unitMs: 0.1, precisionBits: 10, octaves: 8 };

interface SentInput {
  readonly tick: number;
  readonly stampMs: number;
}

/** Measures the frames of a page: how far behind the room they are, and how long inputs take to be seen. */
export class DrawnTime {
  readonly #timing: ClientTiming;
  readonly #roomTickOf: (tick: number) => number;
  /** Inputs whose effect no frame has shown yet. */
  #inputs: SentInput[] = [];
  readonly #inputMs = new Histogram(SHAPE);
  /** How far behind the room the last frame was, in ms; negative: ahead. 0 until it is known. */
  behindMs = 0;

  /** @param roomTickOf The tick of the room that a tick of the page shows. */
  constructor(timing: ClientTiming, roomTickOf: (tick: number) => number) {
    this.#timing = timing;
    this.#roomTickOf = roomTickOf;
  }

  /** Notes an input that was sent for a tick of the room. */
  noteInput(tick: number, stampMs: number): void {
    this.#inputs.push({ tick, stampMs });
  }

  /** Notes a frame that is drawn. */
  noteFrame({ hasState, tick, blend }: SampledFrame, frameMs: number): void {
    const { offsetMs } = this.#timing;
    if (!hasState || tick === 0 || Number.isNaN(offsetMs)) return;
    const from = this.#roomTickOf(tick - 1);
    const to = this.#roomTickOf(tick);
    this.behindMs = frameMs + offsetMs - this.#timing.dueMs(from + blend * (to - from));
    this.#inputs = this.#inputs.filter((input) => {
      if (input.tick > to) return true;
      this.#inputMs.record(frameMs - input.stampMs);
      return false;
    });
  }

  /** From an input to the first frame that shows an effect of the tick that used it, in ms. */
  get inputToFrameMs(): Percentiles {
    return this.#inputMs.percentiles();
  }

  reset(): void {
    this.#inputMs.rebase();
  }
}
