/** A world in a worker thread, over shared memory. What worlds do is tested in one thread. */
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { fromNodeWorker } from '../../src/render-main/index.js';
import { ColliderDesc, Ray, RigidBodyDesc, ShapeType } from '../../src/world/page/index.js';
import { eventually } from '../fixtures/eventually.js';
import { coarseRing } from '../fixtures/rings.js';
import { PANICS } from '../fixtures/panics.js';
import { startThread } from '../fixtures/threads.js';
import {
  addBody,
  addBox,
  advance,
  createWorldForTest,
  reportsOfTest,
  shows,
} from '../fixtures/worlds.js';

test('a world in a thread is made, stepped, read and queried', async () => {
  const world = createWorldForTest({ queries: true });
  const floor = addBox(world, [5, 1, 5], [0, -1, 0]);
  const ball = addBody(world, [0, 3, 0]);
  const handle = await world.ready;
  expect(handle.transport.kind).toBe('shared');
  await advance(world, 10);
  expect(ball.translation().y).toBeLessThan(3);
  expect(ball.linvel().y).toBeCloseTo((-9.81 * 10) / 60, 4);
  const down = new Ray({ x: 2, y: 5, z: 0 }, { x: 0, y: -1, z: 0 });
  expect(world.castRay(down, 9, true)).toEqual({ collider: floor, timeOfImpact: 5 });
  world.removeRigidBody(ball);
  await advance(world, 10);
  await shows(world, () => expect(handle.bodies.size).toBe(0));
});

test('a panic of the engine costs what caused it, and nothing else', async () => {
  const reports = reportsOfTest();
  const world = createWorldForTest({
    createWorker: () => fromNodeWorker(startThread('panicking-world')),
    recovery: 'restart',
    recording: { rewindSeconds: 10 },
  });
  const handle = await world.ready;
  const statuses: string[] = [];
  handle.on('status', ({ kind }) => statuses.push(kind));
  const body = addBody(world, [0, 100, 0]);
  await advance(world, 10);
  const before = body.translation();
  await handle.resume();
  world.createRigidBody(RigidBodyDesc.dynamic().setGravityScale(PANICS));
  await shows(world, () => expect(world.bodies.len()).toBe(1));
  // The command may be rejected before the last worker has started.
  await shows(world, () => expect(statuses).toContain('restarted'));
  expect(reports()).toEqual([
    expect.stringMatching(/a change of the world was skipped because tick \d+/),
  ]);
  await shows(world, () => expect(body.translation().y).toBeLessThan(before.y));
  const late = addBody(world, [5, 100, 0]);
  await shows(world, () => expect(late.translation().y).toBeLessThan(100));
  expect(world.bodies.getAll()).toEqual([body, late]);
});

test('pieces are computed by another thread with the script of the world', async () => {
  const threads: Worker[] = [];
  const world = createWorldForTest({
    createWorker: () => {
      const thread = startThread('world');
      threads.push(thread);
      return fromNodeWorker(thread);
    },
  });
  const { shape } = coarseRing();
  const body = addBody(world, [0, 5, 0], new ColliderDesc(shape));
  expect(shape.isReady).toBe(false);
  await shape.ready;
  await advance(world, 6);
  expect(body.translation().y).toBeLessThan(5);
  expect(body.collider(0).shapeType()).toBe(ShapeType.Compound);
  expect(threads).toHaveLength(2);
  // Node has no number of a thread that has ended.
  await eventually(() =>
    expect(threads.map(({ threadId }) => threadId > 0)).toEqual([true, false]),
  );
});
