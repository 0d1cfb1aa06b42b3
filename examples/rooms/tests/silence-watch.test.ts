import { expect, test } from 'vitest';
import { SilenceWatch } from '../src/silence-watch.js';

const SECOND = 2;

test('a server is silent when nothing came for four seconds, until something comes', () => {
  const silence = new SilenceWatch();
  let messages = 0;
  const look = (seconds: number, perLook = 0): boolean[] =>
    Array.from({ length: seconds * SECOND }, () => silence.isSilent((messages += perLook)));
  expect(look(10, 15)).not.toContain(true);
  expect(look(3.5)).not.toContain(true);
  expect(look(0.5)).toEqual([true]);
  expect(look(5)).not.toContain(false);
  expect(look(0.5, 1)).toEqual([false]);
  expect(look(3.5)).not.toContain(true);
});
