/**
 * Takes what clients send to a room: how much and how often, which actions, and for which tick. Whatever clients
 * send, what waits here is limited.
 */
import type { TickInput } from '../../shared/input/tick-inputs.js';
import { ROOM_COMMANDS } from '../../shared/input/seats.js';
import { assetNamesIn } from '../../shared/recording/asset.js';
import type { Action, RoomMode } from '../shared/room-messages.js';
import { ByteAllowance, type ClientLimits } from '../shared/room-limits.js';

/** Least time between two welcomes that a client asks for, in ms. */
const MIN_WELCOME_MS = 1000;

/** Counts of what a client has sent. */
export interface ClientCounters {
  /** Number of inputs and commands that a tick has processed or will process. */
  actions: number;
  /** Number of these whose tick was over, so that the next one processes them. */
  late: number;
  /** Number of inputs and commands that were refused: too far ahead. */
  early: number;
  /** Number of inputs, commands and messages that were refused: more than the limits allow. */
  flooded: number;
  /** Number of messages that were refused because they cannot be read, or have impossible values or a command that clients may not call. */
  malformed: number;
}

/** A client of a room, which has a seat. */
export class SeatedClient {
  readonly counters: ClientCounters = { actions: 0, late: 0, early: 0, flooded: 0, malformed: 0 };
  /** Undefined until it is welcomed. */
  mode: RoomMode | undefined;
  /** Bytes of its longest message. */
  readonly maxMessageBytes: number;
  readonly #allowance: ByteAllowance;
  /** When it last asked for a welcome, in ms. */
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor({ maxBytesPerSecond }: ClientLimits, maxMessageBytes: number) {
    this.maxMessageBytes = maxMessageBytes;
    this.#allowance = new ByteAllowance(maxBytesPerSecond);
  }

  /** Whether it may send these bytes now. */
  maySend(bytes: number, roomMs: number): boolean {
    return this.#allowance.take(bytes, roomMs);
  }

  /** Whether it may have a welcome now, which is large. */
  mayAsk(roomMs: number): boolean {
    if (roomMs - this.#askedMs < MIN_WELCOME_MS) return false;
    this.#askedMs = roomMs;
    return true;
  }
}

/**
 * @throws RangeError if an action is a command that only the room calls, or has values that no page sends, which simulations
 *   need not expect.
 */
export function requireClientActions(actions: readonly Action[]): void {
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

/** @throws RangeError if arguments name an asset: a recording that does not have it would be refused. */
export function requireNoAssets(json: string): void {
  const [name] = assetNamesIn(json);
  if (name !== undefined) throw new RangeError(`"${name}" names an asset, and rooms have none`);
}

interface TickActions {
  readonly actions: Action[];
  readonly countOfSeat: Map<number, number>;
}

const NO_ACTIONS: readonly Action[] = [];

/** The actions of all clients, by the tick that will process them. */
export class ActionQueue {
  readonly #limits: ClientLimits;
  readonly #ticks = new Map<number, TickActions>();

  constructor(limits: ClientLimits) {
    this.#limits = limits;
  }

  /**
   * Adds what a client sent.
   *
   * @param actions With the seat that they are from.
   * @param lastTick The last tick that has run.
   */
  add(seat: number, actions: readonly Action[], lastTick: number, counters: ClientCounters): void {
    for (const action of actions) {
      if (action.tick > lastTick + this.#limits.maxLeadTicks) {
        counters.early += 1;
        continue;
      }
      const tick = Math.max(action.tick, lastTick + 1);
      const ofTick = this.#actionsOf(tick);
      const count = ofTick.countOfSeat.get(seat) ?? 0;
      if (count >= this.#limits.maxActionsPerTick) {
        counters.flooded += 1;
        continue;
      }
      ofTick.countOfSeat.set(seat, count + 1);
      ofTick.actions.push({ ...action, tick });
      counters.actions += 1;
      if (action.tick <= lastTick) counters.late += 1;
    }
  }

  /** Adds a command of the room itself. */
  addCommand(tick: number, name: string, args: readonly unknown[]): void {
    const action = { kind: 'command', tick, name, args: JSON.stringify(args) } as const;
    this.#actionsOf(tick).actions.push(action);
  }

  /** Takes the actions of a tick. */
  take(tick: number): readonly Action[] {
    const actions = this.#ticks.get(tick)?.actions ?? NO_ACTIONS;
    this.#ticks.delete(tick);
    return actions;
  }

  #actionsOf(tick: number): TickActions {
    let actions = this.#ticks.get(tick);
    if (actions === undefined) {
      actions = { actions: [], countOfSeat: new Map() };
      this.#ticks.set(tick, actions);
    }
    return actions;
  }
}
