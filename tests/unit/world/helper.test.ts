/** What the helper draws of a world, from its buffers. */
import { Color, Raycaster, Scene, Vector3 } from 'three';
import { expect, test } from 'vitest';
import { WorldHelper } from '../../../src/render-main/three/index.js';
import {
  ColliderDesc,
  JointData,
  RigidBodyDesc,
  type World,
} from '../../../src/render-main/world/index.js';
import { eventually } from '../../fixtures/eventually.js';
import { createWorldForTest } from '../../fixtures/worlds.js';

/** A still picture may be this many ticks behind the newest state. */
const BEHIND = 4;
let stamps = 0;

async function advance(world: World, helper: WorldHelper, ticks: number): Promise<void> {
  const simulation = await world.ready;
  world.flush();
  const last = await simulation.step(ticks + BEHIND);
  await eventually(() => {
    stamps += 1;
    const { tick } = world.sample(performance.now() + stamps);
    expect(tick).toBeGreaterThanOrEqual(last - BEHIND);
  });
  helper.update();
}

interface Drawn {
  readonly color: string;
  readonly from: number[];
  readonly to: number[];
}

/** The segments of a color, to two digits; those without a length are not drawn. */
function drawn(helper: WorldHelper): Drawn[] {
  const { position, color } = helper.geometry.attributes;
  if (position === undefined || color === undefined) throw new Error('nothing is drawn');
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

const countOf = (lines: readonly Drawn[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { color } of lines) counts[color] = (counts[color] ?? 0) + 1;
  return counts;
};

const [DYNAMIC, AT_REST, KINEMATIC, FIXED, SENSOR, DISABLED, JOINT, CONTACT] = [
  'f5b83d',
  '8a6fd1',
  '4fa8f0',
  '8d99a6',
  '4fd67a',
  '55504a',
  'ff7a59',
  'ff2d55',
] as const;

test('colliders are drawn where their bodies are drawn, in the color of what they do', async () => {
  const world = createWorldForTest();
  const helper = new WorldHelper(world);
  // Nothing is there yet.
  helper.update();
  expect(helper.geometry.drawRange.count).toBe(0);
  world.createCollider(ColliderDesc.cuboid(5, 1, 5).setTranslation(0, -1, 0));
  const box = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 5, 0));
  const collider = world.createCollider(
    ColliderDesc.cuboid(0.5, 0.5, 0.5).setTranslation(1, 0, 0),
    box,
  );
  const lift = world.createRigidBody(
    RigidBodyDesc.kinematicPositionBased().setTranslation(9, 0, 0),
  );
  world.createCollider(ColliderDesc.ball(1), lift);
  const sensor = ColliderDesc.cuboid(1, 1, 1).setSensor(true).setTranslation(-9, 0, 0);
  world.createCollider(sensor);
  const off = world.createCollider(ColliderDesc.cuboid(1, 1, 1).setTranslation(-19, 0, 0));
  off.setEnabled(false);
  await advance(world, helper, 20);
  expect(countOf(drawn(helper))).toEqual({
    [FIXED]: 12,
    [DYNAMIC]: 12,
    [KINEMATIC]: 72,
    [SENSOR]: 12,
    [DISABLED]: 12,
  });
  const pose = new Float64Array(7);
  if (box.id === undefined) throw new Error('the box is not drawn');
  expect(world.frame.pose(box.id, pose)).toBeDefined();
  const heights = drawn(helper)
    .filter(({ color }) => color === DYNAMIC)
    .flatMap(({ from, to }) => [from, to]);
  expect(Math.max(...heights.map(([, y]) => y ?? 0))).toBeCloseTo((pose[1] ?? 0) + 0.5, 1);
  expect(Math.max(...heights.map(([x]) => x ?? 0))).toBeCloseTo(1.5, 1);

  // Another shape, and what rests.
  collider.setShape(ColliderDesc.convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]));
  await advance(world, helper, 400);
  expect(countOf(drawn(helper))[AT_REST]).toBe(6);
  world.removeRigidBody(box);
  helper.update();
  expect(countOf(drawn(helper))[AT_REST]).toBeUndefined();
  expect(countOf(drawn(helper))[FIXED]).toBe(12);
  helper.dispose();
});

test('joints are drawn from body to anchor to anchor to body, and rays pass', async () => {
  const world = createWorldForTest({ gravity: { x: 0, y: 0, z: 0 } });
  const helper = new WorldHelper(world);
  const [wall, ball] = [
    world.createRigidBody(RigidBodyDesc.fixed().setTranslation(0, 2, 0)),
    world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(3, 2, 0)),
  ];
  world.createCollider(ColliderDesc.ball(0.1), ball);
  const joint = world.createImpulseJoint(
    JointData.rope(4, { x: 1, y: 0, z: 0 }, { x: -0.5, y: 0, z: 0 }),
    wall,
    ball,
    true,
  );
  await advance(world, helper, 2);
  const lines = drawn(helper).filter(({ color }) => color === JOINT);
  expect(lines.map(({ from, to }) => [from[0], to[0]])).toEqual([
    [0, 1],
    [1, 2.5],
    [2.5, 3],
  ]);
  const scene = new Scene().add(helper);
  const ray = new Raycaster(new Vector3(2, 2, 5), new Vector3(0, 0, -1));
  expect(ray.intersectObject(scene)).toEqual([]);
  world.removeImpulseJoint(joint);
  helper.update();
  expect(countOf(drawn(helper))[JOINT]).toBeUndefined();
});

test('contacts are drawn with their normals, if wanted', async () => {
  const world = createWorldForTest();
  const helper = new WorldHelper(world, { contacts: true });
  world.createCollider(ColliderDesc.cuboid(5, 1, 5).setTranslation(0, -1, 0));
  for (const x of [0, 3]) {
    const box = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(x, 0.5, 0));
    world.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5), box);
  }
  await advance(world, helper, 10);
  await eventually(() => {
    helper.update();
    // Four corners of each box, with four lines each.
    expect(countOf(drawn(helper))[CONTACT]).toBe(32);
  });
  const normals = drawn(helper).filter(
    ({ color, from, to }) => color === CONTACT && Math.abs((to[1] ?? 0) - (from[1] ?? 0)) > 0.2,
  );
  expect(normals).toHaveLength(8);
  for (const { from } of normals) expect(from[1]).toBeCloseTo(0, 1);
});

test('a world with thousands of lines, which come and go, is drawn with few buffers', async () => {
  const world = createWorldForTest();
  const helper = new WorldHelper(world);
  let buffers = 0;
  let last: unknown;
  for (let round = 0; round < 30; round++) {
    const body = world.createCollider(ColliderDesc.ball(1).setTranslation(round, 0, 0));
    helper.update();
    if (helper.geometry.attributes['position'] !== last) buffers += 1;
    last = helper.geometry.attributes['position'];
    if (round % 3 === 0) world.removeCollider(body);
  }
  helper.update();
  expect(countOf(drawn(helper))).toEqual({ [FIXED]: 20 * 72 });
  expect(buffers).toBeLessThan(6);
  await world.ready;
});
