/** The built site: headers of the preview server, the headers file, and the page itself. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { expect, test } from './demo-page.js';

test('builds, and the build runs isolated under the preview server', async ({ page }) => {
  test.setTimeout(120_000);
  const outDir = await mkdtemp(join(tmpdir(), 'betwixt-build-'));
  try {
    await build({ logLevel: 'error', build: { outDir, emptyOutDir: true } });
    const headers = await readFile(join(outDir, '_headers'), 'utf8');
    expect(headers).toContain('Cross-Origin-Opener-Policy: same-origin');
    expect(headers).toContain('Cross-Origin-Embedder-Policy: require-corp');

    const server = await preview({
      logLevel: 'error',
      build: { outDir },
      preview: { host: '127.0.0.1', port: 5191, strictPort: true },
    });
    try {
      const scripts: (string | undefined)[] = [];
      page.on('response', (response) => {
        if (response.url().includes('worker')) {
          scripts.push(response.headers()['cross-origin-embedder-policy']);
        }
      });
      await page.goto(
        'http://127.0.0.1:5191/?scene=tops&bodies=6&shadows=0&hud=0&width=320&height=180',
      );
      await page.waitForFunction(
        () => 'betwixt' in globalThis && globalThis.betwixt.stats().tick > 10,
        undefined,
        { timeout: 30_000 },
      );
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      expect(scripts.length).toBeGreaterThan(0);
      expect(new Set(scripts)).toEqual(new Set(['require-corp']));
    } finally {
      await server.close();
    }
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
});
