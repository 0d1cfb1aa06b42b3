import { expect, test } from 'vitest';
import { overOf } from '../src/join-error.js';

const last = { roomId: 'a', lostMs: 1000, hasEnded: false };

test.each([
  ['of a link', null, 2000, /^This room is over: everyone/, 'other'],
  [
    'of a link to another room than the last',
    { ...last, roomId: 'b' },
    2000,
    /^This room is over/,
    'other',
  ],
  ['whose seat the server would still keep', last, 10_900, /^The server was restarted/, 'found'],
  [
    'that was lost long ago',
    last,
    20_000,
    /^Your room is over: the server was restarted, or/,
    'found',
  ],
  [
    'whose server has ended',
    { ...last, hasEnded: true },
    60_000,
    /^The server was restarted/,
    'found',
  ],
] as const)('a page says why a room %s is not there', (_, room, nowMs, message, offer) => {
  const error = overOf(room, 'a', nowMs);
  expect(error.message).toMatch(message);
  expect(error.offer).toBe(offer);
});
