/** The report as text: its content, its size, and that no result can break it. */
import { expect, test } from 'vitest';
import type { BenchResult } from '../../../bench/engine/index.js';
import { reportHtml } from '../../../bench/report/index.js';
import { scriptedResult } from './scripted-bench.js';

const small = { engines: ['rapier'], bodies: [500, 1000], seconds: 2 } as const;

const titles = (html: string): string[] =>
  [...html.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title = '']) => title);

/** The first match in the visible text; the whole page would flood a failure's message. */
const found = (html: string, pattern: RegExp): string | undefined =>
  pattern.exec(html.replace(/<script>.*<\/script>/s, ''))?.[0];

test('the default measurement with a comparison stays below 300 kB', () => {
  const html = reportHtml(scriptedResult(1), { before: scriptedResult(2) });
  expect(new TextEncoder().encode(html).length).toBeLessThan(300_000);
  expect(html).toContain('more are in the JSON file');
});

test('the same result gives the same report, with all its parts', () => {
  const html = reportHtml(scriptedResult(1, small), { before: scriptedResult(2, small) });
  expect(html).toBe(reportHtml(scriptedResult(1, small), { before: scriptedResult(2, small) }));
  expect(titles(html)).toEqual([
    'Budget',
    'Headroom',
    'Growth',
    'Slow steps',
    'The worst second',
    'Change',
    'All figures',
  ]);
  for (const text of ['Example 8-Core Processor', 'This device can simulate', '1,000 at 60 Hz']) {
    expect(html).toContain(text);
  }
});

test('requests nothing from any server', () => {
  const html = reportHtml(scriptedResult(1, small));
  expect(html).toContain(`content="default-src 'none'`);
  const outside = /https?:|@import|url\(|\ssrc=|<link(?! rel="icon" href="data:,")/;
  expect(outside.exec(html)?.[0]).toBeUndefined();
});

test('contains no invalid number', () => {
  const html = reportHtml(scriptedResult(1), { before: scriptedResult(2) });
  // The page's own script may contain such words.
  const shown = html.replace(/<script[\s\S]*?<\/script>/g, '');
  expect(shown).not.toMatch(/NaN|Infinity|undefined|null|\[object/);
});

test('omits empty parts, and reports failures', () => {
  const full = scriptedResult(1, { ...small, runtimes: ['node'] });
  const bare: BenchResult = { ...full, headroom: [], growth: [], cases: [] };
  expect(titles(reportHtml(bare))).toEqual([]);
  expect(reportHtml(bare)).toContain('Nothing was measured.');
  const [one] = full.cases;
  const failed = one === undefined ? [] : [{ ...one, message: 'out of memory' }];
  const html = reportHtml({ ...bare, failures: failed, wasCancelled: true });
  expect(titles(html)).toEqual(['Failed']);
  expect(html).toContain('heap, rapier, node, 500 at 60 Hz: out of memory');
  expect(html).toContain('The run was cancelled');
});

test('escapes names from a result', () => {
  const evil = `"><img src=x onerror='alert(1)'></script>&`;
  const result = scriptedResult(1, { ...small, engines: [evil] });
  const [one] = result.cases;
  const html = reportHtml({
    ...result,
    machine: { ...result.machine, cpu: evil, engines: { [evil]: evil } },
    options: { ...result.options, worker: evil },
    failures: one === undefined ? [] : [{ ...one, message: evil }],
  });
  expect(html).not.toContain('<img');
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(html).toContain('&quot;&gt;&lt;img src=x');
});

test('accepts cases without measurements', () => {
  const result = scriptedResult(1, small);
  const zero = { p50: 0, p95: 0, p99: 0, max: 0, mean: 0 };
  const cases = result.cases.map((one) =>
    Object.assign({}, one, {
      stepMs: zero,
      budgetShare: 0,
      ticks: 0,
      worstSecond: [],
      percentileCurve: [
        [0, 0],
        [1, 0],
      ],
      repeats: [],
    }),
  );
  const html = reportHtml({ ...result, cases, growth: [] }, { before: result });
  expect(found(html, /NaN|Infinity/)).toBeUndefined();
});
