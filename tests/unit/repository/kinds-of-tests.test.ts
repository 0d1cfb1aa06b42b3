/**
 * Which tests may read a real clock. CONTRIBUTING.md distinguishes three kinds of tests; this finds
 * whatever would make a kind depend on how busy the machine is.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** A clock that is read, a timer that is awaited, a limit that a busy machine exceeds. */
const FREE_OF_TIME: readonly Rule[] = [
  {
    pattern: /\b(?:performance|Date)\.now\(\)/,
    instead: 'pass the time in, or use VirtualTime of tests/fixtures',
  },
  {
    pattern: /(?<![.\w])set(?:Timeout|Interval)\(/,
    instead: 'use VirtualTime of tests/fixtures, or turnsUntil()',
  },
  { pattern: /\bvi\.waitFor\(/, instead: 'use turnsUntil() of tests/fixtures' },
];

const PATIENT: readonly Rule[] = [
  {
    pattern: /\bvi\.waitFor\(/,
    instead: 'use eventually() of tests/fixtures, which has no time-out',
  },
  {
    pattern: /(?:[tT]imeout|hangLimit|restartAfter)(?:Ms)?:\s*(?:\d{1,3}|\d{1,2}_?\d{3})\b/,
    instead: 'leave the limit out: vitest.config.ts has one for what never ends',
  },
  {
    pattern: /performance\.now\(\)\s*-\s*\w*[sS]tart/,
    instead: 'measure durations in tests/real-time, next to those of the bare machine',
  },
];

/** How a clock is scripted is tested with the fake timers of Vitest. */
const OWN_CLOCK = [
  'tests/unit/render-main/worker/liveness.test.ts',
  'tests/unit/repository/kinds-of-tests.test.ts',
];
/** Limits that are certain to be exceeded, because nothing answers, are tested there. */
const OWN_LIMITS = ['recovery', 'worker-failures'].map((name) => `tests/threads/${name}.test.ts`);

/** Each violation of a rule: where it is, and what to do. */
function breaches(text: string, rules: readonly Rule[]): string[] {
  return text.split('\n').flatMap((line, index) => {
    const broken = rules.find(({ pattern }) => pattern.test(line));
    return broken === undefined ? [] : [`line ${index + 1}: ${line.trim()} (${broken.instead})`];
  });
}

function breachesIn(folder: string, rules: readonly Rule[], without: readonly string[]): string[] {
  const files = readdirSync(`${root}tests/${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => `tests/${folder}/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && !without.includes(file));
  expect(files.length).toBeGreaterThan(5);
  return files.flatMap((file) =>
    breaches(readFileSync(root + file, 'utf8'), rules).map((breach) => `${file}, ${breach}`),
  );
}

test.each(['unit', 'scenes'])('tests/%s is free of time', (folder) => {
  expect(breachesIn(folder, FREE_OF_TIME, OWN_CLOCK)).toEqual([]);
});

test('tests/threads is patient', () => {
  expect(breachesIn('threads', PATIENT, OWN_LIMITS)).toEqual([]);
});

describe('violations of the rules are found', () => {
  test.each([
    ['const startMs = performance.now();'],
    ['await new Promise((resolve) => setTimeout(resolve, 50));'],
    ['await vi.waitFor(() => expect(tick()).toBe(3));'],
  ])('in tests without time: %s', (line) => {
    expect(breaches(line, FREE_OF_TIME)).toHaveLength(1);
  });

  test.each([
    ['await vi.waitFor(() => expect(tick()).toBe(3), 20_000);'],
    ['{ timeout: 20_000, interval: 5 },'],
    ['const simulation = await connectToy({ startTimeoutMs: 300 });'],
    ['const IMPATIENT = { hangLimitMs: 300, restartAfterMs: 600 };'],
    ['expect(performance.now() - startMs).toBeLessThan(700);'],
  ])('in tests that wait for threads: %s', (line) => {
    expect(breaches(line, PATIENT)).toHaveLength(1);
  });

  test('conforming code is not reported', () => {
    const lines = [
      "vi.spyOn(performance, 'now').mockReturnValue(1000);",
      'simulation.inputs.push(input, time.nowMs);',
    ].join('\n');
    expect(breaches(lines, FREE_OF_TIME)).toEqual([]);
    expect(breaches('simulation.sample(performance.now()); // timeout: 600_000', PATIENT)).toEqual(
      [],
    );
  });
});
