import { beforeEach, expect, test, vi } from 'vitest';
import { withResolvers } from '../../../../src/render-main/util/promises.js';
import type { BodyId } from '../../../../src/shared/memory/body-meta.js';
import type { SimulationContext } from '../../../../src/sim-worker/index.js';
import { runQuery } from '../../../../src/sim-worker/run/simulation-calls.js';
import type { SimulationRun } from '../../../../src/sim-worker/run/simulation-run.js';
import { poseAt } from '../../../fixtures/poses.js';
import { present } from '../../../fixtures/present.js';
import { RunToy, STEP_SECONDS, createToyRun } from '../../../fixtures/run-toy.js';

let toy: RunToy;
let run: SimulationRun;
let context: SimulationContext;

beforeEach(async () => {
  toy = new RunToy();
  ({ run } = await createToyRun({}, toy));
  run.runTick(STEP_SECONDS);
  context = toy.context;
});

const query = (ask: () => unknown): unknown => runQuery(run, { count: ask }, 'count', []);
const first = (): BodyId => present(toy.ids[0]);
const errorOf = (ask: () => unknown): Error => {
  try {
    query(ask);
  } catch (error) {
    return error as Error;
  }
  throw new Error('the query was not refused');
};
const onlyAsks = (what: string): string =>
  `the query "count" has ${what}: queries may only read, because replays do not repeat them. Make it a command`;

/** All parts of a run that a query must not change. */
const everything = (): unknown => [run.bodies.save(), run.random.state, run.hash()];

test('a query that only reads saves no bodies, and neither do the ticks after it', () => {
  const save = vi.spyOn(run.bodies, 'save');
  query(() => run.bodies.bodyCount);
  run.runTick(STEP_SECONDS);
  expect(save).not.toHaveBeenCalled();
});

test.each<[string, () => unknown]>([
  ['a body that is gone', () => context.bodies.despawn(999 as BodyId)],
  ['where a body that is gone is', () => context.bodies.teleport(999 as BodyId, poseAt(1))],
  ['that a body is awake, which it is', () => context.bodies.setAsleep(first(), false)],
])('a query may call what changes nothing: %s', (_, ask) => {
  expect(() => query(ask)).not.toThrow();
});

test.each<[string, () => unknown]>([
  ['spawned a body', () => context.bodies.spawn(poseAt(4))],
  ['removed a body', () => context.bodies.despawn(first())],
  ['removed all bodies', () => context.bodies.clear()],
  ['moved a body', () => context.bodies.setPose(first(), 5, 0, 0, 0, 0, 0, 1)],
  ['moved a body', () => context.bodies.teleport(first(), poseAt(5))],
  ['moved a body', () => context.bodies.setPose(first(), Number.NaN, 0, 0, 0, 0, 0, 1)],
  ['marked a body as invalid', () => context.bodies.markInvalid(first())],
  ['put a body to sleep, or woken it', () => context.bodies.setAsleep(first(), true)],
  ['drawn from context.random', () => context.random.next()],
  ['drawn from context.random', () => context.random.pick([1, 2])],
])(
  'a query that has %s is refused with that as the reason, and nothing has changed',
  (what, ask) => {
    const before = everything();
    expect(errorOf(ask).message).toBe(onlyAsks(what));
    expect(everything()).toEqual(before);
    expect(run.bodies.takeInvalid()).toEqual([]);
  },
);

test('a query that changes several things is refused for the first, and all of them are undone', () => {
  const before = everything();
  const { message } = errorOf(() => {
    context.random.next();
    const id = context.bodies.spawn(poseAt(4));
    context.bodies.teleport(id, poseAt(5));
    context.bodies.despawn(first());
    context.bodies.despawn(id);
  });
  expect(message).toBe(onlyAsks('spawned a body'));
  expect(everything()).toEqual(before);
});

test('a query that was refused does not affect later queries, commands and steps', () => {
  errorOf(() => context.bodies.spawn(poseAt(4)));
  expect(query(() => run.bodies.bodyCount)).toBe(3);
  context.bodies.spawn(poseAt(4));
  run.runTick(STEP_SECONDS);
  expect([run.bodies.bodyCount, run.tick]).toEqual([4, 2]);
});

test('an async query is refused for changes that it makes before it waits, and its later rejection has no effect', async () => {
  const { message } = errorOf(async () => {
    context.bodies.spawn(poseAt(4));
    await Promise.resolve();
    throw new Error('later');
  });
  expect(message).toBe(onlyAsks('spawned a body'));
  // An unhandled rejection would be found here.
  await new Promise((resolve) => setImmediate(resolve));
});

test('an async query is not blamed for the ticks that run while it waits', async () => {
  const { promise: waiting, resolve: goOn } = withResolvers<void>();
  const answer = query(async () => {
    await waiting;
    return context.bodies.bodyCount;
  });
  const before = everything();
  run.runTick(STEP_SECONDS);
  expect(everything()).not.toEqual(before);
  goOn();
  await expect(answer).resolves.toBe(3);
});

test('a query that restarts the run may build it before and after, and the next query may not', () => {
  query(() => {
    toy.reset();
    context.restart();
    context.random.next();
    context.bodies.setPose(first(), 9, 0, 0, 0, 0, 0, 1);
  });
  expect([run.tick, run.restarts, run.bodies.bodyCount]).toEqual([0, 1, 3]);
  expect(errorOf(() => context.bodies.clear()).message).toBe(onlyAsks('removed all bodies'));
  expect(run.bodies.bodyCount).toBe(3);
});

test('a query that restarts the run and fails while it is built has changed nothing', () => {
  const before = everything();
  const reason = new Error('no luck');
  toy.reset = () => {
    context.bodies.clear();
    context.bodies.spawn(poseAt(4));
    throw reason;
  };
  expect(errorOf(() => context.restart())).toBe(reason);
  expect(everything()).toEqual(before);
});

test('a query that restarts the run and fails while it is built is refused for its earlier changes, which are undone', () => {
  const before = everything();
  toy.reset = () => {
    throw new Error('no luck');
  };
  const { message } = errorOf(() => {
    context.bodies.clear();
    context.restart();
  });
  expect(message).toBe(onlyAsks('removed all bodies'));
  expect(everything()).toEqual(before);
});
