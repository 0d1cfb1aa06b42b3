/** The level of rendering quality on a machine that cannot draw the best one. */
import { expect, test } from 'vitest';
import { LEVELS } from '../page/quality/levels.js';
import { QualityController } from '../page/quality/quality-controller.js';

/** The level after half a minute at a frame rate that does not depend on it. */
function levelAt(framesPerSecond: number, start: number): number {
  const controller = new QualityController(LEVELS.length, start);
  for (let frame = 0; frame < 30 * framesPerSecond; frame++) {
    const wanted = controller.frame((1000 * frame) / framesPerSecond, undefined);
    if (wanted !== undefined) controller.apply(wanted);
    controller.drew();
  }
  return controller.level;
}

test('half of the pixels is the least, unless that leaves fewer than 15 frames a second', () => {
  expect(levelAt(20, LEVELS.length)).toBe(2);
  expect(levelAt(10, LEVELS.length)).toBe(1);
  expect(levelAt(20, 1)).toBe(1);
  expect(levelAt(40, 1)).toBe(2);
});
