/**
 * An app with a room, as the guide has it, on the built package: it compiles strictly, Vite builds its page and its worker, its
 * server runs in Node, and two pages play.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../scripts/child-process.js';
import { installRooms } from '../../scripts/rooms/install.js';
import { freePort } from '../fixtures/free-port.js';
import { createConsumer } from './consumer.js';
import { launchBrowser, openPage, PATIENT } from './running-app.js';
import { startVite } from './template-app.js';

/** The guide's page, with names for a test: added to it below. */
declare const sim: {
  readonly bodies: ReadonlyMap<number, { readonly name: string }>;
  readonly room: { readonly prediction: { readonly hashes: number; readonly desyncs: number } };
  pose(id: number, out: Float64Array): Float64Array | undefined;
};

const snippets = join(repositoryRoot, 'docs/snippets');

// Colyseus is among what only rooms need.
await installRooms();
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
  for (const name of ['simulation', 'server', 'page', 'predict.worker', 'reconnect']) {
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

test('an app with a room compiles strictly', async () => {
  // The types of Colyseus need skipLibCheck.
  const options = {
    lib: ['es2024', 'dom', 'esnext.disposable'],
    types: ['node'],
    skipLibCheck: true,
  };
  expect(await consumer.compile({ include: ['rooms'] }, options)).toBe('');
});

/** @returns The files that a page may load. */
async function buildApp() {
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
  return readdirSync(assets).map((name) => ({
    name,
    code: readFileSync(join(assets, name), 'utf8'),
  }));
}

/** The guide's server. */
async function startRooms(): Promise<void> {
  const rooms = spawn(process.execPath, ['--import', 'tsx', 'rooms/server.ts'], {
    cwd: consumer.folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    // For pages that take long to connect.
    env: { ...process.env, COLYSEUS_SEAT_RESERVATION_TIME: '600' },
  });
  onTestFinished(() => void rooms.kill('SIGKILL'));
  for await (const line of createInterface({ input: rooms.stdout })) {
    if (line !== 'the rooms are open') continue;
    rooms.stdout.resume();
    return;
  }
  throw new Error('the server has ended before its rooms were open');
}

test('Vite builds an app with a room, whose two pages predict it and draw the balls of both', async () => {
  const files = await buildApp();
  const worker = files.find(({ name }) => name.startsWith('predict.worker'));
  expect(worker?.code).toContain('goes back to saved states');
  const ofPage = files.filter(({ name }) => name.startsWith('index'));
  expect(ofPage.length).toBeGreaterThan(0);
  // Only the worker loads the engine, which is a file with its WebAssembly.
  expect(ofPage.some(({ code }) => code.includes('rapier-'))).toBe(false);
  expect(files.filter(({ name }) => /^rapier-\w+\.wasm$/.test(name))).toHaveLength(1);
  // Nothing of the server.
  expect(files.filter(({ code }) => code.includes('maxBehindSeconds'))).toEqual([]);

  await startRooms();
  const site = await startVite(consumer.folder, ['preview']);
  onTestFinished(() => site.stop());
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const opened = [await openPage(browser), await openPage(browser)] as const;
  for (const { page } of opened) {
    await page.setViewportSize({ width: 320, height: 240 });
    await page.goto(site.url);
    // Colyseus opens a second room if a page asks for one while the first room is being made, and that takes long.
    await page.waitForFunction(() => 'sim' in globalThis);
  }
  const pages = opened.map(({ page }) => page);
  const [{ page: first }] = opened;
  for (const each of pages) {
    await each.waitForFunction(() => sim.bodies.size === 2);
    expect(await each.evaluate(() => [...sim.bodies.values()])).toEqual([
      { name: 'Ada' },
      { name: 'Ada' },
    ]);
    expect(await each.evaluate(() => crossOriginIsolated)).toBe(true);
  }
  const atRest = await first.screenshot();
  await first.keyboard.down('ArrowRight');
  // The app's ball rolls on both pages.
  for (const each of pages) {
    await each.waitForFunction(() =>
      [...sim.bodies.keys()].some((id) => (sim.pose(id, new Float64Array(7))?.[0] ?? 0) > 0.5),
    );
  }
  // While the key is held: a ball that was sent back to its start would rest there.
  await expect.poll(async () => atRest.equals(await first.screenshot()), PATIENT).toBe(false);
  await first.keyboard.up('ArrowRight');
  for (const each of pages) {
    await each.waitForFunction(() => (sim.room.prediction?.hashes ?? 0) >= 2);
    expect(await each.evaluate(() => sim.room.prediction.desyncs)).toBe(0);
  }
  expect(opened.map(({ lines }) => lines)).toEqual([[], []]);
});
