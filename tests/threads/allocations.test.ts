import { fork } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Allocations } from '../fixtures/workers/allocations.worker.js';

/**
 * Whether a call is inlined, and a number passed to it therefore not boxed, is the engine's choice,
 * which a distant change may affect. That may cost some numbers a call; ten of the smallest arrays
 * are 320 bytes.
 */
const ONE_NUMBER = 16;
const FOUR_NUMBERS = 4 * ONE_NUMBER;
/** The measurement itself leaves a little, shared by all calls of its round. */
const MEASUREMENT = 8;

/** In a separate process, whose engine does the same every time, however busy the machine is. */
const ENGINE = [
  '--expose-gc',
  // A busy machine would otherwise measure code that is not optimised yet, in which numbers are
  // boxed.
  '--single-threaded',
  // Room for all the garbage of a round, in MB: a collection in between would hide it.
  '--min-semi-space-size=16',
];

let bytes: Allocations;
beforeAll(async () => {
  const script = new URL('allocations.worker.js', inject('workerScripts'));
  const child = fork(script, { execArgv: ENGINE });
  // Awaited from the start: both may come in one turn.
  const ended = once(child, 'exit');
  [{ measured: bytes }] = (await once(child, 'message')) as [{ measured: Allocations }];
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
    'write matrices',
    'binding, instances',
    'binding, instances in order',
    'binding, instances in order, others kept',
  ])('are none, or one number: %s', (what) => {
    expect(bytes[what]).toBeLessThan(ONE_NUMBER + MEASUREMENT);
  });

  test.each([
    'sample',
    'pose of a frame',
    'binding, one object',
    'binding, one object in a parent',
    'binding, objects at rest',
    'binding, objects that move',
    'rest watch',
    'a whole tick',
    'a whole frame',
  ])('are a few numbers at most: %s', (what) => {
    expect(bytes[what]).toBeLessThan(FOUR_NUMBERS + MEASUREMENT);
  });

  test('would be detected', () => {
    expect(bytes['one object']).toBeGreaterThan(ONE_NUMBER + MEASUREMENT);
    expect(bytes['ten small arrays']).toBeGreaterThan(FOUR_NUMBERS + MEASUREMENT);
    expect(bytes['one object a body']).toBeGreaterThan(200 * 16);
  });
});
