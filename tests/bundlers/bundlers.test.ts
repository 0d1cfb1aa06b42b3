/**
 * Apps that have the packed package, by each bundler: one with a world, one of React, one with its own simulation. Each is
 * built with what the guide says and no more, and opened as built and, where there is a server, as it is developed: with
 * warnings for developers then. The app of React in Next.js is the template: next.test.ts.
 */
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  BUNDLERS,
  PATIENCE_MS,
  installBundler,
  openApp,
  pack,
  writeApp,
  type AppName,
  type Bundler,
} from './bundlers.js';
import { launchBrowser } from '../package/running-app.js';

const OWN_WORKER = `() => new Worker(new URL('./sim.worker.js', import.meta.url), { type: 'module' })`;
const FELL = `document.title = 'a body fell'`;

const WORLD_WORKER = `
import { runWorld } from 'betwixt/world/worker';
runWorld();
`;

/** An event without a handler, and a body that is moved behind the library's back: each side warns of one. */
const OWN_SIMULATION = `
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

interface App {
  readonly name: AppName;
  readonly main: (worker: string) => string;
  /** The app's own worker. Default: that of worlds, where one is needed. */
  readonly worker?: string;
  /** Warnings while it is developed. Default: none. */
  readonly warnings?: readonly string[];
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
  {
    name: 'an own simulation',
    worker: OWN_SIMULATION,
    // The page's timer is later than those of its warnings.
    main: () => `
import { connect } from 'betwixt';
export async function main() {
  const sim = await connect(${OWN_WORKER});
  const draw = (stamp) => { sim.sample(stamp); requestAnimationFrame(draw); };
  requestAnimationFrame(draw);
  sim.on('end', () => setTimeout(() => { ${FELL}; }, 4000));
}`,
    warnings: ['setTranslation moved body', 'the simulation emits "bang"'],
  },
];

const PACKAGES = ['three@0.187', 'react', 'react-dom', '@react-three/fiber'];

/** Messages of three.js, which fiber uses, and of the software renderer. */
const NOT_OURS = /THREE\.Clock|GL Driver Message/;
/** A machine that builds is slow. */
const IS_SLOW = /the worker has (not answered for|been in one step for)/;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'betwixt-bundlers-')));
let browser: Browser;
let archive: string;
beforeAll(async () => {
  browser = await launchBrowser();
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
  describe.each(apps)('an app with $name', ({ name, main, worker, warnings = [] }) => {
    beforeAll(() => {
      const own = worker ?? (bundler.isForPackages ? undefined : WORLD_WORKER);
      writeApp(app, bundler, {
        'main.js': main(own === undefined ? '' : OWN_WORKER),
        ...(own !== undefined && { 'sim.worker.js': own }),
      });
    });

    const isDeveloped = (bundler.develop ?? bundler.developBuild) !== undefined;
    test.runIf(isDeveloped)('its body falls while it is developed, with warnings', async () => {
      await openApp(browser, app, bundler, 'development', (page, address) =>
        expectToFall(page, address, warnings),
      );
    });

    test('its body falls as it is built, with one engine and no warning', async () => {
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

/** The first bytes of WebAssembly, as the package of the engine has them, or in a file. */
const WEBASSEMBLY = /AGFzbQ|^\0asm/;

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
async function expectToFall(
  page: Page,
  address: string,
  warnings: readonly string[] = [],
): Promise<number> {
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
  const expected = warnings.map((text): unknown => expect.stringContaining(text));
  expect(lines.toSorted()).toEqual(expected);
  return (await Promise.all(sizes.values())).reduce((total, size) => total + size, 0);
}
