/** A result in the address of the benchmark's page, and the command that it names. */
import { expect, test } from 'vitest';
import { EXAMPLE } from '../page/example.js';
import { RESULT } from '../page/result-link.js';
import { DEFAULT_FIELDS, commandOf } from '../page/settings.js';

test('an address carries a result as it is', () => {
  const shared = {
    ended: 'stopped' as const,
    measurements: [
      { bodies: 100, p25Ms: 0.0251, p90Ms: 0.43 },
      { bodies: 9000, p25Ms: null, p90Ms: null },
    ],
  };
  expect(RESULT.format(shared)).toBe('stopped,100:0.0251:0.43,9000:-:-');
  expect(RESULT.parse(RESULT.format(shared))).toEqual(shared);
  expect(RESULT.parse(RESULT.format(EXAMPLE))).toEqual(EXAMPLE);
});

test.each(['', 'found', 'found,9000:-:-', 'lost,100:1:2', 'found,0:1:2', 'found,100:1:2,<b>'])(
  'an address with a damaged result is refused: %s',
  (text) => {
    expect(RESULT.parse(text)).toBeUndefined();
  },
);

test('the page names the command that measures the same', () => {
  expect(commandOf(DEFAULT_FIELDS)).toBe('npm run bench');
  expect(commandOf({ scene: 'rain', engine: 'jolt', rate: '30' })).toBe(
    'npm run bench -- --scene rain --engine jolt --tick-hz 30',
  );
});
