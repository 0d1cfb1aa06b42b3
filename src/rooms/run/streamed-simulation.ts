/**
 * A simulation that shows the run of a room: each of its ticks is a packet. It has no engine and computes nothing.
 *
 *     room      tick 40   42   44   46   48        packets arrive when they do
 *     client    ──── delay ────▶ tick 1  2  3      one per tick, `ticksPerPacket` of the room's each
 *
 * Packets wait here until the tick that shows them, which is the jitter buffer. Everything else is the same as for any
 * other simulation: the loop, its schedule, the states and how the page draws between them.
 */
import { BodyStreamReader } from '../shared/body-stream.js';
import type { RoomPacket, RoomWelcome } from '../shared/room-messages.js';
import type { Simulation, SimulationContext } from '../../sim-worker/api/simulation.js';
import { MirroredBodies, RelayedEvents } from './mirrored-run.js';

/** What a stream has done so far, counted. */
export interface StreamCounters {
  /** Ticks that showed a new packet. */
  shown: number;
  /** Ticks whose packet had not arrived: the picture stood still. Those after the end of the room do not count. */
  starved: number;
  /** Number of packets that were shown together with a later one. */
  merged: number;
}

/** A page draws each tick before there are this many newer ones. */
const KEPT_TICKS = 64;

export class StreamedSimulation implements Simulation {
  readonly counters: StreamCounters = { shown: 0, starved: 0, merged: 0 };
  #welcome: RoomWelcome;
  readonly #onTick: (wantedTick: number) => void;
  readonly #reader: BodyStreamReader;
  #context: SimulationContext | undefined;
  #bodies: MirroredBodies | undefined;
  #relay: RelayedEvents | undefined;
  #packets: RoomPacket[] = [];
  /** Room tick that is shown, also by the last ticks. */
  #shownTick: number;
  readonly #shownTicks = new Float64Array(KEPT_TICKS);
  /** Room tick that the current tick should show. */
  #wantedTick: number;
  #hasEnded = false;

  /** @param onTick Called at the beginning of each tick, with the tick of the room that it should show. */
  constructor(welcome: RoomWelcome, onTick: (wantedTick: number) => void) {
    this.#welcome = welcome;
    this.#onTick = onTick;
    this.#reader = new BodyStreamReader(welcome.precision, welcome.run.capacity);
    this.#reader.readBaseline(welcome.state);
    this.#shownTick = welcome.tick;
    this.#shownTicks[0] = welcome.tick;
    this.#wantedTick = welcome.tick;
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
    this.#relay = new RelayedEvents(context.events);
    bodies.setTags(this.#welcome.tags);
    this.#show(bodies);
  }

  /** The tick of the room that a recent tick of this simulation shows. */
  roomTickOf(tick: number): number {
    return this.#shownTicks[tick % KEPT_TICKS] ?? 0;
  }

  step(_dt: number, clientTick: number): void {
    this.#wantedTick += this.#welcome.ticksPerPacket;
    this.#onTick(this.#wantedTick);
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
    this.#shownTicks[clientTick % KEPT_TICKS] = this.#shownTick;
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
