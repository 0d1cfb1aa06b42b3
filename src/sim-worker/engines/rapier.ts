/** Entry point for simulations that use the Rapier engine: `betwixt/rapier`. */
export { RAPIER_BUILDS, loadRapier, type Rapier, type RapierBuild } from './rapier-builds.js';
export { RapierWorld } from './rapier-world.js';
