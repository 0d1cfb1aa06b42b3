/** Loads Rapier's SIMD build, the engine of worlds. Bundlers meet no other one here. */
import { startRapier, type Rapier } from './rapier-builds.js';

/**
 * Loads the build of Rapier that the entry point is for, and starts its WebAssembly.
 *
 * @throws Error if it cannot be loaded, for example because its package is not installed, or if its version is older than
 *   0.20.
 */
export const loadRapier = async (): Promise<Rapier<'simd'>> =>
  (await startRapier('simd', () => import('@dimforge/rapier3d-simd-compat'))) as Rapier<'simd'>;
