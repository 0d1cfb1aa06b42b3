/** What the benchmark's page takes from its address. */
import { expect, test } from 'vitest';
import { fieldsFrom, lengthsFrom } from '../../../bench/page/settings.js';
import { AddressReader } from '../../../site/common/settings-address.js';

const fieldsOf = (search: string) => fieldsFrom(new AddressReader(search));
const lengthsOf = (search: string) => lengthsFrom(new AddressReader(search));

test('an address fills the form, as it is typed', () => {
  expect(
    fieldsOf('?scene=rain&engines=cannon,jolt&bodies=50,%20lots&rates=30&length=usual'),
  ).toEqual({
    scene: 'rain',
    engines: ['cannon', 'jolt'],
    bodies: '50, lots',
    rates: '30',
    length: 'usual',
  });
  expect(fieldsOf('?scene=scripted:constant:2').scene).toBe('scripted:constant:2');
});

test('what there is not is left as usual, and engines that there are stay', () => {
  const defaults = fieldsOf('');
  expect(defaults.scene).toBe('heap');
  expect(fieldsOf('?scene=castle&engines=none&length=long')).toEqual(defaults);
  expect(fieldsOf('?engines=cannon,havok').engines).toEqual(['cannon']);
});

test('lengths are those that are given and within their ranges', () => {
  expect(lengthsOf('')).toEqual({});
  expect(lengthsOf('?seconds=0.3&warmUp=0.1&repeats=2&headroom=0')).toEqual({
    seconds: 0.3,
    warmUpSeconds: 0.1,
    repeats: 2,
    searchesHeadroom: false,
  });
  expect(lengthsOf('?seconds=0&warmUp=fast&repeats=101&headroom=1')).toEqual({});
});
