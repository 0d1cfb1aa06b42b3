/** The helper's lines of a world, from its buffers. */
import { Color, Raycaster, Scene, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { WorldHelper } from '../../../src/three/index.js';
import { ColliderDesc, JointData, RigidBodyDesc } from '../../../src/world/page/index.js';
import { present } from '../../fixtures/present.js';
import {
  NO_GRAVITY,
  addBody,
  addBox,
  advance,
  createWorldForTest,
  type WorldForTest,
} from '../../fixtures/worlds.js';

const createHelper = (world: WorldForTest): WorldHelper => new WorldHelper(world as never);

interface Drawn {
  readonly color: string;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** The segments, to two digits; those without a length are not drawn. */
function drawn(helper: WorldHelper): Drawn[] {
  const position = present(helper.geometry.attributes['position']);
  const color = present(helper.geometry.attributes['color']);
  const at = (index: number) =>
    [position.getX(index), position.getY(index), position.getZ(index)].map((value) =>
      Number(value.toFixed(2)),
    );
  return Array.from({ length: helper.geometry.drawRange.count / 2 }, (_, segment) => ({
    color: new Color().fromBufferAttribute(color as never, 2 * segment).getHexString(),
    from: at(2 * segment),
    to: at(2 * segment + 1),
  })).filter(({ from, to }) => from.join() !== to.join());
}

const drawnIn = (helper: WorldHelper, color: string): Drawn[] =>
  drawn(helper).filter((segment) => segment.color === color);

const countOf = (helper: WorldHelper): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { color } of drawn(helper)) counts[color] = (counts[color] ?? 0) + 1;
  return counts;
};

const [DYNAMIC, AT_REST, KINEMATIC, FIXED] = ['f5b83d', '8a6fd1', '4fa8f0', '8d99a6'] as const;
const [SENSOR, DISABLED, JOINT] = ['4fd67a', '55504a', 'ff7a59'] as const;

test('colliders are drawn where their bodies are drawn, in the color of what they do', async () => {
  const world = createWorldForTest();
  const helper = createHelper(world);
  // Nothing is there yet.
  helper.update();
  expect(helper.geometry.drawRange.count).toBe(0);
  addBox(world, [5, 1, 5], [0, -1, 0]);
  const box = addBody(world, [0, 5, 0], ColliderDesc.cuboid(0.5, 0.5, 0.5).setTranslation(1, 0, 0));
  const kinematic = RigidBodyDesc.kinematicPositionBased();
  addBody(world, [9, 0, 0], ColliderDesc.ball(1), kinematic);
  addBox(world, [1, 1, 1], [-9, 0, 0]).setSensor(true);
  addBox(world, [1, 1, 1], [-19, 0, 0]).setEnabled(false);
  await advance(world, 20);
  helper.update();
  expect(countOf(helper)).toEqual({
    [FIXED]: 12,
    [DYNAMIC]: 12,
    [KINEMATIC]: 72,
    [SENSOR]: 12,
    [DISABLED]: 12,
  });
  const pose = new Float64Array(7);
  expect(world.frame.pose(present(box.id), pose)).toBeDefined();
  const ends = drawnIn(helper, DYNAMIC).flatMap(({ from, to }) => [from, to]);
  expect(Math.max(...ends.map(([, y]) => y ?? 0))).toBeCloseTo((pose[1] ?? 0) + 0.5, 1);
  expect(Math.max(...ends.map(([x]) => x ?? 0))).toBeCloseTo(1.5, 1);

  // Another shape, and what rests.
  const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
  box.collider(0).setShape(ColliderDesc.convexHull(corners));
  await advance(world, 400);
  helper.update();
  expect(drawnIn(helper, AT_REST)).toHaveLength(6);
  world.removeRigidBody(box);
  helper.update();
  expect([drawnIn(helper, AT_REST).length, drawnIn(helper, FIXED).length]).toEqual([0, 12]);
  helper.dispose();
});

test('joints are drawn from body to anchor to anchor to body, and rays pass', async () => {
  const world = createWorldForTest(NO_GRAVITY);
  const helper = createHelper(world);
  const wall = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(0, 2, 0));
  const ball = addBody(world, [3, 2, 0], ColliderDesc.ball(0.1));
  const rope = JointData.rope(4, { x: 1, y: 0, z: 0 }, { x: -0.5, y: 0, z: 0 });
  const joint = world.createImpulseJoint(rope, wall, ball, true);
  const other = world.createImpulseJoint(rope, wall, addBody(world, [4, 2, 0]), true);
  await advance(world, 2);
  helper.update();
  expect(drawnIn(helper, JOINT).map(({ from, to }) => [from[0], to[0]])).toEqual([
    [0, 1],
    [1, 2.5],
    [2.5, 3],
    [0, 1],
    [1, 3.5],
    [3.5, 4],
  ]);
  const ray = new Raycaster(new Vector3(2, 2, 5), new Vector3(0, 0, -1));
  expect(ray.intersectObject(new Scene().add(helper))).toEqual([]);
  for (const each of [joint, other]) world.removeImpulseJoint(each);
  helper.update();
  expect(drawnIn(helper, JOINT)).toEqual([]);
});

test('lines for which the buffers are too small are drawn', () => {
  const world = createWorldForTest();
  const helper = createHelper(world);
  for (let x = 0; x < 10; x++) {
    world.createCollider(ColliderDesc.ball(1).setTranslation(x, 0, 0));
    helper.update();
  }
  expect(countOf(helper)).toEqual({ [FIXED]: 10 * 72 });
});
