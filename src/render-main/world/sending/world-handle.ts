/** The simulation in the worker of a world: its commands and queries. */
import type { EventMap } from '../../../shared/events/simulation-event.js';
import type { AssetName } from '../../../shared/recording/asset-names.js';
import type { BatchSide } from '../../../shared/world/batch-side.js';
import type { AppliedBatch, DescribedWorld } from '../../../shared/world/world-batch.js';
import type { SimulationHandle } from '../../api/simulation-handle.js';

/** The commands of the simulation in the worker. */
export type WorldCommands = {
  /** Applies what the page has changed in one turn. The assets are those that the words name. */
  readonly apply: (
    assets: readonly AssetName[],
    side: BatchSide,
    words: Uint32Array,
  ) => AppliedBatch;
};

/** The queries of the simulation in the worker. */
export type WorldQueries = {
  /** Describes what is there. Shapes are left out of what the page knows: a list of handles. */
  readonly describe: (known: Uint32Array) => DescribedWorld;
  /** Names of the systems that the worker script has. */
  readonly systems: () => string[];
  /** From now on, it reports what passes through each other without an event; see `unmet-pair.ts`. */
  readonly findUnmet: () => void;
};

/**
 * What `World.ready` resolves with: everything that `connect` gives. A body's tag is its handle.
 *
 * @typeParam E The events of the worker script's systems.
 */
export type WorldHandle<E extends EventMap = Record<never, never>> = SimulationHandle<
  WorldCommands,
  E,
  WorldQueries,
  number
>;
