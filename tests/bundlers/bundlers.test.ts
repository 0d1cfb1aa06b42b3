/**
 * Apps that have the packed package, by each bundler: one with a world, one of React. Each is built with what the guide says
 * and no more, and opened as built and, where there is a server, as it is developed. The app of React in Next.js is the
 * template: next.test.ts. An app with its own simulation is in tests/package/warnings.test.ts.
 */
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumFlags } from '../../scripts/browsers/chromium-flags.js';
import { findOrInstallChromium } from '../../scripts/browsers/find-chromium.js';
import {
  BUNDLERS,
  PATIENCE_MS,
  installBundler,
  openApp,
  pack,
  writeApp,
  type AppName,
  type Bundler,
} from '../package/bundlers.js';

const OWN_WORKER = `() => new Worker(new URL('./sim.worker.js', import.meta.url), { type: 'module' })`;
const FELL = `document.title = 'a body fell'`;

const WORLD_WORKER = `
import { runWorld } from 'betwixt/world/worker';
runWorld();
`;

interface App {
  readonly name: AppName;
  readonly main: (worker: string) => string;
}

const WORLD: App = {
  name: 'a world',
  main: (worker) => `
import { ColliderDesc, RigidBodyDesc, createWorld } from 'betwixt/world';
export async function main() {
  const world = createWorld({ ${worker === '' ? '' : `createWorker: ${worker}`} });
  const ball = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 5, 0));
  world.createCollider(ColliderDesc.ball(0.5), ball);
  await world.ready;
  requestAnimationFrame(function draw(stamp) {
    world.sample(stamp);
    if (ball.translation().y < 4) ${FELL};
    else requestAnimationFrame(draw);
  });
}`,
};

const APPS: readonly App[] = [
  WORLD,
  {
    name: 'React',
    main: (worker) => `
import { createElement as h, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { Canvas, useFrame } from '@react-three/fiber';
import { Physics, RigidBody } from 'betwixt/react';
const createWorker = ${worker || 'undefined'};
function Ball() {
  const body = useRef(null);
  useFrame(() => { if (body.current?.translation().y < 4) ${FELL}; });
  return h(RigidBody, { ref: body, position: [0, 5, 0] }, h('mesh', null, h('boxGeometry')));
}
export function main() {
  const physics = h(Physics, createWorker && { worker: createWorker }, h(Ball));
  createRoot(document.querySelector('#root')).render(h(Canvas, null, physics));
}`,
  },
];

const PACKAGES = ['three@0.187', 'react', 'react-dom', '@react-three/fiber'];

/** Of three.js, which fiber uses; of the software renderer. */
const NOT_OURS = /THREE\.Clock|GL Driver Message/;
/** A machine that builds is slow. */
const IS_SLOW = /the worker has (not answered for|been in one step for)/;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'betwixt-bundlers-')));
let browser: Browser;
let archive: string;
beforeAll(async () => {
  const executablePath = await findOrInstallChromium();
  browser = await chromium.launch({ executablePath, args: [...chromiumFlags] });
  archive = await pack(folder);
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(BUNDLERS)('$name', (bundler) => {
  const app = join(folder, bundler.name.replaceAll(/\W+/g, '-'));
  beforeAll(() => installBundler(app, bundler, archive, PACKAGES));

  const apps = APPS.filter(({ name }) => bundler.without?.includes(name) !== true);
  describe.each(apps)('an app with $name', ({ name, main }) => {
    beforeAll(() => {
      const needsWorker = !bundler.isForPackages;
      writeApp(app, bundler, {
        'main.js': main(needsWorker ? OWN_WORKER : ''),
        ...(needsWorker && { 'sim.worker.js': WORLD_WORKER }),
      });
    });

    const isDeveloped = (bundler.develop ?? bundler.developBuild) !== undefined;
    test.runIf(isDeveloped)('its body falls while it is developed', async () => {
      await openApp(browser, app, bundler, 'development', expectToFall);
    });

    test('its body falls as it is built, with one engine', async () => {
      const loaded = await openApp(browser, app, bundler, 'production', expectToFall);
      const files = filesIn(app, bundler);
      const engines = files.filter(({ path }) => WEBASSEMBLY.test(readFileSync(path, 'latin1')));
      console.log(
        `${bundler.name}, ${name}: ${files.length} files, ${mb(sum(files))} MB, of these ${engines.length} with an engine; loaded: ${mb(loaded)} MB`,
      );
      expect(engines.length).toBeGreaterThan(0);
      expect(engines.length).toBeLessThanOrEqual(bundler.copies ?? 1);
    });
  });

  test.skipIf(bundler.isForPackages)('a world without a worker says what to write', async () => {
    writeApp(app, bundler, { 'main.js': WORLD.main(''), 'sim.worker.js': WORLD_WORKER });
    await openApp(browser, app, bundler, 'production', async (page, address) => {
      const failing = page.waitForEvent('pageerror');
      await page.goto(address);
      const { message } = await failing;
      expect(message).toMatch(/world\.worker\.js\): the server answers 404.*new URL in packages/);
      expect(message).toContain("import { runWorld } from 'betwixt/world/worker'");
    });
  });
});

/** Its first bytes, as the package of the engine has them. */
const WEBASSEMBLY = /AGFzbQ/;

const mb = (bytes: number): string => (bytes / 1e6).toFixed(2);

const sum = (files: readonly { readonly bytes: number }[]): number =>
  files.reduce((total, { bytes }) => total + bytes, 0);

function filesIn(app: string, { dist = 'dist' }: Bundler) {
  const root = join(app, dist);
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.endsWith('.map'))
    .map((path) => ({ path: join(root, path), stat: statSync(join(root, path)) }))
    .filter(({ stat }) => stat.isFile())
    .map(({ path, stat }) => ({ path, bytes: stat.size }));
}

/** @returns How many bytes were loaded until then, uncompressed. */
async function expectToFall(page: Page, address: string): Promise<number> {
  const lines: string[] = [];
  /** By address: what page and worker both load comes once. */
  const sizes = new Map<string, Promise<number>>();
  page.on('console', (message) => {
    const text = message.text();
    const isOurs = !NOT_OURS.test(text) && !IS_SLOW.test(text);
    if (isOurs && ['warning', 'error'].includes(message.type())) lines.push(text);
  });
  page.on('pageerror', (error) => lines.push(String(error)));
  page.context().on('response', (response) => {
    const size = response.body().then(
      (body) => body.length,
      () => 0,
    );
    sizes.set(response.url(), size);
  });
  await page.goto(address);
  const fell = expect.poll(() => page.title(), { timeout: PATIENCE_MS }).toBe('a body fell');
  await fell.catch((error: unknown) => {
    throw new Error(lines.join('\n') || 'nothing is on the console', { cause: error });
  });
  expect(lines).toEqual([]);
  return (await Promise.all(sizes.values())).reduce((total, size) => total + size, 0);
}
