/** One run of a contestant, on a fresh page. */
import type { Page } from '@playwright/test';
import type { FaultRepeat, PeerRepeat } from './engine/figures.js';
import type { RunRequest } from './page/peers.js';
import { withBusyShare, type ServedPage } from './production-browser.js';

export const PEERS_PAGE: ServedPage = {
  page: 'bench/peers/page/peers.html',
  cacheDir: 'node_modules/.vite-peers',
};

export interface RunLength {
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export async function measureMotion(
  page: Page,
  request: RunRequest,
  { seconds, warmUpSeconds }: RunLength,
): Promise<PeerRepeat> {
  await open(page, request, warmUpSeconds);
  return withBusyShare(page, 'TaskDuration', () => page.evaluate((s) => peers.measure(s), seconds));
}

export async function measureFaults(page: Page, request: RunRequest): Promise<FaultRepeat> {
  await open(page, request, 1);
  return page.evaluate(() => peers.faults());
}

async function open(page: Page, request: RunRequest, warmUpSeconds: number): Promise<void> {
  await page.waitForFunction(() => 'peers' in globalThis);
  await page.evaluate((text) => peers.open(text), JSON.stringify(request));
  await page.evaluate((s) => peers.warmUp(s), warmUpSeconds);
}
