/** A world in a worker thread: its end, and a second thread. The part `transports` tests in threads what worlds do. */
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { fromNodeWorker } from '../../src/render-main/index.js';
import { ColliderDesc, RigidBodyDesc, ShapeType } from '../../src/world/page/index.js';
import { eventually } from '../fixtures/eventually.js';
import { coarseRing } from '../fixtures/rings.js';
import { PANICS } from '../fixtures/panics.js';
import { startThread } from '../fixtures/threads.js';
import { addBody, advance, createWorldForTest, reportsOfTest, shows } from '../fixtures/worlds.js';

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
