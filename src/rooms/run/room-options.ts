/** Options of a room and their checks: of its run, and of the room of Colyseus around it. */
import { PRECISION, type StreamPrecision } from '../shared/quantized-bodies.js';
import { CLIENT_LIMITS, ROOM_RATES, type ClientLimits } from '../shared/room-limits.js';
import { MAX_CAPACITY, MAX_VALUES } from '../../shared/memory/layout.js';
import { RUN_DEFAULTS, type InvalidPosePolicy } from '../../shared/recording/recording.js';
import { DEFAULT_MAX_CATCH_UP_TICKS } from '../../shared/time/schedule.js';
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
  /** Plain data that the run is built from. Default null. */
  readonly setup?: Json;
  /** Most ticks that run at once when the process was late; more are dropped, 1 to 1,000. Default 5. */
  readonly maxCatchUpTicks?: number;
  /** Ticks from one state hash to the next, 1 to 3,600. Default 60. */
  readonly hashEveryTicks?: number;
  /** Bytes that the bodies of a packet may take, about, 64 to 2^24. Default: no limit. */
  readonly packetBytes?: number;
  /** How exact the poses are that are sent. Default: the defaults of the type. */
  readonly precision?: Partial<StreamPrecision>;
  /** How much is taken from one client. Default: the defaults of the type. */
  readonly limits?: Partial<ClientLimits>;
}

const RUN_OPTIONS = {
  ...ROOM_RATES,
  capacity: integer(1, MAX_CAPACITY, RUN_DEFAULTS.capacity),
  values: integer(0, MAX_VALUES, 0),
  seed: integer(...LIMITS.seed, RUN_DEFAULTS.seed),
  setup: (name: string, value: unknown = RUN_DEFAULTS.setup) => copyOfJson(name, value),
  maxCatchUpTicks: integer(...LIMITS.maxCatchUpTicks, DEFAULT_MAX_CATCH_UP_TICKS),
  packetBytes: optional(integer(64, 1 << 24)),
  precision: group('a room', PRECISION),
  limits: group('a room', CLIENT_LIMITS),
} satisfies Readonly<Record<keyof RoomRunOptions, Check<unknown>>>;

export interface ResolvedRoomOptions extends Omit<Checked<typeof RUN_OPTIONS>, 'packetBytes'> {
  readonly packetBytes: number;
  readonly invalidPosePolicy: InvalidPosePolicy;
}

/** @throws TypeError, RangeError naming the invalid option. */
export function resolveRoomOptions(options: RoomRunOptions): ResolvedRoomOptions {
  const { packetBytes = Number.POSITIVE_INFINITY, ...checked } = checkOptions(
    'a room',
    options,
    RUN_OPTIONS,
  );
  const { hashEveryTicks, ticksPerPacket } = checked;
  if (hashEveryTicks % ticksPerPacket !== 0) {
    throw new RangeError(
      `hashEveryTicks must be a multiple of ticksPerPacket, which is ${ticksPerPacket}: packets carry the hashes`,
    );
  }
  return { ...checked, packetBytes, invalidPosePolicy: RUN_DEFAULTS.invalidPosePolicy };
}

/** Where a room records its run. */
export interface RoomRecordingOptions {
  /** Folder for the files; made if it is missing. */
  readonly folder: string;
  /** Most bytes of a file, 4,096 to 2^32 - 1. When it is full, the recording ends. Default 2^26, which are 64 MiB. */
  readonly maxBytes?: number;
}

/** Options of a `SimulationRoom`. */
export interface SimulationRoomOptions extends RoomRunOptions {
  /** For how long a lost client keeps its seat, 0 to 3,600 s. Default 10 s. 0: it loses the seat at once. */
  readonly reconnectSeconds?: number;
  /**
   * Most bytes that may wait for one client, 1,024 to 2^30. Default 2^18. A client that reads more slowly gets no packets
   * until most of it was sent, and then the whole state.
   */
  readonly maxBufferedBytes?: number;
  /** A client that gets no packets for longer, because it does not read, is disconnected: 1 to 3,600 s. Default 10 s. */
  readonly maxBehindSeconds?: number;
  /** Default: the run is not recorded. */
  readonly recording?: RoomRecordingOptions;
}

const MAX_SECONDS = 3600;

const OWN_OPTIONS = {
  reconnectSeconds: number(0, MAX_SECONDS, 10),
  maxBufferedBytes: integer(1024, 2 ** 30, 1 << 18),
  maxBehindSeconds: number(1, MAX_SECONDS, 10),
  recording: optional(
    group('a room', {
      folder: (name: string, value: unknown) => {
        if (typeof value === 'string' && value !== '') return value;
        throw new TypeError(`${name} must be the path of a folder`);
      },
      maxBytes: integer(4096, 2 ** 32 - 1, 2 ** 26),
    }),
  ),
};

export type ResolvedSimulationRoomOptions = Checked<typeof OWN_OPTIONS> & {
  readonly run: RoomRunOptions;
};

/** @throws TypeError, RangeError naming the invalid option. The options of the run are not checked. */
export function resolveSimulationRoomOptions(
  options: SimulationRoomOptions,
): ResolvedSimulationRoomOptions {
  const { reconnectSeconds, maxBufferedBytes, maxBehindSeconds, recording, ...run } = options;
  const own = { reconnectSeconds, maxBufferedBytes, maxBehindSeconds, recording };
  return { run, ...checkOptions('a room', own, OWN_OPTIONS) };
}
