/** The built packages, as tools and users see them. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, describe, expect, test } from 'vitest';
import { ts } from '../../scripts/api/api-compiler.js';
import {
  createPackageFolder,
  entryPoints,
  packageFolder,
} from '../../scripts/package/package-layout.js';
import { createConsumer } from './consumer.js';

const execute = promisify(execFile);
const entries = entryPoints().map(({ specifier }) => specifier);

const packages = [
  'three',
  '@types/three',
  'vite',
  '@types/node',
  'react',
  'react-dom',
  '@types/react',
  '@react-three/fiber',
  '@colyseus/core',
  '@colyseus/schema',
];
const consumer = createConsumer(...packages);
const consumerWithEngines = createConsumer(
  ...packages,
  '@dimforge/rapier3d-compat',
  '@dimforge/rapier3d-deterministic-compat',
  '@dimforge/rapier3d-simd-compat',
);
afterAll(() => {
  consumer.remove();
  consumerWithEngines.remove();
});

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const manifest = manifestOf(packageFolder);

function files(): string[] {
  return readdirSync(packageFolder, { recursive: true, encoding: 'utf8' });
}

describe.each([packageFolder, createPackageFolder])('%s', (folder) => {
  test('publint has no complaints', async () => {
    const { messages } = await publint({ pkgDir: folder, pack: 'npm', strict: true });
    expect(messages.map((message) => formatMessage(message, manifestOf(folder)))).toEqual([]);
  });

  test('the manifest says what the registry shows, and that a release has a provenance', () => {
    const { repository, homepage, bugs, keywords, ...others } = manifestOf(folder);
    expect(repository).toEqual({ type: 'git', url: expect.stringMatching(/^git\+https:.*\.git$/) });
    const address = repository.url.slice('git+'.length, -'.git'.length);
    expect({ homepage, bugs }).toEqual({
      homepage: `${address}#readme`,
      bugs: { url: `${address}/issues` },
    });
    expect(keywords.length).toBeGreaterThan(5);
    expect(others).toMatchObject({
      license: 'MIT',
      engines: manifest.engines,
      publishConfig: { access: 'public', provenance: true },
    });
    expect(others).not.toHaveProperty('funding');
    expect(others).not.toHaveProperty('private');
  });
});

test('an app installs only what it needs: everything but Comlink is optional', () => {
  const { dependencies, peerDependencies, peerDependenciesMeta, optionalDependencies } = manifest;
  expect(Object.keys(dependencies)).toEqual(['comlink']);
  expect(optionalDependencies).toBeUndefined();
  expect(Object.keys(peerDependencies)).toContain('@colyseus/core');
  for (const peer of Object.keys(peerDependencies)) {
    expect(peerDependenciesMeta).toHaveProperty([peer], { optional: true });
  }
});

test('create-betwixt has only a command, which needs betwixt of the same version', () => {
  const { bin, dependencies, version } = manifestOf(createPackageFolder);
  expect(version).toBe(manifest.version);
  expect(dependencies).toEqual({ betwixt: version });
  expect(bin).toEqual({ 'create-betwixt': 'bin/create-betwixt.js' });
  expect(readdirSync(createPackageFolder).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'bin',
    'package.json',
  ]);
});

test.each(entries)(
  '%s is imported on a server, without a window and without engines',
  async (entry) => {
    const script = `
    for (const name of ['window', 'document', 'Worker', 'self']) {
      if (name in globalThis) throw new Error(name + ' exists');
    }
    console.log(Object.keys(await import('${entry}')).length);
  `;
    const { stdout, stderr } = await execute(
      process.execPath,
      // Fiber has a module of the older kind, which requires three.
      ['--disable-warning=THREE_CJS_DEPRECATED', '--input-type=module', '--eval', script],
      { cwd: consumer.folder },
    );
    expect(Number(stdout)).toBeGreaterThan(0);
    expect(stderr).toBe('');
  },
);

test.each(['bundler', 'nodenext'])(
  'a strict project with moduleResolution %s typechecks, and all types that it imports',
  async (how) => {
    const { write, compile } = consumerWithEngines;
    const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}';`);
    const lists = entries.map((_, index) => `entry${index}`);
    write('main.ts', `${imports.join('\n')}\nexport const all = [${lists.join(', ')}];\n`);
    // In place of their packages of types, which those of Colyseus need.
    write(
      'server.d.cts',
      `declare module 'debug' { namespace debug { type IDebugger = unknown } export = debug }
declare module 'express' { namespace express { type Application = unknown } export = express }`,
    );
    const options = {
      module: how === 'nodenext' ? 'nodenext' : 'esnext',
      moduleResolution: how,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
    };
    expect(await compile({ files: ['main.ts', 'server.d.cts'] }, options)).toBe('');
  },
);

test('with moduleResolution node, which knows no exports, all entry points are found', () => {
  const options = { moduleResolution: ts.ModuleResolutionKind.Node10 };
  const found = entries.map(
    (entry) =>
      ts.resolveModuleName(entry, join(consumer.folder, 'main.ts'), options, ts.sys).resolvedModule
        ?.resolvedFileName,
  );
  const { exports } = manifest as { exports: Record<string, { types: string }> };
  const types = Object.values(exports).flatMap(({ types: path }) => path ?? []);
  expect(found).toEqual(types.map((path) => join(consumer.folder, 'node_modules/betwixt', path)));
});

test('has the files it needs and nothing else of the repository', () => {
  const top = readdirSync(packageFolder).toSorted();
  expect(top).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist', 'package.json']));
  const own = files().filter((path) => !path.startsWith('templates'));
  expect(own.filter((path) => /node_modules|tsconfig|tsbuildinfo|\.test\./.test(path))).toEqual([]);
});

test('has the documents and nothing of their site', () => {
  const documents = files().filter((path) => path.startsWith('docs/') && path.includes('.'));
  expect(documents).toContain('docs/api/world.md');
  expect(documents.filter((path) => !/\.(?:md|svg)$/.test(path))).toEqual([]);
});

test('has the documents that its README points to', () => {
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\((docs\/[^)#]+\.md)/g)].map(([, path]) => path as string);
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((path) => !existsSync(join(packageFolder, path)))).toEqual([]);
});

test('every map leads to a source that is in the package', () => {
  const maps = files().filter((path) => path.startsWith('dist') && path.endsWith('.map'));
  expect(maps.length).toBeGreaterThan(100);
  const missing = maps.flatMap((path) => {
    const file = join(packageFolder, path);
    const { sources } = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[] };
    return sources
      .map((source) => join(dirname(file), source))
      .filter((source) => !existsSync(source))
      .map((source) => `${path} names ${relative(packageFolder, source)}`);
  });
  expect(missing).toEqual([]);
});
