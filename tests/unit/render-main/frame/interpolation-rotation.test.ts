import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/shared/memory/body-meta.js';
import { samplePose, type StatePair } from '../../../../src/render-main/frame/interpolation.js';
import {
  axisAngle,
  negated,
  normalized,
  rotationBetween,
  slerp,
  type Quaternion,
} from '../../../fixtures/quaternions.js';
import { makePair, rotatedPose } from '../../../fixtures/state-pair.js';
import { expectBelow, expectClose } from '../../../fixtures/quick-checks.js';

/** The 32-bit floats that a lane stores for a quaternion. */
const inLanes = (q: Quaternion): Quaternion => q.map(Math.fround) as unknown as Quaternion;

function pairOf(from: Quaternion, to: Quaternion): { pair: StatePair; made: BodyId } {
  return makePair(
    1,
    (bodies) => bodies.spawn(rotatedPose(from)),
    (bodies, id) => bodies.setPose(id, 0, 0, 0, ...to),
  );
}

/** The rotation that the kernel computes between two. */
function sampled(from: Quaternion, to: Quaternion, blend: number): Quaternion {
  const { pair, made } = pairOf(from, to);
  const out = new Float64Array(7);
  expect(samplePose({ ...pair, blend }, made, out)).toBe(true);
  return [...out.subarray(3)] as unknown as Quaternion;
}

const components = fc.double({ min: -1, max: 1, noNaN: true });
const rotations: fc.Arbitrary<Quaternion> = fc
  .tuple(components, components, components, components)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map(normalized);
const blends = fc.double({ min: 0, max: 1, noNaN: true });
const axes = fc.tuple(components, components, components).filter((a) => Math.hypot(...a) > 0.1);

/** 4e-6 rad where linear interpolation replaces the arc, and far less elsewhere. */
const NEAR = 4e-6;

describe('the rotation between two', () => {
  test('is the spherical one, to within 4e-6 rad', () => {
    fc.assert(
      fc.property(rotations, rotations, blends, (from, to, blend) => {
        // If both arcs have the same length to the last bit of a lane, either is right.
        fc.pre(Math.abs(rotationBetween(from, to) - Math.PI) > 1e-6);
        const expected = slerp(inLanes(from), inLanes(to), blend);
        expectBelow(rotationBetween(sampled(from, to, blend), expected), NEAR);
      }),
      { numRuns: 500 },
    );
  });

  test('is also spherical for rotations that are nearly equal, on either side of the shortcut', () => {
    fc.assert(
      fc.property(
        axes,
        rotations,
        // The shortcut is used below 3.62°, which is 0.0632 rad.
        fc.oneof(
          fc.double({ min: 0, max: 0.07, noNaN: true }),
          fc.double({ min: 0.062, max: 0.065, noNaN: true }),
          fc.double({ min: 0, max: 1e-6, noNaN: true }),
        ),
        blends,
        (axis, from, angle, blend) => {
          const to = multiplied(axisAngle(...axis, angle), from);
          const expected = slerp(inLanes(from), inLanes(to), blend);
          expectBelow(rotationBetween(sampled(from, to, blend), expected), NEAR);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('has unit length', () => {
    fc.assert(
      fc.property(rotations, rotations, blends, (from, to, blend) => {
        expectClose(Math.hypot(...sampled(from, to, blend)), 1, 12);
      }),
      { numRuns: 1000 },
    );
  });

  test('has unit length whatever length the application wrote', () => {
    fc.assert(
      fc.property(
        rotations,
        rotations,
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        blends,
        (from, to, factor, blend) => {
          const long = to.map((lane) => lane * factor) as unknown as Quaternion;
          expectClose(Math.hypot(...sampled(from, long, blend)), 1, 12);
        },
      ),
    );
  });

  test('is the same for q and −q', () => {
    fc.assert(
      fc.property(rotations, rotations, blends, (from, to, blend) => {
        fc.pre(Math.abs(rotationBetween(from, to) - Math.PI) > 1e-5);
        const plain = sampled(from, to, blend);
        for (const other of [
          sampled(from, negated(to), blend),
          sampled(negated(from), to, blend),
          sampled(negated(from), negated(to), blend),
        ]) {
          expectBelow(rotationBetween(plain, other), 1e-7);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('from q to −q does not move', () => {
    fc.assert(
      fc.property(rotations, blends, (q, blend) => {
        expectBelow(rotationBetween(sampled(q, negated(q), blend), inLanes(q)), 1e-7);
      }),
    );
  });

  test('begins and ends at the two', () => {
    fc.assert(
      fc.property(rotations, rotations, (from, to) => {
        expectBelow(rotationBetween(sampled(from, to, 0), inLanes(from)), 1e-7);
        expectBelow(rotationBetween(sampled(from, to, 1), inLanes(to)), 1e-7);
      }),
    );
  });
});

const about = (degrees: number): Quaternion => axisAngle(0, 1, 0, (degrees * Math.PI) / 180);

const degreesAt = (to: number, blend: number): number => {
  const [, y, , w] = sampled(about(0), about(to), blend);
  const degrees = (2 * Math.atan2(y, w) * 180) / Math.PI;
  return ((degrees + 540) % 360) - 180;
};

describe('a turn within one tick', () => {
  test('of less than 180° is at constant speed', () => {
    for (const blend of [0, 0.1, 0.25, 0.5, 0.75, 1]) {
      expect(degreesAt(90, blend)).toBeCloseTo(90 * blend, 4);
      expect(degreesAt(179, blend)).toBeCloseTo(179 * blend, 4);
      expect(degreesAt(-179, blend)).toBeCloseTo(-179 * blend, 4);
    }
  });

  test('of exactly 180° goes one of the two ways, evenly', () => {
    const quarter = Math.abs(degreesAt(180, 0.25));
    const half = Math.abs(degreesAt(180, 0.5));
    expect(quarter).toBeCloseTo(45, 4);
    expect(half).toBeCloseTo(90, 4);
    // Quaternions whose product is exactly 0.
    for (const blend of [0, 0.3, 0.5, 1]) {
      const result = sampled([0, 0, 0, 1], [1, 0, 0, 0], blend);
      expect(Math.hypot(...result)).toBeCloseTo(1, 12);
      expect(rotationBetween(result, [0, 0, 0, 1])).toBeCloseTo(Math.PI * blend, 6);
    }
  });

  test('of more than 180° looks like the shorter one the other way round', () => {
    for (const blend of [0.25, 0.5, 0.75]) {
      expect(degreesAt(270, blend)).toBeCloseTo(-90 * blend, 4);
      expect(degreesAt(350, blend)).toBeCloseTo(-10 * blend, 4);
    }
  });

  test('continues beyond the second one when extrapolated', () => {
    expect(degreesAt(30, 2)).toBeCloseTo(60, 3);
    expect(degreesAt(1, 2)).toBeCloseTo(2, 3);
    expect(degreesAt(30, 1.5)).toBeCloseTo(45, 3);
  });
});

/** a after b. */
function multiplied(a: Quaternion, b: Quaternion): Quaternion {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
