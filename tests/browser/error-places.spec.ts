/** An error of a simulation is on the console with its place, which the source map of a build finds in the source. */
import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { basename } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { serveApp, type ServedApp } from '../browsers/serve-app.js';
import { test } from '../browsers/shared-page.js';

const FOLDER = new URL('./pages/', import.meta.url);

/** The places in a text, in the sources: `throws.worker.ts:10`. */
function placesIn(text: string, app: ServedApp): string[] {
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

test('what a built simulation throws is on the console once in each thread, with its place in the source', async ({
  page,
}) => {
  const app = await serveApp(new URL('throws.ts', FOLDER), 'production');
  const { logged, uncaught } = watch(page);
  for (const place of ['init', 'step', 'command', 'query']) {
    await test.step(place, async () => {
      await page.goto('about:blank');
      await page.goto(`${app.address}#${place}`);
      await expect.poll(() => uncaught.length).toBe(1);
      const isLogged = ['init', 'step'].includes(place);
      await expect.poll(() => logged.length).toBe(isLogged ? 1 : 0);
      const places = [
        await lineWith('throws.worker.ts', '// the place'),
        await lineWith('throws.worker.ts', `// ${place}`),
      ];
      for (const text of [...logged.splice(0), ...uncaught.splice(0)]) {
        expect(text).toContain(`no luck in ${place}`);
        expect(placesIn(text, app).slice(0, 2)).toEqual(places);
      }
    });
  }
  await test.step('the top of the script', async () => {
    await page.goto('about:blank');
    await page.goto(`${app.address}#top`);
    // One error of the worker, by the browser, and one of the call to `connect` that rejected.
    await expect.poll(() => uncaught.length).toBe(2);
    expect(uncaught.join()).toContain(
      'the worker script failed: Uncaught Error: no luck at load (http://',
    );
    const place = await lineWith('throws-at-load.worker.ts', "Error('no luck at load');");
    for (const text of uncaught) expect(placesIn(text, app)[0]).toBe(place);
    expect(logged).toEqual([]);
  });
  app.close();
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
