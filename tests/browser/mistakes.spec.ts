/**
 * Usual mistakes that only an app in a browser can make, or that only a build for development reports. Some of them are
 * in docs/troubleshooting.md, with N for a number and URL for an address, as here.
 */
import { expect } from '@playwright/test';
import { serveApp } from '../browsers/serve-app.js';
import { test } from '../browsers/shared-page.js';

/** By the names in mistakes/mistakes.ts. */
const TEXTS: Readonly<Record<string, string>> = {
  'classic worker':
    "WorkerFailedError: the worker script failed: Uncaught SyntaxError: Cannot use import statement outside a module (URL): create the worker with { type: 'module' }",
  'no runSimulation':
    'betwixt: the worker has not answered for N s. Does its script call runSimulation while it is first evaluated, and not after an await? If it does, it is still loading, or busy in init: a development server that bundles new packages first reloads the page then',
  DOM: 'betwixt: a worker, in which the simulation runs, has no document: use it on the page, and pass what the simulation needs as the option setup, or with a command',
  'no stamp':
    'TypeError: frameMs, the timestamp of requestAnimationFrame, must be a number, but is undefined',
  seconds:
    "betwixt: sample(N) is not the page's time, which is N ms: pass the timestamp of requestAnimationFrame, in ms, and neither seconds nor the time of another clock",
  'no save':
    'betwixt: the option recording.rewindSeconds has no effect, because the simulation has no save and restore: every seek runs all ticks from the start. Add both to the simulation, or remove the option',
  'no handler':
    'betwixt: the simulation emits "bang", and the page has no handler for it: add sim.on(\'bang\', …), or do not emit it',
  'no dispose':
    'betwixt: an earlier simulation still runs in its worker, and is no longer sampled: call its dispose(). With hot reload: import.meta.hot?.dispose(() => sim.dispose())',
  'not recorded':
    'betwixt: a replay differs from its recording from tick N on: the simulation depends on something that is not recorded, or that restore() does not bring back. See docs/troubleshooting.md',
  'removed rigid body':
    "WorkerFailedError: the simulation threw in tick N: the rigid body of body N was removed from Rapier's world: call physics.remove(id) instead of world.removeRigidBody(…)",
  'despawned rigid body':
    'betwixt: body N was despawned, and its rigid body is still simulated, but no longer drawn: call physics.remove(id) instead of context.bodies.despawn(id)',
  'moved rigid body':
    'betwixt: setTranslation moved body N by N at once, so the page shows it flying there: call physics.teleport(id, pose), which moves it without interpolation',
};

/** Each has a worker. */
const AT_A_TIME = 5;

const NO_HEADERS =
  'NotIsolatedError: This page is not cross-origin isolated, so it cannot share memory with its worker. The response for URL lacks Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp. Send Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp with every page and worker script.';

const general = (text: string): string =>
  text.replace(/http:\/\/[^\s)]+/g, 'URL').replace(/\d+(?:\.\d+)?/g, 'N');

test('each mistake in an app during development is reported once, with what to do about it', async ({
  page,
}) => {
  const app = await serveApp(new URL('./mistakes/mistakes.ts', import.meta.url), 'development', {
    'classic.js': "import './other.js';",
  });
  const seen: string[] = [];
  page.on('console', (message) => seen.push(general(message.text())));
  page.on('pageerror', (error) => seen.push(general(String(error))));
  await page.goto(app.address);
  await page.waitForFunction(() => 'mistakes' in globalThis);
  const names = Object.keys(TEXTS);
  while (names.length > 0) {
    const made = names.splice(0, AT_A_TIME);
    await page.evaluate((some) => {
      for (const name of some) {
        // The page's errors go to the list of those that are on the console.
        void mistakes[name as keyof typeof mistakes]().then((error) => console.log(error ?? ''));
      }
    }, made);
    for (const name of made) await expect.poll(() => seen, name).toContain(TEXTS[name]);
  }
  // A warning for every frame would hide the others.
  const warnings = seen.filter((text) => text.startsWith('betwixt: ') && !text.includes('\n'));
  expect(warnings.toSorted()).toEqual([...new Set(warnings)].toSorted());

  await page.goto(`${app.address}bare`);
  await page.waitForFunction(() => 'mistakes' in globalThis);
  const error = await page.evaluate(() => mistakes['missing headers']());
  expect(general(error)).toBe(NO_HEADERS);
  app.close();
});
