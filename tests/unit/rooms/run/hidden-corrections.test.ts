import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BODY_ALIVE, nextOwner } from '../../../../src/shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../../../src/shared/memory/layout.js';
import { HiddenCorrections } from '../../../../src/rooms/run/hidden-corrections.js';
import type { BodyLanes } from '../../../../src/rooms/shared/body-stream.js';
import { rotationBetween, type Quaternion } from '../../../fixtures/quaternions.js';

type Numbers = readonly number[];

function bodyAt(position: Numbers, rotation: Numbers, meta = BODY_ALIVE): BodyLanes {
  const poses = new Float32Array(BODY_LANES);
  const metas = new Int32Array(poses.buffer);
  const length = Math.hypot(...rotation);
  poses.set(position);
  poses.set(
    rotation.map((value) => value / length),
    LANE.qx,
  );
  metas[LANE.meta] = meta;
  return { poses, metas };
}

const at = (x: number, meta?: number): BodyLanes => bodyAt([x, 0, 0], [0, 0, 0, 1], meta);

const copyOf = ({ poses }: BodyLanes): BodyLanes => {
  const copy = poses.slice();
  return { poses: copy, metas: new Int32Array(copy.buffer) };
};

const numbers = (count: number, most: number): fc.Arbitrary<number[]> =>
  fc.array(fc.double({ min: -most, max: most, noNaN: true }), {
    minLength: count,
    maxLength: count,
  });
const place = numbers(3, 2);
const turn = numbers(4, 1).filter((q) => Math.hypot(...q) > 0.1);

const rotationOf = ({ poses }: BodyLanes) => [...poses.subarray(LANE.qx)] as unknown as Quaternion;

/** Where a body is drawn that was corrected by 0.2, and turned by 0.24 rad, a second ago. */
function leftAfterASecond(hz: number): number {
  const corrections = new HiddenCorrections();
  const picture = at(0);
  corrections.note(bodyAt([0.2, 0, 0], [0, 0.12, 0, 1]), picture, 1);
  for (let tick = 0; tick < hz; tick++) corrections.decay(1 / hz);
  corrections.apply(picture);
  return picture.poses[0] ?? 0;
}

test('corrections leave the picture as it was, and fade', () => {
  fc.assert(
    fc.property(place, turn, place, turn, (from, fromTurn, to, toTurn) => {
      fc.pre(Math.hypot(...from.map((value, i) => value - (to[i] ?? 0))) < 4.9);
      const shown = bodyAt(from, fromTurn);
      const corrected = bodyAt(to, toTurn);
      const corrections = new HiddenCorrections();
      corrections.note(shown, corrected, 1);
      const picture = copyOf(corrected);
      corrections.apply(picture);
      for (let i = 0; i < 3; i++) expect(picture.poses[i]).toBeCloseTo(shown.poses[i] ?? 0, 3);
      expect(rotationBetween(rotationOf(picture), rotationOf(shown))).toBeLessThan(0.008);
      let before = Number.POSITIVE_INFINITY;
      for (let tick = 0; tick < 600 && corrections.count > 0; tick++) {
        corrections.decay(1 / 60);
        const now = copyOf(corrected);
        corrections.apply(now);
        const distance = Math.hypot(...to.map((value, i) => (now.poses[i] ?? 0) - value));
        if (distance > before + 1e-5) throw new Error(`it moves away: ${distance}`);
        before = distance;
      }
      expect(corrections.count).toBe(0);
    }),
    { numRuns: 50 },
  );
});

test('corrections fade in the same time at any tick rate', () => {
  expect(leftAfterASecond(60)).toBeCloseTo(0.2 * 0.95 ** 60, 4);
  expect(leftAfterASecond(240)).toBeCloseTo(leftAfterASecond(60), 4);
});

test('no correction hides another body, one that was teleported, or one that is far away', () => {
  const corrections = new HiddenCorrections();
  for (const [corrected, count] of [
    [at(1, nextOwner(BODY_ALIVE)), 0],
    [at(6), 0],
    [at(1), 1],
    [at(0), 0],
  ] as const) {
    corrections.note(at(0), corrected, 1);
    expect(corrections.count).toBe(count);
  }
});
