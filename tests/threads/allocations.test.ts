import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import { startThread } from '../fixtures/threads.js';
import type { Allocations } from '../fixtures/workers/allocations.worker.js';

/**
 * Whether a call is inlined, and a number handed to it therefore not boxed, is the engine's choice; it differs
 * between two runs of the same code. One number a call is what that may cost; an object is more.
 */
const ONE_NUMBER = 16;
/** The measurement itself leaves a little, shared by all calls of its round. */
const MEASUREMENT = 4;

let bytes: Allocations;
beforeAll(async () => {
  const thread = startThread('allocations');
  // Awaited from the start: both may come in one turn.
  const ended = once(thread, 'exit');
  [{ measured: bytes }] = (await once(thread, 'message')) as [{ measured: Allocations }];
  await ended;
});

describe('bytes of garbage a call', () => {
  test.each([
    'matrices',
    'pose',
    'pose written',
    'publication',
    'frame statistics',
    'worker statistics',
  ])('are none, or one number: %s', (what) => {
    expect(bytes[what]).toBeLessThan(ONE_NUMBER + MEASUREMENT);
  });

  // What is there are numbers that the engine boxes at calls that it does not inline. 200 bodies that
  // left one number each would be twice as much.
  test.each(['a whole tick', 'a whole frame'])('do not grow with the bodies: %s', (what) => {
    expect(bytes[what]).toBeLessThan(1600);
  });

  test('would be seen', () => {
    expect(bytes['one object']).toBeGreaterThan(ONE_NUMBER + MEASUREMENT);
    expect(bytes['one object a body']).toBeGreaterThan(200 * 16);
  });
});
