/** The WebAssembly builds of Rapier, and how to load them. */
import { requireChoice } from '../../shared/util/validate.js';

/** The engine's module, as imported by `import * as`. */
export type Rapier = typeof import('@dimforge/rapier3d-simd-compat');

/**
 * - `simd`: about twice as fast, reproducible on machines of one kind.
 * - `deterministic`: the same result on every machine and browser, bit for bit.
 */
export type RapierBuild = 'simd' | 'deterministic';

export const RAPIER_BUILDS: readonly RapierBuild[] = ['simd', 'deterministic'];

/** The largest finite 32-bit float. Rapier computes with 32-bit floats. */
export const MAX_FLOAT32 = 3.4028234663852886e38;

const IMPORTS: Readonly<Record<RapierBuild, () => Promise<Rapier>>> = {
  simd: () => import('@dimforge/rapier3d-simd-compat'),
  // The builds declare the same classes twice, and private members make equal classes different types.
  deterministic: async () =>
    (await import('@dimforge/rapier3d-deterministic-compat')) as unknown as Rapier,
};

/**
 * Loads a build of Rapier and starts its WebAssembly. Only the requested build is fetched, and only its package must be
 * installed: `@dimforge/rapier3d-simd-compat` or `@dimforge/rapier3d-deterministic-compat`.
 *
 * @param build The build; `simd` when left out.
 * @throws RangeError if there is no such build.
 */
export async function loadRapier(build: RapierBuild = 'simd'): Promise<Rapier> {
  requireChoice('build', build, RAPIER_BUILDS);
  const rapier = await IMPORTS[build]();
  await rapier.init();
  names.set(rapier.World, `rapier3d-${build} ${rapier.version()}`);
  return rapier;
}

/** By the class of the worlds, so that a world's engine can be looked up. */
const names = new WeakMap<object, string>();

/**
 * Name, build and version of an engine that {@link loadRapier} loaded, such as `rapier3d-deterministic 0.21.0`. A saved
 * world can be restored only by the same engine. Empty if the engine was loaded in another way.
 */
export function engineName(rapier: Pick<Rapier, 'World'>): string {
  return names.get(rapier.World) ?? '';
}

/** The {@link engineName} of a world's engine. */
export function engineNameOf(world: object): string {
  return names.get(world.constructor) ?? '';
}
