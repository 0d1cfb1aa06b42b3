/**
 * A simulation that shows the run of a room: each of its ticks is a packet. It has no engine and computes nothing.
 *
 *     room      tick 40   42   44   46   48        packets arrive when they do
 *     client    ──── delay ────▶ tick 1  2  3      one per tick, `ticksPerPacket` of the room's each
 *
 * Packets wait here until the tick that shows them, which is the jitter buffer. Everything else is the same as for any
 * other simulation: the loop, its schedule, the states and how the page draws between them.
 */
import { BodyStreamReader } from '../../shared/network/body-stream-reader.js';
import type { Action } from '../../shared/network/action-entries.js';
import type { RoomPacket, RoomWelcome } from '../../shared/network/room-messages.js';
import { ROOM_COMMANDS } from '../../shared/network/seats.js';
import type { TickInput } from '../../shared/input/input-event.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import { packArguments } from '../../shared/util/command-arguments.js';
import type { Simulation, SimulationContext } from '../api/simulation.js';
import { MirroredBodies } from './mirrored-bodies.js';
import { EventRelay } from './relayed-events.js';

/** What a streamed simulation reports and asks. */
export interface StreamHandlers {
  /** Inputs and commands of the page, for the room: their tick is for the receiver to choose. */
  readonly onActions: (actions: readonly Action[]) => void;
  /** A tick shows the state of this tick of the room. Called at the beginning of each tick. */
  readonly onTick: (roomTick: number) => void;
}

/** What a stream has done so far, counted. */
export interface StreamCounters {
  /** Ticks that showed a new packet. */
  shown: number;
  /** Ticks whose packet had not arrived: the picture stood still. Those after the end of the room do not count. */
  starved: number;
  /** Number of packets that were shown together with a later one. */
  merged: number;
}

export class StreamedSimulation implements Simulation {
  readonly counters: StreamCounters = { shown: 0, starved: 0, merged: 0 };
  /** Those of the room's simulation that clients may call. */
  readonly commands: CommandMap;
  #welcome: RoomWelcome;
  readonly #handlers: StreamHandlers;
  readonly #reader: BodyStreamReader;
  #context: SimulationContext | undefined;
  #bodies: MirroredBodies | undefined;
  #relay: EventRelay | undefined;
  #packets: RoomPacket[] = [];
  /** Room tick that is shown. */
  #shownTick: number;
  /** Room tick that the current tick should show. */
  #wantedTick: number;
  #hasEnded = false;

  constructor(welcome: RoomWelcome, handlers: StreamHandlers) {
    this.#welcome = welcome;
    this.#handlers = handlers;
    this.#reader = new BodyStreamReader(welcome.precision, welcome.run.capacity);
    this.#reader.readBaseline(welcome.state);
    this.#shownTick = welcome.tick;
    this.#wantedTick = welcome.tick;
    this.commands = commandsOf(welcome, (name, args) =>
      handlers.onActions([{ kind: 'command', tick: 0, name, ...packArguments(name, args) }]),
    );
  }

  /** Begins again at a state of the room, after a connection was lost. @throws ByteReadError */
  begin(welcome: RoomWelcome): void {
    this.#reader.readBaseline(welcome.state);
    this.#welcome = welcome;
    this.#packets = [];
    this.#shownTick = welcome.tick;
    const bodies = this.#bodies;
    if (bodies === undefined) return;
    bodies.setTags(welcome.tags);
    this.#show(bodies);
  }

  /** A packet, the next one. */
  receive(packet: RoomPacket): void {
    this.#packets.push(packet);
  }

  /** No packet will come any more: from now on, none is missing. Those that are here are shown in their time. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Skips ticks of this simulation; repeats them if the number is negative. See `Correction`. */
  skip(ticks: number): void {
    this.#wantedTick += ticks * this.#welcome.ticksPerPacket;
  }

  init(context: SimulationContext): void {
    this.#context = context;
    const bodies = new MirroredBodies(context.bodies);
    this.#bodies = bodies;
    this.#relay = new EventRelay(context.events);
    bodies.setTags(this.#welcome.tags);
    this.#show(bodies);
  }

  step(_dt: number, _tick: number, inputs: readonly TickInput[]): void {
    if (inputs.length > 0) {
      this.#handlers.onActions(inputs.map((input) => ({ kind: 'input', tick: 0, input })));
    }
    this.#wantedTick += this.#welcome.ticksPerPacket;
    this.#handlers.onTick(this.#wantedTick);
    const bodies = this.#bodies as MirroredBodies;
    let taken = 0;
    for (const packet of this.#packets) {
      if (packet.tick > this.#wantedTick) break;
      taken += 1;
      this.#apply(packet, bodies);
    }
    this.#packets.splice(0, taken);
    if (taken > 0) {
      this.counters.shown += 1;
      this.counters.merged += taken - 1;
      this.#show(bodies);
    } else if (this.#wantedTick > this.#shownTick && !this.#hasEnded) this.counters.starved += 1;
  }

  #apply({ tick, tags, events, values, bodies: bytes }: RoomPacket, bodies: MirroredBodies): void {
    const context = this.#context as SimulationContext;
    this.#shownTick = tick;
    if (tags !== undefined) bodies.setTags(tags);
    if (bytes !== undefined) this.#reader.read(bytes);
    if (values !== undefined) context.values.set(values.subarray(0, context.values.length));
    for (const event of events ?? []) this.#relay?.relay(event);
  }

  #show(bodies: MirroredBodies): void {
    this.#reader.write(bodies);
    bodies.show(this.#reader.bodyLimit);
  }
}

/** Commands that a room's clients may call: not those that only the room calls. */
export function commandsOf(
  { commands }: RoomWelcome,
  call: (name: string, args: readonly unknown[]) => void,
): CommandMap {
  return Object.fromEntries(
    commands
      .filter((name) => !ROOM_COMMANDS.has(name))
      .map((name) => [name, (...args: unknown[]) => call(name, args)]),
  );
}
