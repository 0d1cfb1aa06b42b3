/** Entry point for worker scripts: `betwixt/worker`. */
export { runSimulation } from './run-simulation.js';
export { nodeHost } from './thread/host.js';
export { replay, type ReplayOptions } from './run/replay.js';
export { CapacityExceededError } from '../shared/util/errors.js';
export type { Assets } from './api/assets.js';
export type { Bodies, Pose, SpawnOptions } from './api/bodies.js';
export type { Events } from './api/events.js';
export type { KeptState, Simulation, SimulationContext } from './api/simulation.js';
export type { EventMap } from '../shared/events/simulation-event.js';
export type { TickInput } from '../shared/input/tick-inputs.js';
export type { CommandMap } from '../shared/protocol/control-protocol.js';
