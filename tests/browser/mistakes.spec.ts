/**
 * Usual mistakes that only an app in a browser can make, or that only a build for development reports, with N for a number
 * and URL for an address.
 */
import { expect } from '@playwright/test';
import { serveApp } from '../browsers/serve-app.js';
import { test } from '../browsers/shared-page.js';

/** By the names in mistakes/mistakes.ts: the problem and its cure. */
const TEXTS: Readonly<Record<string, string>> = {
  'classic worker': "outside a module (URL): create the worker with { type: 'module' }",
  'no runSimulation': 'the worker has not answered for N s. Does its script call runSimulation',
  DOM: 'has no document: use it on the page, and pass what the simulation needs as the option setup',
  seconds:
    "is not the page's time, which is N ms: pass the timestamp of requestAnimationFrame, in ms",
  'no save': 'rewindSeconds has no effect, because the simulation has no save and restore',
  'no handler': 'emits "bang", and the page has no handler for it: add sim.on(\'bang\', …)',
  'no dispose':
    'an earlier simulation still runs in its worker, and is no longer sampled: call its dispose()',
  'removed rigid body':
    "was removed from Rapier's world: call physics.remove(id) instead of world.removeRigidBody(…)",
  'despawned rigid body':
    'but no longer drawn: call physics.remove(id) instead of context.bodies.despawn(id)',
};

/** Each has a worker. */
const AT_A_TIME = 5;

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
      for (const name of some) void mistakes[name as keyof typeof mistakes]();
    }, made);
    for (const name of made) await expect.poll(() => seen.join('\n'), name).toContain(TEXTS[name]);
  }
  // A warning for every frame would hide the others.
  const warnings = seen.filter((text) => text.startsWith('betwixt: ') && !text.includes('\n'));
  expect(warnings.toSorted()).toEqual([...new Set(warnings)].toSorted());
  app.close();
});
