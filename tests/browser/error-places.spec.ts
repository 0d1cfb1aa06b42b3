/** What a simulation throws is on the console with its place, which the source map of a build finds in the source. */
import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { basename } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { serveApp, type ServedApp } from '../browsers/serve-app.js';
import { test } from '../browsers/shared-page.js';

// One build for all of them.
test.describe.configure({ mode: 'default' });

const FOLDER = new URL('./pages/', import.meta.url);

let app: ServedApp;
test.beforeAll(async () => {
  app = await serveApp(new URL('throws.ts', FOLDER), 'production');
});
test.afterAll(() => app.close());

/** The places in a text, in the sources: `throws.worker.ts:10`. */
function placesIn(text: string): string[] {
  return [...text.matchAll(/\/([^/\s]+\.js):(\d+):(\d+)/g)].flatMap(
    ([, name = '', line, column]) => {
      const map = [...app.files].find(([path]) => path.endsWith(`${name}.map`))?.[1];
      if (map === undefined) return [];
      const entry = new SourceMap(JSON.parse(String(map))).findEntry(
        Number(line) - 1,
        Number(column) - 1,
      );
      if (!('originalSource' in entry)) return [];
      return [`${basename(entry.originalSource)}:${entry.originalLine + 1}`];
    },
  );
}

/** The line of a file that ends with this comment. */
async function lineWith(file: string, comment: string): Promise<string> {
  const lines = (await readFile(new URL(file, FOLDER), 'utf8')).split('\n');
  return `${file}:${lines.findIndex((line) => line.endsWith(comment)) + 1}`;
}

const LOGGED_IN_WORKER = ['init', 'step'];

for (const place of [...LOGGED_IN_WORKER, 'command', 'query']) {
  test(`what is thrown in ${place} is on the console with its place`, async ({ page }) => {
    const { logged, uncaught } = watch(page);
    await page.goto(`${app.address}#${place}`);
    await expect.poll(() => uncaught.length).toBe(1);
    const isLogged = LOGGED_IN_WORKER.includes(place);
    await expect.poll(() => logged.length).toBe(isLogged ? 1 : 0);
    const places = [
      await lineWith('throws.worker.ts', '// the place'),
      await lineWith('throws.worker.ts', `// ${place}`),
    ];
    for (const text of [...logged, ...uncaught]) {
      expect(text).toContain(`no luck in ${place}`);
      expect(placesIn(text).slice(0, 2)).toEqual(places);
    }
  });
}

test('what is thrown at the top of the script is on the console with its place', async ({
  page,
}) => {
  const { logged, uncaught } = watch(page);
  await page.goto(`${app.address}#top`);
  // Of the worker, by the browser, and the call to `connect` that rejected.
  await expect.poll(() => uncaught.length).toBe(2);
  expect(uncaught.join()).toContain(
    'the worker script failed: Uncaught Error: no luck at load (http://',
  );
  for (const text of uncaught) {
    expect(placesIn(text)[0]).toBe(
      await lineWith('throws-at-load.worker.ts', "Error('no luck at load');"),
    );
  }
  expect(logged).toEqual([]);
});

function watch(page: Page): { logged: string[]; uncaught: string[] } {
  const logged: string[] = [];
  const uncaught: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  page.on('pageerror', ({ stack }) => uncaught.push(stack ?? ''));
  return { logged, uncaught };
}
