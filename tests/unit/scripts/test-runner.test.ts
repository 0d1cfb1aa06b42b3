/**
 * The command that runs the tests: which parts it runs, how it reads the runners' results, and how
 * it sums up.
 */
import { join } from 'node:path';
import type { TestCase as PlaywrightTest, TestResult } from '@playwright/test/reporter';
import { describe, expect, test } from 'vitest';
import type { TestCase } from 'vitest/node';
import { parseArguments } from '../../../scripts/test/arguments.js';
import { type Outcome, PartOutcomes, reasonOf } from '../../../scripts/test/outcomes.js';
import { outcomeOf as outcomeOfPlaywright } from '../../../scripts/test/playwright-reporter.js';
import { parts as realParts } from '../../../scripts/test/parts.js';
import { exitCodeOf, formatSummary, type PartResult } from '../../../scripts/test/summary.js';
import { outcomeOf as outcomeOfVitest } from '../../../scripts/test/vitest-reporter.js';

const vitestTest = (result: unknown, project = 'unit') =>
  ({
    result: () => result,
    fullName: 'a loop > ticks',
    module: { moduleId: join(process.cwd(), 'tests/unit/a.test.ts') },
    project: { name: project },
  }) as unknown as TestCase;

const playwrightTest = (isOk: boolean) =>
  ({
    titlePath: () => ['', 'e2e', 'page.spec.ts', 'a button', 'is pressed'],
    location: { file: join(process.cwd(), 'tests/e2e/page.spec.ts'), line: 1, column: 1 },
    ok: () => isOk,
    annotations: [],
  }) as unknown as PlaywrightTest;

const playwrightResult = (result: object) =>
  ({ annotations: [], errors: [], steps: [], ...result }) as unknown as TestResult;

const step = (title: string, steps: object[], error?: Error, category = 'test.step') => ({
  title,
  category,
  steps,
  error,
});

const resultOf = (part: string, seconds: number, outcomes: readonly Outcome[]): PartResult => {
  const ofPart = new PartOutcomes();
  for (const outcome of outcomes) ofPart.add(outcome);
  return { part, outcomes: ofPart, seconds };
};

const skip = (name: string): Outcome => ({ name, result: 'skipped', reason: 'too slow here' });

describe('arguments of the test command', () => {
  const parts = { unit: { everyday: true }, e2e: { everyday: true }, webkit: { everyday: false } };

  test('no argument runs the everyday parts, --rest the others, --all both', () => {
    expect(parseArguments([], parts).names).toEqual(['unit', 'e2e']);
    expect(parseArguments(['--rest'], parts).names).toEqual(['webkit']);
    expect(parseArguments(['--all'], parts).names).toEqual(['unit', 'e2e', 'webkit']);
  });

  test('npm test runs without the attack, which --all and --rest include', () => {
    expect(parseArguments([], realParts).names).not.toContain('attack');
    expect(parseArguments(['--all'], realParts).names).toContain('attack');
    expect(parseArguments(['--rest'], realParts).names).toContain('attack');
    const alone = { names: ['attack'], runnerArgs: ['queues', '--minutes', '2'] };
    expect(parseArguments(['attack', 'queues', '--minutes', '2'], realParts)).toEqual(alone);
  });

  test('a single part passes further arguments to its runner', () => {
    const expected = { names: ['unit'], runnerArgs: ['schedule', '--bail=1'] };
    expect(parseArguments(['unit', 'schedule', '--bail=1'], parts)).toEqual(expected);
    expect(parseArguments(['webkit', 'unit'], parts)).toEqual({
      names: ['webkit', 'unit'],
      runnerArgs: [],
    });
  });

  test.each([[['unlt']], [['unit', 'e2e', 'schedule']], [['--al']], [['--all', 'unit']]])(
    '%j is refused, and the parts are named',
    (args) => {
      expect(() => parseArguments(args, parts)).toThrow(/is not a part.*unit, e2e, webkit/);
    },
  );
});

describe("outcomes of Vitest's tests", () => {
  test('a failed test has its name, the reason in one line, and where it happened', () => {
    const stacks = [{ file: join(process.cwd(), 'tests/unit/a.test.ts'), line: 3, column: 7 }];
    const error = { message: 'expected 1 to be 2', diff: '- 2\n+ 1', stacks };
    expect(outcomeOfVitest(vitestTest({ state: 'failed', errors: [error] }))).toEqual({
      name: 'tests/unit/a.test.ts › a loop > ticks',
      result: 'failed',
      reason: 'expected 1 to be 2',
      detail: 'expected 1 to be 2\n- 2\n+ 1\n    at tests/unit/a.test.ts:3:7',
    });
  });

  test('a skipped test has its note as the reason, and another project is named', () => {
    const note = 'no more than 31 of 144 Hz';
    expect(outcomeOfVitest(vitestTest({ state: 'skipped', note }, 'threads-local'))).toEqual({
      name: 'threads-local › tests/unit/a.test.ts › a loop > ticks',
      result: 'skipped',
      reason: note,
    });
  });

  test('a test that was interrupted has no outcome', () => {
    expect(outcomeOfVitest(vitestTest({ state: 'pending' }))).toBeUndefined();
  });
});

describe("outcomes of Playwright's tests", () => {
  const name = 'tests/e2e/page.spec.ts › a button › is pressed';

  test('a failed test has one line with the expected value', () => {
    const message =
      'Error: \u001B[31mexpect(received)\u001B[0m.toBe(2)\n\nExpected: 2\nReceived: 1';
    const errors = [{ message, stack: `${message}\n    at page.spec.ts:1`, snippet: '> 1 | x' }];
    const result = playwrightResult({ status: 'failed', errors });
    expect(outcomeOfPlaywright(playwrightTest(false), result)).toMatchObject({
      name,
      result: 'failed',
      reason: 'Error: expect(received).toBe(2) Expected: 2 Received: 1',
      detail: expect.stringContaining('> 1 | x'),
    });
  });

  test('a test that fails in a step names the step', () => {
    const error = new Error('not drawn');
    const inner = step('on a phone', [step('expect', [], error, 'expect')], error);
    const steps = [step('on a laptop', []), step('the labels', [inner], error)];
    const result = playwrightResult({ status: 'failed', errors: [error], steps });
    expect(outcomeOfPlaywright(playwrightTest(false), result)?.name).toBe(
      `${name} › the labels › on a phone`,
    );
  });

  test('a test that skips itself says why, and one after a failure that it was not run', () => {
    const annotations = [{ type: 'skip', description: 'the display shows 31 of 144 frames' }];
    expect(
      outcomeOfPlaywright(
        playwrightTest(true),
        playwrightResult({ status: 'skipped', annotations }),
      ),
    ).toEqual({ name, result: 'skipped', reason: 'the display shows 31 of 144 frames' });
    expect(
      outcomeOfPlaywright(playwrightTest(true), playwrightResult({ status: 'skipped' }))?.reason,
    ).toMatch(/^not run/);
  });

  test('a test that is expected to fail, and does, has passed', () => {
    expect(
      outcomeOfPlaywright(playwrightTest(true), playwrightResult({ status: 'failed' })),
    ).toEqual({
      name,
      result: 'passed',
    });
  });
});

test('a reason has no colours, stacks or logs, and a limited length', () => {
  expect(reasonOf('\u001B[31mno\u001B[0m\n\n  more\n  at x.ts:1\nrest')).toBe('no more');
  expect(reasonOf('timed out\nCall log:\n  - waiting')).toBe('timed out');
  expect(reasonOf('x'.repeat(1000)).length).toBeLessThan(400);
});

describe('the summary', () => {
  const passed: Outcome = { name: 'well', result: 'passed' };

  test('lists skipped and failed tests, each with the reason, and ends with the totals', () => {
    const failure: Outcome = { name: 'a.test.ts › ticks', result: 'failed', reason: '1 is not 2' };
    const results = [
      resultOf('unit', 1.25, [passed, failure, skip('b'), skip('c')]),
      resultOf('e2e', 60, [passed, passed]),
    ];
    expect(formatSummary(results, 60.5).split('\n')).toEqual([
      'part        passed  failed skipped seconds',
      'unit             1       1       2     1.3',
      'e2e              2       0       0    60.0',
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
    const results = [resultOf('unit', 1, [])];
    expect(exitCodeOf(results)).toBe(1);
    expect(formatSummary(results, 1)).toContain('No tests were found in unit.');
  });
});
