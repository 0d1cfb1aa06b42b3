import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfJson, jsonOfBytes } from '../../../src/rapier/saved-json.js';
import type { Json } from '../../../src/shared/util/json.js';

test('a saved text that looks like a zero below zero stays a text', () => {
  const texts = ['-0', '~-0', '~~-0', '~', '0', '-00', ''];
  expect(jsonOfBytes(bytesOfJson(texts))).toEqual(texts);
  expect(jsonOfBytes(bytesOfJson('-0'))).toBe('-0');
  expect(jsonOfBytes(bytesOfJson(-0))).toBe(-0);
});

test('any value that JSON can hold is restored from saved state', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), (value) => {
      // Round-tripped through JSON once: this drops what no state has, such as the key __proto__.
      const json = JSON.parse(JSON.stringify(value)) as Json;
      expect(jsonOfBytes(bytesOfJson(json))).toEqual(json);
    }),
    { numRuns: 50 },
  );
});
