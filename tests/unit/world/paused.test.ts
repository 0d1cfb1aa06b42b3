/** A paused world shows the newest state, and at once all that the page has put elsewhere. */
import { expect, test } from 'vitest';
import { RigidBodyDesc, type RigidBody } from '../../../src/world/page/index.js';
import { present } from '../../fixtures/present.js';
import {
  NO_GRAVITY,
  RECORDED,
  addBody,
  advance,
  batchesOf,
  countBatches,
  createWorldForTest,
  draw,
  expectReplay,
  shows,
  type WorldForTest,
} from '../../fixtures/worlds.js';

/** Where a body is drawn, alone and as an instance. */
function shownOf(world: WorldForTest, body: RigidBody): number[] {
  const frame = world.frame;
  const id = present(body.id);
  const pose = [...present(frame.pose(id, new Float32Array(7)))];
  const matrix = new Float32Array(16);
  frame.writeMatrices(Uint32Array.of(id), Float32Array.of(1, 1, 1), 1, matrix);
  expect(Array.from(matrix.subarray(12, 15))).toEqual(pose.slice(0, 3));
  return pose.map((number) => Math.round(1000 * number) / 1000);
}

test('while paused, a frame shows what was written, and a step the state that it leads to', async () => {
  const world = createWorldForTest({ ...NO_GRAVITY, ...RECORDED });
  const body = addBody(world, [1, 0, 0]);
  const other = addBody(world, [9, 0, 0]);
  const lift = addBody(world, [0, 5, 0], undefined, RigidBodyDesc.kinematicPositionBased());
  await advance(world, 1);
  body.setTranslation({ x: 1, y: 3, z: 0 }, true);
  body.setLinvel({ x: 60, y: 0, z: 0 }, true);
  lift.setNextKinematicTranslation({ x: 0, y: 6, z: 0 });
  draw(world);
  expect(shownOf(world, body)).toEqual([1, 3, 0, 0, 0, 0, 1]);
  // No state says that it is there.
  expect(world.frame.newest(present(body.id), new Float32Array(7))?.[1]).toBe(0);
  expect([shownOf(world, other)[0], shownOf(world, lift)[1]]).toEqual([9, 5]);
  body.setRotation({ x: 0, y: 0, z: 1, w: 0 }, true);
  draw(world, 0);
  expect(shownOf(world, body)).toEqual([1, 3, 0, 0, 0, 1, 0]);
  for (const x of [2, 3, 4]) {
    await advance(world, 1);
    expect(shownOf(world, body)).toEqual([x, 3, 0, 0, 0, 1, 0]);
    expect(shownOf(world, lift)[1]).toBe(6);
  }
});

test('what is written while a replay is shown is drawn when the paused run is shown again', async () => {
  const world = createWorldForTest({ ...NO_GRAVITY, ...RECORDED });
  const handle = await world.ready;
  const body = addBody(world, [1, 0, 0]);
  body.setLinvel({ x: 60, y: 0, z: 0 }, true);
  await advance(world, 4);
  await handle.seek(2);
  draw(world);
  expect(shownOf(world, body)[0]).toBe(3);
  body.setTranslation({ x: 0, y: 7, z: 0 }, true);
  draw(world);
  expect(shownOf(world, body)[1]).toBe(7);
  const replay = await handle.openReplay(handle.recording());
  for (const x of [2, 3]) {
    await handle.step(1);
    draw(world);
    expect(shownOf(world, body).slice(0, 2)).toEqual([x, 0]);
  }
  await replay.close();
  await shows(world, () => expect(shownOf(world, body)[1]).toBe(7));
  await advance(world, 1);
  expect(shownOf(world, body).slice(0, 2)).toEqual([1, 7]);
});

test('what is written in each frame of a pause waits as one change of each body, and is shown at once after it', async () => {
  const world = createWorldForTest({ ...NO_GRAVITY, ...RECORDED });
  const lifts = Array.from({ length: 20 }, (_, index) =>
    addBody(world, [2 * index, 0, 0], undefined, RigidBodyDesc.kinematicPositionBased()),
  );
  const box = addBody(world, [0, 9, 0]);
  await advance(world, 1);
  const batches = batchesOf(world);
  batches.mostUnanswered = 64;
  const before = await countBatches(world);
  for (let frame = 1; frame <= 200; frame++) {
    for (const lift of lifts) lift.setNextKinematicTranslation({ x: 0, y: frame, z: 0 });
    box.applyImpulse({ x: 1, y: 0, z: 0 }, true);
    box.setLinvel({ x: 0, y: 0, z: 1 }, true);
    await Promise.resolve();
    if (frame % 60 === 0) draw(world);
  }
  expect(batches.pendingAfter(1).length).toBeLessThan(6);
  for (let tick = 0; tick < 3; tick++) await advance(world, 1);
  for (const lift of lifts) expect(lift.translation()).toEqual({ x: 0, y: 200, z: 0 });
  expect(box.linvel()).toEqual({ x: 0, y: 0, z: 1 });
  expect(batches.isPending).toBe(false);
  expect((await countBatches(world)) - before).toBeLessThan(6);
  await expectReplay(world, 4);
});

test('changes of a body that depend on each other wait up to a limit, and the next one is refused', async () => {
  const world = createWorldForTest(NO_GRAVITY);
  const body = addBody(world);
  await advance(world, 1);
  batchesOf(world).mostUnanswered = 0;
  const change = (): void => {
    body.setLinvel({ x: 1, y: 0, z: 0 }, false);
    body.setLinvel({ x: 2, y: 0, z: 0 }, true);
  };
  for (let time = 0; time < 512; time++) change();
  body.setLinvel({ x: 3, y: 0, z: 0 }, false);
  expect(change).toThrow('the body 1 has 1024 changes that wait');
});
