import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import {
  BODY_ALIVE,
  BODY_INVALID,
  CONTINUITY_MASK,
  bodyId,
  slotOf,
  type BodyId,
} from '../../../../src/shared/memory/body-meta.js';
import { CapacityExceededError } from '../../../../src/shared/util/errors.js';
import { sampleMatrices } from '../../../../src/render-main/frame/interpolation.js';
import { BODY_LANES, LANE } from '../../../../src/shared/memory/layout.js';
import type { Pose } from '../../../../src/sim-worker/index.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import { poseAt } from '../../../fixtures/poses.js';
import { expectSame } from '../../../fixtures/quick-checks.js';
import { makePair } from '../../../fixtures/state-pair.js';

const CAPACITY = 4;

let bodies: BodyRegistry;
beforeEach(() => {
  bodies = new BodyRegistry(CAPACITY);
});

const metaOf = (id: BodyId): number => bodies.lanes[slotOf(id) * BODY_LANES + LANE.meta] ?? 0;

/** The seven numbers as the snapshot will have them. */
function storedPose(registry: BodyRegistry, id: BodyId): number[] {
  const poses = new Float32Array(registry.lanes.buffer);
  const at = slotOf(id) * BODY_LANES;
  return [LANE.x, LANE.y, LANE.z, LANE.qx, LANE.qy, LANE.qz, LANE.qw].map(
    (lane) => poses[at + lane] ?? Number.NaN,
  );
}

function move(registry: BodyRegistry, id: BodyId, pose: Pose): boolean {
  const { x, y, z, qx, qy, qz, qw } = pose;
  return registry.setPose(id, x, y, z, qx, qy, qz, qw);
}

/** Everything that a registry exposes, to compare before and after. */
const everythingIn = ({ lanes, changedAt, bodyLimit, bodyCount, invalidPoses }: BodyRegistry) =>
  structuredClone({ lanes, changedAt, bodyLimit, bodyCount, invalidPoses });

test('bodies get slots from 0 up and generation 1, and are counted', () => {
  const ids = [0, 1, 2].map((x) => bodies.spawn(poseAt(x)));
  expect(ids).toEqual([bodyId(0, 1), bodyId(1, 1), bodyId(2, 1)]);
  expect(bodies.bodyCount).toBe(3);
  expect(bodies.bodyLimit).toBe(3);
  expect(ids.map((id) => storedPose(bodies, id)[0])).toEqual([0, 1, 2]);
  expect(ids.every((id) => bodies.isAlive(id))).toBe(true);
  const never = [bodyId(0, 0), bodyId(3, 1), bodyId(1000, 1)];
  expect(never.some((id) => bodies.isAlive(id))).toBe(false);
});

test('a new body gets the slot that was given back last, with the next generation', () => {
  const [first, second] = [bodies.spawn(poseAt(0)), bodies.spawn(poseAt(1))];
  bodies.teleport(second, poseAt(1));
  bodies.setAsleep(second, true);
  move(bodies, second, poseAt(Number.NaN));
  expect(bodies.despawn(first)).toBe(true);
  expect(bodies.despawn(second)).toBe(true);
  const third = bodies.spawn(poseAt(2));
  // Without the flags and teleports of the old one.
  expect(metaOf(third)).toBe(BODY_ALIVE | 2);
  expect(slotOf(third)).toBe(slotOf(second));
  expect(third >>> 20).toBe(2);
  expect(bodies.bodyLimit).toBe(2);
  expect(bodies.bodyCount).toBe(1);
});

test('the id of a body is dead for every operation once its body has left', () => {
  const first = bodies.spawn(poseAt(1));
  bodies.despawn(first);
  const second = bodies.spawn(poseAt(2));
  const before = everythingIn(bodies);
  expect(bodies.isAlive(first)).toBe(false);
  expect(bodies.despawn(first)).toBe(false);
  expect(move(bodies, first, poseAt(9))).toBe(false);
  expect(bodies.teleport(first, poseAt(9))).toBe(false);
  bodies.setAsleep(first, true);
  expect(everythingIn(bodies)).toEqual(before);
  expect(bodies.isAlive(second)).toBe(true);
});

test('a body beyond the capacity throws, and changes nothing', () => {
  const ids = Array.from({ length: CAPACITY }, (_, x) => bodies.spawn(poseAt(x)));
  bodies.beginState(5);
  const before = everythingIn(bodies);
  expect(() => bodies.spawn(poseAt(9))).toThrow(CapacityExceededError);
  expect(() => bodies.spawn(poseAt(9))).toThrow(/all 4 bodies .* higher capacity/);
  expect(everythingIn(bodies)).toEqual(before);
  expect(ids.every((id) => bodies.isAlive(id))).toBe(true);
  expect(bodies.despawn(bodyId(2, 1))).toBe(true);
  expect(slotOf(bodies.spawn(poseAt(9)))).toBe(2);
});

test('clearing the bodies frees all slots, and a rebuilt scene gets the same ones', () => {
  const build = (): BodyId[] => [0, 1, 2].map((x) => bodies.spawn(poseAt(x)));
  const before = build();
  bodies.despawn(bodyId(0, 1));
  bodies.clear();
  expect(bodies.bodyCount).toBe(0);
  const after = build();
  expect(after.map(slotOf)).toEqual(before.map(slotOf));
  expect(after.some((id) => before.includes(id))).toBe(false);
  expect(before.some((id) => bodies.isAlive(id))).toBe(false);
});

test.each([
  ...['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'].map((lane) => ({ [lane]: Number.NaN })),
  ...['x', 'qw'].flatMap((lane) => [Infinity, -Infinity].map((value) => ({ [lane]: value }))),
  // Infinite in a lane.
  { x: 1e39 },
  { x: 1e300, y: -1e300 },
  { x: Infinity, y: -Infinity },
  // A rotation of length 0 in its lanes.
  { qw: 0 },
  { qw: 0, qx: 1e-50 },
])('a pose with %o is refused and counted, and the last valid pose stays', (wrong) => {
  const id = bodies.spawn(poseAt(1, 2, 3));
  const pose = { ...poseAt(4), ...wrong };
  expect(move(bodies, id, pose)).toBe(false);
  expect(storedPose(bodies, id)).toEqual([1, 2, 3, 0, 0, 0, 1]);
  expect(metaOf(id) & BODY_INVALID).toBe(BODY_INVALID);
  expect(bodies.invalidPoses).toBe(1);
  expect(() => bodies.spawn(pose)).toThrow(RangeError);
});

test('a pose whose numbers have a sum that is too large for a lane is valid', () => {
  expect(move(bodies, bodies.spawn(poseAt(1)), poseAt(3e38, 3e38, 3e38))).toBe(true);
});

test('a refused teleport is not counted as one, and a valid pose clears its mark', () => {
  const id = bodies.spawn(poseAt(1));
  const before = metaOf(id);
  expect(bodies.teleport(id, poseAt(Number.NaN))).toBe(false);
  expect(metaOf(id)).toBe(before | BODY_INVALID);
  expect(move(bodies, id, poseAt(2))).toBe(true);
  expect(metaOf(id)).toBe(before);
  expect(bodies.invalidPoses).toBe(1);
});

test('every matrix that is drawn from accepted poses is finite', () => {
  const numbers = fc.oneof(
    fc.double({ noNaN: false }),
    fc.double({ min: -10, max: 10, noNaN: true }),
    fc.constantFrom(0, -0, 1e-46, 1e-30, 1e38, 4e38),
  );
  const poses = fc.tuple(numbers, numbers, numbers, numbers, numbers, numbers, numbers);
  const blends = fc.double({ min: 0, max: 1, noNaN: true });
  let accepted = 0;
  fc.assert(
    fc.property(poses, poses, blends, (from, to, blend) => {
      const { pair, made } = makePair(
        1,
        (registry) => {
          const id = registry.spawn(poseAt(1, 2, 3));
          accepted += Number(registry.setPose(id, ...from));
          return id;
        },
        (registry, id) => void (accepted += Number(registry.setPose(id, ...to))),
      );
      const out = new Float32Array(16);
      const [ids, scales] = [Uint32Array.of(made), Float32Array.of(1, 1, 1)];
      expectSame(sampleMatrices({ ...pair, blend }, ids, scales, 1, out), 1);
      expectSame(out.every(Number.isFinite), true);
    }),
    { numRuns: 500 },
  );
  expect(accepted).toBeGreaterThan(80);
});

test('an id is dead for 4095 more owners of its slot, and its return, as 256 teleports, is a discontinuity', () => {
  const one = new BodyRegistry(1);
  const meta = (): number => one.lanes[LANE.meta] ?? 0;
  const first = one.spawn(poseAt(1));
  const owned = meta();
  one.despawn(first);
  for (let owner = 0; owner < 4095; owner++) {
    const id = one.spawn(poseAt(2));
    expectSame(one.isAlive(first), false);
    one.despawn(id);
  }
  expect(one.spawn(poseAt(3))).toBe(first);
  expect((meta() ^ owned) & CONTINUITY_MASK).not.toBe(0);
  const still = meta();
  for (let teleport = 0; teleport < 256; teleport++) one.teleport(first, poseAt(teleport));
  expect((meta() ^ still) & CONTINUITY_MASK).not.toBe(0);
  expect(one.isAlive(first)).toBe(true);
});

test.each<[string, boolean, (id: BodyId) => void]>([
  ['a pose', true, (id) => move(bodies, id, poseAt(2))],
  ['a teleport', true, (id) => bodies.teleport(id, poseAt(2))],
  ['a departure', true, (id) => bodies.despawn(id)],
  ['a newcomer', true, () => bodies.spawn(poseAt(2))],
  ['falling asleep', true, (id) => bodies.setAsleep(id, true)],
  ['staying awake', false, (id) => bodies.setAsleep(id, false)],
  ['a refused pose, by its mark', true, (id) => move(bodies, id, poseAt(Number.NaN))],
  ['clearing the scene', true, () => bodies.clear()],
  ['nothing', false, () => {}],
])('that a body has changed after this is marked: %s (%s)', (_, isMarked, change) => {
  const id = bodies.spawn(poseAt(1));
  bodies.beginState(7);
  change(id);
  expect(bodies.changedAt[0] === 7).toBe(isMarked);
});

test('a change marks the block of its body and no other', () => {
  bodies = new BodyRegistry(200);
  const ids = Array.from({ length: 200 }, (_, x) => bodies.spawn(poseAt(x)));
  bodies.beginState(3);
  for (const slot of [64, 127]) move(bodies, ids[slot] ?? bodyId(0, 0), poseAt(1));
  expect([...bodies.changedAt]).toEqual([0, 3, 0, 0]);
});

test('tags belong to their body, not to its slot', () => {
  const first = bodies.spawn(poseAt(0), { tag: 'first' });
  const untagged = bodies.spawn(poseAt(1));
  bodies.despawn(first);
  const second = bodies.spawn(poseAt(2), { tag: { shape: 'ball', at: [1, 2] } });
  expect(slotOf(second)).toBe(slotOf(first));
  expect(bodies.tag(first)).toBeUndefined();
  expect(bodies.tag(untagged)).toBeNull();
  expect(bodies.tag(second)).toEqual({ shape: 'ball', at: [1, 2] });
  // The longest.
  expect(bodies.tag(bodies.spawn(poseAt(0), { tag: 'x'.repeat(998) }))).toHaveLength(998);
});

test('tags are copied, and cannot be changed', () => {
  const given = { at: [1] };
  const id = bodies.spawn(poseAt(0), { tag: given });
  given.at.push(2);
  expect(bodies.tag(id)).toEqual({ at: [1] });
  const tag = bodies.tag(id) as { at: number[] };
  expect(() => tag.at.push(2)).toThrow(TypeError);
});

test.each<[string, unknown, new () => Error, RegExp]>([
  ['a function', { draw: () => {} }, TypeError, /the tag of a body, at draw, .* a function/],
  ['a number that JSON loses', [Number.NaN], TypeError, /at \[0\], .* NaN/],
  ['a long text', 'x'.repeat(999), RangeError, /at most 1000 characters .* "x+… is 1001/],
])('%s is refused as a tag, and nothing changes', (_, tag, ErrorClass, message) => {
  const before = everythingIn(bodies);
  const spawn = () => bodies.spawn(poseAt(0), { tag: tag as never });
  expect(spawn).toThrow(ErrorClass);
  expect(spawn).toThrow(message);
  expect(everythingIn(bodies)).toEqual(before);
});

test('errors of a new body name it by its tag, and the tick, and nothing changes', () => {
  bodies.tick = 12;
  const tagged = { tag: { shape: 'ball' } };
  const before = everythingIn(bodies);
  expect(() => bodies.spawn({ ...poseAt(0), y: Number.NaN }, tagged)).toThrow(
    'the pose of a new body with the tag {"shape":"ball"}, in tick 12, must have finite',
  );
  expect(everythingIn(bodies)).toEqual(before);
  for (let index = 0; index < CAPACITY; index++) bodies.spawn(poseAt(index));
  expect(() => bodies.spawn(poseAt(0), tagged)).toThrow(/the tag {"shape":"ball"}, in tick 12,/);
  expect(() => bodies.spawn(poseAt(0))).toThrow(/a new body without a tag, in tick 12,/);
});
