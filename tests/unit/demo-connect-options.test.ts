/** What the demo's settings make of its connection. */
import { expect, test } from 'vitest';
import { connectOptionsOf } from '../../demo/page/connect-options.js';
import { OVERLOAD_WAYS, defaultSettings } from '../../demo/page/settings.js';

test.each(OVERLOAD_WAYS)('a simulation that cannot keep up goes on as set: %s', (overload) => {
  const options = connectOptionsOf({ ...defaultSettings(), overload });
  expect(options.whenUnresponsive).toBe(overload);
});

test('it goes on in slow motion where nothing is set', () => {
  expect(connectOptionsOf(defaultSettings()).whenUnresponsive).toBe('slow-motion');
});
