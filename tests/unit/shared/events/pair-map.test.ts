import { expect, test } from 'vitest';
import { NO_BODY } from '../../../../src/shared/events/pair-events.js';
import { PairMap } from '../../../../src/shared/events/pair-map.js';

test('a map of pairs treats the two numbers as separate keys, and forgets deleted ones', () => {
  const map = new PairMap<string>();
  map.set(1, NO_BODY, 'a');
  map.set(NO_BODY, 1, 'b');
  map.set(1, 2, 'c');
  expect([map.get(1, NO_BODY), map.get(NO_BODY, 1), map.get(2, 1)]).toEqual(['a', 'b', undefined]);
  expect(map.delete(1, NO_BODY)).toBe(true);
  expect([map.delete(1, NO_BODY), map.delete(7, 7)]).toEqual([false, false]);
  expect([...map.values()]).toEqual(['c', 'b']);
  map.clear();
  expect([...map.values()]).toEqual([]);
});
