/**
 * The run of a room: the same simulation, advanced on a server, with the actions of many clients.
 *
 * It knows no clock, no network and no host. Its host calls {@link RoomRun.advance} with the time, passes
 * on what clients send, and sends what it returns.
 *
 *     tick k is due at k · period + dropped        actions for tick k are what has arrived by then; later ones are for k + 1
 *
 *     actions of clients ─▶ action queue ─▶ tick ─▶ journal
 *                                         └─▶ packet for clients that draw:      poses, events, values
 *                                             packet for clients that simulate:  actions, hashes
 */
import type { JournalItem } from '../../shared/protocol/control-protocol.js';
import { BodyStreamWriter } from '../shared/body-stream-writer.js';
import { decodeClientMessage } from '../shared/client-messages.js';
import { actionOfSeat, tickInputsOf, type Action } from '../shared/action-entries.js';
import {
  encodePacket,
  encodePong,
  encodeWelcome,
  ROOM_PROTOCOL,
  type BodyTagEntry,
  type RoomMode,
} from '../shared/room-messages.js';
import { MAX_SEATS, ROOM_COMMANDS } from '../../shared/input/seats.js';
import { slotOf, type BodyId } from '../../shared/memory/body-meta.js';
import { assetNamesIn } from '../../shared/recording/asset.js';
import type { RunDescription, SavedState } from '../../shared/recording/recording.js';
import { Schedule } from '../../shared/time/schedule.js';
import { requireJson, type Json } from '../../shared/util/json.js';
import { requireInteger } from '../../shared/util/validate.js';
import type { TickInput } from '../../shared/input/tick-inputs.js';
import type { Simulation } from '../../sim-worker/api/simulation.js';
import { functionNamed } from '../../sim-worker/run/simulation-calls.js';
import { RunJournal } from '../../sim-worker/run/journal.js';
import { SimulationRun } from '../../sim-worker/run/simulation-run.js';
import { ActionQueue, type ClientCounters } from './action-queue.js';
import {
  resolveRoomOptions,
  type ResolvedRoomOptions,
  type RoomRunOptions,
} from './room-options.js';
import { SentEvents } from './room-events.js';

/** Least time between two welcomes that a client asks for, in ms. */
const MIN_WELCOME_MS = 1000;

/** What happens to a room's run. */
export interface RoomRunHandlers {
  /** A packet for all clients of a mode. */
  readonly onPacket: (mode: RoomMode, packet: Uint8Array) => void;
  /** What determines the run, before it takes effect: for a recording. Default: nothing is recorded. */
  readonly onJournal?: (items: readonly JournalItem[]) => void;
  /** A command has thrown. The run continues. Default: the error is ignored. */
  readonly onCommandError?: (name: string, error: unknown) => void;
}

interface Client {
  readonly counters: ClientCounters;
  /** Undefined: it has not been welcomed. */
  mode: RoomMode | undefined;
  /** When it asked for a welcome last, in ms. */
  askedMs: number;
  /** Bytes that it may still send, and when that was counted, in ms. */
  allowance: number;
  countedMs: number;
}

export class RoomRun {
  readonly options: ResolvedRoomOptions;
  readonly #run: SimulationRun;
  readonly #handlers: RoomRunHandlers;
  readonly #stream: BodyStreamWriter;
  readonly #queue: ActionQueue;
  readonly #events: SentEvents;
  readonly #clients = new Map<number, Client>();
  readonly #commands: readonly string[];
  readonly #description: RunDescription;
  readonly #poses: Float32Array;
  /** The state of the last tick, if someone needed it. */
  #saved: SavedState | undefined;
  #packetTick = 0;
  readonly #schedule: Schedule;
  #droppedTicks = 0;
  #sentDroppedMs = 0;
  #actions: Action[] = [];
  #hash: string | undefined;

  /**
   * Initializes the simulation.
   *
   * @param simulation A new one.
   * @throws TypeError, RangeError naming the invalid option. @throws What `init` throws.
   */
  static async open(
    simulation: Simulation,
    options: RoomRunOptions,
    handlers: RoomRunHandlers,
  ): Promise<RoomRun> {
    const resolved = resolveRoomOptions(options);
    const events = new SentEvents();
    const made: { room?: RoomRun } = {};
    const run = new SimulationRun({
      simulation,
      options: {
        ...resolved,
        valueCount: resolved.values,
        dt: 1 / resolved.tickRateHz,
      },
      events: events.reporter,
      journal: new RunJournal((items) => made.room?.noteJournal(items), {
        hashEveryTicks: resolved.hashEveryTicks,
        saveEveryTicks: 0,
      }),
      onCommand: (command, outcome) => {
        if (command.kind === 'command' && 'error' in outcome) {
          handlers.onCommandError?.(command.name, outcome.error);
        }
      },
    });
    await run.initialize();
    const room = new RoomRun(run, resolved, events, handlers);
    made.room = room;
    // The journal's first item came before there was a room.
    handlers.onJournal?.([{ kind: 'restart', run: run.description, restarts: 0 }]);
    return room;
  }

  private constructor(
    run: SimulationRun,
    options: ResolvedRoomOptions,
    events: SentEvents,
    handlers: RoomRunHandlers,
  ) {
    this.#run = run;
    this.options = options;
    this.#events = events;
    this.#handlers = handlers;
    this.#stream = new BodyStreamWriter(options.precision);
    this.#queue = new ActionQueue(options.limits);
    this.#schedule = new Schedule(options.tickRateHz);
    this.#schedule.resume(0);
    this.#commands = Object.keys(run.simulation.commands ?? {});
    this.#description = run.description;
    this.#poses = new Float32Array(run.bodies.lanes.buffer);
  }

  /** Number of the last tick, 0 before the first. */
  get tick(): number {
    return this.#run.tick;
  }

  /** Hash of the current state. */
  get hash(): string {
    return this.#run.hash();
  }

  /** What the run was built from. */
  get description(): RunDescription {
    return this.#description;
  }

  /** Names of the simulation's commands. */
  get commands(): readonly string[] {
    return this.#commands;
  }

  /** Ticks that were due and never ran, because the process was late. */
  get droppedTicks(): number {
    return this.#droppedTicks;
  }

  /** When the next tick is due, in ms since the beginning. */
  get nextDueMs(): number {
    return this.#schedule.dueMs(this.tick + 1);
  }

  /**
   * Runs the ticks that are due.
   *
   * @param roomMs Time since the room began, in ms. Must not decrease.
   * @param most Runs no more than these, so that other rooms get their turn. Default: all.
   * @returns How many have run.
   * @throws What a step throws: the run is then over.
   */
  advance(roomMs: number, most = Number.POSITIVE_INFINITY): number {
    const schedule = this.#schedule;
    let due = schedule.lastTickDueAt(schedule.virtualMsAt(roomMs)) - this.tick;
    // Without the dropped time, the difference may be rounded to just before the tick.
    if (schedule.dueMs(this.tick + due + 1) <= roomMs) due += 1;
    // Ticks that the process has missed are dropped as a whole, which keeps the phase.
    const excess = Math.max(0, due - this.options.maxCatchUpTicks);
    this.#droppedTicks += excess;
    schedule.drop(excess);
    const ticks = Math.min(most, Math.max(0, due - excess));
    for (let count = 0; count < ticks; count++) this.#runTick();
    return ticks;
  }

  /**
   * A client takes a seat. If the simulation has a command `join`, the next tick calls it with the seat and `data`.
   *
   * @param seat 0 to 32,767, not taken.
   * @throws RangeError, TypeError if it is none or taken, or if the data are not JSON or name an asset.
   */
  join(seat: number, data: Json = null): void {
    requireInteger('seat', seat, 0, MAX_SEATS - 1);
    if (this.#clients.has(seat)) throw new RangeError(`the seat ${seat} is taken`);
    requireArguments([data]);
    this.#clients.set(seat, {
      counters: { actions: 0, late: 0, early: 0, flooded: 0, malformed: 0 },
      mode: undefined,
      askedMs: Number.NEGATIVE_INFINITY,
      allowance: this.options.limits.maxBytesPerSecond,
      countedMs: 0,
    });
    this.#call('join', [seat, data]);
  }

  /** A client leaves its seat. If the simulation has a command `leave`, the next tick calls it with the seat. */
  leave(seat: number): void {
    if (this.#clients.delete(seat)) this.#call('leave', [seat]);
  }

  /**
   * Calls a command of the simulation in the next tick: the room itself does.
   *
   * @throws RangeError, TypeError if there is no such command, or if the arguments are not JSON or name an asset.
   */
  call(name: string, args: readonly Json[]): void {
    if (!this.#commands.includes(name)) {
      throw new RangeError(`the simulation has no command "${name}"`);
    }
    requireArguments(args);
    this.#call(name, args);
  }

  /** What a client has sent so far. Undefined: the seat is free. */
  countersOf(seat: number): Readonly<ClientCounters> | undefined {
    return this.#clients.get(seat)?.counters;
  }

  /** How a client shows the run; undefined: it has not been welcomed. */
  modeOf(seat: number): RoomMode | undefined {
    return this.#clients.get(seat)?.mode;
  }

  /**
   * All that a client has to know to begin. The packets from the next one on follow it.
   *
   * @throws Error if it wants to simulate, and the simulation cannot be saved. @throws RangeError if the seat is free.
   */
  welcome(seat: number, mode: RoomMode): Uint8Array<ArrayBuffer> {
    const client = this.#clientAt(seat);
    const isStream = mode === 'stream';
    const state = isStream ? this.#stream.writeBaseline() : this.#save().bytes;
    client.mode = mode;
    return encodeWelcome({
      protocol: ROOM_PROTOCOL,
      mode,
      seat,
      tick: isStream ? this.#packetTick : this.tick,
      packetTick: this.#packetTick,
      tickRateHz: this.options.tickRateHz,
      ticksPerPacket: this.options.ticksPerPacket,
      hashEveryTicks: this.options.hashEveryTicks,
      droppedMs: this.#schedule.droppedMs,
      valueCount: this.options.values,
      precision: this.options.precision,
      commands: this.#commands,
      run: this.#description,
      tags: isStream ? this.#tagsOf(this.#run.bodies.ids()) : [],
      state,
    });
  }

  /**
   * Processes what a client has sent, whatever it is.
   *
   * @param roomMs Time since the room began, in ms.
   * @returns The answer to send to it, if there is one.
   * @throws Error if it wants to simulate, and the simulation cannot be saved. Only this client is to blame.
   */
  receive(seat: number, bytes: Uint8Array, roomMs: number): Uint8Array<ArrayBuffer> | undefined {
    const client = this.#clientAt(seat);
    const { counters } = client;
    if (!this.#allows(client, bytes.length, roomMs)) {
      counters.flooded += 1;
      return undefined;
    }
    let message;
    let actions: readonly Action[] = [];
    try {
      message = decodeClientMessage(bytes, this.#commands, this.options.limits.maxActionsPerTick);
      if (message.kind === 'actions') {
        actions = message.actions.map((action) => actionOfSeat(seat, action));
        requireClientActions(actions);
      }
    } catch {
      // Whatever it is: it comes from another machine.
      counters.malformed += 1;
      return undefined;
    }
    switch (message.kind) {
      case 'ping':
        return encodePong({ clientMs: message.clientMs, roomMs });
      case 'state':
        return this.#answerAsked(seat, message.mode, roomMs);
      default:
        this.#queue.add(seat, actions, this.tick, counters);
        return undefined;
    }
  }

  /** Ends the run, and frees what the simulation has. */
  dispose(): void {
    this.#run.dispose();
  }

  /** Called by the journal. */
  private noteJournal(items: readonly JournalItem[]): void {
    for (const item of items) if (item.kind === 'hash') this.#hash = item.hash;
    this.#handlers.onJournal?.(items);
  }

  /** Nothing for a client that asks often: a welcome is large. */
  #answerAsked(seat: number, mode: RoomMode, roomMs: number): Uint8Array<ArrayBuffer> | undefined {
    const client = this.#clientAt(seat);
    if (roomMs - client.askedMs < MIN_WELCOME_MS) {
      client.counters.flooded += 1;
      return undefined;
    }
    client.askedMs = roomMs;
    return this.welcome(seat, mode);
  }

  #clientAt(seat: number): Client {
    const client = this.#clients.get(seat);
    if (client === undefined) throw new RangeError(`no one has the seat ${seat}`);
    return client;
  }

  /** A bucket that fills within a second. Source: the token bucket of network traffic control. */
  #allows(client: Client, bytes: number, roomMs: number): boolean {
    const { maxBytesPerSecond } = this.options.limits;
    const filled = ((roomMs - client.countedMs) / 1000) * maxBytesPerSecond;
    client.allowance = Math.min(maxBytesPerSecond, client.allowance + filled);
    client.countedMs = roomMs;
    if (bytes > client.allowance) return false;
    client.allowance -= bytes;
    return true;
  }

  /** Several clients may need the same one. */
  #save(): SavedState {
    if (this.#saved?.tick !== this.tick) this.#saved = this.#run.save();
    return this.#saved;
  }

  #call(name: string, args: readonly Json[]): void {
    if (functionNamed(this.#run.simulation.commands, name) === undefined) return;
    this.#queue.addCommand(this.tick + 1, name, args);
  }

  #runTick(): void {
    const tick = this.tick + 1;
    const actions = this.#queue.take(tick);
    this.#actions.push(...actions);
    this.#saved = undefined;
    this.#run.runTick(this.#schedule.dt, tickInputsOf(actions), this.#schedule.dueMs(tick));
    this.#events.collect();
    if (tick % this.options.ticksPerPacket === 0) this.#sendPackets();
  }

  #sendPackets(): void {
    const { tick, bodies, values } = this.#run;
    const firstTick = this.#packetTick + 1;
    this.#packetTick = tick;
    const { droppedMs } = this.#schedule;
    const isLater = droppedMs !== this.#sentDroppedMs;
    this.#sentDroppedMs = droppedMs;
    const events = this.#events.take();
    const spawned = bodies.spawnList.take(bodies)?.spawned ?? [];
    const packet = this.#stream.write(
      { poses: this.#poses, metas: bodies.lanes, bodyLimit: bodies.bodyLimit },
      this.options.packetBytes,
    );
    const common = { tick, droppedMs: isLater ? droppedMs : undefined };
    // Written even without clients that draw: the stream of a client that joins later begins with its baseline.
    if (this.#hasMode('stream')) {
      this.#handlers.onPacket(
        'stream',
        encodePacket(
          {
            ...common,
            events,
            tags: spawned.length > 0 ? this.#tagsOf(spawned) : undefined,
            values: values.length > 0 ? values : undefined,
            bodies: packet,
          },
          this.#commands,
          firstTick,
        ),
      );
    }
    if (this.#hasMode('predict')) {
      this.#handlers.onPacket(
        'predict',
        encodePacket(
          {
            ...common,
            actions: this.#actions.length > 0 ? this.#actions : undefined,
            hash: this.#hash,
          },
          this.#commands,
          firstTick,
        ),
      );
    }
    this.#actions = [];
    this.#hash = undefined;
  }

  #hasMode(mode: RoomMode): boolean {
    for (const client of this.#clients.values()) if (client.mode === mode) return true;
    return false;
  }

  #tagsOf(ids: readonly BodyId[]): BodyTagEntry[] {
    const { bodies } = this.#run;
    return ids.flatMap((id) => {
      const tag = bodies.tagOf(id)?.json;
      return tag === undefined ? [] : [{ slot: slotOf(id), tag }];
    });
  }
}

/**
 * @throws RangeError if one is a command that only the room calls, or has what no client of ours sends: simulations need
 *   not expect it.
 */
function requireClientActions(actions: readonly Action[]): void {
  for (const action of actions) {
    if (action.kind === 'input') requireClientInput(action.input);
    else if (ROOM_COMMANDS.has(action.name)) {
      throw new RangeError(`only the room calls the command "${action.name}"`);
    } else requireNoAssets(action.args);
  }
}

function requireClientInput({ x, y, z, w, fraction }: TickInput): void {
  if ([x, y, z, w].every(Number.isFinite) && fraction >= 0 && fraction <= 1) return;
  throw new RangeError('an input has numbers that no input has');
}

/** @throws RangeError: a recording with the name of an asset that it does not have is refused. */
function requireNoAssets(json: string): void {
  const [name] = assetNamesIn(json);
  if (name !== undefined) throw new RangeError(`"${name}" names an asset, and rooms have none`);
}

function requireArguments(args: readonly Json[]): void {
  for (const arg of args) requireJson('an argument of a command', arg);
  requireNoAssets(JSON.stringify(args));
}
