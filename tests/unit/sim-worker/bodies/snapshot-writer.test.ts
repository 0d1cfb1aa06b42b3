import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BODY_LANES, LANE, SLOT_HEADER } from '../../../../src/shared/memory/layout.js';
import { blockBodiesOf } from '../../../../src/sim-worker/bodies/snapshot-writer.js';
import { StateValues } from '../../../../src/sim-worker/bodies/state-values.js';
import { SnapshotModel } from '../../../fixtures/snapshot-model.js';
import { stepsOf, take, type Operations } from '../../../fixtures/walk.js';

/** Operations on a snapshot; `n` selects a body and a number for it. */
const OPERATIONS: Operations<SnapshotModel> = {
  spawn: (model, n) => model.spawn(n),
  spawnMany(model, n) {
    for (let index = 0; index < n % 150; index++) model.spawn(n + index);
  },
  move: (model, n) => model.move(n, n),
  push: (model, n) => model.push(n, n),
  note: (model, n) => model.note(n, n),
  cutValues: (model, n) => model.cutValues(n),
  teleport: (model, n) => model.teleport(n, n),
  despawn: (model, n) => model.despawn(n),
  asleep: (model, n) => model.bodies.setAsleep(model.body(n), true),
  awake: (model, n) => model.bodies.setAsleep(model.body(n), false),
  clear: [2, (model) => model.clear()],
  publish: [5, (model) => model.publishState()],
  publishTwice(model) {
    model.publishState();
    model.publishState();
  },
  publishSchedule: (model) => model.publishSchedule(),
  cut: [2, (model) => model.publishState(true)],
  fetch: [5, (model) => model.fetchAndCompare()],
};
const histories = stepsOf(OPERATIONS, { minLength: 0, maxLength: 80, max: 2000 });

// 64 bodies a block, and 128 from 4097 bodies up: one block, a whole and a started one, many,
// large ones.
test.each([
  [2, 1, 'without velocities'],
  [3, 64, 'without velocities'],
  [4, 64, 'without velocities'],
  [2, 65, 'without velocities'],
  [4, 65, 'with velocities'],
  [2, 500, 'with velocities'],
  [3, 500, 'without velocities'],
  [4, 500, 'without velocities'],
  [3, 5000, 'without velocities'],
])(
  'every fetched snapshot of %i states of %i bodies %s equals the history of what was published',
  (states, capacity, velocities) => {
    fc.assert(
      fc.property(histories, (history) => {
        const model = new SnapshotModel(capacity, states, velocities === 'with velocities');
        for (const step of history) take(OPERATIONS, model, step);
        model.fetchAndCompare();
        model.publishState();
        model.fetchAndCompare();
        expect(model.slot.header[SLOT_HEADER.bodyCount]).toBe(model.alive.length);
      }),
      { numRuns: capacity > 1000 ? 10 : 40 },
    );
  },
);

test.each([511, 512, 513])(
  '%i bodies that change in one state all arrive in the snapshot',
  (count) => {
    const model = new SnapshotModel(17_000, 3, true);
    for (let body = 0; body < 17_000; body++) model.spawn(body);
    for (let round = 0; round < 8; round++) {
      for (let index = 0; index < count; index++) model.move(index * 33, round + index);
      for (let index = 0; index < count; index++) model.push(index * 33, round + index);
      model.publishState();
      model.fetchAndCompare();
    }
    expect(model.alive).toHaveLength(17_000);
  },
);

test('blocks of bodies have powers of two bodies, and there are at most 64', () => {
  expect([1, 64, 4096].map(blockBodiesOf)).toEqual([64, 64, 64]);
  expect([4097, 8192, 8193].map(blockBodiesOf)).toEqual([128, 128, 256]);
  expect(blockBodiesOf(2 ** 20)).toBe(2 ** 14);
});

const POISON = 0x0bad_0bad;
const BODIES = 500;

/** Publishes and fetches alternately until every slot and state has its content. */
function settled(states: number): SnapshotModel {
  const model = new SnapshotModel(BODIES, states);
  for (let index = 0; index < BODIES; index++) model.spawn(index);
  for (let round = 0; round < 12; round++) {
    model.publishState();
    model.fetchAndCompare();
  }
  return model;
}

/** Overwrites a body's x in every state of every slot: only a copy would restore it. */
function poison(model: SnapshotModel, body: number): void {
  for (const slot of model.views.slots) {
    for (const lanes of slot.metas) lanes[body * BODY_LANES + LANE.x] = POISON;
  }
}

function poisonedStates(model: SnapshotModel, body: number): number {
  return model.views.slots
    .flatMap((slot) => slot.metas)
    .filter((lanes) => lanes[body * BODY_LANES + LANE.x] === POISON).length;
}

test.each([2, 4])(
  'bodies that do not change are not copied, with %i states, but where many around them do',
  (states) => {
    const model = settled(states);
    const total = 3 * states;
    // Body 100 is in block 1, which sleeps; body 300 is in block 4.
    for (const body of [100, 300]) poison(model, body);
    const moveUpTo = (end: number): void => {
      for (let round = 0; round < 12; round++) {
        for (let body = 301; body < end; body++) model.move(body, round);
        model.publishState();
        model.fetch();
      }
    };
    moveUpTo(302);
    expect(poisonedStates(model, 300)).toBe(total);
    // Enough for the block to be copied as a whole.
    moveUpTo(320);
    expect(poisonedStates(model, 300)).toBe(0);
    expect(poisonedStates(model, 100)).toBe(total);
  },
);

test('a pause copies no body that the slot already has', () => {
  const model = settled(4);
  // Each slot has all states now: without changes another schedule is only a new header.
  for (let round = 0; round < 3; round++) {
    model.publishSchedule();
    model.fetchAndCompare();
  }
  for (const body of [0, 100, 499]) poison(model, body);
  for (let round = 0; round < 6; round++) {
    model.publishSchedule();
    model.fetch();
  }
  for (const body of [0, 100, 499]) expect(poisonedStates(model, body)).toBe(12);
});

test.each([2, 4])('values that do not change are not copied, with %i states', (states) => {
  const model = settled(states);
  const { header, valueWords } = model.slot;
  // The writer compares with these.
  const published = valueWords[(header[SLOT_HEADER.newestState] ?? 0) % states];
  const others = model.views.slots
    .flatMap((slot) => slot.valueWords)
    .filter((of) => of !== published);
  for (const words of others) words[5] = POISON;
  model.publishState();
  model.publishSchedule();
  expect(others.filter((words) => words[5] === POISON)).toHaveLength(3 * states - 1);
});

test('a cut of values that a page leaves out is ignored, and one of no values is refused', () => {
  const values = new StateValues(40);
  for (const [start, count] of [
    [-1, 1],
    [1.5, 1],
    [0, -1],
    [0, 0.5],
  ] as const) {
    expect(() => values.cut(start, count)).toThrow(RangeError);
  }
  values.cut(40);
  values.cut(41, 3);
  expect([...values.cuts]).toEqual([0, 0]);
  values.cut(31, 2);
  values.cut(39, 2);
  expect([...values.cuts]).toEqual([1 << 31, (1 << 7) | 1]);
});
