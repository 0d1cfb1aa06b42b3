/**
 * A simulation that shows the run of a room: each of its ticks is a packet. It has no engine and computes nothing.
 *
 *     room      tick 40   42   44   46   48        packets arrive when they do
 *     client    ──── delay ────▶ tick 1  2  3      one per tick, `ticksPerPacket` of the room's each
 *
 * Packets wait here until the tick that shows them: this is the jitter buffer. Everything else is the same as for any other
 * simulation: the loop, its schedule, the states and how the page draws between them.
 */
import { BodyStreamReader } from '../shared/body-stream.js';
import type { RoomPacket, RoomWelcome } from '../shared/room-messages.js';
import type { Simulation, SimulationContext } from '../../sim-worker/api/simulation.js';
import { MirroredBodies, RelayedEvents, relayCuts } from '../../sim-worker/api/mirrored-run.js';

/** Counts of a stream. */
export interface StreamCounters {
  /** Ticks that showed a new packet. */
  shown: number;
  /** Ticks whose packet had not arrived: the picture stood still. Not counted after the end of the room. */
  starved: number;
  /** Number of packets that were shown together with a later one. */
  merged: number;
}

/** A page draws each tick before there are this many newer ones. */
const SHOWN_TICKS = 64;

/** Where the room's run is shown. */
interface StreamedView {
  readonly context: SimulationContext;
  readonly bodies: MirroredBodies;
  readonly events: RelayedEvents;
}

export class StreamedSimulation implements Simulation {
  readonly counters: StreamCounters = { shown: 0, starved: 0, merged: 0 };
  #welcome: RoomWelcome;
  readonly #onTick: (wantedTick: number) => void;
  readonly #onUnreadable: (error: unknown) => void;
  readonly #reader: BodyStreamReader;
  /** Undefined before it is initialized. */
  #view: StreamedView | undefined;
  #packets: RoomPacket[] = [];
  /** Room tick that is shown, and that the last ticks have shown. */
  #shownTick: number;
  readonly #shownTicks = new Float64Array(SHOWN_TICKS);
  /** Room tick that the current tick should show. */
  #wantedTick: number;
  #hasEnded = false;

  /**
   * @param onTick Called at the beginning of each tick, with the tick of the room that it should show.
   * @param onUnreadable Called when a packet cannot be read. The picture stays as it was before.
   * @throws ByteReadError
   */
  constructor(
    welcome: RoomWelcome,
    onTick: (wantedTick: number) => void,
    onUnreadable: (error: unknown) => void,
  ) {
    this.#welcome = welcome;
    this.#onTick = onTick;
    this.#onUnreadable = onUnreadable;
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
    if (this.#view !== undefined) this.#begin(this.#view);
  }

  /** A packet, the next one. */
  receive(packet: RoomPacket): void {
    if (!this.#hasEnded) this.#packets.push(packet);
  }

  /** No packet will come any more, so none is missing. The waiting ones are shown in their time. */
  end(): void {
    this.#hasEnded = true;
  }

  /** Skips ticks of this simulation; repeats them if the number is negative. See `Correction`. */
  skip(ticks: number): void {
    this.#wantedTick += ticks * this.#welcome.ticksPerPacket;
  }

  init(context: SimulationContext): void {
    this.#view = {
      context,
      bodies: new MirroredBodies(context.bodies),
      events: new RelayedEvents(context.events),
    };
    this.#begin(this.#view);
  }

  /** The tick of the room that a recent tick of this simulation shows. */
  roomTickOf(tick: number): number {
    return this.#shownTicks[tick % SHOWN_TICKS] ?? 0;
  }

  step(_dt: number, clientTick: number): void {
    this.#wantedTick += this.#welcome.ticksPerPacket;
    this.#onTick(this.#wantedTick);
    const view = this.#view as StreamedView;
    const taken = this.#takeDue(view);
    if (taken > 0) {
      this.counters.shown += 1;
      this.counters.merged += taken - 1;
      this.#show(view);
    } else if (this.#wantedTick > this.#shownTick && !this.#hasEnded) this.counters.starved += 1;
    this.#shownTicks[clientTick % SHOWN_TICKS] = this.#shownTick;
  }

  /** @returns How many packets it has applied. */
  #takeDue(view: StreamedView): number {
    const next = this.#packets.findIndex(({ tick }) => tick > this.#wantedTick);
    const due = this.#packets.splice(0, next < 0 ? this.#packets.length : next);
    try {
      for (const packet of due) this.#apply(packet, view);
      return due.length;
    } catch (error) {
      // Later packets rely on this one.
      this.#packets = [];
      this.#hasEnded = true;
      this.#onUnreadable(error);
      return 0;
    }
  }

  #begin(view: StreamedView): void {
    view.bodies.setTags(this.#welcome.tags);
    this.#show(view);
  }

  #apply(packet: RoomPacket, view: StreamedView): void {
    const { tags, events = [], values, cuts } = packet;
    const { context } = view;
    if (packet.bodies !== undefined) this.#reader.read(packet.bodies);
    if (tags !== undefined) view.bodies.setTags(tags);
    this.#shownTick = packet.tick;
    if (values !== undefined) context.values.set(values.subarray(0, context.values.length));
    if (cuts !== undefined) relayCuts(cuts, context);
    for (const event of events) view.events.relay(event);
  }

  #show({ bodies }: StreamedView): void {
    this.#reader.write(bodies);
    bodies.show(this.#reader.bodyLimit);
  }
}
