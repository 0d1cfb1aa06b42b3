/** Shows the simulation of a room on a page. */
import type { ConnectOptions } from '../../render-main/api/connect-options.js';
import type { SampledFrame } from '../../render-main/api/sampled-frame.js';
import type { CreateWorker } from '../../render-main/api/create-worker.js';
import type { CommandsOf, EventsOf, TagOf } from '../../render-main/api/types-of-simulation.js';
import { ROOM_MODES, type RoomMode } from '../shared/room-messages.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import { anything, checkOptions, choice, flag, type Check } from '../../shared/util/options.js';
import { type ClientRoom, RoomLink } from './room-link.js';
import { ConfirmedPoses } from './confirmed-poses.js';
import { createRoomHandle, type RoomHandle } from './room-handle.js';

/** Options of {@link connectRoom}. */
export interface ConnectRoomOptions {
  /**
   * `'stream'`: the page draws the poses that the room sends, and needs no engine. `'predict'`: a worker runs the room's
   * simulation as well, ahead of it, so that the player's own actions show at once. Default `'stream'`.
   */
  readonly mode?: RoomMode;
  /**
   * Creates the worker of the mode `predict`, whose script calls `runSimulation(predictRoom(simulation))`, as for `connect`.
   * Default: none, as in the mode `stream`, which refuses one. The mode `predict` needs it.
   */
  readonly createWorker?: CreateWorker;
  /** As for `connect`, without velocities, which are not sent, and values, which are the room's. Default: that of `connect`. */
  readonly display?: Omit<NonNullable<ConnectOptions['display']>, 'velocities' | 'values'>;
  /**
   * Whether `room.confirmedPose` is available. It costs a second look at each packet, or a copy of the bodies for each tick,
   * and one per packet from the worker to the page. Default false.
   */
  readonly confirmedPoses?: boolean;
  /** Ends the connecting. Default: it takes as long as it takes. */
  readonly signal?: AbortSignal;
}

/** The commands of a room's simulation as a client calls them: without their first argument, the seat. */
export type WithoutSeat<C extends CommandMap> = {
  [Name in Exclude<keyof C, 'join' | 'leave'>]: C[Name] extends (
    seat: never,
    ...args: infer Args
  ) => infer Result
    ? (...args: Args) => Result
    : never;
};

const OPTIONS = {
  mode: choice(ROOM_MODES, 'stream'),
  createWorker: anything<CreateWorker | undefined>(),
  display: anything<ConnectRoomOptions['display']>(),
  confirmedPoses: flag(false),
  signal: anything<AbortSignal | undefined>(),
} satisfies Readonly<Record<keyof ConnectRoomOptions, Check<unknown>>>;

/**
 * Shows the simulation of a room: the handle is that of `connect`, so three.js, React and the inspector use it unchanged.
 *
 * @typeParam S Type of the simulation that the room runs.
 * @param room What `client.joinOrCreate` of Colyseus' client resolves with. It stays the application's: `dispose` of the
 *   handle does not leave it.
 * @throws TypeError, RangeError for an invalid option.
 * @throws RoomConnectionError if the room is left first, or speaks another version of the protocol.
 * @throws What `connect` throws.
 */
export async function connectRoom<S = { commands?: CommandMap }>(
  room: ClientRoom,
  options: ConnectRoomOptions = {},
): Promise<RoomHandle<WithoutSeat<CommandsOf<S>>, EventsOf<S>, TagOf<S>>> {
  const { mode, createWorker, display, confirmed, signal } = resolve(options);
  signal?.throwIfAborted();
  const link = new RoomLink(room, mode, () => performance.now());
  const onAbort = (): void => link.end(signal?.reason as Error);
  signal?.addEventListener('abort', onAbort);
  try {
    const beginning = await link.begin();
    const { welcome } = beginning;
    const settings: ConnectOptions = {
      capacity: welcome.run.capacity,
      seed: welcome.run.seed,
      setup: welcome.run.setup,
      display: { ...display, values: welcome.valueCount },
      recording: false,
      whenHidden: 'run',
      ...(signal !== undefined && { signal }),
    };
    const opened =
      createWorker === undefined
        ? await import('./stream-room.js').then((part) =>
            part.streamRoom(link, beginning, settings, confirmed),
          )
        : await import('./predict-room.js').then((part) =>
            part.predictRoom(link, beginning, settings, createWorker, confirmed),
          );
    const { simulation, connection, drawn, parts } = opened;
    const dispose = (): Promise<void> => {
      link.close();
      return simulation.dispose();
    };
    const { tickRateHz } = welcome;
    const sample = (frameMs: number): SampledFrame => {
      const frame = simulation.sample(frameMs);
      drawn.noteFrame(frame, frameMs);
      return frame;
    };
    const own = { ...parts, sample, dispose };
    return createRoomHandle(simulation, connection, tickRateHz, own) as RoomHandle<
      WithoutSeat<CommandsOf<S>>,
      EventsOf<S>,
      TagOf<S>
    >;
  } catch (error) {
    link.close();
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function resolve(options: ConnectRoomOptions) {
  const { confirmedPoses, ...checked } = checkOptions('connectRoom', options, OPTIONS);
  const { mode, createWorker } = checked;
  if (mode === 'predict' && typeof createWorker !== 'function') {
    throw new TypeError(
      "mode: 'predict' needs createWorker: a function that creates the worker whose script calls " +
        'runSimulation(predictRoom(simulation))',
    );
  }
  if (mode === 'stream' && createWorker !== undefined) {
    throw new TypeError(
      "createWorker has no effect in the mode 'stream': leave it out, or set mode: 'predict'",
    );
  }
  return { ...checked, confirmed: confirmedPoses ? new ConfirmedPoses() : undefined };
}
