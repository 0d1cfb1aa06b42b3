/** The benchmark's report as people open it: a file from a disk, without network. */
import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { expect } from '@playwright/test';
import { reportHtml } from '../../bench/report/index.js';
import { scriptedResult } from '../../bench/tests/scripted-bench.js';
import { test } from '../browsers/shared-page.js';

const result = scriptedResult(1, { engines: ['rapier-simd', 'cannon'] });
const before = scriptedResult(2, { engines: ['rapier-simd', 'cannon'], slower: 1.1 });

for (const [width, colorScheme] of [
  [1280, 'dark'],
  [390, 'light'],
] as const) {
  test(`the bench's report opens from a file at ${width} pixels, ${colorScheme}`, async ({
    browser,
  }, testInfo) => {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 800 },
      offline: true,
    });
    const page = await context.newPage();
    const lines: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => lines.push(message.text()));
    page.on('pageerror', (error) => lines.push(String(error)));
    page.on('request', (request) => requests.push(request.url()));
    const file = testInfo.outputPath('report.html');
    await writeFile(file, reportHtml(result, { before }));
    const address = pathToFileURL(file).href;
    await page.goto(address);

    await expect(page.locator('.verdicts p').first()).toContainText('This device can simulate');
    await expect(page.locator('.bar-row')).toHaveCount(result.cases.length);
    // A line for each case, and two fitted ones for each runtime.
    await expect(page.locator('#slow-steps path.line')).toHaveCount(result.cases.length);
    await expect(page.locator('#growth path.fit')).toHaveCount(4);
    await expect(page.locator('#the-worst-second svg')).toHaveCount(12);
    // Drawn elements have a size, and are inside their plot.
    const isInside = await page.locator('svg').evaluateAll((plots) =>
      plots.every((plot) => {
        const { width: plotWidth, height: plotHeight } = (plot as SVGSVGElement).viewBox.baseVal;
        const drawn = [...plot.querySelectorAll<SVGGraphicsElement>('path, circle, text')];
        return drawn.every((shape) => {
          const box = shape.getBBox();
          const isEmpty = shape.getAttribute('d') === '';
          return (
            isEmpty ||
            (box.x >= 0 &&
              box.y >= 0 &&
              box.x + box.width <= plotWidth + 0.5 &&
              box.y + box.height <= plotHeight + 0.5)
          );
        });
      }),
    );
    expect(isInside).toBe(true);
    // Tables scroll within their boxes, the page does not.
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    const table = page.getByRole('group', { name: 'Ticks' });
    expect(await table.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);

    const tip = page.locator('#tip');
    await page.locator('.bar').first().hover();
    await expect(tip).toContainText(/p50 [\d.]+, p95 .* ms of 16\.7 ms/);
    const mark = page.locator('#slow-steps circle').first();
    await mark.hover();
    await expect(tip).toHaveText(/500 at \d+ Hz: 50 % within [\d.]+ ms/);
    await page.keyboard.press('Escape');
    await expect(tip).toBeHidden();
    const second = page.locator('#the-worst-second svg').first();
    await second.hover({ position: { x: 60, y: 60 } });
    await expect(tip).toHaveText(/tick \d+: woke up [\d.]+ ms after .* step [\d.]+ ms/);

    expect(lines).toEqual([]);
    expect(requests.filter((url) => url !== address && !url.startsWith('data:'))).toEqual([]);
    await context.close();
  });
}
