/** The package.json of each built package. */
import { readRoomsManifest, type EntryPoint, type Manifest } from './package-layout.js';

/**
 * Packages that users install if they use the entry point that needs them. The engine is behind an
 * adapter that is tested with one release; of three and Vite only long-established APIs are used.
 */
function optionalPeers({ devDependencies }: Manifest): Readonly<Record<string, string>> {
  const tested = (name: string) => devDependencies[name] ?? '*';
  return {
    '@colyseus/core': `~${readRoomsManifest().dependencies['@colyseus/core'] ?? '*'}`,
    '@dimforge/rapier3d-compat': tested('@dimforge/rapier3d-compat'),
    '@dimforge/rapier3d-deterministic-compat': tested('@dimforge/rapier3d-deterministic-compat'),
    '@dimforge/rapier3d-simd-compat': tested('@dimforge/rapier3d-simd-compat'),
    '@react-three/fiber': '^9.0.0',
    react: '^19.0.0',
    three: '>=0.160.0',
    vite: '>=6.0.0',
  };
}

/** The fields that the registry shows of both packages, under the description and the keywords of one of them. */
function published(
  { version, license, repository, engines }: Manifest,
  name: string,
  description: string,
  keywords: readonly string[],
): object {
  const address = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return {
    name,
    version,
    description,
    keywords,
    license,
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
    repository,
    type: 'module',
    engines,
    // With a proof of the commit and the workflow that a release was built from: npm refuses to publish without one.
    publishConfig: { access: 'public', provenance: true },
  };
}

/** The package.json of `betwixt`. */
export function packageManifest(manifest: Manifest, entries: readonly EntryPoint[]): object {
  const { name, description, dependencies } = manifest;
  const peers = optionalPeers(manifest);
  const keywords = [
    'physics',
    'rapier',
    'three',
    'threejs',
    'react-three-fiber',
    'web-worker',
    'fixed-timestep',
    'interpolation',
    'game-loop',
    'deterministic',
    'replay',
  ];
  return {
    ...published(manifest, name, description, keywords),
    // Imports have no side effects: bundlers leave out what is not used.
    sideEffects: false,
    exports: {
      ...Object.fromEntries(entries.map((entry) => [entry.subpath, targets(entry)])),
      './package.json': './package.json',
    },
    ...forNode10(entries),
    bin: { betwixt: 'bin/cli.js' },
    files: ['CHANGELOG.md', 'bin', 'dist', 'docs', 'examples', 'src', 'templates'],
    dependencies,
    peerDependencies: peers,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(peers).map((peer) => [peer, { optional: true }]),
    ),
  };
}

/** The package.json of `create-betwixt`, which runs the command of the same release. */
export function createPackageManifest(manifest: Manifest): object {
  const { name, version } = manifest;
  const description = `Creates an app with ${name}: physics in a worker, for three.js or React Three Fiber.`;
  const keywords = [
    'create',
    'template',
    'scaffold',
    name,
    'physics',
    'three',
    'react-three-fiber',
  ];
  return {
    ...published(manifest, `create-${name}`, description, keywords),
    bin: { [`create-${name}`]: `bin/create-${name}.js` },
    files: ['bin'],
    dependencies: { [name]: version },
  };
}

/** For TypeScript with `moduleResolution: "node"`, as in older templates of Vite: it does not read `exports`. */
function forNode10(entries: readonly EntryPoint[]): object {
  const types = entries.map(({ subpath, module }) => [subpath, `./dist/${module}.d.ts`] as const);
  const [[, main], ...others] = types as [(typeof types)[number], ...typeof types];
  return {
    types: main,
    typesVersions: {
      '*': Object.fromEntries(others.map(([subpath, file]) => [subpath.slice(2), [file]])),
    },
  };
}

function targets({ module }: EntryPoint): object {
  return { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` };
}
