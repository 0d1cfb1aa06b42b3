/** An app with a room, as the guide has it, on the built package: it compiles strictly, and Vite builds its page and its worker. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '../../scripts/child-process.js';
import { createConsumer } from './consumer.js';

const execute = promisify(execFile);
const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
const snippets = join(repositoryRoot, 'docs/snippets');

const consumer = createConsumer(
  'three',
  '@types/three',
  '@types/node',
  '@dimforge/rapier3d-simd-compat',
  '@colyseus/core',
  '@colyseus/schema',
  '@colyseus/sdk',
  '@colyseus/ws-transport',
);
afterAll(() => consumer.remove());

beforeAll(() => {
  for (const name of ['simulation', 'server', 'page', 'predict.worker', 'reconnect', 'verify']) {
    const file = `rooms/${name}.ts`;
    consumer.write(file, readFileSync(join(snippets, file), 'utf8'));
  }
  consumer.write('scene.ts', readFileSync(join(snippets, 'scene.ts'), 'utf8'));
});

test('it compiles, strictly', async () => {
  const compilerOptions = {
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'dom', 'esnext.disposable'],
    types: ['node'],
    strict: true,
    // The types of Colyseus need it.
    skipLibCheck: true,
    noEmit: true,
  };
  consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['rooms'] }));
  const run = execute(process.execPath, [compiler, '-p', '.'], { cwd: consumer.folder });
  await expect(run).resolves.toMatchObject({ stdout: '' });
});

describe('Vite builds it', () => {
  let files: readonly { readonly name: string; readonly code: string }[];

  beforeAll(async () => {
    consumer.write('index.html', '<script type="module" src="./rooms/page.ts"></script>');
    await build({
      root: consumer.folder,
      configFile: false,
      logLevel: 'error',
      worker: { format: 'es' },
      build: { target: 'esnext', chunkSizeWarningLimit: 5000 },
    });
    const assets = join(consumer.folder, 'dist/assets');
    files = readdirSync(assets).map((name) => ({
      name,
      code: readFileSync(join(assets, name), 'utf8'),
    }));
  });

  test('with a worker that predicts, and is the only one to load the engine', () => {
    const worker = files.find(({ name }) => name.startsWith('predict.worker'));
    expect(worker?.code).toContain('goes back to saved states');
    const page = files.filter(({ name }) => name.startsWith('index'));
    expect(page.length).toBeGreaterThan(0);
    // What the engine's file begins with, and the page's own code.
    expect(page.some(({ code }) => code.includes('AGFzbQ'))).toBe(false);
    expect(files.some(({ code }) => code.includes('AGFzbQ'))).toBe(true);
  });

  test('with nothing of the server', () => {
    expect(files.filter(({ code }) => code.includes('maxBehindSeconds'))).toEqual([]);
  });
});
