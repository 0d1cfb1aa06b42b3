/**
 * The built site, which all tests of this folder use: headers of its server, the headers file,
 * isolation.
 */
import { LIGHT, expect, test } from './demo-page.js';

test('the built site: every response isolates, and the headers file is for hosts that need one', async ({
  page,
}) => {
  const workers: (string | undefined)[] = [];
  page.on('response', (response) => {
    if (response.url().includes('worker')) {
      workers.push(response.headers()['cross-origin-embedder-policy']);
    }
  });
  await page.goto(`/?scene=tops&bodies=6&${LIGHT}`);
  await page.waitForFunction(() => 'betwixt' in globalThis && globalThis.betwixt.stats().tick > 10);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(workers.length).toBeGreaterThan(0);
  expect(new Set(workers)).toEqual(new Set(['require-corp']));

  const file = await page.request.get('/_headers');
  expect(await file.text()).toContain('Cross-Origin-Opener-Policy: same-origin');
  expect(await file.text()).toContain('Cross-Origin-Embedder-Policy: require-corp');

  const missing = await page.request.get('/there-is-no-such-page.html');
  expect(missing.status()).toBe(404);
  expect(missing.headers()).toMatchObject({
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  });
});
