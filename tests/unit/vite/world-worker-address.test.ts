import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveConfig, type Plugin } from 'vite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { betwixt } from '../../../src/vite/index.js';
import { worldWorkerAddress } from '../../../src/vite/world-worker-address.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'betwixt-address-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** As esbuild uses the plugin. */
function load(path: string): string | undefined {
  let text: string | undefined;
  worldWorkerAddress(() => join(root, 'node_modules/.vite')).setup({
    onLoad({ filter }, loaded) {
      if (filter.test(path)) text = loaded({ path }).contents;
    },
  });
  return text;
}

const lines = (address: string) =>
  `return new Worker(new URL(${address}, import.meta.url), {\n  type: 'module',\n});`;

test('the address of the worker of worlds leads from the cache of Vite to the package', () => {
  const folder = join(root, 'node_modules/betwixt/dist/world/page');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'create-world.js');
  writeFileSync(path, lines(`'../worker/world.worker.js'`));
  const address = '../../betwixt/dist/world/worker/world.worker.js';
  expect(load(path)).toBe(lines(`"${address}"`));
  const script = new URL(address, `file://${root}/node_modules/.vite/deps/betwixt_react.js`);
  expect(script.pathname).toBe(join(folder, '../worker/world.worker.js'));
});

test('modules of others are loaded as they are by esbuild', () => {
  expect(load(join(root, 'src/create-world.js'))).toBeUndefined();
});

test('a Vite that has Rolldown needs none of it, and one that has not is given it', async () => {
  const [plugin, ...others] = betwixt() as [Plugin, ...Plugin[]];
  const found = await resolveConfig(
    { root, configFile: false, plugins: [plugin, ...others] },
    'serve',
  );
  expect(found.optimizeDeps.esbuildOptions?.plugins ?? []).toEqual([]);
  const { handler } = plugin.config as unknown as { handler: (user: object) => object };
  expect(handler({})).toMatchObject({
    optimizeDeps: { esbuildOptions: { plugins: [{ name: 'betwixt-world-worker' }] } },
  });
});
