/** Builds the package once, before the first of its tests. */
import { buildPackage } from '../../scripts/package/build-package.js';

export async function setup(): Promise<void> {
  await buildPackage();
}
