/** Warnings for developers, in apps that have the package from other bundlers than the repository's: on while one develops, and off in a build. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumFlags } from '../../scripts/browsers/chromium-flags.js';
import { findOrInstallChromium } from '../../scripts/browsers/find-chromium.js';
import { packageFolder } from '../../scripts/package/package-layout.js';
import { runIn, startServer } from './template-app.js';

/** An event without a handler, and a body that is moved behind the library's back: each side warns of one. */
const WORKER = `
import { rapierSimulation } from 'betwixt/rapier';
import { runSimulation } from 'betwixt/worker';
runSimulation(rapierSimulation(({ context, physics, rapier }) => {
  const body = physics.world.createRigidBody(rapier.RigidBodyDesc.dynamic());
  physics.add(body);
  return {
    step(dt, tick) {
      physics.step(dt);
      if (tick === 5) context.events.emit('bang', null);
      if (tick === 10) body.setTranslation({ x: 50, y: 0, z: 0 }, true);
      if (tick === 20) context.events.emit('end', null);
    },
  };
}));
`;

/** The page's timer is later than those of its warnings. */
const PAGE = `
import { connect } from 'betwixt';
export async function main() {
  const sim = await connect(() => new Worker(new URL('./sim.worker.js', import.meta.url), { type: 'module' }));
  const draw = (stamp) => { sim.sample(stamp); requestAnimationFrame(draw); };
  requestAnimationFrame(draw);
  sim.on('end', () => setTimeout(() => console.log('the end'), 4000));
}
`;

const STARTED = `import { main } from './main.js'; void main();`;

interface Bundler {
  readonly packages: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Paths and arguments of its commands: a server for development, or a build; a build, and perhaps a server for it. */
  readonly develop: readonly string[];
  readonly build: readonly string[];
  readonly start?: readonly string[];
}

const ENGINES = ['simd', 'deterministic']
  .map((build) => `@dimforge/rapier3d-${build}-compat`)
  .concat('@dimforge/rapier3d-compat');

const VITE = 'node_modules/vite/bin/vite.js';
const VITE_SERVER = ['--host', '127.0.0.1', '--port', '0'];
const vite = (version: number): Bundler => ({
  packages: [`vite@${version}`],
  files: {
    'main.js': PAGE,
    'sim.worker.js': WORKER,
    'start.js': STARTED,
    'index.html':
      '<link rel="icon" href="data:," /><script type="module" src="/start.js"></script>',
    'vite.config.js': `export default { worker: { format: 'es' } };`,
  },
  develop: [VITE, ...VITE_SERVER],
  build: [VITE, 'build'],
  start: [VITE, 'preview', ...VITE_SERVER],
});

const WEBPACK = 'node_modules/webpack/bin/webpack.js';
const NEXT = 'node_modules/next/dist/bin/next';
const NEXT_SERVER = ['--hostname', '127.0.0.1', '--port', '0'];

const BUNDLERS: readonly (readonly [string, Bundler])[] = [
  ['Vite 6', vite(6)],
  ['Vite 7', vite(7)],
  ['Vite 8', vite(8)],
  [
    'webpack',
    {
      packages: ['webpack@5', 'webpack-cli'],
      files: {
        'main.js': PAGE,
        'sim.worker.js': WORKER,
        'start.js': STARTED,
        'webpack.config.cjs': `module.exports = { entry: './start.js', performance: false };`,
      },
      develop: [WEBPACK, '--mode', 'development'],
      build: [WEBPACK, '--mode', 'production'],
    },
  ],
  [
    'Next.js',
    {
      packages: ['next', 'react', 'react-dom'],
      files: {
        'app/main.js': PAGE,
        'app/sim.worker.js': WORKER,
        'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
        'app/page.js': `'use client';
import { useEffect } from 'react';
import { main } from './main.js';
export default function Page() { useEffect(() => void main(), []); return null; }`,
      },
      develop: [NEXT, 'dev', ...NEXT_SERVER],
      build: [NEXT, 'build'],
      start: [NEXT, 'start', ...NEXT_SERVER],
    },
  ],
];

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'betwixt-warnings-')));
let browser: Browser;
beforeAll(async () => {
  const executablePath = await findOrInstallChromium();
  browser = await chromium.launch({ executablePath, args: [...chromiumFlags] });
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(BUNDLERS)('%s', (name, { packages, files, develop, build, start }) => {
  const app = join(folder, name);

  beforeAll(async () => {
    mkdirSync(app);
    for (const [path, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
      mkdirSync(dirname(join(app, path)), { recursive: true });
      writeFileSync(join(app, path), text);
    }
    const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
    await runIn(app, 'npm', ['install', ...flags, 'comlink', ...ENGINES, ...packages]);
    cpSync(packageFolder, join(app, 'node_modules/betwixt'), { recursive: true });
  });

  test('the development server turns on the warnings of page and worker', async () => {
    expect(await warningsOf(app, develop)).toEqual([
      expect.stringContaining('setTranslation moved body'),
      expect.stringContaining('the simulation emits "bang"'),
    ]);
  });

  test('a build warns of nothing', async () => {
    await runIn(app, process.execPath, build);
    expect(await warningsOf(app, start)).toEqual([]);
  });
});

const isServer = (command: readonly string[]): boolean => command.includes('--port');

/** @param command A server, or a build; none: what is built is in the folder. */
async function warningsOf(app: string, command: readonly string[] = []): Promise<string[]> {
  if (isServer(command)) {
    const server = await startServer(app, command);
    return warningsAt(server.url).finally(() => server.stop());
  }
  if (command.length > 0) await runIn(app, process.execPath, command);
  return warningsAt('http://localhost/', join(app, 'dist'));
}

/** @param dist A folder whose files the browser is given without a server. */
async function warningsAt(url: string, dist?: string): Promise<string[]> {
  const context = await browser.newContext();
  if (dist !== undefined) {
    await context.route('**/*', (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname !== '/') return route.fulfill({ path: join(dist, pathname) });
      return route.fulfill({ contentType: 'text/html', body: '<script src="/main.js"></script>' });
    });
  }
  const page = await context.newPage();
  const lines: string[] = [];
  page.on('console', (message) => lines.push(message.text()));
  page.on('pageerror', (error) => lines.push(String(error)));
  await page.goto(url);
  await expect.poll(() => lines, { timeout: 120_000 }).toContain('the end');
  await context.close();
  // In development, React runs an effect twice, so there may be two simulations.
  return [...new Set(lines.filter((line) => line.startsWith('betwixt: ')))].toSorted();
}
