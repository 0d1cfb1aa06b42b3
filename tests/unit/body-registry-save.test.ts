import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slotOf, type BodyId } from '../../src/shared/body-meta.js';
import { CapacityExceededError } from '../../src/shared/errors.js';
import { BodyRegistry } from '../../src/sim-worker/body-registry.js';
import { poseAt } from '../fixtures/poses.js';
import { present } from '../fixtures/present.js';

const CAPACITY = 12;

/** What can be done to bodies, with a number that says to which. */
const action = fc.tuple(
  fc.constantFrom('spawn', 'spawn', 'despawn', 'move', 'teleport', 'sleep', 'spoil', 'clear'),
  fc.nat(CAPACITY - 1),
);
const actions = fc.array(action, { maxLength: 40 });
type Action = [kind: string, which: number];

/** Does it, and tells the ids that were given out. */
function apply(bodies: BodyRegistry, list: readonly Action[], alive: BodyId[]): BodyId[] {
  const given: BodyId[] = [];
  for (const [kind, which] of list) {
    const id = alive[which % Math.max(1, alive.length)];
    if (kind === 'spawn' && alive.length < CAPACITY) {
      const born = bodies.spawn(poseAt(which, alive.length));
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
      else if (kind === 'teleport') bodies.teleport(id, poseAt(which));
      else if (kind === 'sleep') bodies.setAsleep(id, which % 2 === 0);
      else if (kind === 'spoil') bodies.setPose(id, Number.NaN, 0, 0, 0, 0, 0, 1);
    }
  }
  return given;
}

/** All of it: what was there before and is not in the saved bodies must be gone. */
const lanesOf = (bodies: BodyRegistry): number[] => [...bodies.lanes];

describe('save and restore', () => {
  test('whatever was done: the same bodies, and the same ids for all to come', () => {
    fc.assert(
      fc.property(actions, actions, actions, (before, other, after) => {
        const original = new BodyRegistry(CAPACITY);
        const alive: BodyId[] = [];
        apply(original, before, alive);
        const saved = original.save();
        const restored = new BodyRegistry(CAPACITY);
        apply(restored, other, []);
        restored.restore(saved);
        expect(restored.save()).toEqual(saved);
        expect(restored.bodyCount).toBe(alive.length);
        expect(alive.every((id) => restored.isAlive(id))).toBe(true);
        const aliveThere = [...alive];
        expect(apply(restored, after, aliveThere)).toEqual(apply(original, after, alive));
        expect(lanesOf(restored)).toEqual(lanesOf(original));
      }),
    );
  });

  test('all blocks count as changed in the state being made', () => {
    const bodies = new BodyRegistry(3000);
    const saved = bodies.save();
    bodies.spawn(poseAt(1));
    bodies.beginState(41);
    bodies.restore(saved);
    expect(bodies.changedAt.length).toBeGreaterThan(1);
    expect(new Set(bodies.changedAt)).toEqual(new Set([41]));
  });

  test('more room than before is fine, and is used', () => {
    const small = new BodyRegistry(2);
    const ids = [small.spawn(poseAt(1)), small.spawn(poseAt(2))];
    const large = new BodyRegistry(3);
    large.restore(small.save());
    expect(ids.map((id) => large.isAlive(id))).toEqual([true, true]);
    expect(slotOf(large.spawn(poseAt(3)))).toBe(2);
    expect(() => large.spawn(poseAt(4))).toThrow(CapacityExceededError);
  });

  test('less room than slots in use, damage, and other bytes are refused, and nothing changes', () => {
    const large = new BodyRegistry(8);
    for (let index = 0; index < 5; index++) large.spawn(poseAt(index));
    const saved = large.save();
    const small = new BodyRegistry(4);
    const id = small.spawn(poseAt(7));
    const before = small.save();
    expect(() => small.restore(saved)).toThrow(/5 slots.*room for 4.*higher capacity/s);
    const damaged = saved.slice();
    damaged[30] = present(damaged[30]) ^ 1;
    for (const bytes of [damaged, saved.subarray(0, 40), new Uint8Array(), new Uint8Array(99)]) {
      expect(() => small.restore(bytes)).toThrow(RangeError);
    }
    expect(small.save()).toEqual(before);
    expect(small.isAlive(id)).toBe(true);
  });
});
