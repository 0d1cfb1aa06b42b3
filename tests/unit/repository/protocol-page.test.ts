/** docs/protocol.md claims to list everything that page and worker send each other. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { EVENT_RECORD } from '../../../src/shared/events/event-record.js';
import {
  CONTROL,
  HISTOGRAM_NAMES,
  INPUT_RECORD,
  LAYOUT_VERSION,
  SLOT_HEADER,
  STATE_HEADER,
  STATISTICS,
} from '../../../src/shared/memory/layout.js';

const read = (file: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)), 'utf8');

const page = read('docs/protocol.md');
const sources =
  read('src/shared/protocol/control-protocol.ts') + read('src/shared/protocol/transport.ts');

const messages = [...sources.matchAll(/type: '(betwixt:[\w-]+)'/g)].map(([, type = '']) => type);
const calls = [
  ...(/interface WorkerControl \{(.*?)\n\}/s.exec(sources)?.[1] ?? '').matchAll(/^ {2}(\w+)\(/gm),
].map(([, name = '']) => name);

/**
 * The rows of the tables under a heading, up to the next one: their names, and the numbers before
 * them.
 */
function wordsUnder(heading: string): ReadonlyMap<string, number> {
  const [, section = ''] = page.split(`\n### ${heading}\n`);
  const [own = ''] = section.split(/\n##/);
  return new Map(
    own.split('\n').flatMap((row) => {
      const [, numbers = '', names = ''] = row.split('|');
      const indices = [...numbers.matchAll(/\d+/g)].map(Number);
      return [...names.matchAll(/`(\w+)`/g)].map(
        ([, name = ''], index) => [name, indices[index] ?? Number.NaN] as const,
      );
    }),
  );
}

describe('docs/protocol.md', () => {
  test.each([
    ['Control words', CONTROL],
    ['Statistics', STATISTICS],
    ['A slot', { ...SLOT_HEADER, ...STATE_HEADER }],
  ])('has every word of "%s" at its index', (heading, words) => {
    const reported = wordsUnder(heading);
    for (const [name, index] of Object.entries(words))
      expect([name, reported.get(name)]).toEqual([name, index]);
  });

  test('has every message, every call, every record and every histogram', () => {
    expect(messages.length).toBeGreaterThan(7);
    expect(calls.length).toBeGreaterThan(20);
    const missing = [
      ...messages.filter((type) => !page.includes(`\`${type}\``)),
      ...calls.filter((name) => !page.includes(`\`${name}(`)),
      ...Object.entries({ ...INPUT_RECORD, ...EVENT_RECORD })
        .map(([name, type]) => `${name} (${type})`)
        .filter((text) => !page.includes(text)),
      ...HISTOGRAM_NAMES.filter((name) => !page.includes(`\`${name}\``)),
    ];
    expect(missing).toEqual([]);
    expect(page).toContain(`version of the layout, ${LAYOUT_VERSION} |`);
  });

  test('is reported where it lacks one', () => {
    expect(wordsUnder('Control words').get('bell')).toBeUndefined();
    expect(wordsUnder('No such words').size).toBe(0);
  });
});
