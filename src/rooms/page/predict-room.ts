/** Predicts a room's run: a worker has the room's simulation, and the page passes messages between it and the room. */
import { connect } from '../../render-main/connect.js';
import type { ConnectOptions } from '../../render-main/api/connect-options.js';
import type { CreateWorker } from '../../render-main/api/create-worker.js';
import {
  CONFIRMED_COMMAND,
  MESSAGE_COMMAND,
  PREDICTION_EVENTS,
  SKIP_COMMAND,
  type ConfirmedLanes,
  type PredictionState,
  MessageSender,
} from '../run/prediction-messages.js';
import { bytesOfBase64 } from '../../shared/util/bytes.js';
import { type ConfirmedPoses, DrawnTime } from './room-connection.js';
import {
  type RoomBeginning,
  type RoomChannel,
  RoomConnectionError,
  ignoreDisposal,
} from './room-channel.js';

/** A page draws each tick before there are this many newer ones. */
const SHOWN_TICKS = 8;

interface PredictionSimulation {
  readonly commands: {
    [MESSAGE_COMMAND]: (number: number, isLast: boolean, chunk: Uint8Array) => void;
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
  channel: RoomChannel,
  { welcome, bytes, timing }: RoomBeginning,
  settings: ConnectOptions,
  createWorker: CreateWorker,
  confirmed: ConfirmedPoses | undefined,
) {
  const { tickRateHz } = welcome;
  let state: PredictionState | undefined;
  /** Ticks of the worker, and which ticks of the room they show. From one of these to the next, both count up by one. */
  let shown = [{ tick: 0, roomTick: welcome.tick }];
  const drawn = new DrawnTime(timing, (tick) => {
    const known = shown.findLast((one) => one.tick <= tick) ?? shown[0];
    return known === undefined ? 0 : known.roomTick + tick - known.tick;
  });
  const simulation = await connect<PredictionSimulation>(createWorker, { ...settings, tickRateHz });
  const { commands } = simulation;
  const sender = new MessageSender(commands[MESSAGE_COMMAND], (cause) => {
    const why = `the worker cannot take a message of the room: ${(cause as Error).message}`;
    channel.end(new RoomConnectionError(why, { cause }));
  });
  simulation.on(PREDICTION_EVENTS.send, ({ value }) => channel.sendBytes(bytesOfBase64(value)), {
    when: 'now',
  });
  simulation.on(
    PREDICTION_EVENTS.state,
    ({ value, tick }) => {
      state = value;
      timing.noteTick(value.tick, performance.now());
      shown = [...shown.slice(-SHOWN_TICKS), { tick, roomTick: value.tick }];
    },
    { when: 'now' },
  );
  if (confirmed !== undefined) {
    simulation.on(
      PREDICTION_EVENTS.confirmed,
      ({ value: { from, slots, lanes } }) =>
        confirmed.set(from, slots, bytesOfBase64(lanes).buffer),
      { when: 'now' },
    );
    ignoreDisposal(commands[CONFIRMED_COMMAND]());
  }
  sender.send(bytes);
  channel.open({
    onMessage: (_, message) => sender.send(message),
    onCorrection: () => {
      const { timeScale, skippedTicks } = timing.correctLead();
      if (skippedTicks !== 0) ignoreDisposal(commands[SKIP_COMMAND](skippedTicks));
      if (timeScale !== simulation.timeScale) ignoreDisposal(simulation.setTimeScale(timeScale));
    },
  });
  return { simulation, drawn, stream: undefined, prediction: () => state, overrides: {} };
}
