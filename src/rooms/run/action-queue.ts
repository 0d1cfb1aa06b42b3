/**
 * The actions of a room's clients, by the tick that will process them. Whatever clients send, what waits here is limited.
 */
import type { Action } from '../shared/room-messages.js';

/** What a room takes from one client. */
export interface ClientLimits {
  /** How many ticks ahead of the room actions may be, 1 to 600. Default 60. */
  readonly maxLeadTicks: number;
  /** Most inputs and commands of one tick, 1 to 10,000. Default 64. */
  readonly maxActionsPerTick: number;
  /** Most bytes per second, on average over a second, 256 to 2^30. Default 65,536. A longer message is refused. */
  readonly maxBytesPerSecond: number;
}

/** What a client has sent, counted. */
export interface ClientCounters {
  /** Number of inputs and commands that a tick has processed or will process. */
  actions: number;
  /** Number of those that were for a tick that was over, so that the next one processes them. */
  late: number;
  /** Number of inputs and commands that were refused: too far ahead. */
  early: number;
  /** Number of inputs, commands and messages that were refused: more than the limits allow. */
  flooded: number;
  /** Number of messages that were refused because they are none, or have impossible values or a command that clients may not call. */
  malformed: number;
}

interface TickActions {
  readonly actions: Action[];
  readonly countOfSeat: Map<number, number>;
}

const NO_ACTIONS: readonly Action[] = [];

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
