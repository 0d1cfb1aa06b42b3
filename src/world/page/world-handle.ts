/** The simulation in the worker of a world. */
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { DescribedWorld } from '../shared/world-batch.js';
import type { SimulationHandle } from '../../render-main/api/simulation-handle.js';

/** The queries of the simulation in the worker. */
export type WorldQueryMap = {
  /** Describes what is there. Shapes are left out of what the page knows: a list of handles. */
  readonly describe: (known: Uint32Array) => DescribedWorld;
  /** Names of the systems that the worker script has. */
  readonly systems: () => string[];
  /** From now on, it reports what passes through each other without an event; see `UnmetPair`. */
  readonly findUnmet: () => void;
};

/**
 * The result of `World.ready`: everything that `connect` gives. A body's tag is its handle.
 *
 * @typeParam E The events of the worker script's systems.
 */
export type WorldHandle<E extends EventMap = Record<never, never>> = SimulationHandle<
  Record<never, never>,
  E,
  WorldQueryMap,
  number
>;
