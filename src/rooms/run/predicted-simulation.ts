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
import { CommandLimits, MAX_MESSAGE_BYTES } from '../shared/room-limits.js';
import {
  encodeActions,
  encodeClientMessage,
  type Action,
  type RoomWelcome,
} from '../shared/room-messages.js';
import { RoomReader } from '../shared/room-reader.js';
import { BODY_BYTES } from '../../shared/memory/layout.js';
import { ROOM_COMMANDS } from '../../shared/input/seats.js';
import type { TickInput } from '../../shared/input/tick-inputs.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { Json } from '../../shared/util/json.js';
import { base64Of } from '../../shared/util/bytes.js';
import { packArguments } from '../../shared/util/command-arguments.js';
import type { Simulation, SimulationContext } from '../../sim-worker/api/simulation.js';
import {
  MirroredBodies,
  RelayedEvents,
  relayCuts,
  SentEvents,
} from '../../sim-worker/api/mirrored-run.js';
import { SimulationRun } from '../../sim-worker/api/runs.js';
import { HiddenCorrections } from './hidden-corrections.js';
import { PredictedRun } from './predicted-run.js';
import {
  CONFIRMED_COMMAND,
  MessageReceiver,
  MESSAGE_COMMAND,
  PREDICTION_EVENTS,
  SKIP_COMMAND,
  type ConfirmedLanes,
} from './prediction-messages.js';

/** How many ticks less it runs ahead of the last packet than the room takes actions for. */
const SPARE_LEAD_TICKS = 5;
/** Most actions that wait for a later tick, in ticks. */
const MAX_WAITING_TICKS = 10;

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
  readonly #corrections = new HiddenCorrections();
  readonly #receiver = new MessageReceiver();
  /** Undefined before it is initialized. */
  #view: PredictedView | undefined;
  /** Undefined before the first welcome. */
  #predicted: PredictedRun | undefined;
  readonly #reader = new RoomReader();
  /** Limits of the last welcome. Undefined before the first. */
  #limits: RoomWelcome['limits'] | undefined;
  #commandLimits: CommandLimits | undefined;
  /** Time of its ticks, in ms. */
  #nowMs = 0;
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
      [MESSAGE_COMMAND]: (number: number, isLast: boolean, chunk: Uint8Array) => {
        for (const message of this.#receiver.add(number, isLast, chunk)) this.#receive(message);
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
    const limits = this.#limits;
    if (predicted === undefined || limits === undefined) return;
    this.#nowMs += 1000 * dt;
    for (const input of inputs) this.#actions.push({ kind: 'input', tick: 0, input });
    const shownTick = this.#shownTick;
    const wanted = shownTick + 1 + this.#skippedTicks;
    const lead = Math.max(1, limits.maxLeadTicks - SPARE_LEAD_TICKS);
    const tick = Math.max(shownTick, Math.min(wanted, predicted.packetTick + lead));
    // Ticks that are left to wait for.
    this.#skippedTicks = Math.min(0, wanted - shownTick);
    this.#heldTicks += Math.max(0, wanted - tick);
    if (this.#isRestored || predicted.isWrong) this.#correct(predicted, shownTick);
    this.#send(predicted, shownTick + 1, limits);
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

  /** @throws RangeError if the room would not take it. @throws Error before the first welcome. */
  #act(name: string, args: readonly unknown[]): void {
    const action: Action = { kind: 'command', tick: 0, name, ...packArguments(name, args) };
    if (this.#commandLimits === undefined) {
      throw new Error(`the command "${name}" was refused: the state of the room has not come yet`);
    }
    const { length } = encodeClientMessage(
      { kind: 'actions', actions: [action] },
      this.#reader.commands,
    );
    this.#commandLimits.require(name, length, this.#actions.length, this.#nowMs);
    this.#actions.push(action);
  }

  /** Sends what the page has done as actions of a tick, and runs that tick with them. What is too much for it waits. */
  #send(predicted: PredictedRun, tick: number, limits: RoomWelcome['limits']): void {
    if (this.#actions.length === 0) return;
    const { maxActionsPerTick, maxMessageBytes } = limits;
    const taken = this.#actions.slice(0, maxActionsPerTick);
    const actions = Array.from(taken, (action) => ({ ...action, tick }));
    this.#actions = this.#actions.slice(maxActionsPerTick, MAX_WAITING_TICKS * maxActionsPerTick);
    predicted.addOwn(actions);
    for (const bytes of encodeActions(actions, this.#reader.commands, maxMessageBytes)) {
      this.#post(bytes);
    }
  }

  #receive(bytes: Uint8Array): void {
    const message = this.#reader.read(bytes);
    if (message === undefined || message.kind === 'pong') return;
    if (message.kind === 'packet') {
      if (this.#predicted?.receive(message) === false) this.#askAgain();
      this.#hasPacket = true;
      return;
    }
    this.#limits = message.limits;
    this.#commandLimits = new CommandLimits(message.limits);
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
    this.#post(encodeClientMessage({ kind: 'state', mode: 'predict' }, this.#reader.commands));
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
    this.#reportedBytes = at + MAX_MESSAGE_BYTES;
    const some: ConfirmedLanes = {
      from: at / BODY_BYTES,
      slots: lanes.length / BODY_BYTES,
      lanes: base64Of(lanes.subarray(at, at + MAX_MESSAGE_BYTES)),
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
    // Also those of ticks that ran again: with other actions, the values may jump there only now.
    relayCuts(run.stateValues.cuts, context);
    run.stateValues.cuts.fill(0);
    sent.collect();
    for (const event of sent.take() ?? []) events.relay(event);
    if (hasRun) events.endForgotten();
  }
}
