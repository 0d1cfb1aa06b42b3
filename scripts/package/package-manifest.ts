/** The package.json of the built package. */
import type { EntryPoint, Manifest } from './package-layout.js';

/**
 * Packages that users install if they use the entry point that needs them. The engine is behind an
 * adapter that is tested with one release; of three and Vite only long-established APIs are used.
 */
function optionalPeers({ devDependencies }: Manifest): Readonly<Record<string, string>> {
  const tested = (name: string) => devDependencies[name] ?? '*';
  return {
    '@dimforge/rapier3d-compat': tested('@dimforge/rapier3d-compat'),
    '@dimforge/rapier3d-deterministic-compat': tested('@dimforge/rapier3d-deterministic-compat'),
    '@dimforge/rapier3d-simd-compat': tested('@dimforge/rapier3d-simd-compat'),
    '@react-three/fiber': '^9.0.0',
    react: '^19.0.0',
    three: '>=0.160.0',
    vite: '>=6.0.0',
  };
}

/** @param hasBin The package has the command `betwixt`. */
export function packageManifest(
  manifest: Manifest,
  entries: readonly EntryPoint[],
  hasBin: boolean,
): object {
  const { name, version, description, license, dependencies, engines } = manifest;
  const peers = optionalPeers(manifest);
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    keywords: ['game-loop', 'fixed-timestep', 'interpolation', 'web-worker', 'physics', 'three'],
    // Imports have no side effects: bundlers leave out what is not used.
    sideEffects: false,
    imports: Object.fromEntries(
      Object.entries(manifest.imports).map(([key, byCondition]) => [
        key,
        builtTargets(byCondition),
      ]),
    ),
    exports: {
      ...Object.fromEntries(entries.map((entry) => [entry.subpath, targets(entry)])),
      './package.json': './package.json',
    },
    ...(hasBin ? { bin: { betwixt: './bin/cli.js' } } : {}),
    files: ['bin', 'dist', 'docs', 'src', 'templates'],
    dependencies,
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(peers).map((peer) => [peer, { optional: true }]),
    ),
    engines,
  };
}

/** `./src/shared/x.ts` is built as `./dist/shared/x.js`. */
function builtTargets(byCondition: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(byCondition).map(([condition, source]) => [
      condition,
      source.replace(/^\.\/src\/(.+)\.ts$/, './dist/$1.js'),
    ]),
  );
}

function targets({ module }: EntryPoint): object {
  return { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` };
}
