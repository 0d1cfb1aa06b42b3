/** What the summary of a test run tells of the runners' reports. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  countCheck,
  countPlaywright,
  countVitest,
  formatSummary,
  sum,
} from '../../scripts/test-report.js';

const folder = mkdtempSync(join(tmpdir(), 'betwixt-reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

function reportOf(report: unknown): string {
  const file = join(folder, 'report.json');
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const vitestReport = {
  numPassedTests: 1,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [
    {
      name: join(process.cwd(), 'tests/unit/a.test.ts'),
      status: 'failed',
      message: '',
      assertionResults: [
        { status: 'passed', ancestorTitles: [], title: 'well', failureMessages: [] },
        {
          status: 'failed',
          ancestorTitles: ['a loop'],
          title: 'ticks',
          failureMessages: ['AssertionError: expected 1 to be 2\n    at somewhere'],
        },
      ],
    },
    {
      name: join(process.cwd(), 'tests/unit/b.test.ts'),
      status: 'failed',
      message: 'Cannot find module',
      assertionResults: [],
    },
  ],
};

const playwrightReport = {
  stats: { expected: 3, unexpected: 1, flaky: 0, skipped: 1 },
  suites: [
    {
      title: 'page.spec.ts',
      specs: [{ title: 'opens', ok: true, tests: [{ results: [{}] }] }],
      suites: [
        {
          title: 'a button',
          specs: [
            {
              title: 'is pressed',
              ok: false,
              tests: [
                { results: [{ error: { message: '\u001b[31mError: \u001b[0mtimeout\nmore' } }] },
              ],
            },
          ],
        },
      ],
    },
  ],
};

test('of Vitest: counts, what failed and why, and files that do not load', () => {
  expect(countVitest(reportOf(vitestReport), 1)).toEqual({
    passed: 1,
    failed: 2,
    skipped: 3,
    failures: [
      'tests/unit/a.test.ts › a loop › ticks: AssertionError: expected 1 to be 2',
      'tests/unit/b.test.ts: Cannot find module',
    ],
  });
});

test('of Playwright: counts, and what failed at any depth and why', () => {
  expect(countPlaywright(reportOf(playwrightReport), 1)).toEqual({
    passed: 3,
    failed: 1,
    skipped: 1,
    failures: ['page.spec.ts › a button › is pressed: Error: timeout'],
  });
});

test('a runner that fails without a failed test, or without a report, is a failure', () => {
  const well = { ...playwrightReport, stats: { expected: 3, unexpected: 0, flaky: 0, skipped: 0 } };
  expect(countPlaywright(reportOf({ ...well, suites: [] }), 0).failed).toBe(0);
  expect(countPlaywright(reportOf({ ...well, suites: [] }), 1).failed).toBe(1);
  expect(countVitest(join(folder, 'none.json'), 0)).toEqual(countCheck(1));
});

test('the summary names what failed before its last line, which has the totals', () => {
  const lines = formatSummary([
    { part: 'unit', seconds: 1.25, ...countVitest(reportOf(vitestReport), 1) },
    { part: 'e2e', seconds: 60, ...sum([countPlaywright(reportOf(playwrightReport), 1)]) },
  ]).split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'part      passed  failed skipped seconds',
    'unit           1       2       3     1.3',
    'e2e            3       1       1    60.0',
  ]);
  expect(lines.slice(-4)).toEqual([
    'Failed in unit: tests/unit/a.test.ts › a loop › ticks: AssertionError: expected 1 to be 2',
    'Failed in unit: tests/unit/b.test.ts: Cannot find module',
    'Failed in e2e: page.spec.ts › a button › is pressed: Error: timeout',
    '4 passed, 3 failed, 4 skipped',
  ]);
});
