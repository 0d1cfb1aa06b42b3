import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slotOf, type BodyId } from '../../../../src/shared/memory/body-meta.js';
import { CapacityExceededError } from '../../../../src/shared/util/errors.js';
import { LANE } from '../../../../src/shared/memory/layout.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import { readSavedBodies, writeSavedBodies } from '../../../../src/sim-worker/run/run-state.js';
import { utf8Of } from '../../../../src/shared/util/bytes.js';
import { poseAt } from '../../../fixtures/poses.js';
import { present } from '../../../fixtures/present.js';

const CAPACITY = 12;

/** Operations on bodies, with a number that selects the body. */
const action = fc.tuple(
  fc.constantFrom(...'spawn spawn despawn move push teleport sleep spoil clear'.split(' ')),
  fc.nat(CAPACITY - 1),
);
const actions = fc.array(action, { maxLength: 40 });
type Action = [kind: string, which: number];

/** Runs the operation and returns the ids that were assigned. */
function apply(bodies: BodyRegistry, list: readonly Action[], alive: BodyId[]): BodyId[] {
  const given: BodyId[] = [];
  for (const [kind, which] of list) {
    const id = alive[which % Math.max(1, alive.length)];
    if (kind === 'spawn' && alive.length < CAPACITY) {
      const options = which % 3 === 0 ? {} : { tag: { which, name: 'Höhle' } };
      const born = bodies.spawn(poseAt(which, alive.length), options);
      given.push(born);
      alive.push(born);
    } else if (kind === 'clear') {
      bodies.clear();
      alive.length = 0;
    } else if (id !== undefined) {
      if (kind === 'despawn') {
        bodies.despawn(id);
        alive.splice(alive.indexOf(id), 1);
      } else if (kind === 'move') bodies.setPose(id, which, 1, 2, 0, 0, 0, 1);
      else if (kind === 'push') bodies.setVelocity(id, which, 1, 2, 3, 4, 5);
      else if (kind === 'teleport') bodies.teleport(id, poseAt(which));
      else if (kind === 'sleep') bodies.setAsleep(id, which % 2 === 0);
      else if (kind === 'spoil') bodies.setPose(id, Number.NaN, 0, 0, 0, 0, 0, 1);
    }
  }
  return given;
}

/** All of it: bodies that are not in the saved ones must be gone. */
const lanesOf = (bodies: BodyRegistry): number[] => [...bodies.lanes, ...(bodies.velocities ?? [])];

test('after any operations, restored bodies are the same, and all later ones get the same ids', () => {
  fc.assert(
    fc.property(actions, actions, actions, (before, other, after) => {
      const original = new BodyRegistry(CAPACITY, true);
      const alive: BodyId[] = [];
      apply(original, before, alive);
      // By way of bytes, as between two workers.
      const saved = readSavedBodies(writeSavedBodies(original.save()), CAPACITY);
      const restored = new BodyRegistry(CAPACITY, true);
      apply(restored, other, []);
      restored.restore(saved);
      expect(restored.save()).toEqual(original.save());
      expect(restored.bodyCount).toBe(alive.length);
      expect(alive.every((id) => restored.isAlive(id))).toBe(true);
      const tagsIn = (bodies: BodyRegistry) => alive.map((id) => bodies.tag(id));
      expect(tagsIn(restored)).toEqual(tagsIn(original));
      const aliveThere = [...alive];
      expect(apply(restored, after, aliveThere)).toEqual(apply(original, after, alive));
      expect(lanesOf(restored)).toEqual(lanesOf(original));
    }),
  );
});

test('saved bodies have no velocities where there are none, and restored ones are 0 where none were saved', () => {
  const moving = new BodyRegistry(2, true);
  const id = moving.spawn(poseAt(1));
  moving.setVelocity(id, 1, 2, 3, 4, 5, 6);
  const still = new BodyRegistry(2);
  still.restore(readSavedBodies(writeSavedBodies(moving.save()), 2));
  expect(still.save().velocities).toBeUndefined();
  moving.restore(readSavedBodies(writeSavedBodies(still.save()), 2));
  expect([...(moving.velocities ?? [])]).toEqual(Array.from({ length: 16 }, () => 0));
});

test('after a restore all blocks of bodies count as changed in the current state', () => {
  const bodies = new BodyRegistry(3000);
  const saved = bodies.save();
  bodies.spawn(poseAt(1));
  bodies.beginState(41);
  bodies.restore(saved);
  expect(bodies.changedAt.length).toBeGreaterThan(1);
  expect(new Set(bodies.changedAt)).toEqual(new Set([41]));
});

test('bodies can be restored with a larger capacity, which is used', () => {
  const small = new BodyRegistry(2);
  const ids = [small.spawn(poseAt(1)), small.spawn(poseAt(2))];
  const large = new BodyRegistry(3);
  large.restore(small.save());
  expect(ids.map((id) => large.isAlive(id))).toEqual([true, true]);
  expect(slotOf(large.spawn(poseAt(3)))).toBe(2);
  expect(() => large.spawn(poseAt(4))).toThrow(CapacityExceededError);
});

test('saved bodies are refused with less room than slots in use, and with a part too few', () => {
  const large = new BodyRegistry(8);
  for (let index = 0; index < 5; index++) large.spawn(poseAt(index));
  const saved = writeSavedBodies(large.save());
  expect(() => readSavedBodies(saved, 4)).toThrow(/5 slots.*room for 4.*higher capacity/s);
  expect(readSavedBodies(saved, 5).nextSlot).toBe(5);
  expect(() => readSavedBodies(saved.slice(1), 8)).toThrow(/4 parts/);
});

const CAPACITY_WORD = 0;
const NEXT_SLOT = 1;
const BODY_COUNT = 2;
const GENERATION = 3;

type Parts = [sizes: Int32Array, lanes: Int32Array, free: Int32Array];

/** Three of five slots are in use; two are free. */
function savedParts(): Parts {
  const bodies = new BodyRegistry(8);
  const ids = [0, 1, 2, 3, 4].map((index) => bodies.spawn(poseAt(index)));
  bodies.despawn(present(ids[1]));
  bodies.despawn(present(ids[3]));
  const parts = writeSavedBodies(bodies.save()).slice(0, 3);
  return parts.map((part) => new Int32Array(part.slice().buffer)) as Parts;
}

const packed = (
  parts: readonly Int32Array[],
  tags = '',
  velocities = new Float32Array(),
): Uint8Array[] => [
  ...parts.map(({ buffer }) => new Uint8Array(buffer)),
  utf8Of(tags),
  new Uint8Array(velocities.buffer),
];

const withSize = (at: number, value: number) => (parts: Parts) => {
  parts[0][at] = value;
  return parts;
};

const withFree =
  (...slots: number[]) =>
  ([sizes, lanes]: Parts): Parts => [sizes, lanes, Int32Array.of(...slots)];

test('saved bodies whose parts and tags are consistent are not refused', () => {
  const bodies = new BodyRegistry(8);
  bodies.restore(readSavedBodies(packed(savedParts()), 8));
  expect(bodies.bodyCount).toBe(3);
  const { tags } = readSavedBodies(packed(savedParts(), '[1,null,"-0",null,{"a":[]}]'), 8);
  expect(tags.map(({ value }) => value)).toEqual([1, null, '-0', null, { a: [] }]);
});

type Change = [string, (parts: Parts) => readonly Int32Array[], RegExp];

test.each<Change>([
  ['fewer slots than zero', withSize(NEXT_SLOT, -1), /-1 slots/],
  ['more slots than there is room for', withSize(NEXT_SLOT, 9), /9 slots of a capacity of 8/],
  ['a capacity of zero', withSize(CAPACITY_WORD, 0), /capacity of 0/],
  ['a capacity beyond all', withSize(CAPACITY_WORD, 2 ** 21), /capacity of 2097152/],
  ['another number of bodies', withSize(BODY_COUNT, 4), /4 bodies in 5 slots/],
  ['a generation of 13 bits', withSize(GENERATION, 4096), /generation of 4096/],
  ['a size too few', ([sizes, ...rest]) => [sizes.slice(0, 3), ...rest], /3 sizes/],
  ['lanes cut off', ([sizes, lanes, free]) => [sizes, lanes.slice(8), free], /words for 5 slots/],
  ['a slot free twice', withFree(1, 1), /the slot 1 free twice/],
  ['a free slot beyond all', withFree(1, 5), /a free slot 5 of 5/],
  ['a free slot below 0', withFree(1, -1), /slot -1/],
  [
    'a slot that is neither free nor in use',
    (parts) => withFree(1)(withSize(BODY_COUNT, 4)(parts)),
    /the slot 3 both free and taken, or neither/,
  ],
  ...(['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'] as const).map((lane): Change => [
    `a pose without ${lane}`,
    ([sizes, lanes, free]) => {
      new Float32Array(lanes.buffer)[LANE[lane]] = Number.NaN;
      return [sizes, lanes, free];
    },
    /a body in slot 0 that cannot be drawn/,
  ]),
])('saved bodies that contradict themselves are refused: %s', (_, change, message) => {
  expect(() => readSavedBodies(packed(change(savedParts())), 8)).toThrow(message);
});

test.each([
  ['no JSON', '[1,', /tags that are no JSON/],
  ['no list', '{"length":5}', /tags that are no list of 5/],
  ['tags of another number of slots', '[1,null,2]', /tags that are no list of 5/],
  ['a tag of a free slot', '[1,2,null,null,null]', /a tag in slot 1, which is free/],
  ['a tag that is too long', `["${'x'.repeat(999)}",null,2,null,3]`, /at most 1000 characters/],
])('saved bodies are refused if they have %s', (_, tags, message) => {
  expect(() => readSavedBodies(packed(savedParts(), tags), 8)).toThrow(message);
});

test.each([
  ['of another number of slots', new Float32Array(32), /32 words of velocities for 40/],
  ['that are not finite', new Float32Array(40).fill(Number.NaN, 9, 10), /a velocity that is not/],
])('saved bodies with velocities %s are refused', (_, velocities, message) => {
  expect(() => readSavedBodies(packed(savedParts(), '', velocities), 8)).toThrow(message);
});
