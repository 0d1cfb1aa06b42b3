/**
 * Draws the poses that a room sends: a simulation in the page's thread shows a packet per tick. Actions of the page go to
 * the room at once, because no tick of the page has to process it first.
 */
import type { ConnectOptions } from '../../render-main/api/connect-options.js';
import type { SimulationHandle } from '../../render-main/api/simulation-handle.js';
import { connect } from '../../render-main/connect.js';
import { type ConfirmedPoses, DrawnTime } from './room-connection.js';
import { type RoomBeginning, type RoomChannel, ignoreDisposal } from './room-channel.js';
import { StreamedSimulation } from '../run/streamed-simulation.js';
import { BodyStreamReader } from '../shared/body-stream.js';
import { CommandLimits } from '../shared/room-limits.js';
import type { Action, RoomPacket, RoomWelcome } from '../shared/room-messages.js';
import {
  requireInput,
  type InputSink,
  type InputValues,
  type TickInput,
} from '../../shared/input/tick-inputs.js';
import { mergeMoves } from '../../shared/input/merge-moves.js';
import { ROOM_COMMANDS } from '../../shared/input/seats.js';
import type { CommandMap, RemoteCommands } from '../../shared/protocol/control-protocol.js';
import { assetNamesIn, requireNamedAssets, type AssetName } from '../../shared/recording/asset.js';
import { packArguments, type CommandArguments } from '../../shared/util/command-arguments.js';
import { SimulationDisposedError } from '../../shared/util/errors.js';
import { runLocally } from '../../sim-worker/run-locally.js';

const now = (): number => performance.now();

/** Rooms have no assets. */
const NO_ASSETS = new Set<AssetName>();

export async function streamRoom(
  channel: RoomChannel,
  beginning: RoomBeginning,
  settings: ConnectOptions,
  confirmed: ConfirmedPoses | undefined,
) {
  const { welcome, timing } = beginning;
  const arrived = confirmed && new ArrivedStates(welcome, confirmed);
  const tickRateHz = welcome.tickRateHz / welcome.ticksPerPacket;
  const streamed = new StreamedSimulation(
    welcome,
    (roomTick) => timing.noteTick(roomTick, now()),
    (error) => channel.endUnreadable(error),
  );
  const drawn = new DrawnTime(timing, (tick) => streamed.roomTickOf(tick));
  const simulation = await connect(() => runLocally(streamed), {
    ...settings,
    // On purpose: connect would note on the console that there is no worker.
    transport: 'local',
    tickRateHz,
  });
  const actions = new RoomActions(channel, beginning, { simulation, drawn });
  channel.open({
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
    onCorrection: () => {
      const { timeScale, skippedTicks } = timing.correctDelay(1000 / tickRateHz);
      streamed.skip(skippedTicks);
      if (timeScale !== simulation.timeScale) ignoreDisposal(simulation.setTimeScale(timeScale));
    },
  });
  return {
    simulation,
    drawn,
    stream: streamed.counters,
    prediction: () => undefined,
    overrides: {
      inputs: actions,
      commands: actions.commands,
      stats: () => ({ ...simulation.stats(), inputToFrameMs: drawn.inputToFrameMs }),
      resetStats() {
        simulation.resetStats();
        drawn.reset();
      },
    },
  };
}

/** Reads packets when they arrive, not when they are shown. */
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

interface StampedInput {
  readonly input: TickInput;
  readonly stampMs: number;
}

/** The simulation that the page shows, and when its inputs are seen. */
interface Shown {
  readonly simulation: Pick<SimulationHandle, 'state'>;
  readonly drawn: DrawnTime;
}

/** Sends inputs and commands to the room. */
class RoomActions implements InputSink {
  /** Inputs that were too many for a tick. */
  refused = 0;
  /** The commands of the room's simulation that clients may call. */
  readonly commands: RemoteCommands<CommandMap>;
  readonly #channel: RoomChannel;
  readonly #beginning: RoomBeginning;
  readonly #shown: Shown;
  readonly #commandLimits: CommandLimits;
  /** The last tick that actions were sent for, and how many. */
  #sentTick = 0;
  #sentActions = 0;
  #waiting: StampedInput[] = [];
  #sentMs = Number.NEGATIVE_INFINITY;

  constructor(channel: RoomChannel, beginning: RoomBeginning, shown: Shown) {
    this.#channel = channel;
    this.#beginning = beginning;
    this.#shown = shown;
    this.#commandLimits = new CommandLimits(beginning.welcome.limits);
    const callable = beginning.welcome.commands.filter((name) => !ROOM_COMMANDS.has(name));
    this.commands = Object.freeze(
      Object.fromEntries(
        callable.map((name) => [
          name,
          async (...args: unknown[]) => this.#call(name, packArguments(name, args)),
        ]),
      ),
    );
  }

  /**
   * Sends one message for the inputs that come together, and one a tick: a mouse may report its position a thousand times a
   * second.
   *
   * @returns False if a tick takes no more.
   * @throws TypeError, RangeError naming the invalid value.
   */
  push(input: InputValues, stampMs: number): boolean {
    requireInput(input, stampMs);
    const { limits, tickRateHz } = this.#beginning.welcome;
    if (this.#waiting.length >= limits.maxActionsPerTick) {
      this.refused += 1;
      return false;
    }
    const nowMs = now();
    const { kind, code, device, x, y, z, w } = input;
    const values = { kind, code, device, x, y, z, w, fraction: 0 };
    this.#waiting.push({ input: values, stampMs: Math.min(stampMs, nowMs) });
    if (this.#waiting.length > 1) return true;
    const waitMs = this.#sentMs + 1000 / tickRateHz - nowMs;
    if (waitMs > 0) setTimeout(() => this.#sendInputs(), waitMs);
    else queueMicrotask(() => this.#sendInputs());
    return true;
  }

  #sendInputs(): void {
    const nowMs = now();
    const { tick, fraction } = this.#tickAt(nowMs);
    const inputs = this.#waiting.map(({ input }) => ({ ...input, fraction }));
    for (const { stampMs } of this.#waiting) this.#shown.drawn.noteInput(tick, stampMs);
    this.#waiting = [];
    this.#sentMs = nowMs;
    this.#send(
      tick,
      mergeMoves(inputs).map((input) => ({ kind: 'input', tick, input })),
    );
  }

  #call(name: string, given: CommandArguments): void {
    const { state } = this.#shown.simulation;
    if (state === 'disposed') throw new SimulationDisposedError('the simulation was disposed');
    if (state === 'failed') throw new Error('the simulation has failed');
    if (this.#channel.error !== undefined) throw this.#channel.error;
    requireNamedAssets(`the command "${name}"`, assetNamesIn(given.args), NO_ASSETS);
    const nowMs = now();
    const { tick } = this.#tickAt(nowMs);
    const action: Action = { kind: 'command', tick, name, ...given };
    const { length } = this.#channel.encode([action]);
    this.#commandLimits.require(name, length, this.#actionsOf(tick), nowMs);
    this.#send(tick, [action]);
  }

  #send(tick: number, actions: readonly Action[]): void {
    this.#sentActions = this.#actionsOf(tick) + actions.length;
    this.#sentTick = tick;
    this.#channel.sendActions(actions, this.#beginning.welcome.limits.maxMessageBytes);
  }

  /** How many actions a tick has already. */
  #actionsOf(tick: number): number {
    return tick === this.#sentTick ? this.#sentActions : 0;
  }

  /** The tick that actions are for now: a tick gets what came after the tick before was due, until it is due itself. */
  #tickAt(nowMs: number): { readonly tick: number; readonly fraction: number } {
    const wanted = this.#beginning.timing.actionTick(nowMs);
    // A room that was busy has dropped ticks, which the page does not know yet, and refuses actions that are too far ahead.
    const ahead = Math.max(1, this.#beginning.welcome.limits.maxLeadTicks >> 1);
    const at = Math.min(wanted, this.#channel.packetTick + ahead);
    // NaN: it is not known.
    if (!(at > 0)) return { tick: 0, fraction: 0 };
    const tick = Math.ceil(at);
    return { tick, fraction: Math.fround(at - tick + 1) };
  }
}
