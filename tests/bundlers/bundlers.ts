/** The bundlers that the package is tested with: what each needs, as the guide says it, and no more. */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { repositoryRoot } from '../../scripts/child-process.js';
import { packageFolder } from '../../scripts/package/package-layout.js';
import { isolationHeaders } from '../../src/vite/index.js';
import { freePort } from '../fixtures/free-port.js';
import { runIn, startServer } from '../package/template-app.js';

/** The files of an app, by path. `main.js` exports `main`. */
export type AppFiles = Readonly<Record<string, string>>;

export type AppName = 'a world' | 'React' | 'an own simulation';

export interface Bundler {
  readonly name: string;
  readonly packages: readonly string[];
  /** Fields of package.json. */
  readonly manifest?: object;
  /** The files that the guide says to add to an app. */
  readonly files: AppFiles;
  /** Where the app's own files are. Default: at the top. */
  readonly source?: string;
  /** Whether it builds the workers that packages create. Otherwise, the app brings one. */
  readonly isForPackages: boolean;
  /** The apps that are not tested with it here. Default: none. */
  readonly without?: readonly AppName[];
  /** How many copies of the engine it builds: one for pages, and one for workers. Default 1. */
  readonly copies?: number;
  /** Scripts of Node with their arguments: a server for development. */
  readonly develop?: readonly string[];
  /** A build for development, without a server. */
  readonly developBuild?: readonly string[];
  readonly build: readonly string[];
  /** A server for the build. Default: the files of `dist` are served, with a page that has this script. */
  readonly start?: readonly string[];
  readonly script?: string;
  /** The folder of the build that a browser may load. Default `dist`. */
  readonly dist?: string;
}

const ENGINE = '@dimforge/rapier3d-simd-compat@0.20';

const START = `import { main } from './main.js'; void main();`;
const PAGE = '<!doctype html><link rel="icon" href="data:," /><div id="root"></div>';
const INDEX = `${PAGE}<script type="module" src="./start.js"></script>`;
const MODULE = '<script type="module" src="/start.js"></script>';

const VITE = 'node_modules/vite/bin/vite.js';
/** In place of a port that is free. */
const PORT = 'PORT';
const VITE_SERVER = ['--host', '127.0.0.1', '--port', PORT];
const vite = (version: number): Bundler => ({
  name: `Vite ${version}`,
  packages: [`vite@${version}`],
  files: {
    'start.js': START,
    'index.html': INDEX,
    'vite.config.js': `import { betwixt } from 'betwixt/vite';
export default { plugins: [betwixt()] };`,
  },
  isForPackages: true,
  develop: [VITE, ...VITE_SERVER],
  build: [VITE, 'build'],
  start: [VITE, 'preview', ...VITE_SERVER],
});

const WEBPACK = 'node_modules/webpack/bin/webpack.js';
const NEXT = 'node_modules/next/dist/bin/next';
const NEXT_SERVER = ['--hostname', '127.0.0.1', '--port', PORT];
const next = (name: string, ...flags: readonly string[]): Bundler => ({
  name,
  packages: ['next', 'react', 'react-dom'],
  source: 'app',
  files: {
    'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
    'app/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" />',
    'app/page.js': `'use client';
import { useEffect } from 'react';
import { main } from './main.js';
let isBegun = false;
// In development, React runs an effect twice.
const begin = () => { if (!isBegun) void main(); isBegun = true; };
export default function Page() { useEffect(begin, []); return <div id="root" />; }`,
  },
  isForPackages: true,
  // The template `next` has its own tests.
  without: ['React'],
  develop: [NEXT, 'dev', ...flags, ...NEXT_SERVER],
  build: [NEXT, 'build', ...flags],
  start: [NEXT, 'start', ...NEXT_SERVER],
  dist: '.next/static',
});

const ROLLUP = 'node_modules/rollup/dist/bin/rollup';
const PARCEL = 'node_modules/parcel/lib/bin.js';

export const BUNDLERS: readonly Bundler[] = [
  vite(6),
  vite(7),
  vite(8),
  {
    name: 'webpack',
    packages: ['webpack@5', 'webpack-cli'],
    files: {
      'start.js': START,
      'webpack.config.cjs': `module.exports = { entry: './start.js', performance: false };`,
    },
    isForPackages: true,
    script: '<script defer src="/main.js"></script>',
    developBuild: [WEBPACK, '--mode', 'development'],
    build: [WEBPACK, '--mode', 'production'],
  },
  next('Next.js with Turbopack'),
  next('Next.js with webpack', '--webpack'),
  {
    name: 'esbuild',
    packages: ['esbuild'],
    files: {
      'start.js': START,
      'build.js': `import { build } from 'esbuild';
const entryPoints = ['start.js', 'sim.worker.js'];
const minify = process.argv[2] !== 'development';
await build({ entryPoints, bundle: true, splitting: true, format: 'esm', outdir: 'dist', minify });`,
    },
    isForPackages: false,
    script: MODULE,
    developBuild: ['build.js', 'development'],
    build: ['build.js'],
  },
  {
    name: 'Rollup',
    packages: [
      'rollup@4',
      ...['node-resolve', 'commonjs', 'replace'].map((plugin) => `@rollup/plugin-${plugin}`),
    ],
    files: {
      'start.js': START,
      'rollup.config.js': `import commonjs from '@rollup/plugin-commonjs';
import resolve from '@rollup/plugin-node-resolve';
import replace from '@rollup/plugin-replace';
const values = { 'process.env.NODE_ENV': '"production"' };
export default {
  input: ['start.js', 'sim.worker.js'],
  output: { dir: 'dist', format: 'esm' },
  plugins: [resolve({ browser: true }), commonjs(), replace({ values, preventAssignment: true })],
};`,
    },
    isForPackages: false,
    script: MODULE,
    build: [ROLLUP, '--config'],
  },
  {
    name: 'Parcel',
    packages: ['parcel@2'],
    manifest: {
      '@parcel/resolver-default': { packageExports: true },
      '@parcel/bundler-default': { disableSharedBundles: true },
    },
    files: {
      'start.js': START,
      'index.html': INDEX,
    },
    isForPackages: true,
    copies: 2,
    develop: [PARCEL, 'serve', 'index.html', '--host', '127.0.0.1', '--port', PORT],
    build: [PARCEL, 'build', 'index.html', '--public-url', '/'],
  },
  {
    name: 'no bundler',
    packages: [],
    source: 'public',
    files: {
      'public/start.js': START,
      'copy.js': readFileSync(join(repositoryRoot, 'docs/snippets/hosting/no-bundler.ts'), 'utf8'),
    },
    isForPackages: true,
    script: importMap() + MODULE,
    // React has no modules for browsers, and a simulation's worker imports by URLs.
    without: ['React', 'an own simulation'],
    build: ['copy.js'],
    dist: 'public',
  },
];

/** As the guide has it. */
function importMap(): string {
  const guide = readFileSync(join(repositoryRoot, 'docs/hosting.md'), 'utf8');
  return /<script type="importmap">.*?<\/script>/s.exec(guide)?.[0] ?? 'no import map in the guide';
}

/** Packs the built package. @returns The archive. */
export async function pack(folder: string): Promise<string> {
  await runIn(folder, 'npm', ['pack', packageFolder, '--pack-destination', folder, '--json']);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  return join(folder, archive ?? '');
}

/**
 * Installs the packed package and a bundler, and of all engines the one that is used.
 *
 * @param others Packages of the apps.
 */
export async function installBundler(
  folder: string,
  { packages, manifest }: Bundler,
  archive: string,
  others: readonly string[] = [],
): Promise<void> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', ...manifest }));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  await runIn(folder, 'npm', ['install', ...flags, archive, ENGINE, ...others, ...packages]);
}

/** Writes an app into the folder, in place of the one before. */
export function writeApp(folder: string, { files, source = '' }: Bundler, app: AppFiles): void {
  const own = Object.entries(app).map(([path, text]) => [join(source, path), text] as const);
  for (const [path, text] of [...Object.entries(files), ...own]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** For a busy machine that builds. */
export const PATIENCE_MS = 10 * 60_000;

/** Folders that bundlers write. */
const BUILT = ['dist', '.next', '.parcel-cache'];

/** Builds or serves the app in the folder, and calls `look` with an empty page and the address. */
export async function openApp<T>(
  browser: Browser,
  folder: string,
  bundler: Bundler,
  mode: 'development' | 'production',
  look: (page: Page, address: string) => Promise<T>,
): Promise<T> {
  const [build, server] =
    mode === 'production'
      ? [bundler.build, bundler.start]
      : [bundler.developBuild, bundler.develop];
  for (const name of BUILT) rmSync(join(folder, name), { recursive: true, force: true });
  if (build !== undefined) await runIn(folder, process.execPath, build);
  const port = String(await freePort());
  const command = server?.map((arg) => (arg === PORT ? port : arg));
  const running = command === undefined ? undefined : await startServer(folder, command);
  const context = await browser.newContext();
  // A development server builds when it is asked.
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    const { dist = 'dist', script } = bundler;
    if (running === undefined) await serve(context, join(folder, dist), script);
    return await look(await context.newPage(), running?.url ?? 'http://localhost/');
  } finally {
    await context.close();
    await running?.stop();
  }
}

/** Gives a browser the files of a folder with the headers, without a server. @param script For a build that has no page. */
export async function serve(context: BrowserContext, dist: string, script?: string): Promise<void> {
  const headers = { ...isolationHeaders() };
  await context.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    const path = join(dist, pathname);
    if (pathname !== '/') {
      return route.fulfill(existsSync(path) ? { path, headers } : { status: 404, headers });
    }
    if (script === undefined) return route.fulfill({ path: join(dist, 'index.html'), headers });
    return route.fulfill({ contentType: 'text/html', body: PAGE + script, headers });
  });
}
