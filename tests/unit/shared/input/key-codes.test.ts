import { expect, test } from 'vitest';
import { KEY_NAMES, keyCode } from '../../../../src/shared/input/key-codes.js';

test('the numbers of keys are indices of the list', () => {
  expect(KEY_NAMES.map(keyCode)).toEqual(KEY_NAMES.map((_, code) => code));
  expect(new Set(KEY_NAMES).size).toBe(KEY_NAMES.length);
});

test('the numbers of keys never change, because recordings hold them', () => {
  const known = { KeyA: 0, Digit0: 26, Backquote: 36, Space: 50, ArrowUp: 72, Numpad0: 83 };
  const found = Object.keys(known).map((name) => [name, keyCode(name)]);
  expect(Object.fromEntries(found)).toEqual({ ...known });
  expect(keyCode('Escape')).toBe(114);
  expect(keyCode('BrowserBack')).toBe(144);
  expect(keyCode('Katakana')).toBe(182);
});

test.each(['', 'Unidentified', 'w', 'toString', '__proto__'])(
  'the key "%s" has no number',
  (name) => {
    expect(keyCode(name)).toBe(-1);
  },
);
