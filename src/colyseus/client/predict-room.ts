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
} from '../../sim-worker/room/prediction-names.js';
import { MessageParts } from './message-parts.js';
import { confirmedPoseOf, type ConfirmedPoses } from './confirmed-poses.js';
import type { RoomConnection } from './room-handle.js';
import type { RoomBeginning, RoomLink } from './room-link.js';
import { ignoreDisposal } from './ignore-disposal.js';

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
  const simulation = await connect<PredictionSimulation>(createWorker, { ...settings, tickRateHz });
  const { commands } = simulation;
  const parts = new MessageParts(commands[MESSAGE_COMMAND], () => link.askForState());
  simulation.on(PREDICTION_EVENTS.send, ({ value }) => link.sendBytes(bytesOfText(value)), {
    when: 'now',
  });
  simulation.on(
    PREDICTION_EVENTS.state,
    ({ value }) => {
      state = value;
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
    actionTick: () => (state?.tick ?? welcome.tick) + 1,
    onTurn: () => {
      if (state === undefined) return;
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
      return timing.clock.roundTripMs;
    },
    get behindMs() {
      return -(timing.clock.roundTripMs / 2 + timing.waitMs);
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
  return { simulation, connection };
}
