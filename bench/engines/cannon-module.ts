/** Loading cannon-es. */

/** The engine's module, as an `import * as` of it would be. */
export type Cannon = typeof import('cannon-es');

/** Name and version of the engine. The module does not say its version itself. */
export const CANNON_NAME = 'cannon-es 0.20.0';

/** Loads the engine, which is plain JavaScript, when it is asked for. The package `cannon-es` has to be installed. */
export function loadCannon(): Promise<Cannon> {
  return import('cannon-es');
}
