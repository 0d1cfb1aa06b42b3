/** What an application gives to the worker, and what it gets there. */
import type { CommandMap } from '../shared/control-protocol.js';
import type { BodyRegistry } from './body-registry.js';

/** Handed to `init`, and valid for the simulation's life. */
export interface SimulationContext {
  /** The bodies: spawn, move, remove. Everything drawn is one. */
  readonly bodies: BodyRegistry;
  readonly capacity: number;
  /** Simulated seconds of one tick at this moment; the tick rate can change while it runs. */
  readonly stepS: number;
  /**
   * Starts over: tick 0, no states before this one. Call it from a command after the scene was
   * rebuilt; nothing is drawn between the old scene and the new one.
   */
  restart(): void;
}

/**
 * A simulation. The worker calls `init` once, `step` for every tick, and the commands between ticks.
 *
 * @typeParam C Its commands, which the page can call by name. Arguments and results are cloned.
 */
export interface Simulation<C extends CommandMap = CommandMap> {
  /** Builds the first scene. Anything that it throws rejects `connect` on the page. */
  init(context: SimulationContext): void | Promise<void>;
  /**
   * Advances by one tick, and writes the poses of the bodies that moved.
   *
   * @param stepS Simulated seconds: 1 / tick rate, whatever the time scale.
   * @param tick Number of the tick that this makes, 1 for the first.
   */
  step(stepS: number, tick: number): void;
  readonly commands?: C;
  /** Called when the worker stops: frees what the engine holds. */
  dispose?(): void;
}
