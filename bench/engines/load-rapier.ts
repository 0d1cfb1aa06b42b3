/** The builds of Rapier that are compared: the library's, and the older one that others pin. */
import * as compat from '../../src/rapier/rapier-compat.js';
import * as deterministic from '../../src/rapier/rapier-deterministic.js';
import * as simd from '../../src/rapier/rapier.js';
import { engineName, type Rapier, type RapierBuild } from '../../src/rapier/rapier.js';

export const RAPIER_BUILDS: readonly RapierBuild[] = ['simd', 'deterministic', 'compat'];

/** The entry point of each build, for what is written for any of them: typed as the first one. */
export const ofBuild = { simd, deterministic, compat } as unknown as Readonly<
  Record<RapierBuild, typeof simd>
>;

/**
 * `plain` is `@dimforge/rapier3d-compat` 0.19.2, which `@react-three/rapier` pins. It steps and
 * publishes like the others, and is only for comparisons: the library refuses it, because it does
 * not restore worlds exactly.
 */
export type ComparedBuild = RapierBuild | 'plain';

export interface LoadedRapier {
  readonly rapier: Rapier;
  /** Build and version. */
  readonly name: string;
}

export async function loadComparedRapier(build: ComparedBuild): Promise<LoadedRapier> {
  if (build !== 'plain') {
    const rapier = await ofBuild[build].loadRapier();
    return { rapier, name: engineName(rapier) };
  }
  // Typed as a newer one, of which the benchmarks use only what this one has too.
  const rapier = (await import('rapier3d-compat-0.19')) as unknown as Rapier;
  await initQuietly(rapier);
  return { rapier, name: `rapier3d-plain ${rapier.version()}` };
}

/**
 * Version 0.19 calls its own initializer with a deprecated form of argument, and warns of that in
 * each run; `init` takes nothing that could change it. The warning comes before `init` returns its
 * promise.
 */
function initQuietly(rapier: Rapier): Promise<void> {
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).startsWith('using deprecated parameters for the init')) warn(...words);
  };
  try {
    return rapier.init();
  } finally {
    console.warn = warn;
  }
}
