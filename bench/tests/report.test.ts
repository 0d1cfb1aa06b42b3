/** The report as a page: its parts, and that no result can break it. */
import { expect, test } from 'vitest';
import { reportHtml } from '../report/index.js';
import { scriptedResult } from './scripted-bench.js';

const small = { engines: ['rapier'], bodies: [500, 1000], seconds: 2 } as const;

test('the report has all its parts, no invalid number, and requests nothing from any server', () => {
  const html = reportHtml(scriptedResult(1, small), { before: scriptedResult(2, small) });
  const titles = [...html.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title = '']) => title);
  expect(titles).toEqual(['Budget', 'Change', 'All figures']);
  for (const text of ['Example 8-Core Processor', 'This device can simulate', '1,000 at 60 Hz']) {
    expect(html).toContain(text);
  }
  expect(/NaN|Infinity|undefined|null|\[object/.exec(html)?.[0]).toBeUndefined();
  expect(html).toContain(`content="default-src 'none'`);
  const outside = /https?:|@import|url\(|\ssrc=|<link(?! rel="icon" href="data:,")/;
  expect(outside.exec(html)?.[0]).toBeUndefined();
});

test('the report escapes names and messages of a result', () => {
  const evil = `"><img src=x onerror='alert(1)'></script>&`;
  const result = scriptedResult(1, { ...small, engines: [evil] });
  const html = reportHtml({
    ...result,
    machine: { ...result.machine, cpu: evil, engines: { [evil]: evil } },
    options: { ...result.options, worker: evil },
    failures: result.cases.slice(0, 1).map((one) => Object.assign({}, one, { message: evil })),
  });
  expect(html).not.toContain('<img');
  expect(html).not.toContain('</script>');
  expect(html).toContain('&quot;&gt;&lt;img src=x');
});
