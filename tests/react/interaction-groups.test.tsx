import { expect, test } from 'vitest';
import { interactionGroups } from '../../src/render-main/react/index.js';

test('a group, or a list of them, are the upper half of the bits', () => {
  expect(interactionGroups(0)).toBe(0x0001_ffff);
  expect(interactionGroups([0, 1, 15])).toBe(0x8003_ffff);
});

test('what it meets is the lower half, and everything by default', () => {
  expect(interactionGroups(0, 0)).toBe(0x0001_0001);
  expect(interactionGroups([1], [0, 2])).toBe(0x0002_0005);
  expect(interactionGroups(3, [])).toBe(0x0008_0000);
});

test('a group that is none is named', () => {
  expect(() => interactionGroups(16)).toThrow(/memberships/);
  expect(() => interactionGroups(0, [1, -1])).toThrow(/filters/);
});
