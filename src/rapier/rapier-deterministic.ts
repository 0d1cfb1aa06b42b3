/**
 * Entry point for simulations on the deterministic build of Rapier, of `@dimforge/rapier3d-deterministic-compat`:
 * `betwixt/rapier/deterministic`.
 */
import { startRapier, type Rapier } from './rapier-builds.js';
import { simulationsOn, type CreateRapierSimulation } from './rapier-simulation.js';

export * from './rapier-parts.js';

/** As in `betwixt/rapier`. */
export const loadRapier = async (): Promise<Rapier<'deterministic'>> =>
  (await startRapier(
    'deterministic',
    () => import('@dimforge/rapier3d-deterministic-compat'),
  )) as Rapier<'deterministic'>;

/** As in `betwixt/rapier`. */
export const rapierSimulation: CreateRapierSimulation<Rapier<'deterministic'>> =
  simulationsOn(loadRapier);
