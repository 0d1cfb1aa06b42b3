/** What the demo's page decides without a browser: turns, what is drawn again, whose a recording is. */
import { expect, test } from 'vitest';
import { LatestWins } from '../page/latest-wins.js';
import { engineBuildOf, sceneOf, verdictOf } from '../page/recorded-scene.js';
import { Turns } from '../page/turns.js';
import { FrameDeduplicator } from '../page/view/frame-deduplicator.js';
import type { Json, Recording } from '../../src/shared/index.js';

const nothing = (_error?: Error): void => {};
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('work of the page begins when the work before it has ended, or failed', async () => {
  const turns = new Turns();
  const done: string[] = [];
  let end: () => void = nothing;
  const first = turns.take(async () => {
    done.push('first begins');
    await new Promise<void>((resolve) => (end = resolve));
    done.push('first ends');
  });
  const failed = turns.take(() => Promise.reject(new Error('it failed')));
  const last = turns.take(async () => void done.push('last'));
  await turn();
  expect(done).toEqual(['first begins']);
  end();
  const [, refused] = await Promise.allSettled([first, failed, last]);
  expect(refused).toMatchObject({ status: 'rejected' });
  expect(done).toEqual(['first begins', 'first ends', 'last']);
});

test('of several requests during one only the latest is run, also after a failure', async () => {
  const begun: number[] = [];
  let finish = nothing;
  const latest = new LatestWins<number>((value) => {
    begun.push(value);
    return new Promise((resolve, reject) => {
      finish = (error) => (error === undefined ? resolve() : reject(error));
    });
  });
  const asked = latest.ask(1);
  for (const value of [2, 3, 4]) void latest.ask(value).catch(() => {});
  finish(new Error('no way'));
  await turn();
  expect(begun).toEqual([1, 4]);
  finish();
  await expect(asked).rejects.toThrow('no way');
});

test.each<[string, readonly (readonly number[])[], readonly boolean[]]>([
  [
    'is not drawn again',
    [
      [1, 2],
      [1, 2],
      [1, 3],
      [1, 2],
    ],
    [true, false, true, true],
  ],
  ['is drawn the first time, even when empty', [[], []], [true, false]],
  ['of more or fewer values is another', [[1], [1, 0], [1], [1]], [true, true, true, false]],
  ['with NaN is never the same', [[Number.NaN], [Number.NaN], [1], [1]], [true, true, true, false]],
  ['that differs by rounding is the same', [[1], [1 + 1e-15], [1 - 1e-15]], [true, false, false]],
])('a drawing %s', (_, frames, drawn) => {
  const deduplicator = new FrameDeduplicator();
  const shown = frames.map((numbers) => {
    deduplicator.begin();
    deduplicator.addAll(numbers);
    if (deduplicator.isSame()) return false;
    deduplicator.drawn();
    return true;
  });
  expect(shown).toEqual(drawn);
});

const recordingOf = (setup: Json): Recording => ({
  run: { seed: 1, setup, generation: 0, capacity: 64, engine: '', invalidPoses: 'freeze' },
  start: undefined,
  lastTick: 240,
  entries: [],
  states: [],
});

test('the page replays recordings of its own scenes, and refuses others', () => {
  const setup = { name: 'heap', bodies: 200, seed: 7 };
  expect(sceneOf(recordingOf(setup))).toEqual(setup);
  for (const [wrong, message] of [
    [null, /another application/],
    [{ ...setup, name: 'volcano' }, /another application/],
    [{ ...setup, bodies: 99 }, /99 .*from 100 to 4000/],
    [{ ...setup, seed: -1 }, /-1 .*whole number from 0/],
  ] as const) {
    expect(() => sceneOf(recordingOf(wrong))).toThrow(message);
  }
  expect(engineBuildOf('rapier3d-simd 0.20.0')).toBe('simd');
  expect(engineBuildOf('rapier3d-deterministic 9.9.9')).toBe('deterministic');
  expect(engineBuildOf('rapier2d-simd 0.20.0')).toBeUndefined();
});

test('the page says of a replay what was compared, and where it differs', () => {
  const report = { tick: 3600, hashes: 60, differsAt: undefined, equalUpTo: 3600 };
  expect(verdictOf(report)).toBe('Identical: 60 hashes compared');
  expect(verdictOf({ ...report, hashes: 0 })).toMatch(/no hashes/);
  expect(verdictOf({ ...report, differsAt: 120, equalUpTo: 60 })).toMatch(/^Differs at tick 120/);
});
