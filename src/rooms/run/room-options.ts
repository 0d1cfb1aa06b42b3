/** Options of a room's run, and their checks. */
import { copyOfJson, type Json } from '../../shared/util/json.js';
import * as LIMITS from '../../shared/util/limits.js';
import {
  checkOptions,
  group,
  integer,
  number,
  optional,
  type Check,
  type Checked,
} from '../../shared/util/options.js';
import { MAX_CAPACITY, MAX_VALUES } from '../../shared/memory/layout.js';
import { DEFAULT_MAX_CATCH_UP_TICKS } from '../../shared/time/schedule.js';
import { RUN_DEFAULTS, type InvalidPosePolicy } from '../../shared/recording/recording.js';
import { PRECISION, type StreamPrecision } from '../shared/quantized-bodies.js';
import type { ClientLimits } from './action-queue.js';

/** Options of a room's run. */
export interface RoomRunOptions {
  /** Ticks per second, 1 to 1,000. Default 60. */
  readonly tickRateHz?: number;
  /** Ticks from one packet to the next, 1 to 60. Default 2: 30 packets per second at 60 Hz. */
  readonly ticksPerPacket?: number;
  /** Most bodies at any time, 1 to 2^20. Default 4096. */
  readonly capacity?: number;
  /** Numbers of the simulation for the page, as `display.values` of `connect`, 0 to 65,536. Default 0. */
  readonly values?: number;
  /** Seed of the run's random source, 0 to 2^32 - 1. Default 1. */
  readonly seed?: number;
  /** What the run is built from: plain data. Default null. */
  readonly setup?: Json;
  /** Most ticks that run at once when the process was late; more are dropped, 1 to 1,000. Default 5. */
  readonly maxCatchUpTicks?: number;
  /** Ticks from one state hash to the next, 1 to 3,600. Default 60. */
  readonly hashEveryTicks?: number;
  /** Bytes that the bodies of a packet may take, about, 64 to 2^24. Default: no limit. */
  readonly packetBytes?: number;
  /** How exact the poses are that are sent. Default: those of the type. */
  readonly precision?: Partial<StreamPrecision>;
  /** What is taken from one client. Default: those of the type. */
  readonly limits?: Partial<ClientLimits>;
}

const OPTIONS = {
  tickRateHz: number(...LIMITS.tickRateHz, RUN_DEFAULTS.tickRateHz),
  ticksPerPacket: integer(1, 60, 2),
  capacity: integer(1, MAX_CAPACITY, RUN_DEFAULTS.capacity),
  values: integer(0, MAX_VALUES, 0),
  seed: integer(...LIMITS.seed, RUN_DEFAULTS.seed),
  setup: (name: string, value: unknown = RUN_DEFAULTS.setup) => copyOfJson(name, value),
  maxCatchUpTicks: integer(...LIMITS.maxCatchUpTicks, DEFAULT_MAX_CATCH_UP_TICKS),
  hashEveryTicks: integer(1, 3600, 60),
  packetBytes: optional(integer(64, 1 << 24)),
  precision: group('a room', PRECISION),
  limits: group('a room', {
    maxLeadTicks: integer(1, 600, 60),
    maxActionsPerTick: integer(1, 10_000, 64),
    maxBytesPerSecond: integer(256, 1 << 30, 1 << 16),
  }),
} satisfies Readonly<Record<keyof RoomRunOptions, Check<unknown>>>;

export interface ResolvedRoomOptions extends Omit<Checked<typeof OPTIONS>, 'packetBytes'> {
  readonly packetBytes: number;
  readonly invalidPosePolicy: InvalidPosePolicy;
}

/** @throws TypeError, RangeError naming the invalid option. */
export function resolveRoomOptions(options: RoomRunOptions): ResolvedRoomOptions {
  const { packetBytes = Number.POSITIVE_INFINITY, ...checked } = checkOptions(
    'a room',
    options,
    OPTIONS,
  );
  const { hashEveryTicks, ticksPerPacket } = checked;
  if (hashEveryTicks % ticksPerPacket !== 0) {
    throw new RangeError(
      `hashEveryTicks must be a multiple of ticksPerPacket, which is ${ticksPerPacket}: packets carry the hashes`,
    );
  }
  return { ...checked, packetBytes, invalidPosePolicy: RUN_DEFAULTS.invalidPosePolicy };
}
