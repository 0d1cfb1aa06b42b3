import { expect, test } from 'vitest';
import { beginCall, createGuard, withdrawCall } from '../../../../src/shared/memory/call-guard.js';

test('a call that the worker has begun is not withdrawn', () => {
  const guard = createGuard();
  expect([beginCall(guard), withdrawCall(guard), withdrawCall(guard)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('a call that the page has withdrawn does not begin, and may be withdrawn again', () => {
  const guard = createGuard();
  expect([withdrawCall(guard), beginCall(guard), withdrawCall(guard)]).toEqual([true, false, true]);
  expect(guard.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(guard).toHaveLength(1);
});
