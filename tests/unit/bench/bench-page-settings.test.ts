/** The settings that the benchmark's page reads from its address. */
import { expect, test } from 'vitest';
import { fieldsFrom, lengthsFrom } from '../../../bench/page/settings.js';
import { AddressReader } from '../../../site/common/settings-address.js';

const fieldsOf = (search: string) => fieldsFrom(new AddressReader(search));
const lengthsOf = (search: string) => lengthsFrom(new AddressReader(search));

test('an address fills the form with its values', () => {
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

test('unknown values keep their defaults, and known engines are kept', () => {
  const defaults = fieldsOf('');
  expect(defaults.scene).toBe('heap');
  expect(fieldsOf('?scene=castle&engines=none&length=long')).toEqual(defaults);
  expect(fieldsOf('?engines=cannon,havok').engines).toEqual(['cannon']);
});

test('lengths are used if they are within their ranges', () => {
  expect(lengthsOf('')).toEqual({});
  expect(lengthsOf('?seconds=0.3&warmUp=0.1&repeats=2&headroom=0')).toEqual({
    seconds: 0.3,
    warmUpSeconds: 0.1,
    repeats: 2,
    searchesHeadroom: false,
  });
  expect(lengthsOf('?seconds=0&warmUp=fast&repeats=101&headroom=1')).toEqual({});
});
