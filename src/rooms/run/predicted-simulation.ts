/**
 * A simulation for a client that predicts the run of its room: it contains the room's simulation, runs it ahead, goes back
 * when the room says otherwise, and shows the result.
 *
 *     page                            this simulation, in the worker               the room's simulation, inside
 *     inputs, commands ─────────────▶ actions of the next tick ──────────────────▶ runs that tick, ahead of the room
 *          ◀─ event room:send ──────────────┘
 *     packets of the room ──────────▶ command roomMessage ─ goes back if needed ─▶ runs again
 *     bodies, events, values ◀─────── copies, with offsets that hide corrections ◀─┘
 *
 * The outer run is only what the page sees. It is neither recorded nor saved; the inner one is the room's, bit for bit.
 */
import { encodeClientMessage } from '../shared/client-messages.js';
import type { Action } from '../shared/action-entries.js';
import { BODY_BYTES } from '../../shared/memory/layout.js';
import { decodeRoomMessage, type RoomWelcome } from '../shared/room-messages.js';
import { ROOM_COMMANDS } from '../../shared/input/seats.js';
import type { TickInput } from '../../shared/input/tick-inputs.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import { packArguments } from '../../shared/util/command-arguments.js';
import type { Simulation, SimulationContext } from '../../sim-worker/api/simulation.js';
import { SimulationRun } from '../../sim-worker/run/simulation-run.js';
import { MirroredBodies } from './mirrored-bodies.js';
import { PoseCorrections } from './pose-corrections.js';
import { PredictedRun } from './predicted-run.js';
import {
  byteTextOf,
  CONFIRMED_COMMAND,
  MAX_EVENT_BYTES,
  MESSAGE_COMMAND,
  PREDICTION_EVENTS,
  SKIP_COMMAND,
  type ConfirmedLanes,
} from './prediction-names.js';
import { RelayedEvents, SentEvents } from './room-events.js';

/** Most ticks that it runs ahead of the last packet: a room takes actions for as many. */
const MAX_AHEAD_TICKS = 55;

export class PredictedSimulation implements Simulation {
  readonly commands: Record<string, CommandMap[string]>;
  readonly #simulation: Simulation;
  readonly #corrections = new PoseCorrections();
  readonly #parts = new CollectedMessage();
  #context: SimulationContext | undefined;
  #run: SimulationRun | undefined;
  #predicted: PredictedRun | undefined;
  #welcome: RoomWelcome | undefined;
  #events: SentEvents | undefined;
  #bodies: MirroredBodies | undefined;
  #relay: RelayedEvents | undefined;
  #packetTick = 0;
  #actions: Action[] = [];
  /** Ticks to skip; negative: to wait for. The last that was asked for counts. */
  #skippedTicks = 0;
  #heldTicks = 0;
  /** The tick that the picture shows. */
  #shownTick = 0;
  /** A packet has come since the last tick. */
  #hasPacket = false;
  /** Whether the page asked where bodies are in the last confirmed tick. */
  #reportsPoses = false;
  /** Up to where they were reported last. */
  #reportedBytes = 0;
  /** The run has begun again at a state of the room. */
  #isRestored = false;

  /** @param simulation The room's: a new one. It needs `save` and `restore`. */
  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.commands = {
      [MESSAGE_COMMAND]: (size: number, at: number, part: Uint8Array) => {
        const message = this.#parts.add(size, at, part);
        if (message !== undefined) this.#receive(message);
      },
      [SKIP_COMMAND]: (ticks: number) => {
        this.#skippedTicks = ticks;
      },
      [CONFIRMED_COMMAND]: () => {
        this.#reportsPoses = true;
        if (this.#predicted !== undefined) this.#predicted.poses = new Map();
      },
    } as CommandMap;
  }

  async init(context: SimulationContext): Promise<void> {
    const simulation = this.#simulation;
    if (simulation.save === undefined || simulation.restore === undefined) {
      throw new Error(
        "a simulation that predicts its room goes back to saved states: give it save() and restore(), or use mode: 'stream'",
      );
    }
    this.#context = context;
    this.#bodies = new MirroredBodies(context.bodies);
    this.#relay = new RelayedEvents(context.events);
    const events = new SentEvents(true);
    this.#events = events;
    this.#run = new SimulationRun({
      simulation,
      options: {
        capacity: context.capacity,
        valueCount: context.values.length,
        seed: context.seed,
        setup: context.setup,
        dt: context.dt,
        invalidPosePolicy: 'freeze',
      },
      events: events.reporter,
    });
    await this.#run.initialize();
    // Some simulations know the names only now.
    for (const name of Object.keys(simulation.commands ?? {})) {
      if (ROOM_COMMANDS.has(name)) continue;
      this.commands[name] = (...args: unknown[]) => this.#act(name, args);
    }
  }

  engine(): string {
    return this.#simulation.engine?.() ?? '';
  }

  dispose(): void {
    this.#run?.dispose();
  }

  step(dt: number, _tick: number, inputs: readonly TickInput[]): void {
    const predicted = this.#predicted;
    if (predicted === undefined) return;
    for (const input of inputs) this.#actions.push({ kind: 'input', tick: 0, input });
    const shownTick = this.#shownTick;
    const wanted = shownTick + 1 + this.#skippedTicks;
    const tick = Math.max(shownTick, Math.min(wanted, predicted.packetTick + MAX_AHEAD_TICKS));
    // Those that are left to wait for.
    this.#skippedTicks = Math.min(0, wanted - shownTick);
    this.#heldTicks += Math.max(0, wanted - tick);
    if (this.#isRestored || predicted.isWrong) this.#correct(predicted, shownTick);
    this.#send(predicted, shownTick + 1);
    if (!predicted.advance(tick)) this.#askAgain();
    this.#shownTick = tick;
    this.#corrections.decay(dt * (tick - shownTick));
    this.#show(tick > shownTick);
    if (this.#hasPacket || tick !== shownTick + 1) this.#report(predicted);
    this.#hasPacket = false;
  }

  /** Corrects the tick that is shown, in such a way that the picture hides it. */
  #correct(predicted: PredictedRun, shownTick: number): void {
    const poses = (this.#bodies as MirroredBodies).poses.slice();
    if (!predicted.advance(Math.max(shownTick, predicted.tick))) this.#askAgain();
    const { lanes, bodyLimit } = (this.#run as SimulationRun).bodies;
    this.#corrections.note(
      { poses, metas: new Int32Array(poses.buffer) },
      { poses: new Float32Array(lanes.buffer), metas: lanes },
      bodyLimit,
    );
    this.#isRestored = false;
  }

  /** @throws RangeError if no message has room for it. */
  #act(name: string, args: readonly unknown[]): void {
    const action: Action = { kind: 'command', tick: 0, name, ...packArguments(name, args) };
    const { length } = this.#encode([action]);
    if (length > MAX_EVENT_BYTES) {
      throw new RangeError(
        `the command "${name}" was refused: it takes ${length} bytes, and a message to the room has at most ${MAX_EVENT_BYTES}`,
      );
    }
    this.#actions.push(action);
  }

  /** Sends what the page has done as actions of a tick, and runs that tick with them. */
  #send(predicted: PredictedRun, tick: number): void {
    if (this.#actions.length === 0) return;
    const actions = this.#actions.map((action) => ({ ...action, tick }));
    this.#actions = [];
    predicted.addOwn(actions);
    this.#postActions(actions);
  }

  /** In as many messages as they need. */
  #postActions(actions: readonly Action[]): void {
    const bytes = this.#encode(actions);
    if (bytes.length <= MAX_EVENT_BYTES || actions.length < 2) {
      this.#post(bytes);
      return;
    }
    const half = actions.length >> 1;
    this.#postActions(actions.slice(0, half));
    this.#postActions(actions.slice(half));
  }

  #encode(actions: readonly Action[]): Uint8Array<ArrayBuffer> {
    return encodeClientMessage({ kind: 'actions', actions }, this.#names);
  }

  /** Whatever the room sends. */
  #receive(bytes: Uint8Array): void {
    const message = decodeRoomMessage(bytes, this.#names, this.#packetTick + 1);
    if (message.kind === 'pong') return;
    if (message.kind === 'packet') {
      this.#packetTick = message.tick;
      // The page asks for the state that it follows.
      if (this.#predicted === undefined) return;
      if (!this.#predicted.receive(message)) this.#askAgain();
      this.#hasPacket = true;
      return;
    }
    this.#welcome = message;
    this.#packetTick = message.packetTick;
    if (this.#predicted !== undefined) {
      this.#predicted.begin(message);
      this.#isRestored = true;
      return;
    }
    this.#predicted = new PredictedRun(this.#run as SimulationRun, message);
    if (this.#reportsPoses) this.#predicted.poses = new Map();
    this.#shownTick = message.tick;
  }

  #askAgain(): void {
    this.#post(encodeClientMessage({ kind: 'state', mode: 'predict' }, this.#names));
  }

  get #names(): readonly string[] {
    return this.#welcome?.commands ?? [];
  }

  #post(bytes: Uint8Array): void {
    (this.#context as SimulationContext).events.emit(PREDICTION_EVENTS.send, byteTextOf(bytes));
  }

  #report(predicted: PredictedRun): void {
    (this.#context as SimulationContext).events.emit(PREDICTION_EVENTS.state, {
      ...predicted.counters,
      tick: predicted.tick,
      confirmedTick: predicted.confirmedTick,
      correctedBodies: this.#corrections.count,
      heldTicks: this.#heldTicks,
    });
    const lanes = predicted.poses?.get(predicted.confirmedTick);
    if (lanes !== undefined) this.#reportPoses(new Uint8Array(lanes.buffer));
  }

  #reportPoses(lanes: Uint8Array): void {
    const at = this.#reportedBytes < lanes.length ? this.#reportedBytes : 0;
    this.#reportedBytes = at + MAX_EVENT_BYTES;
    const some: ConfirmedLanes = {
      from: at / BODY_BYTES,
      slots: lanes.length / BODY_BYTES,
      lanes: byteTextOf(lanes.subarray(at, at + MAX_EVENT_BYTES)),
    };
    (this.#context as SimulationContext).events.emit(PREDICTION_EVENTS.confirmed, { ...some });
  }

  /** Shows the inner run's bodies, values and events. */
  #show(hasRun: boolean): void {
    const { bodies: inner, values } = this.#run as SimulationRun;
    const bodies = this.#bodies as MirroredBodies;
    const context = this.#context as SimulationContext;
    bodies.metas.set(inner.lanes);
    const spawned = inner.spawnList.take(inner)?.spawned;
    if (spawned !== undefined) bodies.setTagsOf(inner, spawned);
    this.#corrections.apply(bodies);
    bodies.show(inner.bodyLimit);
    context.values.set(values);
    const events = this.#events as SentEvents;
    const relay = this.#relay as RelayedEvents;
    events.collect();
    for (const event of events.take() ?? []) relay.relay(event);
    if (hasRun) relay.endForgotten();
  }
}

/** Puts a message together that comes in parts, because the queue of inputs has no room for all of it at once. */
export class CollectedMessage {
  #bytes = new Uint8Array(0);
  #filled = 0;

  /**
   * @param size Of the whole message, in bytes. @param at Where the part begins: a message at 0.
   * @returns The message, if this is its last part. A message that lacks a part is none.
   */
  add(size: number, at: number, part: Uint8Array): Uint8Array | undefined {
    if (at === 0) {
      this.#filled = 0;
      if (part.length === size) return part;
      this.#bytes = new Uint8Array(size);
    }
    if (at !== this.#filled || size !== this.#bytes.length) return undefined;
    this.#bytes.set(part, at);
    this.#filled += part.length;
    if (this.#filled < size) return undefined;
    const bytes = this.#bytes;
    this.#bytes = new Uint8Array(0);
    this.#filled = 0;
    return bytes;
  }
}
