/**
 * An app with a room, as the guide has it, on the built package: it compiles strictly, Vite builds its page and its worker, its
 * server runs in Node, and two pages play.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumFlags } from '../../scripts/browsers/chromium-flags.js';
import { findOrInstallChromium } from '../../scripts/browsers/find-chromium.js';
import { repositoryRoot } from '../../scripts/child-process.js';
import { freePort } from '../fixtures/free-port.js';
import { createConsumer } from './consumer.js';
import { startVite, type RunningServer } from './template-app.js';

/** What the guide's page has, for a test: added to it below. */
declare const sim: {
  readonly bodies: ReadonlyMap<number, { readonly name: string }>;
  readonly room: { readonly prediction: { readonly hashes: number; readonly desyncs: number } };
  pose(id: number, out: Float64Array): Float64Array | undefined;
};

/** The software renderer's notes on performance. */
const NOT_OURS = /GL Driver Message/;
/** A worker that gets no processor for two seconds. */
const IS_SLOW = /the worker has been in one step for/;
/** Polled until it is so: how long a machine takes is not tested. */
const PATIENT = { timeout: 5 * 60_000 };

const execute = promisify(execFile);
const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
const snippets = join(repositoryRoot, 'docs/snippets');

const consumer = createConsumer(
  'three',
  '@types/three',
  '@types/node',
  '@dimforge/rapier3d-simd-compat',
  '@colyseus/core',
  '@colyseus/schema',
  '@colyseus/sdk',
  '@colyseus/ws-transport',
  'tsx',
  'vite',
);
afterAll(() => consumer.remove());

beforeAll(async () => {
  // The guide's port may be in use.
  const port = await freePort();
  for (const name of [
    'simulation',
    'server',
    'page',
    'predict.worker',
    'reconnect',
    'verify',
    'check',
  ]) {
    const file = `rooms/${name}.ts`;
    const text = readFileSync(join(snippets, file), 'utf8')
      .replaceAll('2567', String(port))
      // Pings end the connection of a page that gets no processor for some seconds.
      .replace('new WebSocketTransport()', 'new WebSocketTransport({ pingInterval: 0 })');
    consumer.write(file, text + (ADDITIONS[name] ?? ''));
  }
  consumer.write('scene.ts', readFileSync(join(snippets, 'scene.ts'), 'utf8'));
  consumer.write('vite.config.ts', CONFIG);
});

const ADDITIONS: Readonly<Record<string, string>> = {
  page: '\nObject.assign(globalThis, { sim });\n',
  server: "\nconsole.log('the rooms are open');\n",
};
const CONFIG = `
import { betwixt } from 'betwixt/vite';
import { defineConfig } from 'vite';

export default defineConfig({ plugins: [betwixt()] });
`;

test('it compiles, strictly', async () => {
  const compilerOptions = {
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'dom', 'esnext.disposable'],
    types: ['node'],
    strict: true,
    // The types of Colyseus need it.
    skipLibCheck: true,
    noEmit: true,
  };
  consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['rooms'] }));
  const run = execute(process.execPath, [compiler, '-p', '.'], { cwd: consumer.folder });
  await expect(run).resolves.toMatchObject({ stdout: '' });
});

describe('Vite builds it', () => {
  let files: readonly { readonly name: string; readonly code: string }[];

  beforeAll(async () => {
    consumer.write(
      'index.html',
      '<link rel="icon" href="data:," /><script type="module" src="./rooms/page.ts"></script>',
    );
    await build({
      root: consumer.folder,
      configFile: join(consumer.folder, 'vite.config.ts'),
      logLevel: 'error',
      build: { target: 'esnext', chunkSizeWarningLimit: 5000 },
    });
    const assets = join(consumer.folder, 'dist/assets');
    files = readdirSync(assets).map((name) => ({
      name,
      code: readFileSync(join(assets, name), 'utf8'),
    }));
  });

  test('with a worker that predicts, and is the only one to load the engine', () => {
    const worker = files.find(({ name }) => name.startsWith('predict.worker'));
    expect(worker?.code).toContain('goes back to saved states');
    const page = files.filter(({ name }) => name.startsWith('index'));
    expect(page.length).toBeGreaterThan(0);
    // What the engine's file begins with, and the page's own code.
    expect(page.some(({ code }) => code.includes('AGFzbQ'))).toBe(false);
    expect(files.some(({ code }) => code.includes('AGFzbQ'))).toBe(true);
  });

  test('with nothing of the server', () => {
    expect(files.filter(({ code }) => code.includes('maxBehindSeconds'))).toEqual([]);
  });

  describe('and two pages play', () => {
    let rooms: ChildProcess;
    let site: RunningServer;
    let browser: Browser;

    beforeAll(async () => {
      rooms = spawn(process.execPath, ['--import', 'tsx', 'rooms/server.ts'], {
        cwd: consumer.folder,
        stdio: ['ignore', 'pipe', 'inherit'],
        // For pages that take long to connect.
        env: { ...process.env, COLYSEUS_SEAT_RESERVATION_TIME: '600' },
      });
      const lines = createInterface({ input: rooms.stdout ?? process.stdin });
      let areOpen = false;
      for await (const line of lines) {
        areOpen = line === 'the rooms are open';
        if (areOpen) break;
      }
      if (!areOpen) throw new Error('the server has ended before its rooms were open');
      site = await startVite(consumer.folder, ['preview']);
      const executablePath = await findOrInstallChromium();
      browser = await chromium.launch({ executablePath, args: [...chromiumFlags] });
    });

    afterAll(async () => {
      await browser?.close();
      await site?.stop();
      rooms?.kill('SIGKILL');
    });

    test('each predicts the same room, and draws the balls of both', async () => {
      const lines: string[] = [];
      const open = async (): Promise<Page> => {
        const page = await browser.newPage({ viewport: { width: 320, height: 240 } });
        page.setDefaultTimeout(PATIENT.timeout);
        page.on('console', (message) => {
          const text = message.text();
          if (!NOT_OURS.test(text) && !IS_SLOW.test(text)) lines.push(`${message.type()}: ${text}`);
        });
        page.on('pageerror', (error) => lines.push(String(error)));
        await page.goto(site.url);
        // Colyseus opens a second room if a page asks for one while the first room is being made, and that takes long.
        await page.waitForFunction(() => 'sim' in globalThis);
        return page;
      };
      const pages = [await open(), await open()];
      const [first] = pages;
      for (const page of pages) {
        await page.waitForFunction(() => sim.bodies.size === 2);
        expect(await page.evaluate(() => [...sim.bodies.values()])).toEqual([
          { name: 'Ada' },
          { name: 'Ada' },
        ]);
        expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      }
      const atRest = await first?.screenshot();
      await first?.keyboard.down('ArrowRight');
      // Its ball rolls on both pages.
      for (const page of pages) {
        await page.waitForFunction(() =>
          [...sim.bodies.keys()].some((id) => (sim.pose(id, new Float64Array(7))?.[0] ?? 0) > 0.5),
        );
      }
      // While the key is held: a ball that was sent back to its start would rest there.
      const isAsBefore = async () => atRest?.equals((await first?.screenshot()) ?? atRest);
      await expect.poll(isAsBefore, PATIENT).toBe(false);
      await first?.keyboard.up('ArrowRight');
      for (const page of pages) {
        await page.waitForFunction(() => (sim.room.prediction?.hashes ?? 0) >= 2);
        expect(await page.evaluate(() => sim.room.prediction.desyncs)).toBe(0);
      }
      expect(lines).toEqual([]);
    });
  });
});
