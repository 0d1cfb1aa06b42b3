/**
 * Entry point for simulations on the plain build of Rapier, of `@dimforge/rapier3d-compat`:
 * `betwixt/rapier/compat`.
 */
import { startRapier, type Rapier } from './rapier-builds.js';
import { simulationsOn, type CreateRapierSimulation } from './rapier-simulation.js';

export * from './rapier-parts.js';

/** As in `betwixt/rapier`. */
export const loadRapier = async (): Promise<Rapier<'compat'>> =>
  (await startRapier('compat', () => import('@dimforge/rapier3d-compat'))) as Rapier<'compat'>;

/** As in `betwixt/rapier`. */
export const rapierSimulation: CreateRapierSimulation<Rapier<'compat'>> = simulationsOn(loadRapier);
