/** Options of a room with a simulation, and their checks. */
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import { requireInteger, requireNumber } from '../../shared/util/validate.js';
import type { RoomRunOptions } from '../../sim-worker/room/room-options.js';
import type { OutboxLimits } from './client-outbox.js';

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

export interface ResolvedSimulationRoomOptions {
  readonly run: RoomRunOptions;
  readonly reconnectSeconds: number;
  readonly outbox: OutboxLimits;
  readonly recording: Required<RoomRecordingOptions> | undefined;
}

const MAX_SECONDS = 3600;

/** @throws TypeError, RangeError naming the invalid option. Those of the run are not checked. */
export function resolveSimulationRoomOptions(
  options: SimulationRoomOptions,
): ResolvedSimulationRoomOptions {
  const {
    reconnectSeconds = 10,
    maxBufferedBytes = 1 << 18,
    maxBehindSeconds = 10,
    recording,
    ...run
  } = options;
  requireNumber('maxBehindSeconds', maxBehindSeconds, 1, MAX_SECONDS);
  return {
    run,
    reconnectSeconds: requireNumber('reconnectSeconds', reconnectSeconds, 0, MAX_SECONDS),
    outbox: {
      maxBufferedBytes: requireInteger('maxBufferedBytes', maxBufferedBytes, 1024, 2 ** 30),
      maxBehindMs: 1000 * maxBehindSeconds,
    },
    recording: recording && resolveRecording(recording),
  };
}

function resolveRecording(recording: RoomRecordingOptions): Required<RoomRecordingOptions> {
  requireKnownKeys('recording of a room', recording, ['folder', 'maxBytes']);
  const { folder, maxBytes = 2 ** 26 } = recording;
  if (typeof folder !== 'string' || folder === '') {
    throw new TypeError('recording.folder must be the path of a folder');
  }
  return {
    folder,
    maxBytes: requireInteger('recording.maxBytes', maxBytes, 4096, 2 ** 32 - 1),
  };
}
