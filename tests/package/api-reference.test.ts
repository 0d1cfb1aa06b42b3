import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openSources } from '../../scripts/api/api-compiler.js';
import { undocumented } from '../../scripts/api/api-reference.js';
import { readApi } from '../../scripts/api/api-model.js';
import { brokenRules } from '../../scripts/api/api-rules.js';
import { problemsOfUse } from '../../scripts/api/unused-names.js';
import { entryPoints } from '../../scripts/package/package-layout.js';

const sources = openSources();
const entries = readApi(sources);
/**
 * The package's exports, by entry point: a list by hand, so that a change of it is made on
 * purpose and seen in review.
 */
const LISTED = new URL('exported-names.json', import.meta.url);

describe('the API reference', () => {
  test('has a page for every entry point', () => {
    expect(entries.map(({ specifier }) => specifier)).toEqual(
      entryPoints().map(({ specifier }) => specifier),
    );
    for (const { specifier, symbols } of entries) {
      expect(symbols.length, specifier).toBeGreaterThan(0);
    }
  });

  test('the package exports what is listed', () => {
    const exported = Object.fromEntries(
      entries.map(({ specifier, symbols }) => [
        specifier,
        symbols.map(({ name }) => name).toSorted(),
      ]),
    );
    const listed: unknown = JSON.parse(readFileSync(LISTED, 'utf8'));
    const advice = 'a name is public from now on, or no longer: change exported-names.json too';
    expect(exported, advice).toEqual(listed);
  });

  test('every exported name and every public member has a user, or a reason', () => {
    expect(problemsOfUse()).toEqual([]);
  }, 120_000);

  test('every exported name and every public member has a doc comment', () => {
    expect(undocumented(entries)).toEqual([]);
  });

  test('doc comments state defaults, ranges, units and errors', () => {
    expect(brokenRules(sources)).toEqual([]);
  });
});
