/** Where bodies are drawn between two states, as poses and as matrices. */
import fc from 'fast-check';
import * as three from 'three';
import { expect, test } from 'vitest';
import {
  blendValues,
  sampleMatrices,
  samplePose,
} from '../../../../src/render-main/frame/interpolation.js';
import type { BodyId } from '../../../../src/shared/memory/body-meta.js';
import { churns, tryChurn } from '../../../attack/churn/churn.js';
import { poseAt } from '../../../fixtures/poses.js';
import { present } from '../../../fixtures/present.js';
import {
  axisAngle,
  negated,
  normalized,
  rotationBetween,
  slerp,
  type Quaternion,
} from '../../../fixtures/quaternions.js';
import { expectBelow, expectClose } from '../../../fixtures/quick-checks.js';
import { makePair, rotatedPose } from '../../../fixtures/state-pair.js';

/** The rotation that the kernel computes between two, after their lanes of 32 bits. */
function sampled(from: Quaternion, to: Quaternion, blend: number): Quaternion {
  const { pair, made } = makePair(
    1,
    (bodies) => bodies.spawn(rotatedPose(from)),
    (bodies, id) => bodies.setPose(id, 0, 0, 0, ...to),
  );
  const out = new Float64Array(7);
  expect(samplePose({ ...pair, blend }, made, out)).toBe(true);
  return [...out.subarray(3)] as unknown as Quaternion;
}

const inLanes = (q: Quaternion): Quaternion => q.map(Math.fround) as unknown as Quaternion;
const within = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const lane = within(-1, 1);
const rotations: fc.Arbitrary<Quaternion> = fc
  .tuple(lane, lane, lane, lane)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map(normalized);
const blends = within(0, 1);
const axes = fc.tuple(lane, lane, lane).filter((axis) => Math.hypot(...axis) > 0.1);

/** 4e-6 rad where linear interpolation replaces the arc, and far less elsewhere. */
const NEAR = 4e-6;

test('the rotation between two is the spherical one, begins and ends at them, and is the same for q and −q', () => {
  fc.assert(
    fc.property(rotations, rotations, blends, (from, to, blend) => {
      // If both arcs have the same length to the last bit of a lane, either is right.
      fc.pre(Math.abs(rotationBetween(from, to) - Math.PI) > 1e-5);
      const plain = sampled(from, to, blend);
      expectBelow(rotationBetween(plain, slerp(inLanes(from), inLanes(to), blend)), NEAR);
      for (const other of [
        sampled(from, negated(to), blend),
        sampled(negated(from), to, blend),
        sampled(negated(from), negated(to), blend),
      ]) {
        expectBelow(rotationBetween(plain, other), 1e-7);
      }
      expectBelow(rotationBetween(sampled(from, to, 0), inLanes(from)), 1e-7);
      expectBelow(rotationBetween(sampled(from, to, 1), inLanes(to)), 1e-7);
      expectBelow(rotationBetween(sampled(from, negated(from), blend), inLanes(from)), 1e-7);
    }),
    { numRuns: 300 },
  );
});

test('the rotation between two that are nearly equal is spherical on either side of the shortcuts', () => {
  // The line is used below 0.05°, which is 0.0009 rad, and the series below 51.7°, which is 0.902 rad.
  const angles = fc.oneof(
    within(0, 1e-6),
    within(0, 0.07),
    within(0.0008, 0.001),
    within(0.88, 0.92),
  );
  fc.assert(
    fc.property(axes, rotations, angles, blends, (axis, from, angle, blend) => {
      const to = multiplied(axisAngle(...axis, angle), from);
      const expected = slerp(inLanes(from), inLanes(to), blend);
      expectBelow(rotationBetween(sampled(from, to, blend), expected), NEAR);
    }),
    { numRuns: 300 },
  );
});

test('the rotation between two has unit length, whatever length the application wrote', () => {
  const factors = fc.oneof(fc.constant(1), within(0.01, 100));
  fc.assert(
    fc.property(rotations, rotations, factors, blends, (from, to, factor, blend) => {
      const long = to.map((component) => component * factor) as unknown as Quaternion;
      expectClose(Math.hypot(...sampled(from, long, blend)), 1, 12);
    }),
    { numRuns: 300 },
  );
});

const about = (degrees: number): Quaternion => axisAngle(0, 1, 0, (degrees * Math.PI) / 180);

function degreesAt(to: number, blend: number): number {
  const [, y, , w] = sampled(about(0), about(to), blend);
  const degrees = (2 * Math.atan2(y, w) * 180) / Math.PI;
  return ((degrees + 540) % 360) - 180;
}

test('a turn continues beyond the second state when it is extrapolated', () => {
  expect(degreesAt(30, 2)).toBeCloseTo(60, 3);
  expect(degreesAt(1, 2)).toBeCloseTo(2, 3);
  expect(degreesAt(30, 1.5)).toBeCloseTo(45, 3);
  expect(degreesAt(60, 1.5)).toBeCloseTo(90, 3);
});

test('a turn by exactly 180° is drawn one of the two ways, evenly', () => {
  expect(Math.abs(degreesAt(180, 0.25))).toBeCloseTo(45, 4);
  expect(Math.abs(degreesAt(180, 0.5))).toBeCloseTo(90, 4);
  // Quaternions whose product is exactly 0.
  for (const blend of [0, 0.3, 0.5, 1]) {
    const result = sampled([0, 0, 0, 1], [1, 0, 0, 0], blend);
    expect(Math.hypot(...result)).toBeCloseTo(1, 12);
    expect(rotationBetween(result, [0, 0, 0, 1])).toBeCloseTo(Math.PI * blend, 6);
  }
});

/** a after b. */
const multiplied = (a: Quaternion, b: Quaternion): Quaternion =>
  new three.Quaternion(...a).multiply(new three.Quaternion(...b)).toArray();

test('a body in both states is drawn on the straight line between, and beyond when extrapolated', () => {
  const { pair, made } = makePair(
    1,
    (bodies) => bodies.spawn(poseAt(10, 0, -4)),
    (bodies, id) => {
      // Sleep does not break its path.
      bodies.setAsleep(id, true);
      bodies.setPose(id, 20, 8, -4, 0, 0, 0, 1);
    },
  );
  const out = new Float64Array(7);
  samplePose({ ...pair, blend: 0.25 }, made, out);
  expect([...out]).toEqual([12.5, 2, -4, 0, 0, 0, 1]);
  samplePose({ ...pair, blend: 1.5 }, made, out);
  expect([...out]).toEqual([25, 12, -4, 0, 0, 0, 1]);
});

test('of bodies that come, go and teleport, each is drawn at its place, and nothing between, whatever a display skips', async () => {
  const churned = fc.asyncProperty(churns, async (churn) => void (await tryChurn(churn)));
  await fc.assert(churned, { numRuns: 10 });
});

const number = within(-100, 100);
const anyPose = fc
  .tuple(number, number, number, number, number, number, number)
  .filter(([, , , ...rotation]) => Math.hypot(...rotation) > 1);
/** Close enough to the first for the series and the line. */
const turned = fc.tuple(anyPose, axes, within(0, 1)).map(([pose, axis, angle]) => {
  const to = multiplied(axisAngle(...axis, angle), pose.slice(3) as unknown as Quaternion);
  return [pose, [...pose.slice(0, 3), ...to] as unknown as typeof pose] as const;
});
const moves = fc.oneof(fc.tuple(anyPose, anyPose), turned);

test('matrices match the poses to the last bit, so that instances and single objects move alike', () => {
  fc.assert(
    fc.property(fc.array(moves, { minLength: 1, maxLength: 10 }), within(0, 2), (made, blend) => {
      const { pair, made: ids } = makePair(
        10,
        (bodies) =>
          made.map(([[x, y, z, qx, qy, qz, qw]]) => bodies.spawn({ x, y, z, qx, qy, qz, qw })),
        (bodies, spawned) => {
          for (const [index, id] of spawned.entries()) {
            bodies.setPose(id, ...present(made[index])[1]);
          }
        },
      );
      const scales = Float32Array.from({ length: 30 }, (_, index) => 1 + index / 8);
      const matrices = new Float32Array(160);
      const sampling = { ...pair, blend };
      sampleMatrices(sampling, Uint32Array.from(ids), scales, ids.length, matrices);
      for (const [index, id] of ids.entries()) {
        const single = new Float64Array(7);
        samplePose(sampling, id, single);
        const wanted = new three.Matrix4().compose(
          new three.Vector3().fromArray(single),
          new three.Quaternion().fromArray(single, 3),
          new three.Vector3().fromArray(scales, 3 * index),
        );
        for (const [element, expected] of wanted.elements.entries()) {
          // Both are computed in 64 bits; rounding to 32 bits may differ in the last one.
          const digit = Math.max(1, Math.abs(expected)) * 2 ** -22;
          expectBelow(Math.abs(present(matrices[index * 16 + element]) - expected), digit);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test('matrices are counted and written for living bodies, and none beyond the count is touched', () => {
  const { pair, made } = makePair(
    3,
    (bodies) => [1, 2, 3].map((x) => bodies.spawn(poseAt(x))),
    (bodies, ids) => bodies.despawn(ids[1] as BodyId),
  );
  const out = new Float32Array(64).fill(5);
  const ids = Uint32Array.from([...made, ...made.slice(0, 1)]);
  const scales = Float32Array.of(1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1);
  expect(sampleMatrices({ ...pair, blend: 1 }, ids, scales, 3, out)).toBe(2);
  expect([out[12], out[44], out[37]]).toEqual([1, 3, 2]);
  expect([...out.subarray(16, 28)].every((element) => element === 0)).toBe(true);
  expect([...out.subarray(48)].every((element) => element === 5)).toBe(true);
  expect(sampleMatrices({ ...pair, blend: 0.5 }, ids, scales, 3, out)).toBe(3);
  expect(out[28]).toBe(2);
});

test('values at the end of a blend are exact, however far they were before', () => {
  const [previous, current] = [Float32Array.of(1e30, -3), Float32Array.of(1, 3)];
  const words = new Int32Array(3);
  const out = new Float32Array(2);
  blendValues({ previous, current, words, blend: 1 }, 0, 2, out);
  expect([...out]).toEqual([1, 3]);
  blendValues({ previous, current, words, blend: 0 }, 0, 2, out);
  expect([...out]).toEqual([Math.fround(1e30), -3]);
});
