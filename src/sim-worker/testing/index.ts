/** Entry point for tests of simulations: `betwixt/testing`. */
export { runTicks, type TickRun } from './run-ticks.js';
export type { InputAtTick, RunTicksOptions, TickState } from './run-options.js';
