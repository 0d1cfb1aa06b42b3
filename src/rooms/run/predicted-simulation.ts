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
import { encodeClientMessage, type Action, decodeRoomMessage } from '../shared/room-messages.js';
import { BODY_BYTES } from '../../shared/memory/layout.js';
import { ROOM_COMMANDS } from '../../shared/input/seats.js';
import type { TickInput } from '../../shared/input/tick-inputs.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { Json } from '../../shared/util/json.js';
import { base64Of } from '../../shared/util/bytes.js';
import { packArguments } from '../../shared/util/command-arguments.js';
import type { Simulation, SimulationContext } from '../../sim-worker/api/simulation.js';
import { MirroredBodies, RelayedEvents, SentEvents } from '../../sim-worker/api/mirrored-run.js';
import { SimulationRun } from '../../sim-worker/api/runs.js';
import { PoseCorrections } from './pose-corrections.js';
import { PredictedRun } from './predicted-run.js';
import {
  CONFIRMED_COMMAND,
  MAX_EVENT_BYTES,
  MessageReceiver,
  MESSAGE_COMMAND,
  PREDICTION_EVENTS,
  SKIP_COMMAND,
  type ConfirmedLanes,
} from './prediction-messages.js';

/** Most ticks that it runs ahead of the last packet: a room takes actions up to 60 ticks ahead, by default. */
const MAX_AHEAD_TICKS = 55;

/** The run of the room's simulation, and where it is shown. */
interface PredictedView {
  readonly run: SimulationRun;
  readonly sent: SentEvents;
  readonly context: SimulationContext;
  readonly bodies: MirroredBodies;
  readonly events: RelayedEvents;
}

export class PredictedSimulation implements Simulation {
  readonly commands: Record<string, CommandMap[string]>;
  readonly #simulation: Simulation;
  readonly #corrections = new PoseCorrections();
  readonly #receiver = new MessageReceiver();
  /** Undefined before it is initialized. */
  #view: PredictedView | undefined;
  /** Undefined before the first welcome. */
  #predicted: PredictedRun | undefined;
  #commandNames: readonly string[] = [];
  #packetTick = 0;
  #actions: Action[] = [];
  /** Ticks to skip; negative: to wait for. The last correction counts. */
  #skippedTicks = 0;
  #heldTicks = 0;
  /** The tick that the picture shows. */
  #shownTick = 0;
  /** Whether a packet has come since the last tick. */
  #hasPacket = false;
  /** Whether the page asked for the bodies of the last confirmed tick. */
  #reportsPoses = false;
  /** Up to where they have been reported: the rest follows with the next packet. */
  #reportedBytes = 0;
  /** Whether the run has begun again at a state of the room since the last tick. */
  #isRestored = false;

  /** @param simulation The room's: a new one. It needs `save` and `restore`. */
  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.commands = {
      [MESSAGE_COMMAND]: (size: number, at: number, chunk: Uint8Array) => {
        const message = this.#receiver.add(size, at, chunk);
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
    const sent = new SentEvents(true);
    const run = new SimulationRun({
      simulation,
      options: {
        capacity: context.capacity,
        valueCount: context.values.length,
        seed: context.seed,
        setup: context.setup,
        dt: context.dt,
        invalidPosePolicy: 'freeze',
      },
      events: sent.reporter,
    });
    this.#view = {
      run,
      sent,
      context,
      bodies: new MirroredBodies(context.bodies),
      events: new RelayedEvents(context.events),
    };
    await run.initialize();
    // Some simulations have their commands only now.
    for (const name of Object.keys(simulation.commands ?? {})) {
      if (ROOM_COMMANDS.has(name)) continue;
      this.commands[name] = (...args: unknown[]) => this.#act(name, args);
    }
  }

  engine(): string {
    return this.#simulation.engine?.() ?? '';
  }

  dispose(): void {
    this.#view?.run.dispose();
  }

  step(dt: number, _tick: number, inputs: readonly TickInput[]): void {
    const predicted = this.#predicted;
    if (predicted === undefined) return;
    for (const input of inputs) this.#actions.push({ kind: 'input', tick: 0, input });
    const shownTick = this.#shownTick;
    const wanted = shownTick + 1 + this.#skippedTicks;
    const tick = Math.max(shownTick, Math.min(wanted, predicted.packetTick + MAX_AHEAD_TICKS));
    // Ticks that are left to wait for.
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

  /** Corrects the tick that is shown. The picture stays as it was, and moves to the corrected state. */
  #correct(predicted: PredictedRun, shownTick: number): void {
    const { run, bodies } = this.#view as PredictedView;
    const poses = bodies.poses.slice();
    if (!predicted.advance(Math.max(shownTick, predicted.tick))) this.#askAgain();
    const { lanes, bodyLimit } = run.bodies;
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

  /** Sends actions in as many messages as they need. */
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
    return encodeClientMessage({ kind: 'actions', actions }, this.#commandNames);
  }

  #receive(bytes: Uint8Array): void {
    const message = decodeRoomMessage(bytes, this.#commandNames, this.#packetTick + 1);
    if (message.kind === 'pong') return;
    if (message.kind === 'packet') {
      this.#packetTick = message.tick;
      // It relies on a welcome, which the page asks for.
      if (this.#predicted === undefined) return;
      if (!this.#predicted.receive(message)) this.#askAgain();
      this.#hasPacket = true;
      return;
    }
    this.#commandNames = message.commands;
    this.#packetTick = message.packetTick;
    if (this.#predicted !== undefined) {
      this.#predicted.begin(message);
      this.#isRestored = true;
      return;
    }
    this.#predicted = new PredictedRun((this.#view as PredictedView).run, message);
    if (this.#reportsPoses) this.#predicted.poses = new Map();
    this.#shownTick = message.tick;
  }

  #askAgain(): void {
    this.#post(encodeClientMessage({ kind: 'state', mode: 'predict' }, this.#commandNames));
  }

  #post(bytes: Uint8Array): void {
    this.#emit(PREDICTION_EVENTS.send, base64Of(bytes));
  }

  #report(predicted: PredictedRun): void {
    this.#emit(PREDICTION_EVENTS.state, {
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
      lanes: base64Of(lanes.subarray(at, at + MAX_EVENT_BYTES)),
    };
    this.#emit(PREDICTION_EVENTS.confirmed, { ...some });
  }

  #emit(name: string, value: Json): void {
    (this.#view as PredictedView).context.events.emit(name, value);
  }

  /** Shows the inner run's bodies, values and events. */
  #show(hasRun: boolean): void {
    const { run, sent, context, bodies, events } = this.#view as PredictedView;
    const inner = run.bodies;
    bodies.metas.set(inner.lanes);
    const spawned = inner.spawnList.take(inner)?.spawned;
    if (spawned !== undefined) bodies.setTagsOf(inner, spawned);
    this.#corrections.apply(bodies);
    bodies.show(inner.bodyLimit);
    context.values.set(run.values);
    sent.collect();
    for (const event of sent.take() ?? []) events.relay(event);
    if (hasRun) events.endForgotten();
  }
}
