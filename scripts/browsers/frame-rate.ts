import type { Page } from '@playwright/test';
import { isolationHeaders } from '../../src/vite/index.js';

/**
 * Opens an empty page without a server. It is cross-origin isolated, because in other pages the
 * timestamps of frames have steps of 0.1 ms.
 */
export async function openEmptyPage(page: Page): Promise<void> {
  const address = 'http://localhost/empty';
  await page.route(address, (route) =>
    route.fulfill({
      headers: { ...isolationHeaders() },
      contentType: 'text/html',
      body: '<!doctype html>',
    }),
  );
  await page.goto(address);
}

/**
 * The milliseconds between successive animation frames of a page, by the frames' own timestamps,
 * without the first frames because a page starts unevenly.
 */
export function frameDeltasMs(page: Page, frames: number, warmUpFrames = 60): Promise<number[]> {
  return page.evaluate(
    async ([count, warmUp]) => {
      const times: number[] = [];
      while (times.length <= warmUp + count) {
        times.push(await new Promise<number>((resolve) => requestAnimationFrame(resolve)));
      }
      const kept = times.slice(warmUp);
      return kept.slice(1).map((time, i) => time - (kept[i] ?? time));
    },
    [frames, warmUpFrames] as const,
  );
}

/** The middle value of a list with at least one element. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[sorted.length >> 1];
  if (middle === undefined) throw new RangeError('The median of no values is undefined.');
  return middle;
}
