/** The origin of the figures: the machine, and the versions of the libraries that are compared. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { thisComputer } from '../cli/this-computer.js';
import type { Machine } from '../engine/index.js';

const VERSIONS_OF = [
  '@react-three/rapier',
  '@react-three/fiber',
  'react',
  'three',
  'cannon-es',
  '@pmndrs/cannon-worker-api',
] as const;

/** @param chromium Its version. Undefined: all is measured in Node. */
export function thisMachine(chromium?: string): Machine {
  if (chromium === undefined) {
    return { ...thisComputer(), runtimes: { Node: process.versions.node }, engines: {} };
  }
  return {
    ...thisComputer(),
    runtimes: { Chromium: chromium },
    engines: {
      // As `@react-three/rapier` has it, installed under another name next to a newer one.
      '@dimforge/rapier3d-compat': versionOf('rapier3d-compat-0.19'),
      ...Object.fromEntries(VERSIONS_OF.map((name) => [name, versionOf(name)])),
    },
  };
}

/**
 * As installed. Packages need not export their `package.json`, so it is searched for in their
 * folders.
 */
function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name) ?? []) {
    const file = `${folder}/${name}/package.json`;
    if (!existsSync(file)) continue;
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
  }
  return 'unknown';
}
