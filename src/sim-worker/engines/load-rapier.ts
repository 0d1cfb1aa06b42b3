/** Loads any build of Rapier, for simulations that choose one: bundlers meet all of them here. */
import { requireChoice } from '../../shared/util/validate.js';
import type { AnyRapier } from './any-rapier.js';
import { RAPIER_BUILDS, startRapier, type Rapier, type RapierBuild } from './rapier-builds.js';

// With a `catch` right here, esbuild leaves packages that are not installed to run time.
const IMPORTS: Readonly<Record<RapierBuild, () => Promise<AnyRapier>>> = {
  simd: () => import('@dimforge/rapier3d-simd-compat').catch(fail),
  deterministic: () => import('@dimforge/rapier3d-deterministic-compat').catch(fail),
  compat: () => import('@dimforge/rapier3d-compat').catch(fail),
};

function fail(error: unknown): never {
  throw error;
}

/**
 * Loads a build of Rapier and starts its WebAssembly. Only the requested build is fetched, and only its package must be
 * installed, in version 0.20 or newer.
 *
 * @param build The build; `simd` when left out.
 * @throws RangeError if there is no such build.
 * @throws Error if it cannot be loaded, for example because it is not installed, or if its version is older than 0.20.
 */
export async function loadRapier<B extends RapierBuild = 'simd'>(build?: B): Promise<Rapier<B>> {
  const name: RapierBuild = build ?? 'simd';
  requireChoice('build', name, RAPIER_BUILDS);
  return (await startRapier(name, IMPORTS[name])) as unknown as Rapier<B>;
}
