/** Entry point for simulations that use the Rapier engine: `betwixt/rapier`. */
export {
  RAPIER_BUILDS,
  engineName,
  loadRapier,
  type Rapier,
  type RapierBuild,
} from './rapier-builds.js';
export {
  rapierSimulation,
  type RapierSimulation,
  type RapierSimulationOptions,
} from './rapier-simulation.js';
export type { RapierScene, RapierTools } from './rapier-scene.js';
export { RapierWorld } from './rapier-world.js';
export type { RigidBodyRef } from './rigid-body-ref.js';
export { RapierEvents } from './rapier-events.js';
