/** Builds the packages once, before the first of their tests. */
import { buildCreatePackage, buildPackage } from '../../scripts/package/build-package.js';

export async function setup(): Promise<void> {
  await buildPackage();
  await buildCreatePackage();
}
