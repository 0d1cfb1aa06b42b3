/** Loads the engine of worlds. Bundlers meet no other one here. */
import { startRapier, type Rapier } from './rapier-builds.js';

/** @throws Error if it cannot be loaded, for example because it is not installed. */
export const loadSimd = async (): Promise<Rapier<'simd'>> =>
  (await startRapier('simd', () => import('@dimforge/rapier3d-simd-compat'))) as Rapier<'simd'>;
