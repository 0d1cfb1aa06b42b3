/** Measurements and counts of a room with a simulation. */
import { Histogram, type Percentiles } from '../../shared/statistics/histogram.js';
import type { RoomMode } from '../shared/room-messages.js';
import type { ClientCounters } from '../run/room-clients.js';

/** Hundredths of a ms, exact to 3 %, up to 11 minutes. */
const SHAPE = { unitMs: 0.01, precisionBits: 5, octaves: 21 } as const;

/** Measurements and counts of a client of a room. */
export interface RoomClientStats {
  /** As Colyseus names it. */
  readonly sessionId: string;
  /** The client's seat, from 0 on. */
  readonly seat: number;
  /** How it shows the run. Undefined until it has asked for the run. */
  readonly mode: RoomMode | undefined;
  /** Whether it is connected. A lost client keeps its seat for a while. */
  readonly isConnected: boolean;
  /** Bytes of the messages that were sent to it. */
  readonly sentBytes: number;
  /** Bytes that wait, because it reads slowly or because the network is slow. */
  readonly bufferedBytes: number;
  /** Number of messages that it did not get because too much waited. */
  readonly droppedMessages: number;
  /** Number of times that it got the whole state: at first, on a new connection, and after it had been behind. */
  readonly welcomes: number;
  /** Counts of what it has sent. */
  readonly received: Readonly<ClientCounters>;
}

/** Measurements and counts of a {@link SimulationRoom} so far. */
export interface SimulationRoomStats {
  /** Number of the last tick. */
  readonly tick: number;
  /** How late ticks began, in ms. */
  readonly latenessMs: Percentiles;
  /** How long ticks took, with what was sent, in ms. */
  readonly tickMs: Percentiles;
  /** Number of ticks that were due and never ran, because the process was late. */
  readonly droppedTicks: number;
  /** Bytes of the messages of the simulation that were sent, to all clients that have been here. */
  readonly sentBytes: number;
  /** Number of calls of commands that have thrown. */
  readonly commandErrors: number;
  /** Number of clients that were disconnected because they did not read. */
  readonly stuckClients: number;
  /** Undefined if the run is not recorded. */
  readonly recording:
    | {
        /** Path of the recording, which grows while the room runs. */
        readonly file: string;
        /** Bytes that were written. */
        readonly bytes: number;
        /** The last tick that a recording would have if the process was killed now. */
        readonly lastTick: number;
        /** Whether everything was recorded so far. */
        readonly isComplete: boolean;
      }
    | undefined;
  /** In the order of their seats. */
  readonly clients: readonly RoomClientStats[];
}

export class RoomMeasurements {
  readonly #latenessMs = new Histogram(SHAPE);
  readonly #tickMs = new Histogram(SHAPE);
  /** Bytes that were sent to clients that have left. */
  sentBytes = 0;
  commandErrors = 0;
  stuckClients = 0;

  noteTick(latenessMs: number, tickMs: number): void {
    this.#latenessMs.record(latenessMs);
    this.#tickMs.record(tickMs);
  }

  percentiles(): Pick<SimulationRoomStats, 'latenessMs' | 'tickMs'> {
    return {
      latenessMs: this.#latenessMs.percentiles(),
      tickMs: this.#tickMs.percentiles(),
    };
  }
}
