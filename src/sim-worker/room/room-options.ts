/** Options of a room's run, and their checks. */
import { copyOfJson, type Json } from '../../shared/util/json.js';
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import * as LIMITS from '../../shared/util/limits.js';
import { requireInteger, requireNumber } from '../../shared/util/validate.js';
import { MAX_CAPACITY, MAX_VALUES } from '../../shared/memory/layout.js';
import { RUN_DEFAULTS, type InvalidPosePolicy } from '../../shared/recording/recording.js';
import { checkPrecision, type StreamPrecision } from '../../shared/network/stream-precision.js';
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

export type ResolvedRoomOptions = Required<Omit<RoomRunOptions, 'precision' | 'limits'>> & {
  readonly invalidPosePolicy: InvalidPosePolicy;
  readonly precision: StreamPrecision;
  readonly limits: ClientLimits;
};

const DEFAULTS = {
  ...RUN_DEFAULTS,
  ticksPerPacket: 2,
  values: 0,
  maxCatchUpTicks: 5,
  hashEveryTicks: 60,
} as const;

const DEFAULT_LIMITS: ClientLimits = {
  maxLeadTicks: 60,
  maxActionsPerTick: 64,
  maxBytesPerSecond: 1 << 16,
};

const KNOWN: readonly (keyof RoomRunOptions)[] = [
  'tickRateHz',
  'ticksPerPacket',
  'capacity',
  'values',
  'seed',
  'setup',
  'maxCatchUpTicks',
  'hashEveryTicks',
  'packetBytes',
  'precision',
  'limits',
];

/** @throws TypeError, RangeError naming the invalid option. */
export function resolveRoomOptions(options: RoomRunOptions): ResolvedRoomOptions {
  requireKnownKeys('a room', options, KNOWN);
  requireKnownKeys('limits of a room', options.limits ?? {}, Object.keys(DEFAULT_LIMITS));
  const given = { ...DEFAULTS, ...options };
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  if (given.hashEveryTicks % given.ticksPerPacket !== 0) {
    throw new RangeError(
      `hashEveryTicks must be a multiple of ticksPerPacket, which is ${given.ticksPerPacket}: packets carry the hashes`,
    );
  }
  return {
    invalidPosePolicy: given.invalidPosePolicy,
    tickRateHz: requireNumber('tickRateHz', given.tickRateHz, 1, 1000),
    ticksPerPacket: requireInteger('ticksPerPacket', given.ticksPerPacket, 1, 60),
    capacity: requireInteger('capacity', given.capacity, 1, MAX_CAPACITY),
    values: requireInteger('values', given.values, 0, MAX_VALUES),
    seed: requireInteger('seed', given.seed, ...LIMITS.seed),
    setup: copyOfJson('setup', given.setup),
    maxCatchUpTicks: requireInteger('maxCatchUpTicks', given.maxCatchUpTicks, 1, 1000),
    hashEveryTicks: requireInteger('hashEveryTicks', given.hashEveryTicks, 1, 3600),
    packetBytes:
      options.packetBytes === undefined
        ? Number.POSITIVE_INFINITY
        : requireInteger('packetBytes', options.packetBytes, 64, 1 << 24),
    precision: checkPrecision(options.precision ?? {}),
    limits: {
      maxLeadTicks: requireInteger('limits.maxLeadTicks', limits.maxLeadTicks, 1, 600),
      maxActionsPerTick: requireInteger(
        'limits.maxActionsPerTick',
        limits.maxActionsPerTick,
        1,
        10_000,
      ),
      maxBytesPerSecond: requireInteger(
        'limits.maxBytesPerSecond',
        limits.maxBytesPerSecond,
        256,
        1 << 30,
      ),
    },
  };
}
