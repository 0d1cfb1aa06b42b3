/** The handle to a simulation that runs in a room: a page cannot decide what the room decides. */
import type { SimulationHandle } from '../../render-main/api/simulation-handle.js';
import type { RoomMode } from '../shared/room-messages.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { Json } from '../../shared/util/json.js';
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { PredictionState } from '../run/prediction-names.js';
import type { StreamCounters } from '../run/streamed-simulation.js';

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
   * Number of times that the page has asked for the whole state: once at first, and again until it came, with pauses. If it
   * grows later, messages were lost between the page and its worker, because the worker was busy for long.
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
  /** Why the connection ended. Undefined while it lasts. The picture then stays as it was. */
  readonly error: Error | undefined;
}

/**
 * A simulation in a room: sampled, drawn and called like any other. Its commands resolve when they were sent: what they do
 * comes with the state. What only the room decides rejects: pauses, steps, rates and saved states; `recording` throws.
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

/** @param tickRateHz Of the room. @param own What the handle has in place of the simulation's. */
export function createRoomHandle(
  simulation: SimulationHandle,
  room: RoomConnection,
  tickRateHz: number,
  own: Partial<SimulationHandle> & Pick<SimulationHandle, 'dispose'>,
): RoomHandle {
  const refused = DECIDED_BY_ROOM.map((name) => [name, () => Promise.reject(refusalOf(name))]);
  // In the mode `stream` the page shows the room's packets, of which there are fewer than ticks. And the time scale is changed
  // a little all the time, to keep the distance to the room.
  const time = { tickRateHz, timeScale: 1 };
  const replaced = {
    room,
    ...time,
    ...own,
    stats: () => ({ ...(own.stats ?? simulation.stats)(), ...time }),
  };
  // The handle's methods do not use `this`, and its getters are read when they are called.
  return Object.assign(
    Object.create(simulation, Object.getOwnPropertyDescriptors(replaced)) as RoomHandle,
    Object.fromEntries(refused),
    {
      // Not a promise, of which a caller would know nothing.
      recording: () => {
        throw refusalOf('recording');
      },
    },
  );
}
