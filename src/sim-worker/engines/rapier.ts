/** Entry point for simulations that use the Rapier engine: `betwixt/rapier`. */
export {
  RAPIER_BUILDS,
  engineName,
  loadRapier,
  type Rapier,
  type RapierBuild,
} from './rapier-builds.js';
export { RapierWorld } from './rapier-world.js';
export type { RigidBodyRef } from './rigid-body-ref.js';
export { packParts, unpackParts } from '../saved-parts.js';
export { RapierEvents } from './rapier-events.js';
