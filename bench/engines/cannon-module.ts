/** Loading cannon-es. */

/** The engine's module, as `import * as` gives it. */
export type Cannon = typeof import('cannon-es');

/** Name and version of the engine. The module itself does not report its version. */
export const CANNON_NAME = 'cannon-es 0.20.0';

/**
 * Loads the engine, which is plain JavaScript, on demand. The package `cannon-es` has to be
 * installed.
 */
export function loadCannon(): Promise<Cannon> {
  return import('cannon-es');
}
