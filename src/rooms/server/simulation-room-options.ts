/** Options of a room with a simulation, and their checks. */
import {
  checkOptions,
  group,
  integer,
  number,
  optional,
  type Checked,
} from '../../shared/util/options.js';
import type { RoomRunOptions } from '../run/room-options.js';

/** Where a room records its run. */
export interface RoomRecordingOptions {
  /** Folder for the files; made if it is missing. */
  readonly folder: string;
  /** Most bytes of a file, 4,096 to 2^32 - 1. When it is full, the recording ends. Default 2^26, which are 64 MiB. */
  readonly maxBytes?: number;
}

/** Options of a {@link SimulationRoom}. */
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

const OWN = {
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

export type ResolvedSimulationRoomOptions = Checked<typeof OWN> & { readonly run: RoomRunOptions };

/** @throws TypeError, RangeError naming the invalid option. Those of the run are not checked. */
export function resolveSimulationRoomOptions(
  options: SimulationRoomOptions,
): ResolvedSimulationRoomOptions {
  const { reconnectSeconds, maxBufferedBytes, maxBehindSeconds, recording, ...run } = options;
  const own = { reconnectSeconds, maxBufferedBytes, maxBehindSeconds, recording };
  return { run, ...checkOptions('a room', own, OWN) };
}
