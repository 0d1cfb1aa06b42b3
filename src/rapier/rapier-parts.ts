/** The exports that the entry points of all builds of Rapier share. It imports no build. */
export type {
  CreateRapierSimulation,
  RapierSimulation,
  RapierSimulationOptions,
} from './rapier-simulation.js';
export type { RapierScene, RapierTools } from './rapier-scene.js';
export { RapierEvents } from './rapier-events.js';
export { RapierWorld } from './rapier-world.js';
export type { RigidBodyRef } from './rigid-body.js';
export { engineName, type Rapier, type RapierBuild } from './rapier-builds.js';
