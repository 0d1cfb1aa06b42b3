/** The builds of Rapier that are compared: the library's, and the plain one, which others pin. */
import {
  engineName,
  loadRapier,
  type Rapier,
  type RapierBuild,
} from '../../src/sim-worker/engines/rapier.js';

/**
 * `plain` is version 0.19.2, without SIMD. It steps and publishes like the others, and is only for
 * comparisons.
 */
export type ComparedBuild = RapierBuild | 'plain';

export interface LoadedRapier {
  readonly rapier: Rapier;
  /** Build and version. */
  readonly name: string;
}

export async function loadComparedRapier(build: ComparedBuild): Promise<LoadedRapier> {
  if (build !== 'plain') {
    const rapier = await loadRapier(build);
    return { rapier, name: engineName(rapier) };
  }
  // The builds declare the same classes separately, and private members make equal classes
  // different types.
  const rapier = (await import('@dimforge/rapier3d-compat')) as unknown as Rapier;
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
