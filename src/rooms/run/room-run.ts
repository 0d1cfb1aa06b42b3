/**
 * The run of a room: the same simulation, advanced on a server, with the actions of many clients.
 *
 * It knows no clock, no network and no host. Its host calls {@link RoomRun.advance} with the time, passes on what clients
 * send, and sends what it returns. Tick k is due at k · period + dropped, and processes the actions that have arrived by
 * then; later ones are for the next tick.
 *
 *     actions of clients ─▶ action queue ─▶ tick ─▶ journal
 *                                         └─▶ packet for clients that draw:      poses, events, values
 *                                             packet for clients that simulate:  actions, hashes
 */
import type { JournalItem } from '../../shared/protocol/control-protocol.js';
import { BodyStreamWriter } from '../shared/body-stream.js';
import {
  decodeClientMessage,
  actionOfSeat,
  tickInputsOf,
  type Action,
  encodePacket,
  encodePong,
  encodeWelcome,
  ROOM_PROTOCOL,
  type BodyTagEntry,
  type RoomPacket,
  type RoomMode,
} from '../shared/room-messages.js';
import { longestMessage } from '../shared/room-limits.js';
import { MAX_SEATS } from '../../shared/input/seats.js';
import { slotOf, type BodyId } from '../../shared/memory/body-meta.js';
import type { RunDescription, SavedState } from '../../shared/recording/recording.js';
import { Schedule } from '../../shared/time/schedule.js';
import { requireJson, type Json } from '../../shared/util/json.js';
import { requireInteger } from '../../shared/util/validate.js';
import { SentEvents } from '../../sim-worker/api/mirrored-run.js';
import type { Simulation } from '../../sim-worker/api/simulation.js';
import { RunJournal, SimulationRun } from '../../sim-worker/api/runs.js';
import {
  ActionQueue,
  requireClientActions,
  requireNoAssets,
  SeatedClient,
  type ClientCounters,
} from './room-clients.js';
import {
  resolveRoomOptions,
  type ResolvedRoomOptions,
  type RoomRunOptions,
} from './room-options.js';

/** Called by a room's run. */
export interface RoomRunHandlers {
  /** A packet for all clients of a mode. */
  readonly onPacket: (mode: RoomMode, packet: Uint8Array) => void;
  /** Everything that determines the run, before it takes effect: for a recording. Default: nothing is recorded. */
  readonly onJournal?: (items: readonly JournalItem[]) => void;
  /** A command has thrown. The run continues. Default: the error is ignored. */
  readonly onCommandError?: (name: string, error: unknown) => void;
}

export class RoomRun {
  readonly options: ResolvedRoomOptions;
  readonly #run: SimulationRun;
  readonly #handlers: RoomRunHandlers;
  readonly #stream: BodyStreamWriter;
  readonly #queue: ActionQueue;
  readonly #events = new SentEvents();
  readonly #clients = new Map<number, SeatedClient>();
  #commands: readonly string[] = [];
  readonly #poses: Float32Array;
  /** The state of the last tick, if a client needed it. */
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
   * @throws TypeError, RangeError naming the invalid option. @throws whatever `init` throws.
   */
  static async open(
    simulation: Simulation,
    options: RoomRunOptions,
    handlers: RoomRunHandlers,
  ): Promise<RoomRun> {
    const room = new RoomRun(simulation, resolveRoomOptions(options), handlers);
    await room.#run.initialize();
    // Some simulations know the names only now.
    room.#commands = Object.keys(simulation.commands ?? {});
    return room;
  }

  private constructor(
    simulation: Simulation,
    options: ResolvedRoomOptions,
    handlers: RoomRunHandlers,
  ) {
    this.options = options;
    this.#handlers = handlers;
    this.#stream = new BodyStreamWriter(options.precision);
    this.#queue = new ActionQueue(options.limits);
    this.#schedule = new Schedule(options.tickRateHz);
    this.#schedule.resume(0);
    this.#run = new SimulationRun({
      simulation,
      options: { ...options, valueCount: options.values, dt: this.#schedule.dt },
      events: this.#events.reporter,
      journal: new RunJournal((items) => this.#noteJournal(items), {
        hashEveryTicks: options.hashEveryTicks,
        saveEveryTicks: 0,
      }),
      onCommand: (command, outcome) => {
        if (command.kind === 'command' && 'error' in outcome) {
          handlers.onCommandError?.(command.name, outcome.error);
        }
      },
    });
    this.#poses = new Float32Array(this.#run.bodies.lanes.buffer);
  }

  /** Number of the last tick, 0 before the first. */
  get tick(): number {
    return this.#run.tick;
  }

  /** Hash of the current state. */
  get hash(): string {
    return this.#run.hash();
  }

  /** Describes what the run was built from. */
  get description(): RunDescription {
    return this.#run.description;
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
   * @param most Runs no more ticks than this, so that other rooms run in between. Default: all.
   * @returns How many have run.
   * @throws whatever a step throws: the run is then over.
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
   * @param maxPayload Bytes of the longest payload of its connection. Default: as usual. 0: it has no limit.
   * @throws RangeError, TypeError if it is invalid or taken, or if the data are not JSON or name an asset.
   */
  join(seat: number, data: Json = null, maxPayload?: number): void {
    requireInteger('seat', seat, 0, MAX_SEATS - 1);
    if (this.#clients.has(seat)) throw new RangeError(`the seat ${seat} is taken`);
    requireArguments([data]);
    const { limits } = this.options;
    this.#clients.set(seat, new SeatedClient(limits, longestMessage(limits, maxPayload)));
    this.#call('join', [seat, data]);
  }

  /** A client leaves its seat. If the simulation has a command `leave`, the next tick calls it with the seat. */
  leave(seat: number): void {
    if (this.#clients.delete(seat)) this.#call('leave', [seat]);
  }

  /**
   * Calls a command of the simulation in the next tick, in the name of the room.
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

  /** Counts of what a client has sent. Undefined if the seat is free. */
  countersOf(seat: number): Readonly<ClientCounters> | undefined {
    return this.#clients.get(seat)?.counters;
  }

  /** How a client shows the run. Undefined until it is welcomed. */
  modeOf(seat: number): RoomMode | undefined {
    return this.#clients.get(seat)?.mode;
  }

  /**
   * Welcomes a client: with all that it needs to begin, and to read the packets from the next one on.
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
      limits: { ...this.options.limits, maxMessageBytes: client.maxMessageBytes },
      run: this.description,
      tags: isStream ? this.#tagsOf(this.#run.bodies.ids()) : [],
      state,
    });
  }

  /**
   * Processes a message of a client, whatever it contains.
   *
   * @param roomMs Time since the room began, in ms.
   * @returns The answer to send, if there is one.
   * @throws Error if it wants to simulate, and the simulation cannot be saved. Only this client is to blame.
   */
  receive(seat: number, bytes: Uint8Array, roomMs: number): Uint8Array<ArrayBuffer> | undefined {
    const client = this.#clientAt(seat);
    const { counters } = client;
    if (!client.maySend(bytes.length, roomMs)) {
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
      // Any error: the bytes come from another machine.
      counters.malformed += 1;
      return undefined;
    }
    switch (message.kind) {
      case 'ping':
        return encodePong({ clientMs: message.clientMs, roomMs });
      case 'state':
        if (client.mayAsk(roomMs)) return this.welcome(seat, message.mode);
        counters.flooded += 1;
        return undefined;
      default:
        this.#queue.add(seat, actions, this.tick, counters);
        return undefined;
    }
  }

  /** Ends the run, and frees what the simulation has. */
  dispose(): void {
    this.#run.dispose();
  }

  #noteJournal(items: readonly JournalItem[]): void {
    for (const item of items) if (item.kind === 'hash') this.#hash = item.hash;
    this.#handlers.onJournal?.(items);
  }

  #clientAt(seat: number): SeatedClient {
    const client = this.#clients.get(seat);
    if (client === undefined) throw new RangeError(`no one has the seat ${seat}`);
    return client;
  }

  /** The state of this tick, which several clients may need. */
  #save(): SavedState {
    if (this.#saved?.tick !== this.tick) this.#saved = this.#run.save();
    return this.#saved;
  }

  #call(name: string, args: readonly Json[]): void {
    if (!this.#commands.includes(name)) return;
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
    const { cuts } = this.#run.stateValues;
    const firstTick = this.#packetTick + 1;
    this.#packetTick = tick;
    const { droppedMs } = this.#schedule;
    const isLater = droppedMs !== this.#sentDroppedMs;
    this.#sentDroppedMs = droppedMs;
    const events = this.#events.take();
    const spawned = bodies.spawnList.take(bodies)?.spawned ?? [];
    // Also without clients that draw: the stream of a client that joins later begins with this baseline.
    const streamed = this.#stream.write(
      { poses: this.#poses, metas: bodies.lanes, bodyLimit: bodies.bodyLimit },
      this.options.packetBytes,
    );
    const common = { tick, droppedMs: isLater ? droppedMs : undefined };
    this.#send('stream', firstTick, {
      ...common,
      events,
      tags: spawned.length > 0 ? this.#tagsOf(spawned) : undefined,
      values: values.length > 0 ? values : undefined,
      cuts: cuts.some((word) => word !== 0) ? cuts : undefined,
      bodies: streamed,
    });
    this.#send('predict', firstTick, {
      ...common,
      actions: this.#actions.length > 0 ? this.#actions : undefined,
      hash: this.#hash,
    });
    cuts.fill(0);
    this.#actions = [];
    this.#hash = undefined;
  }

  #send(mode: RoomMode, firstTick: number, packet: RoomPacket): void {
    if (![...this.#clients.values()].some((client) => client.mode === mode)) return;
    this.#handlers.onPacket(mode, encodePacket(packet, this.#commands, firstTick));
  }

  #tagsOf(ids: readonly BodyId[]): BodyTagEntry[] {
    const { bodies } = this.#run;
    return ids.flatMap((id) => {
      const tag = bodies.tagOf(id)?.json;
      return tag === undefined ? [] : [{ slot: slotOf(id), tag }];
    });
  }
}

function requireArguments(args: readonly Json[]): void {
  for (const arg of args) requireJson('an argument of a command', arg);
  requireNoAssets(JSON.stringify(args));
}
