import { beforeEach, expect, test } from 'vitest';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import { poseAt } from '../../../fixtures/poses.js';

let bodies: BodyRegistry;
const take = () => bodies.spawnList.take(bodies);
const spawn = (tag: string) => bodies.spawn(poseAt(1), { tag });

beforeEach(() => {
  bodies = new BodyRegistry(8);
});

test('the first list of bodies is complete, later ones have what changed, and nothing is no list', () => {
  const [a, b] = [spawn('a'), spawn('b')];
  expect(take()).toEqual({
    isComplete: true,
    spawned: [a, b],
    tags: ['"a"', '"b"'],
    despawned: [],
  });
  expect(take()).toBeUndefined();
  const c = spawn('c');
  bodies.despawn(a);
  expect(take()).toEqual({ isComplete: false, spawned: [c], tags: ['"c"'], despawned: [a] });
  bodies.setPose(b, 1, 2, 3, 0, 0, 0, 1);
  expect(take()).toBeUndefined();
});

test('a list of bodies leaves out one that came and went', () => {
  take();
  bodies.despawn(spawn('a'));
  expect(take()).toBeUndefined();
});

test('after other bodies were restored, the list of bodies is complete', () => {
  const a = spawn('a');
  const saved = bodies.save();
  take();
  spawn('b');
  bodies.restore(saved);
  const c = spawn('c');
  expect(take()).toEqual({
    isComplete: true,
    spawned: [a, c],
    tags: ['"a"', '"c"'],
    despawned: [],
  });
});
