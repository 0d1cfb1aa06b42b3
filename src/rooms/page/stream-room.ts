/** Draws the poses that a room sends: a simulation in the page's thread shows a packet per tick. */
import { connect } from '../../render-main/connect.js';
import type { CallOptions } from '../../render-main/api/call-options.js';
import type { ConnectOptions } from '../../render-main/api/connect-options.js';
import { BodyStreamReader } from '../shared/body-stream.js';
import type { RoomPacket, RoomWelcome } from '../shared/room-messages.js';
import { SimulationDisposedError } from '../../shared/util/errors.js';
import { StreamedSimulation } from '../run/streamed-simulation.js';
import { runLocally } from '../../sim-worker/run-locally.js';
import { confirmedPoseOf, type ConfirmedPoses } from './confirmed-poses.js';
import { DrawnTime } from './drawn-time.js';
import { RoomActions } from './room-actions.js';
import type { RoomConnection } from './room-handle.js';
import { type RoomBeginning, type RoomLink, ignoreDisposal } from './room-link.js';

const now = (): number => performance.now();

/** Most ticks that actions are ahead of the last packet: a room refuses those that are 60 ticks ahead of it. */
const MAX_AHEAD_TICKS = 30;

export async function streamRoom(
  link: RoomLink,
  { welcome, timing }: RoomBeginning,
  settings: ConnectOptions,
  confirmed: ConfirmedPoses | undefined,
) {
  const arrived = confirmed && new ArrivedStates(welcome, confirmed);
  const tickRateHz = welcome.tickRateHz / welcome.ticksPerPacket;
  /** A room that was busy has dropped ticks, which the page does not know yet. */
  const tickAt = (nowMs: number): number =>
    Math.min(timing.actionTick(nowMs), link.packetTick + MAX_AHEAD_TICKS);
  const streamed = new StreamedSimulation(welcome, (roomTick) => timing.noteTick(roomTick, now()));
  const drawn = new DrawnTime(timing, (tick) => streamed.roomTickOf(tick));
  const simulation = await connect(() => runLocally(streamed), {
    ...settings,
    // As it is meant: not worth a line on the console.
    transport: 'local',
    tickRateHz,
  });
  const actions = new RoomActions({
    now,
    tickMs: 1000 / welcome.tickRateHz,
    commands: welcome.commands,
    tickAt,
    send: (sent) => link.sendActions(sent),
    onInput: (tick, stampMs) => drawn.noteInput(tick, stampMs),
    requireRunning() {
      const { state } = simulation;
      if (state === 'disposed') throw new SimulationDisposedError('the simulation was disposed');
      if (state === 'failed') throw new Error('the simulation has failed');
    },
  });
  link.open({
    onMessage: (message) => {
      if (message.kind === 'packet') {
        streamed.receive(message);
        arrived?.read(message);
      } else if (message.kind === 'welcome') {
        streamed.begin(message);
        arrived?.begin(message);
      }
    },
    onEnd: () => streamed.end(),
    onTurn: () => {
      const { timeScale, skippedTicks } = timing.correctDelay(1000 / tickRateHz);
      streamed.skip(skippedTicks);
      if (timeScale !== simulation.timeScale) ignoreDisposal(simulation.setTimeScale(timeScale));
    },
  });
  const connection: RoomConnection = {
    seat: welcome.seat,
    mode: 'stream',
    confirmedPose: confirmedPoseOf(confirmed),
    get roundTripMs() {
      return timing.roundTripMs;
    },
    get behindMs() {
      return drawn.behindMs;
    },
    get stream() {
      return streamed.counters;
    },
    prediction: undefined,
    get stateRequests() {
      return link.stateRequests;
    },
    get error() {
      return link.error;
    },
  };
  const { commands } = actions;
  return {
    simulation,
    connection,
    drawn,
    parts: {
      inputs: actions,
      commands,
      commandsWith: (options: CallOptions) => actions.commandsWith(options),
      stats: () => ({ ...simulation.stats(), inputToFrameMs: drawn.inputToFrameMs }),
      resetStats() {
        simulation.resetStats();
        drawn.reset();
      },
    },
  };
}

/** Reads packets when they arrive. */
class ArrivedStates {
  readonly #confirmed: ConfirmedPoses;
  readonly #reader: BodyStreamReader;

  constructor(welcome: RoomWelcome, confirmed: ConfirmedPoses) {
    this.#confirmed = confirmed;
    this.#reader = new BodyStreamReader(welcome.precision, welcome.run.capacity);
    this.begin(welcome);
  }

  begin({ state }: RoomWelcome): void {
    this.#reader.readBaseline(state);
    this.#write();
  }

  read({ bodies }: RoomPacket): void {
    if (bodies === undefined) return;
    this.#reader.read(bodies);
    this.#write();
  }

  #write(): void {
    this.#confirmed.reserve(this.#reader.bodyLimit);
    this.#reader.write(this.#confirmed);
  }
}
