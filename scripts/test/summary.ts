/** The end of a test run: a row for each part, what failed or was skipped and why, and the totals. */
import type { Outcome, PartOutcomes } from './outcomes.js';

/** A part that has run. */
export interface PartResult {
  readonly part: string;
  readonly outcomes: PartOutcomes;
  readonly seconds: number;
}

/** Whether a part had nothing to run, which is a mistake and not a success. */
export function ranNothing({ outcomes }: PartResult): boolean {
  return outcomes.done === 0;
}

/** Exit code of the whole: 1 if something failed or a part had no tests. */
export function exitCodeOf(results: readonly PartResult[]): number {
  return results.some((result) => result.outcomes.failed > 0 || ranNothing(result)) ? 1 : 0;
}

/**
 * The summary. Its last line contains only the totals.
 *
 * @param seconds How long all of it took. Parts may have run in parallel.
 */
export function formatSummary(results: readonly PartResult[], seconds: number): string {
  const rows = results.map(({ part, outcomes, seconds: ofPart }) => [
    part,
    ...[outcomes.passed, outcomes.failed, outcomes.skipped].map(String),
    ofPart.toFixed(1),
  ]);
  const header = ['part', 'passed', 'failed', 'skipped', 'seconds'];
  const table = [header, ...rows, ['together', '', '', '', seconds.toFixed(1)]].map(
    ([part = '', ...numbers]) =>
      [part.padEnd(10), ...numbers.map((text) => text.padStart(8))].join(''),
  );
  const empty = results.filter(ranNothing).map(({ part }) => `No tests were found in ${part}.`);
  const skips = results.flatMap(({ part, outcomes }) => describeSkips(part, outcomes.skips));
  const failures = results.flatMap(({ part, outcomes }) =>
    outcomes.failures.map(({ name, reason }) => `Failed in ${part}: ${name}: ${reason ?? ''}`),
  );
  const notes = [...skips, ...empty, ...failures];
  return [...table, ...(notes.length > 0 ? ['', ...notes] : []), '', totalsOf(results)].join('\n');
}

function totalsOf(results: readonly PartResult[]): string {
  const total = (count: (outcomes: PartOutcomes) => number): number =>
    results.reduce((sum, { outcomes }) => sum + count(outcomes), 0);
  return (
    `${total(({ passed }) => passed)} passed, ${total(({ failed }) => failed)} failed, ` +
    `${total(({ skipped }) => skipped)} skipped`
  );
}

/** Tests with one reason are grouped: a part without its browser has a hundred. */
function describeSkips(part: string, skips: readonly Outcome[]): string[] {
  const byReason = new Map<string, Outcome[]>();
  for (const skip of skips) {
    const { reason = 'no reason was given' } = skip;
    byReason.set(reason, [...(byReason.get(reason) ?? []), skip]);
  }
  return [...byReason].map(([reason, tests]) => {
    const names =
      tests.length > 5 ? `${tests.length} tests` : tests.map(({ name }) => name).join(', ');
    return `Skipped in ${part}: ${names}: ${reason}`;
  });
}
