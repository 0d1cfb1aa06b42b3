import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** How many tests of a part ended how. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What failed and why, a line each: what has no name, such as a lint error, is among `failed` alone. */
  readonly failures?: readonly string[];
}

/** One row of the summary. */
export interface PartResult extends Counts {
  readonly part: string;
  readonly seconds: number;
}

/** The fields that are read here of Vitest's JSON report. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly VitestFile[];
}

interface VitestFile {
  /** Its path. */
  readonly name: string;
  readonly status: string;
  /** Why it could not be loaded. */
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly ancestorTitles: readonly string[];
    readonly title: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** The fields that are read here of Playwright's JSON report. */
interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly suites: readonly PlaywrightSuite[];
}

/** A file, or a `describe` in it. */
interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly results: readonly { readonly error?: { readonly message?: string } }[];
    }[];
  }[];
}

/** The counts of a check that is one test and reports by its exit code. */
export function countCheck(exitCode: number): Counts {
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 };
}

/** The counts of a Vitest run. */
export function countVitest(reportFile: string, exitCode: number): Counts {
  const report = readReport<VitestReport>(reportFile);
  if (report === undefined) return countCheck(exitCode || 1);
  // A file that cannot even be loaded has failed, but holds no test that has.
  const brokenFiles = report.testResults.filter(
    (file) =>
      file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...report.testResults.flatMap(failuresOf),
      ...brokenFiles.map(({ name, message }) => describeFailure([fileOf(name)], message)),
    ],
  };
  return withRunnerFailure(counts, exitCode);
}

function failuresOf({ name, assertionResults }: VitestFile): string[] {
  return assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ ancestorTitles, title, failureMessages }) =>
      describeFailure([fileOf(name), ...ancestorTitles, title], failureMessages[0]),
    );
}

const fileOf = (path: string): string => relative(process.cwd(), path);

function describeFailure(titles: readonly string[], message = ''): string {
  const [reason = ''] = stripVTControlCharacters(message).split('\n');
  return `${titles.join(' › ')}: ${reason}`;
}

/** The counts of a Playwright run. */
export function countPlaywright(reportFile: string, exitCode: number): Counts {
  const report = readReport<PlaywrightReport>(reportFile);
  if (report === undefined) return countCheck(exitCode || 1);
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failures = report.suites.flatMap((suite) => failuresIn(suite));
  return withRunnerFailure(
    { passed: expected, failed: unexpected + flaky, skipped, failures },
    exitCode,
  );
}

function failuresIn(suite: PlaywrightSuite, above: readonly string[] = []): string[] {
  const titles = [...above, suite.title];
  const own = suite.specs
    .filter(({ ok }) => !ok)
    .map(({ title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.map(({ error }) => error?.message));
      return describeFailure([...titles, title], errors.find(Boolean));
    });
  return [...own, ...(suite.suites ?? []).flatMap((inner) => failuresIn(inner, titles))];
}

/** The number of tests in the report of `playwright test --list`, which runs none of them. */
export function countListed(reportFile: string): number {
  const stats = readReport<PlaywrightReport>(reportFile)?.stats;
  return stats === undefined ? 0 : stats.expected + stats.unexpected + stats.flaky + stats.skipped;
}

export function sum(results: readonly Counts[]): Counts {
  return results.reduce<Counts>(
    (total, { passed, failed, skipped, failures = [] }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
      failures: [...(total.failures ?? []), ...failures],
    }),
    noTests,
  );
}

/** Whether a part had nothing to run, which is a mistake and not a success. */
export function ranNothing({ passed, failed, skipped }: Counts): boolean {
  return passed + failed + skipped === 0;
}

/** The summary: a row for each part, what failed, and last the line with the totals. */
export function formatSummary(results: readonly PartResult[]): string {
  const header = ['part', 'passed', 'failed', 'skipped', 'seconds'];
  const rows = results.map((result) => [
    result.part,
    String(result.passed),
    String(result.failed),
    String(result.skipped),
    result.seconds.toFixed(1),
  ]);
  const table = [header, ...rows].map(([part = '', ...numbers]) =>
    [part.padEnd(8), ...numbers.map((text) => text.padStart(8))].join(''),
  );
  const empty = results.filter(ranNothing).map(({ part }) => `No tests were found in: ${part}`);
  const failures = results.flatMap(({ part, failures: ofPart = [] }) =>
    ofPart.map((failure) => `Failed in ${part}: ${failure}`),
  );
  const { passed, failed, skipped } = sum(results);
  const totals = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return [...table, '', ...empty, ...failures, totals].join('\n');
}

const noTests: Counts = { passed: 0, failed: 0, skipped: 0 };

/**
 * A runner can fail without a failed test: it did not start, or something went wrong between
 * tests. That counts as one failure, so that the totals never look better than the run was.
 */
function withRunnerFailure(counts: Counts, exitCode: number): Counts {
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function readReport<Report>(file: string): Report | undefined {
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}
