/** Which WebAssembly build of Rapier is used, and loading it. */
import { requireChoice } from '../../shared/util/validate.js';

/** The engine's module, as an `import * as` of it would be. */
export type Rapier = typeof import('@dimforge/rapier3d-simd-compat');

/**
 * - `simd`: about twice as fast, on machines of one kind reproducible.
 * - `deterministic`: the same result on every machine and browser, bit for bit.
 */
export type RapierBuild = 'simd' | 'deterministic';

/** All builds. */
export const RAPIER_BUILDS: readonly RapierBuild[] = ['simd', 'deterministic'];

const IMPORTS: Readonly<Record<RapierBuild, () => Promise<Rapier>>> = {
  simd: importSimd,
  deterministic: importDeterministic,
};

/**
 * Loads a build of Rapier and starts its WebAssembly. Only the build that is asked for is fetched, and
 * only its package has to be installed: `@dimforge/rapier3d-simd-compat` or
 * `@dimforge/rapier3d-deterministic-compat`.
 *
 * @param build Which one; `simd` when left out.
 * @throws RangeError if there is no such build.
 */
export async function loadRapier(build: RapierBuild = 'simd'): Promise<Rapier> {
  requireChoice('build', build, RAPIER_BUILDS);
  const rapier = await IMPORTS[build]();
  await rapier.init();
  names.set(rapier.World, `rapier3d-${build} ${rapier.version()}`);
  return rapier;
}

/** By the class of its worlds, so that a world can be asked too. */
const names = new WeakMap<object, string>();

/**
 * Name, build and version of an engine that {@link loadRapier} loaded, such as `rapier3d-deterministic 0.21.0`:
 * what a saved world is tied to. Empty for one that was loaded otherwise.
 */
export function engineName(rapier: Pick<Rapier, 'World'>): string {
  return names.get(rapier.World) ?? '';
}

/** {@link engineName} of the engine that a world belongs to. */
export function engineNameOf(world: object): string {
  return names.get(world.constructor) ?? '';
}

function importSimd(): Promise<Rapier> {
  return import('@dimforge/rapier3d-simd-compat');
}

// The builds declare the same classes again, and private members make equal classes different types.
async function importDeterministic(): Promise<Rapier> {
  return (await import('@dimforge/rapier3d-deterministic-compat')) as unknown as Rapier;
}
