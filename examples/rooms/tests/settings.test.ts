import { expect, test } from 'vitest';
import { parseSettings, serialiseSettings } from '../src/settings.js';

test('the address of the page of Sumo says how it shows the room, and which', () => {
  const query = '?mode=stream&latency=120&loss=5&ghost=1&name=Ada&room=x-1';
  const { settings, problems } = parseSettings(query);
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({ mode: 'stream', latency: 120, jitter: 0, room: 'x-1' });
  expect(serialiseSettings(settings)).toBe(query);
  expect(serialiseSettings(parseSettings('').settings)).toBe('');
});

test('what is invalid in the address of the page of Sumo is said and replaced', () => {
  const { settings, problems } = parseSettings('?mode=guess&latency=900&server=nowhere&colour=red');
  expect(settings).toMatchObject({ mode: 'predict', latency: 0, server: undefined });
  expect(problems.map(({ parameter }) => parameter)).toEqual([
    'mode',
    'latency',
    'server',
    'colour',
  ]);
});
