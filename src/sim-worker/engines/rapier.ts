/** Entry point for simulations that use the Rapier engine: `betwixt/rapier`. */
export {
  rapierSimulation,
  type RapierSimulation,
  type RapierSimulationOptions,
} from './rapier-simulation.js';
export type { RapierScene, RapierTools } from './rapier-scene.js';
export { RapierEvents } from './rapier-events.js';
export { RapierWorld } from './rapier-world.js';
export type { RigidBodyRef } from './rigid-body-ref.js';
export { loadRapier } from './load-rapier.js';
export { engineName, type Rapier, type RapierBuild } from './rapier-builds.js';
