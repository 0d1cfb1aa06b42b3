/**
 * Usual mistakes, made in an app during development, and the exact text that the user gets for each. docs/troubleshooting.md
 * contains the same texts, with N for a number and URL for an address.
 */
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { serveApp, type ServedApp } from '../browsers/serve-app.js';
import { test } from '../browsers/shared-page.js';

// One build for all of them.
test.describe.configure({ mode: 'default' });

const CAPACITY =
  'all N bodies of the snapshot are in use, and a new body without a tag, in tick N, has no room: remove some, or connect with a higher capacity';
const HANDLER = "(To handle this, use on('status', …).)";

/** By the names in mistakes/mistakes.ts. */
const TEXTS: Readonly<Record<string, string>> = {
  'wrong type': 'TypeError: tickRateHz must be a number, but is a value of type string',
  'unknown option': 'TypeError: unknown option "tickrate" of connect: did you mean "tickRateHz"?',
  'classic worker':
    "WorkerFailedError: the worker script failed: Uncaught SyntaxError: Cannot use import statement outside a module (URL): create the worker with { type: 'module' }",
  'wrong URL':
    'WorkerFailedError: the worker script did not load, or is no JavaScript: check its address, its syntax, and on an isolated page that its response has the header Cross-Origin-Embedder-Policy: require-corp',
  'throw at the top': 'WorkerFailedError: the worker script failed: Uncaught Error: no luck (URL)',
  'no runSimulation':
    'betwixt: the worker has not answered for N s. Does its script call runSimulation while it is first evaluated, and not after an await? If it does, it is still loading, or busy in init',
  'capacity in init': `WorkerFailedError: the simulation threw in init: ${CAPACITY}`,
  'capacity in a command': `CapacityExceededError: ${CAPACITY}`,
  'capacity in a step': `WorkerFailedError: the simulation threw in tick N: ${CAPACITY}`,
  DOM: 'betwixt: a worker, in which the simulation runs, has no document: use it on the page, and pass what the simulation needs as the option setup, or with a command',
  'async step':
    'WorkerFailedError: the simulation threw in tick N: step returned a promise, and must be done when it returns: wait in init, or in a query',
  'non-JSON':
    'TypeError: the command "use" is given plain data and typed arrays: its arguments, at [N], must be a value that JSON can hold, but is an object of the class Map',
  'query that changes':
    'Error: the query "move" has moved a body: queries may only read, because replays do not repeat them. Make it a command',
  'no stamp':
    'TypeError: frameMs, the timestamp of requestAnimationFrame, must be a number, but is undefined',
  seconds:
    "betwixt: sample(N) is not the page's time, which is N ms: pass the timestamp of requestAnimationFrame, in ms, and neither seconds nor the time of another clock",
  NaN: `betwixt: body N got an invalid pose in tick N and stays where it was: a number is NaN or infinite, or the rotation is zero. ${HANDLER}`,
  'endless loop': `betwixt: the worker has been in one step for N s: the step hangs, does too much work, or gets no processor time. Calls wait until it returns. ${HANDLER}`,
  'no save':
    'betwixt: the option recording.rewindSeconds has no effect, because the simulation has no save and restore: every seek runs all ticks from the start. Add both to the simulation, or remove the option',
  'no handler':
    'betwixt: the simulation emits "bang", and the page has no handler for it: add sim.on(\'bang\', …), or do not emit it',
  'no dispose':
    'betwixt: an earlier simulation still runs in its worker, and is no longer sampled: call its dispose(). With hot reload: import.meta.hot?.dispose(() => sim.dispose())',
  'not recorded':
    'betwixt: a replay differs from its recording from tick N on, and nothing has read differsAt of its report: the simulation depends on something that is not recorded, such as Math.random or Date.now. See docs/troubleshooting.md',
  'removed rigid body':
    "WorkerFailedError: the simulation threw in tick N: the rigid body of body N was removed from Rapier's world: call physics.remove(id) instead of world.removeRigidBody(…)",
  'despawned rigid body':
    'betwixt: body N was despawned, and its rigid body is still simulated, but no longer drawn: call physics.remove(id) instead of context.bodies.despawn(id)',
  'moved rigid body':
    'betwixt: setTranslation moved body N by N at once, so the page shows it flying there: call physics.teleport(id, pose), which moves it without interpolation',
};

const HANGING = 'endless loop';
const AT_A_TIME = 5;

const NO_HEADERS =
  'NotIsolatedError: This page is not cross-origin isolated, so it cannot share memory with its worker. The response for URL lacks Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp. Send Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp with every page and worker script.';

const general = (text: string): string =>
  text.replace(/http:\/\/[^\s)]+/g, 'URL').replace(/\d+(?:\.\d+)?/g, 'N');

let app: ServedApp;
test.beforeAll(async () => {
  app = await serveApp(new URL('./mistakes/mistakes.ts', import.meta.url), 'development', {
    'classic.js': "import './other.js';",
    'throws.js': "throw new Error('no luck');",
  });
});
test.afterAll(() => app.close());

/** Makes these mistakes, and waits until each is reported. */
async function expectReports(
  page: Page,
  names: readonly string[],
  seen: readonly string[],
): Promise<void> {
  await page.evaluate((made) => {
    for (const name of made) {
      // What the page gets, in the same list as what is on the console.
      void mistakes[name as keyof typeof mistakes]().then((error) => console.log(error ?? ''));
    }
  }, names);
  for (const name of names) await expect.poll(() => seen, name).toContain(TEXTS[name]);
}

test('each mistake is reported, with what to do about it', async ({ page }) => {
  const seen: string[] = [];
  page.on('console', (message) => seen.push(general(message.text())));
  page.on('pageerror', (error) => seen.push(general(String(error))));
  await page.goto(app.address);
  await page.waitForFunction(() => 'mistakes' in globalThis);
  expect(await page.evaluate(() => Object.keys(mistakes))).toEqual(
    expect.arrayContaining(Object.keys(TEXTS)),
  );
  // A few at a time: each has a worker. The one that never rests comes last.
  const names = Object.keys(TEXTS).filter((name) => name !== HANGING);
  while (names.length > 0) await expectReports(page, names.splice(0, AT_A_TIME), seen);
  await expectReports(page, [HANGING], seen);
  // Each once: a warning for every frame would hide the others.
  const warnings = seen.filter((text) => text.startsWith('betwixt: ') && !text.includes('\n'));
  expect(warnings.toSorted()).toEqual([...new Set(warnings)].toSorted());
});

test('so are missing headers', async ({ page }) => {
  await page.goto(`${app.address}bare`);
  await page.waitForFunction(() => 'mistakes' in globalThis);
  const error = await page.evaluate(() => mistakes['missing headers']());
  expect(general(error)).toBe(NO_HEADERS);
});

test('the document has the same texts', async () => {
  const document = await readFile(
    new URL('../../docs/troubleshooting.md', import.meta.url),
    'utf8',
  );
  for (const text of [...Object.values(TEXTS), NO_HEADERS]) {
    expect(document).toContain(text.replace(/^betwixt: |^Error: /, '').replace(` ${HANDLER}`, ''));
  }
});
