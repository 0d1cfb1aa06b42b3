/** Builds the package once, before the first of its tests. */
import { buildPackage } from '../../scripts/build-package.js';

export async function setup(): Promise<void> {
  await buildPackage();
}
