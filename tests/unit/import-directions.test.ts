import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Visitor, parseSync } from 'vite';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a demo may use of the library: what its users may. */
const publicEntryPoints = [
  /^src\/shared\/index\.ts$/,
  /^src\/sim-worker\/index\.ts$/,
  /^src\/sim-worker\/local\.ts$/,
  /^src\/sim-worker\/testing\/index\.ts$/,
  /^src\/sim-worker\/engines\/[^/]+\.ts$/,
  /^src\/render-main\/index\.ts$/,
  /^src\/render-main\/inputs\/index\.ts$/,
  /^src\/render-main\/three\/index\.ts$/,
];

/**
 * Who may import what. Files are paths from the root of the repository; an import's target is such
 * a path too, or the name of a package.
 */
const rules: readonly {
  readonly rule: string;
  readonly files: (file: string) => boolean;
  readonly permits: (target: string) => boolean;
}[] = [
  {
    rule: 'src/shared imports nothing from outside of itself',
    files: (file) => file.startsWith('src/shared/'),
    permits: (target) => target.startsWith('src/shared/'),
  },
  {
    rule: 'src/sim-worker does not import src/render-main',
    files: (file) => file.startsWith('src/sim-worker/'),
    permits: (target) => !target.startsWith('src/render-main/'),
  },
  {
    rule: 'src/render-main does not import src/sim-worker',
    files: (file) => file.startsWith('src/render-main/'),
    permits: (target) => !target.startsWith('src/sim-worker/'),
  },
  {
    rule: 'src/vite, which runs in the build, imports nothing else of src',
    files: (file) => file.startsWith('src/vite/'),
    permits: (target) => !target.startsWith('src/') || target.startsWith('src/vite/'),
  },
  {
    rule: 'nothing else of src imports src/vite',
    files: (file) => file.startsWith('src/') && !file.startsWith('src/vite/'),
    permits: (target) => !target.startsWith('src/vite/') && target !== 'vite',
  },
  {
    rule: 'in src, only src/render-main/three imports three',
    files: (file) => file.startsWith('src/') && !file.startsWith('src/render-main/three/'),
    permits: (target) => target !== 'three' && !target.startsWith('three/'),
  },
  {
    rule: 'in src, only src/sim-worker/engines imports Rapier',
    files: (file) => file.startsWith('src/') && !file.startsWith('src/sim-worker/engines/'),
    permits: (target) => !target.startsWith('@dimforge/'),
  },
  {
    rule: 'src imports nothing from the rest of the repository',
    files: (file) => file.startsWith('src/'),
    permits: (target) => !/^(?:bench|demo|scripts|tests)\//.test(target),
  },
  {
    rule: 'demo imports only the public entry points of src',
    files: (file) => file.startsWith('demo/'),
    permits: (target) =>
      !target.startsWith('src/') || publicEntryPoints.some((entry) => entry.test(target)),
  },
  {
    rule: 'bench/engine imports nothing from outside of itself but src/shared and valibot',
    files: (file) => file.startsWith('bench/engine/'),
    permits: (target) =>
      target.startsWith('bench/engine/') ||
      target.startsWith('src/shared/') ||
      target === 'valibot',
  },
];

/** The rules that a file's source breaks, each with the import that breaks it. */
function violations(file: string, source: string): string[] {
  const targets = importSpecifiers(file, source).map((specifier) => resolve(file, specifier));
  return rules
    .filter(({ files }) => files(file))
    .flatMap(({ rule, permits }) =>
      targets
        .filter((target) => !permits(target))
        .map((target) => `${file} imports ${target}, but ${rule}.`),
    );
}

/** Every import of a file: static, re-exported, dynamic, and of types only. */
function importSpecifiers(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const found: string[] = [];
  const add = (node: { readonly type: string; readonly value?: unknown } | null): void => {
    if (typeof node?.value === 'string') found.push(node.value);
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
  }).visit(program);
  return found;
}

/** The file that a relative import means, or the package's name as it stands. */
function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return posix.join(posix.dirname(file), specifier).replace(/\.js$/, '.ts');
}

function sourceFiles(): string[] {
  return ['src', 'demo', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => posix.join(folder, name.replaceAll('\\', '/'))),
  );
}

test('imports go in the allowed directions only', () => {
  const files = sourceFiles();
  expect(files).not.toHaveLength(0);
  const found = files.flatMap((file) => violations(file, readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual([]);
});

describe('the check itself', () => {
  test.each([
    ['src/shared/a.ts', "import { b } from '../sim-worker/b.js';"],
    ['src/shared/steppers/a.ts', "import { b } from '../../render-main/b.js';"],
    ['src/shared/a.ts', "import { wrap } from 'comlink';"],
    ['src/sim-worker/a.ts', "import type { B } from '../render-main/b.js';"],
    ['src/sim-worker/engines/a.ts', "export { b } from '../../render-main/b.js';"],
    ['src/render-main/three/a.ts', "export * from '../../sim-worker/index.js';"],
    ['src/render-main/a.ts', "const b = await import('../sim-worker/b.js');"],
    ['src/render-main/a.ts', "type B = import('../sim-worker/b.js').B;"],
    ['src/render-main/a.ts', "import { Vector3 } from 'three';"],
    ['src/render-main/a.ts', "import { Loop } from 'three/addons/loop.js';"],
    ['src/sim-worker/a.ts', "import RAPIER from '@dimforge/rapier3d-simd-compat';"],
    ['src/sim-worker/a.ts', "import { b } from '../../demo/contract/b.js';"],
    ['src/vite/a.ts', "import { b } from '../shared/b.js';"],
    ['src/sim-worker/a.ts', "import { build } from 'vite';"],
    ['demo/page/a.ts', "import { b } from '../../src/shared/b.js';"],
    ['demo/simulation/a.ts', "import { b } from '../../src/sim-worker/loop.js';"],
    ['bench/engine/a.ts', "import { b } from '../runner/b.js';"],
    ['bench/engine/a.ts', "import { cpus } from 'node:os';"],
  ])('finds a fault in %s: %s', (file, source) => {
    expect(violations(file, source)).toHaveLength(1);
  });

  test.each([
    ['src/shared/steppers/a.ts', "import { b } from '../b.js';"],
    ['src/sim-worker/a.ts', "import { b } from '../shared/b.js'; import 'comlink';"],
    ['src/sim-worker/engines/a.ts', "import RAPIER from '@dimforge/rapier3d-simd-compat';"],
    ['src/render-main/three/a.ts', "import { Vector3 } from 'three';"],
    ['demo/page/a.ts', "import { b } from '../../src/render-main/three/index.js'; import 'three';"],
    ['demo/simulation/a.ts', "import { b } from '../../src/sim-worker/engines/rapier.js';"],
    ['bench/engine/a.ts', "import { b } from './b.js'; import '../../src/shared/index.js';"],
    ['src/shared/a.ts', "// import { b } from '../sim-worker/b.js';"],
  ])('finds no fault in %s: %s', (file, source) => {
    expect(violations(file, source)).toEqual([]);
  });
});
