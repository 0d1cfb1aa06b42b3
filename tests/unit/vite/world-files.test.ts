import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, resolveConfig, type InlineConfig, type Plugin } from 'vite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { betwixt } from '../../../src/vite/index.js';
import { engineFiles, worldWorkerAddress } from '../../../src/vite/world-files.js';

const ENGINE = 'node_modules/@dimforge/rapier3d-simd-compat';
const LOADS = `import('@dimforge/rapier3d-simd-compat').then(({ World }) => console.log(World));`;
/** How the engine of the package starts its WebAssembly. */
const START = (bytes: string) =>
  `\nexport const init = () => start({ module_or_path: ${bytes} });\n`;
/** The page imports the engine at once, and its worker on demand. */
const FILES = {
  [`${ENGINE}/package.json`]: '{ "type": "module", "exports": "./rapier.mjs" }',
  [`${ENGINE}/rapier.mjs`]: `export const World = 'of the engine';${START('x.y.toByteArray("AGFzbQEAAAA=").buffer')}//# sourceMappingURL=rapier.mjs.map`,
  'world/page/create-world.js': `
    import { World } from '@dimforge/rapier3d-simd-compat';
    console.log(World, new Worker(new URL('../../x.worker.js', import.meta.url), { type: 'module' }));`,
  'x.worker.js': LOADS,
  'page.html': '<script type="module" src="./world/page/create-world.js"></script>',
  'folder/late.html': '<script type="module" src="./late.js"></script>',
  'folder/late.js': `globalThis.start = () => import('../world/page/create-world.js');`,
};

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'betwixt-world-files-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The scripts and pages of a build of {@link FILES}, by path. */
async function built(
  config: InlineConfig,
  written: Readonly<Record<string, string>> = FILES,
): Promise<Record<string, string>> {
  for (const [path, text] of Object.entries(written)) write(path, text);
  await build({ root, configFile: false, logLevel: 'error', plugins: [betwixt()], ...config });
  const paths = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => /\.(js|html|wasm)$/.test(path));
  return Object.fromEntries(
    files.map((path) => [path, readFileSync(join(root, 'dist', path), 'utf8')]),
  );
}

const pathsWith = (files: Record<string, string>, text: string): string[] =>
  Object.keys(files).filter((path) => files[path]?.includes(text));

const addressOf = (wasm?: string): string =>
  `(globalThis["betwixt:compiled-engine"] ?? new URL("./${wasm}", import.meta.url))`;

test.each(['/', './', '/folder/', 'https://cdn.example.org/folder/'])(
  'a build has one file with the engine, which pages and workers import, for the base %s',
  async (base) => {
    const input = ['page.html', 'folder/late.html'].map((path) => join(root, path));
    const files = await built({ base, build: { rolldownOptions: { input } } });
    const wasm = Object.keys(files).find((path) => path.endsWith('.wasm')) ?? '';
    expect(wasm).toMatch(/^assets\/rapier-\w+\.wasm$/);
    expect(files[wasm]).toBe(Buffer.from('AGFzbQEAAAA=', 'base64').toString());
    const [engine = '', ...others] = pathsWith(files, 'of the engine');
    expect(others).toEqual([]);
    expect(engine).toMatch(/^assets\/rapier-\w+\.js$/);
    const address = addressOf(wasm.slice('assets/'.length));
    expect(files[engine]).toBe(`export const World = 'of the engine';${START(address).trimEnd()}`);
    const importing = pathsWith(files, `./${engine.slice('assets/'.length)}`);
    expect(importing.filter((path) => path.endsWith('.js'))).toHaveLength(2);
    expect(importing.some((path) => path.includes('x.worker'))).toBe(true);
    // A page that has worlds from the start.
    const fromPage = base === './' ? '' : base;
    for (const [path, as] of [
      [engine, 'script'],
      [wasm, 'fetch'],
    ]) {
      expect(files['page.html']).toContain(
        `<link rel="prefetch" as="${as}" crossorigin href="${fromPage}${path}">`,
      );
    }
    expect(files['folder/late.html']).not.toContain('prefetch');
  },
);

const { version } = JSON.parse(
  readFileSync('node_modules/@dimforge/rapier3d-simd-compat/package.json', 'utf8'),
) as { version: string };
test(`a build finds the WebAssembly in rapier3d-simd-compat ${version}`, () => {
  const dist = 'node_modules/@dimforge/rapier3d-simd-compat/dist';
  const [module, wasm] = engineFiles(readFileSync(`${dist}/rapier.mjs`, 'utf8'));
  const bytes = readFileSync(`${dist}/rapier_wasm3d_bg.wasm`);
  expect(bytes.equals(wasm?.source as Uint8Array)).toBe(true);
  expect(module.source).toContain(`{module_or_path:${addressOf(wasm?.name)}}`);
});

test('a build of a world without the package of the engine fails, and others do not', async () => {
  const input = join(root, 'page.html');
  const page = { build: { rolldownOptions: { input } } };
  // Vite has a name in place of an optional peer dependency.
  const library = {
    'node_modules/betwixt/package.json': `{ "name": "betwixt", "type": "module", "exports": { ".": "./world/page/create-world.js", "./plain": "./plain.js" },
      "peerDependencies": { "@dimforge/rapier3d-simd-compat": "*" },
      "peerDependenciesMeta": { "@dimforge/rapier3d-simd-compat": { "optional": true } } }`,
    'node_modules/betwixt/world/page/create-world.js': `import('@dimforge/rapier3d-simd-compat').then(console.log);`,
    'node_modules/betwixt/plain.js': `console.log('no world');`,
  };
  await expect(
    built(page, { ...library, 'page.html': '<script type="module">import "betwixt";</script>' }),
  ).rejects.toThrow('npm install @dimforge/rapier3d-simd-compat');
  const plain = '<script type="module">import "betwixt/plain";</script>';
  await built(page, { 'page.html': plain });
});

test('an engine in which no WebAssembly is found stays as it is', () => {
  const code = START('bytesOf("AGFzbQEAAAA=")');
  expect(engineFiles(code)).toMatchObject([{ source: code }]);
});

test('workers that are no modules have a copy of the engine: they cannot import a file', async () => {
  const worker = { format: 'iife' as const, rolldownOptions: { output: { codeSplitting: false } } };
  const input = join(root, 'page.html');
  const files = await built({ worker, build: { rolldownOptions: { input } } });
  expect(
    pathsWith(files, 'of the engine').filter((path) => path.includes('x.worker')),
  ).toHaveLength(1);
});

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
  const folder = 'node_modules/betwixt/dist/world/page';
  write(`${folder}/create-world.js`, lines(`'../worker/world.worker.js'`));
  const address = '../../betwixt/dist/world/worker/world.worker.js';
  expect(load(join(root, folder, 'create-world.js'))).toBe(lines(`"${address}"`));
  const script = new URL(address, `file://${root}/node_modules/.vite/deps/betwixt_react.js`);
  expect(script.pathname).toBe(join(root, folder, '../worker/world.worker.js'));
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
