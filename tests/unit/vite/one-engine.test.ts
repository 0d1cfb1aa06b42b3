import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type InlineConfig } from 'vite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { betwixt } from '../../../src/vite/index.js';

const ENGINE = 'node_modules/@dimforge/rapier3d-simd-compat';
const LOADS = `import('@dimforge/rapier3d-simd-compat').then(({ World }) => console.log(World));`;
/** The page imports the engine at once, and its worker on demand. */
const FILES = {
  [`${ENGINE}/package.json`]: '{ "type": "module", "exports": "./rapier.mjs" }',
  [`${ENGINE}/rapier.mjs`]: `export const World = 'of the engine';\n//# sourceMappingURL=rapier.mjs.map`,
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
  root = mkdtempSync(join(tmpdir(), 'betwixt-engine-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function built(config: InlineConfig): Promise<Record<string, string>> {
  await build({ root, configFile: false, logLevel: 'error', plugins: [betwixt()], ...config });
  const paths = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => /\.(js|html)$/.test(path));
  return Object.fromEntries(
    files.map((path) => [path, readFileSync(join(root, 'dist', path), 'utf8')]),
  );
}

const pathsWith = (files: Record<string, string>, text: string): string[] =>
  Object.keys(files).filter((path) => files[path]?.includes(text));

test.each(['/', './'])(
  'a build has one file with the engine, which pages and workers import, for the base %s',
  async (base) => {
    const input = ['page.html', 'folder/late.html'].map((path) => join(root, path));
    const files = await built({ base, build: { rolldownOptions: { input } } });
    const [engine = '', ...others] = pathsWith(files, 'of the engine');
    expect(others).toEqual([]);
    expect(engine).toMatch(/^assets\/rapier-\w+\.js$/);
    expect(files[engine]).toBe(`export const World = 'of the engine';`);
    const importing = pathsWith(files, `./${engine.slice('assets/'.length)}`);
    expect(importing.filter((path) => path.endsWith('.js'))).toHaveLength(2);
    expect(importing.some((path) => path.includes('x.worker'))).toBe(true);
    // A page that has worlds from the start.
    expect(files['page.html']).toContain(
      `<link rel="prefetch" as="script" crossorigin href="${base === '/' ? '/' : ''}${engine}">`,
    );
    expect(files['folder/late.html']).not.toContain('prefetch');
  },
);

test('workers that are no modules have a copy of the engine: they cannot import a file', async () => {
  const worker = { format: 'iife' as const, rolldownOptions: { output: { codeSplitting: false } } };
  const input = join(root, 'page.html');
  const files = await built({ worker, build: { rolldownOptions: { input } } });
  expect(
    pathsWith(files, 'of the engine').filter((path) => path.includes('x.worker')),
  ).toHaveLength(1);
});
