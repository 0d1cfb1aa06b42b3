/**
 * Each template, as a user works with it: pack, create, install, typecheck, test, open it, build,
 * open it again.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test, type ExpectStatic } from 'vitest';
import { chromiumFlags } from '../../scripts/browsers/chromium-flags.js';
import { findOrInstallChromium } from '../../scripts/browsers/find-chromium.js';
import { repositoryRoot } from '../../scripts/child-process.js';
import { packageFolder } from '../../scripts/package/package-layout.js';
import { NPM_FLAGS, runIn, startVite } from './template-app.js';

/** The test's view of the `sim` that all templates put on their page. */
interface AppSimulation {
  readonly bodies: ReadonlyMap<number, unknown>;
  pose(id: number, out: Float64Array): Float64Array | undefined;
  pause(): Promise<void>;
  stats(): { readonly tick: number; readonly frames: number; readonly events: number };
}
declare const sim: AppSimulation;

const TEMPLATES = [
  { template: 'vanilla', hasEngine: true },
  { template: 'react', hasEngine: true },
  { template: 'custom', hasEngine: false },
] as const;

/** Vite's client, React's advertisement, what fiber uses of three.js, and the software renderer's notes on performance. */
const NOT_OURS = /\[vite\]|React DevTools|THREE\.Clock|GL Driver Message/;

/** Depends on how long a busy machine takes to build the worker of an app that it has never built before. */
const IS_SLOW = /the worker has not answered for/;

/** Polled until it is so: the time an app takes to start is not tested. */
const PATIENT = { timeout: 5 * 60_000 };

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'betwixt-stranger-')));
const folderOf = (template: string): string => join(folder, `${template}-app`);
let tarball: string;
let executablePath: string;
let browser: Browser;

beforeAll(async () => {
  executablePath = await findOrInstallChromium();
  browser = await chromium.launch({ executablePath, args: [...chromiumFlags] });
  const packed = await runIn(folder, 'npm', ['pack', packageFolder, '--silent']);
  tarball = join(folder, packed.trim());
  await Promise.all(TEMPLATES.map(({ template }) => createAndInstall(template)));
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function createAndInstall(template: string): Promise<void> {
  const from = ['--template', template, '--package', tarball];
  const command = ['--', 'betwixt', 'create', `${template}-app`, ...from];
  await runIn(folder, 'npm', ['exec', '--yes', ...NPM_FLAGS, `--package=${tarball}`, ...command]);
  await runIn(folderOf(template), 'npm', ['install', ...NPM_FLAGS]);
}

// The templates in parallel, and the steps of one app in sequence.
describe.concurrent.each(TEMPLATES)('the template $template', ({ template, hasEngine }) => {
  const app = folderOf(template);
  const npm = (...args: string[]): Promise<string> => runIn(app, 'npm', ['run', ...args]);

  test.sequential('is named after its folder, and has what it needs and no more', () => {
    const manifest = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
    expect(manifest.name).toBe(`${template}-app`);
    const names = Object.keys(manifest.dependencies);
    expect(names.some((name) => name.startsWith('@dimforge/'))).toBe(hasEngine);
    expect(names).toContain('betwixt');
    expect(readFileSync(join(app, '.gitignore'), 'utf8')).toContain('node_modules');
    expect(readFileSync(join(app, 'README.md'), 'utf8')).toMatch(`# ${template}-app\n`);
  });

  test.sequential('typechecks', () => npm('typecheck'));

  test.sequential('passes its own test in Node', async () => {
    expect(await npm('test')).toMatch(/Tests\s+\d+ passed/);
  });

  test.sequential('passes its own test in a browser', async () => {
    const env = { CHROMIUM_PATH: executablePath, PORT: String(await freePort()) };
    expect(await runIn(app, 'npm', ['run', 'test:browser'], env)).toMatch(/[234] passed/);
  });

  test.sequential('runs from the development server, which finds all dependencies before its first page', async (context) => {
    rmSync(join(app, 'node_modules/.vite'), { recursive: true, force: true });
    const server = await startVite(app, []);
    try {
      await expectToRun(server.url, context.expect);
    } finally {
      await server.stop();
    }
  });

  test.sequential('builds, and the build runs', async (context) => {
    await npm('build');
    expect(existsSync(join(app, 'dist/_headers'))).toBe(true);
    const server = await startVite(app, ['preview']);
    try {
      await expectToRun(server.url, context.expect);
    } finally {
      await server.stop();
    }
  });
});

test('the simulation of docs/getting-started.md passes its test in an app of the template custom', async () => {
  const app = folderOf('custom');
  cpSync(join(repositoryRoot, 'docs/snippets/fountain/src'), join(app, 'src'), { recursive: true });
  const ownTest = 'tests/simulation.test.ts';
  cpSync(join(repositoryRoot, 'docs/snippets/fountain', ownTest), join(app, ownTest));
  expect(await runIn(app, 'npm', ['run', 'test'])).toMatch(/Tests\s+2 passed/);
  // The page still listens to a removed event, and the typecheck reports it as in the document.
  const text = readFileSync(join(repositoryRoot, 'docs/getting-started.md'), 'utf8');
  const complaint = /^src\/main\.ts\(.*$/m.exec(text)?.[0] ?? 'no line in the document';
  await expect(runIn(app, 'npm', ['run', 'typecheck'])).rejects.toThrow(complaint);
});

/**
 * Bodies move and are drawn, the worker is isolated, an input reaches the simulation, the console
 * stays empty.
 *
 * @param expectHere Of the test: with two at a time, polling has to know in which of them.
 */
async function expectToRun(url: string, expectHere: ExpectStatic): Promise<void> {
  // Small, because WebGL is drawn by the processor here.
  const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
  page.setDefaultTimeout(PATIENT.timeout);
  const lines: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (!NOT_OURS.test(text) && !IS_SLOW.test(text)) lines.push(`${message.type()}: ${text}`);
  });
  page.on('pageerror', (error) => lines.push(String(error)));
  let loads = 0;
  page.on('load', () => (loads += 1));
  try {
    await page.goto(url);
    await page.waitForFunction(() => 'sim' in globalThis && sim.stats().frames > 2);
    expectHere(await page.evaluate(() => crossOriginIsolated)).toBe(true);

    const before = await page.evaluate(() => sim.stats());
    const positions = await positionsDrawn(page);
    await page.keyboard.press('Space');
    await page.mouse.click(320, 240);
    await expectHere.poll(() => positionsDrawn(page), PATIENT).not.toEqual(positions);
    // From the input: a contact, or birds that were startled.
    const eventCount = (): Promise<number> => page.evaluate(() => sim.stats().events);
    await expectHere.poll(eventCount, PATIENT).toBeGreaterThan(before.events);
    const after = await page.evaluate(() => sim.stats());
    expectHere(after.tick).toBeGreaterThan(before.tick);
    expectHere(after.frames).toBeGreaterThan(before.frames);

    // A worker that sleeps between two ticks answers only the page.
    await page.evaluate(() => sim.pause());
    const [worker] = page.workers();
    expectHere(await worker?.evaluate(() => crossOriginIsolated)).toBe(true);
    expectHere(lines).toEqual([]);
    expectHere(loads).toBe(1);
  } finally {
    await page.close();
  }
}

/** Where each body is drawn. */
function positionsDrawn(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...sim.bodies.keys()].map((id) => sim.pose(id, new Float64Array(7))?.join(' ') ?? 'nowhere'),
  );
}

/** A port that is not in use now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
