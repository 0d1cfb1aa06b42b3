/** Entry point for worker scripts: `betwixt/worker`. */
export { runSimulation } from './run-simulation.js';
export type { Simulation, SimulationContext } from './simulation.js';
export type { BodyRegistry, Pose } from './body-registry.js';
export { browserHost, type WorkerHost } from './host.js';
export { nodeHost } from './node-host.js';
export { slotOf, type BodyId } from '../shared/body-meta.js';
export { CapacityExceededError } from '../shared/errors.js';
