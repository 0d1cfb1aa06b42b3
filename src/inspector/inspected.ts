/** What the controls act on. */
import type { InspectedSimulation } from './options.js';

/** Whether the user may pause, rewind or replay it. */
export const isOperable = (simulation: InspectedSimulation | undefined): boolean =>
  simulation !== undefined &&
  simulation.room === undefined &&
  !/failed|disposed/.test(simulation.state);

/** The simulation that is shown, and where failures of what the user asked for are reported. */
export interface Inspected {
  /** Undefined until it has started. */
  readonly simulation: InspectedSimulation | undefined;
  /** Writes into the log what failed. It never throws. */
  readonly attempt: (work: (simulation: InspectedSimulation) => Promise<unknown>) => void;
}
