/** Predicts a room's run: a worker has the room's simulation, and the page passes messages between it and the room. */
import { connect } from '../../render-main/connect.js';
import type { ConnectOptions } from '../../render-main/api/connect-options.js';
import type { CreateWorker } from '../../render-main/api/create-worker.js';
import {
  bytesOfText,
  CONFIRMED_COMMAND,
  MESSAGE_COMMAND,
  PREDICTION_EVENTS,
  SKIP_COMMAND,
  type ConfirmedLanes,
  type PredictionState,
} from '../run/prediction-names.js';
import { MessageParts } from './message-parts.js';
import { confirmedPoseOf, type ConfirmedPoses } from './confirmed-poses.js';
import { DrawnTime } from './drawn-time.js';
import type { RoomConnection } from './room-handle.js';
import { type RoomBeginning, type RoomLink, ignoreDisposal } from './room-link.js';

/** A page draws each tick before there are this many newer ones. */
const KEPT_TICKS = 8;

interface PredictionSimulation {
  readonly commands: {
    [MESSAGE_COMMAND]: (size: number, at: number, part: Uint8Array) => void;
    [SKIP_COMMAND]: (ticks: number) => void;
    [CONFIRMED_COMMAND]: () => void;
  };
  readonly events: {
    [PREDICTION_EVENTS.send]: string;
    [PREDICTION_EVENTS.confirmed]: { [Name in keyof ConfirmedLanes]: ConfirmedLanes[Name] };
    [PREDICTION_EVENTS.state]: { [Name in keyof PredictionState]: number };
  };
}

export async function predictRoom(
  link: RoomLink,
  { welcome, bytes, timing }: RoomBeginning,
  settings: ConnectOptions,
  createWorker: CreateWorker,
  confirmed: ConfirmedPoses | undefined,
) {
  const { tickRateHz } = welcome;
  let state: PredictionState | undefined;
  /** Ticks of the worker, and the room's that they show. Until the next of these, both count on by one. */
  let shown = [{ tick: 0, roomTick: welcome.tick }];
  const drawn = new DrawnTime(timing, (tick) => {
    const known = shown.findLast((one) => one.tick <= tick) ?? shown[0];
    return known === undefined ? 0 : known.roomTick + tick - known.tick;
  });
  const simulation = await connect<PredictionSimulation>(createWorker, { ...settings, tickRateHz });
  const { commands } = simulation;
  const parts = new MessageParts(commands[MESSAGE_COMMAND], () => link.askForState());
  simulation.on(PREDICTION_EVENTS.send, ({ value }) => link.sendBytes(bytesOfText(value)), {
    when: 'now',
  });
  simulation.on(
    PREDICTION_EVENTS.state,
    ({ value, tick }) => {
      state = value;
      timing.noteTick(value.tick, performance.now());
      shown = [...shown.slice(-KEPT_TICKS), { tick, roomTick: value.tick }];
    },
    { when: 'now' },
  );
  if (confirmed !== undefined) {
    simulation.on(
      PREDICTION_EVENTS.confirmed,
      ({ value: { from, slots, lanes } }) => confirmed.set(from, slots, bytesOfText(lanes).buffer),
      { when: 'now' },
    );
    ignoreDisposal(commands[CONFIRMED_COMMAND]());
  }
  parts.pass(bytes);
  link.open({
    onMessage: (_, message) => parts.pass(message),
    onTurn: () => {
      const { timeScale, skippedTicks } = timing.correctLead();
      if (skippedTicks !== 0) ignoreDisposal(commands[SKIP_COMMAND](skippedTicks));
      if (timeScale !== simulation.timeScale) ignoreDisposal(simulation.setTimeScale(timeScale));
    },
  });
  const connection: RoomConnection = {
    seat: welcome.seat,
    mode: 'predict',
    confirmedPose: confirmedPoseOf(confirmed),
    get roundTripMs() {
      return timing.roundTripMs;
    },
    get behindMs() {
      return drawn.behindMs;
    },
    stream: undefined,
    get prediction() {
      return state;
    },
    get stateRequests() {
      return link.stateRequests;
    },
    get error() {
      return link.error;
    },
  };
  return { simulation, connection, drawn, parts: {} };
}
