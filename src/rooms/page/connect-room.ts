/** Shows the simulation of a room on a page: the handle is one of `connect`, without what only the room decides. */
import type { ConnectOptions } from '../../render-main/api/connect-options.js';
import type { CreateWorker } from '../../render-main/api/create-worker.js';
import type { SampledFrame } from '../../render-main/frame/frame.js';
import type { SimulationHandle } from '../../render-main/api/simulation-handle.js';
import type { CommandsOf, EventsOf, TagOf } from '../../render-main/connect.js';
import { ConfirmedPoses, createRoomConnection, type RoomConnection } from './room-connection.js';
import { type ClientRoom, RoomChannel } from './room-channel.js';
import { ROOM_MODES, type RoomMode } from '../shared/room-messages.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { Json } from '../../shared/util/json.js';
import { ByteReadError } from '../../shared/util/bytes.js';
import { anything, checkOptions, choice, flag, type Check } from '../../shared/util/options.js';

/** Options of {@link connectRoom}. */
export interface ConnectRoomOptions {
  /**
   * `'stream'`: the page draws the poses that the room sends, and needs no engine. `'predict'`: a worker runs the room's
   * simulation as well, ahead of it, so that the player's own actions show at once. Default `'stream'`.
   */
  readonly mode?: RoomMode;
  /**
   * Creates the worker of the mode `predict`, whose script calls `runSimulation(predictRoom(simulation))`, as for `connect`.
   * The mode `predict` needs it, and the mode `stream` refuses it. Default: no worker.
   */
  readonly createWorker?: CreateWorker;
  /** As for `connect`, without velocities, which are not sent, and values, which the room has. Default: the default of `connect`. */
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

/**
 * A simulation in a room: sampled, drawn and called like any other. Its commands resolve when they were sent: what they do
 * comes with the state. They reject with a RangeError if the room would not take them. Calls that only the room may decide reject: pauses, steps, rates and saved states; `recording` throws.
 *
 * @typeParam C The commands of the room's simulation, without the seat.
 * @typeParam E Its own events.
 * @typeParam T The tags of its bodies.
 */
export interface RoomHandle<
  C extends CommandMap = CommandMap,
  E extends EventMap = Record<never, never>,
  T extends Json = Json,
> extends SimulationHandle<C, E, Record<never, never>, T> {
  /** How the page is connected to its room. */
  readonly room: RoomConnection;
}

const OPTIONS = {
  mode: choice(ROOM_MODES, 'stream'),
  createWorker: anything<CreateWorker | undefined>(),
  display: anything<ConnectRoomOptions['display']>(),
  confirmedPoses: flag(false),
  signal: anything<AbortSignal | undefined>(),
} satisfies Readonly<Record<keyof ConnectRoomOptions, Check<unknown>>>;

/**
 * Shows the simulation of a room: the handle is like the one of `connect`, so three.js, React and the inspector use it unchanged.
 *
 * @typeParam S Type of the simulation that the room runs.
 * @param room What `client.joinOrCreate` of Colyseus' client resolves with. It stays the application's: `dispose` of the
 *   handle does not leave it.
 * @throws TypeError, RangeError for an invalid option.
 * @throws RoomConnectionError if the room is left first, speaks another version of the protocol, or cannot be read.
 * @throws whatever `connect` throws.
 */
export async function connectRoom<S = { commands?: CommandMap }>(
  room: ClientRoom,
  options: ConnectRoomOptions = {},
): Promise<RoomHandle<WithoutSeat<CommandsOf<S>>, EventsOf<S>, TagOf<S>>> {
  const { mode, createWorker, display, confirmed, signal } = resolve(options);
  signal?.throwIfAborted();
  const channel = new RoomChannel(room, mode, () => performance.now());
  const onAbort = (): void => channel.end(signal?.reason as Error);
  signal?.addEventListener('abort', onAbort);
  try {
    const beginning = await channel.begin();
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
    const shown =
      createWorker === undefined
        ? await import('./stream-room.js').then((part) =>
            part.streamRoom(channel, beginning, settings, confirmed),
          )
        : await import('./predict-room.js').then((part) =>
            part.predictRoom(channel, beginning, settings, createWorker, confirmed),
          );
    const { simulation, drawn, stream, prediction, overrides } = shown;
    return createRoomHandle(
      simulation,
      createRoomConnection(channel, beginning, drawn, confirmed, stream, prediction),
      welcome.tickRateHz,
      {
        ...overrides,
        sample(frameMs: number): SampledFrame {
          const frame = simulation.sample(frameMs);
          drawn.noteFrame(frame, frameMs);
          return frame;
        },
        dispose(): Promise<void> {
          channel.close();
          return simulation.dispose();
        },
      },
    ) as RoomHandle<WithoutSeat<CommandsOf<S>>, EventsOf<S>, TagOf<S>>;
  } catch (error) {
    if (error instanceof ByteReadError) channel.endUnreadable(error);
    channel.close();
    throw channel.error ?? error;
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

const DECIDED_BY_ROOM = [
  'pause',
  'resume',
  'step',
  'setTickRate',
  'setTimeScale',
  'setMaxCatchUpTicks',
  'save',
  'restore',
  'seek',
  'openReplay',
  'replaceWorker',
] as const satisfies readonly (keyof SimulationHandle)[];

const refusalOf = (name: string): Error =>
  new Error(`${name}() is for the room to decide: this page shows a simulation on a server`);

/** @param tickRateHz Of the room. @param overrides Members of the handle in place of the simulation's. */
function createRoomHandle(
  simulation: SimulationHandle,
  room: RoomConnection,
  tickRateHz: number,
  overrides: Partial<SimulationHandle> & Pick<SimulationHandle, 'dispose'>,
): RoomHandle {
  const refused = DECIDED_BY_ROOM.map((name) => [name, () => Promise.reject(refusalOf(name))]);
  // In the mode `stream` the page's own ticks are packets, of which there are fewer. And the time scale is changed a little
  // all the time, to keep the distance to the room.
  const time = { tickRateHz, timeScale: 1 };
  const replaced = {
    room,
    ...time,
    ...overrides,
    stats: () => ({ ...(overrides.stats ?? simulation.stats)(), ...time }),
  };
  // The handle's methods do not use `this`, and its getters are read when they are called.
  return Object.assign(
    Object.create(simulation, Object.getOwnPropertyDescriptors(replaced)) as RoomHandle,
    Object.fromEntries(refused),
    {
      // The getter returns no promise that could reject.
      recording: () => {
        throw refusalOf('recording');
      },
    },
  );
}
