/** What the entry points for the builds of Rapier have in common. It imports none of them. */
export type {
  CreateRapierSimulation,
  RapierSimulation,
  RapierSimulationOptions,
} from './rapier-simulation.js';
export type { RapierScene, RapierTools } from './rapier-scene.js';
export { RapierEvents } from './rapier-events.js';
export { RapierWorld } from './rapier-world.js';
export type { RigidBodyRef } from './rigid-body-ref.js';
export { engineName, type Rapier, type RapierBuild } from './rapier-builds.js';
