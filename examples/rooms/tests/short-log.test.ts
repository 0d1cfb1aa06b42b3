import { expect, test } from 'vitest';
import { shortLog } from '../server/short-log.js';

test('the log of the rooms has one line for what a client sends, and few of them at the same time', () => {
  const lines: unknown[] = [];
  const note = (...parts: unknown[]): void => void lines.push(...parts);
  let nowMs = 0;
  const log = shortLog(
    { debug: note, error: note, info: note, trace: note, warn: note },
    () => nowMs,
  );
  for (let count = 0; count < 25; count++) log.error('Error: 0xc1\n    at unpack\n    at emit');
  expect(lines).toEqual(Array.from({ length: 10 }, () => 'Error: 0xc1'));
  log.info('a\nb');
  nowMs += 10_000;
  const error = new Error('of the room');
  log.error(error);
  expect(lines.slice(10)).toEqual(['a\nb', '(15 more errors)', error]);
});
