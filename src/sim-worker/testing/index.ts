/** Entry point for tests of simulations: `betwixt/testing`. */
export { runTicks } from './run-ticks.js';
export type { RunTicksOptions } from './run-options.js';
export type { InputAtTick } from './inputs-at-ticks.js';
export type { TickRun, TickState } from './tick-run.js';
