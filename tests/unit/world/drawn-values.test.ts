/** The numbers of an item, as a frame shows them. */
import { expect, test } from 'vitest';
import type { SampledFrame } from '../../../src/render-main/index.js';
import { DrawnValues } from '../../../src/world/page/drawn-values.js';

/** A frame between two ticks: 4.25 is a quarter of the way from 4 to 5. */
const frameAt = (shown: number, newestTick: number): SampledFrame => {
  const tick = Math.ceil(shown);
  return { tick, blend: shown - tick + 1, newestTick } as SampledFrame;
};

/** Two numbers of a state: its tick, and twice that. */
const published = (tick: number, count = 2) => ({
  values: Float32Array.of(7, tick, 2 * tick, 7).subarray(0, 2 + count),
  at: 1,
  count,
});

const look = (drawn: DrawnValues) => [
  drawn.blended(([first = -1]) => first),
  drawn.blended(([, second = -1]) => second),
  drawn.later[0],
];

const FRAMES: readonly (readonly [
  name: string,
  states: readonly number[],
  shown: number,
  expected: readonly number[],
])[] = [
  ['the newest state', [1, 2, 3], 3, [3, 6, 3]],
  ['between the two newest', [1, 2, 3], 2.25, [2.25, 4.5, 3]],
  ['between older ones', [1, 2, 3, 4], 1.5, [1.5, 3, 2]],
  ['on a tick', [1, 2, 3], 2, [2, 4, 2]],
  ['between states that a slow page has not seen', [1, 5], 3.5, [3.5, 7, 5]],
  ['before all that are known', [5, 6], 4.5, [5, 10, 5]],
  ['after the newest', [5, 6], 6.5, [6, 12, 6]],
  ['after a jump back', [7, 8, 3], 2.5, [3, 6, 3]],
];

test.each(FRAMES)('a frame shows %s', (_, states, shown, expected) => {
  const drawn = new DrawnValues();
  expect(look(drawn)).toEqual([-1, -1, undefined]);
  for (const tick of states) drawn.note(frameAt(shown, tick), published(tick));
  expect(look(drawn)).toEqual(expected);
});

test('numbers that another state has fewer of are not blended with those of others', () => {
  const drawn = new DrawnValues();
  drawn.note(frameAt(1, 1), published(1, 1));
  drawn.note(frameAt(1.5, 2), published(2));
  expect(look(drawn)).toEqual([2, 4, 2]);
  drawn.note(frameAt(2.5, 3), { values: new Float32Array(0), at: -1, count: 0 });
  expect(look(drawn)).toEqual([-1, -1, undefined]);
});
