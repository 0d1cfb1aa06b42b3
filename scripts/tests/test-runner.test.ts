/** The command that runs the tests: the parts that it runs, its summary and its exit code. */
import { join } from 'node:path';
import type { TestCase as PlaywrightTest, TestResult } from '@playwright/test/reporter';
import { expect, test } from 'vitest';
import type { TestCase } from 'vitest/node';
import { parseArguments } from '../test/arguments.js';
import { type Outcome, PartOutcomes } from '../test/outcomes.js';
import { outcomeOf as outcomeOfPlaywright } from '../test/playwright-reporter.js';
import { exitCodeOf, formatSummary, type PartResult } from '../test/summary.js';
import { outcomeOf as outcomeOfVitest } from '../test/vitest-reporter.js';

test('the test command runs the everyday parts, the others, all, or those that are named', () => {
  const parts = {
    unit: { everyday: true },
    site: { everyday: true },
    webkit: { everyday: false },
    bundlers: { everyday: false, isExtra: true },
  };
  expect(parseArguments([], parts).names).toEqual(['unit', 'site']);
  expect(parseArguments(['--rest'], parts).names).toEqual(['webkit']);
  expect(parseArguments(['--all'], parts).names).toEqual(['unit', 'site', 'webkit']);
  expect(parseArguments(['bundlers'], parts).names).toEqual(['bundlers']);
  const expected = { names: ['unit'], runnerArgs: ['schedule', '--bail=1'] };
  expect(parseArguments(['unit', 'schedule', '--bail=1'], parts)).toMatchObject(expected);
  expect(() => parseArguments(['unlt'], parts)).toThrow(
    /is not a part.*unit, site, webkit, bundlers/,
  );
});

test('a failed test of Vitest has its name, the reason in one line, and where it happened', () => {
  const file = join(process.cwd(), 'tests/unit/a.test.ts');
  const errors = [
    { message: 'expected 1 to be 2', diff: '- 2\n+ 1', stacks: [{ file, line: 3, column: 7 }] },
  ];
  const failed = {
    result: () => ({ state: 'failed', errors }),
    fullName: 'a loop ticks',
    module: { moduleId: file },
    project: { name: 'unit' },
  } as unknown as TestCase;
  expect(outcomeOfVitest(failed)).toEqual({
    name: 'tests/unit/a.test.ts › a loop ticks',
    result: 'failed',
    reason: 'expected 1 to be 2',
    detail: 'expected 1 to be 2\n- 2\n+ 1\n    at tests/unit/a.test.ts:3:7',
  });
});

test('a failed test of Playwright has its name and one line with the expected value', () => {
  const failed = {
    titlePath: () => ['', 'site', 'page.spec.ts', 'a button is pressed'],
    location: { file: join(process.cwd(), 'tests/site/page.spec.ts'), line: 1, column: 1 },
    ok: () => false,
    annotations: [],
  } as unknown as PlaywrightTest;
  const message = 'Error: \u001B[31mexpect(received)\u001B[0m.toBe(2)\n\nExpected: 2\nReceived: 1';
  const errors = [{ message, stack: `${message}\n    at page.spec.ts:1` }];
  const result = { status: 'failed', annotations: [], errors, steps: [] } as unknown as TestResult;
  expect(outcomeOfPlaywright(failed, result)).toMatchObject({
    name: 'tests/site/page.spec.ts › a button is pressed',
    result: 'failed',
    reason: 'Error: expect(received).toBe(2) Expected: 2 Received: 1',
  });
});

function resultOf(part: string, seconds: number, outcomes: readonly Outcome[]): PartResult {
  const ofPart = new PartOutcomes();
  for (const outcome of outcomes) ofPart.add(outcome);
  return { part, outcomes: ofPart, seconds };
}

const skip = (name: string): Outcome => ({ name, result: 'skipped', reason: 'too slow here' });
const passed: Outcome = { name: 'well', result: 'passed' };

test('the summary lists skipped and failed tests with their reasons, and ends with the totals', () => {
  const failure: Outcome = { name: 'a.test.ts › ticks', result: 'failed', reason: '1 is not 2' };
  const results = [
    resultOf('unit', 1.25, [passed, failure, skip('b'), skip('c')]),
    resultOf('site', 60, [passed, passed]),
  ];
  expect(formatSummary(results, 60.5).split('\n')).toEqual([
    'part        passed  failed skipped seconds',
    'unit             1       1       2     1.3',
    'site             2       0       0    60.0',
    'together                              60.5',
    '',
    'Skipped in unit: b, c: too slow here',
    'Failed in unit: a.test.ts › ticks: 1 is not 2',
    '',
    '3 passed, 1 failed, 2 skipped',
  ]);
  expect(exitCodeOf(results)).toBe(1);
});

test('a part without any test is a failure, unless it was skipped', () => {
  expect(exitCodeOf([resultOf('unit', 1, [passed])])).toBe(0);
  expect(exitCodeOf([resultOf('unit', 1, [{ name: 'a', result: 'skipped' }])])).toBe(0);
  expect(exitCodeOf([resultOf('unit', 1, [])])).toBe(1);
  expect(formatSummary([resultOf('unit', 1, [])], 1)).toContain('No tests were found in unit.');
});
