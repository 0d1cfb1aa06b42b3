/** Joints that break. `rapier/joint-load.test.ts` tests the loads themselves. */
import { expect, test } from 'vitest';
import {
  ColliderDesc,
  JointData,
  RigidBodyDesc,
  type ImpulseJoint,
  type RigidBody,
  type WorldBrokenEvent,
} from '../../../src/world/page/index.js';
import {
  RECORDED,
  addBody,
  advance,
  createWorldForTest,
  expectReplay,
  shows,
  type WorldForTest,
} from '../../fixtures/worlds.js';

const MIDDLE = { x: 0, y: 0, z: 0 };
const UPRIGHT = { ...MIDDLE, w: 1 };
const UP = { x: 0, y: 1, z: 0 };
const LEFT = { x: -1, y: 0, z: 0 };
const WEIGHT = 9.81;

/** A body of 1 kg. @param at 1 m from the ground's joint. */
const addWeight = (world: WorldForTest, at: readonly [number, number, number]): RigidBody =>
  addBody(world, at, ColliderDesc.ball(0.1).setMass(1));

const joined = (world: WorldForTest, data: JointData, body: RigidBody): ImpulseJoint =>
  world.createImpulseJoint(data, world.createRigidBody(RigidBodyDesc.fixed()), body, true);

test('a joint holds 1 % less than it bears, and breaks at 1 % more', async () => {
  const world = createWorldForTest();
  // On its right: the lever of the weight is 1 m.
  const hang = (x: number, forceFactor: number, torqueFactor: number) => {
    const data = JointData.fixed({ x, y: 0, z: 0 }, UPRIGHT, LEFT, UPRIGHT);
    data.setBreakForce(forceFactor * WEIGHT, torqueFactor * WEIGHT);
    return joined(world, data, addWeight(world, [x + 1, 0, 0]));
  };
  const holding = [hang(0, 1.01, 1.01), hang(10, 9, Infinity)];
  const breaking = [hang(20, 0.99, 9), hang(30, 9, 0.99)];
  await advance(world, 30);
  await shows(world, () => expect(breaking.map((joint) => joint.isValid())).not.toContain(true));
  expect(holding.map((joint) => joint.isValid())).toEqual([true, true]);
});

test('a joint that breaks is reported with the state that shows it, is whole again before that, and breaks again', async () => {
  const world = createWorldForTest(RECORDED);
  const weight = addWeight(world, [0, -1, 0]);
  const joint = joined(world, JointData.rope(1, MIDDLE, MIDDLE), weight);
  const events: WorldBrokenEvent[] = [];
  world.on('broken', (event) => {
    expect(event.joint.isValid()).toBe(false);
    events.push(event);
  });
  await advance(world, 10);
  joint.setBreakForce(20);
  await advance(world, 10);
  weight.addForce({ x: 0, y: -15, z: 0 }, true);
  const simulation = await world.ready;
  await simulation.step(10);
  expect([events.length, joint.isValid()]).toEqual([0, true]);
  await shows(world, () => expect(events).toHaveLength(1));
  const body1 = joint.body1();
  expect(events[0]).toMatchObject({ tick: 21, joint, body1, body2: weight, torque: 0 });
  expect(events[0]?.force).toBeCloseTo(WEIGHT + 15, 2);
  expect([joint.isValid(), world.impulseJoints.len()]).toEqual([false, 0]);
  expect(weight.translation().y).toBeLessThan(-1.1);
  const saved = await simulation.save();
  await expectReplay(world, 30);
  await shows(world, () => expect(joint.isValid()).toBe(false));

  await simulation.seek(15);
  await shows(world, () => expect(joint.isValid()).toBe(true));
  expect([joint.breakForce(), world.impulseJoints.getAll()]).toEqual([[20, Infinity], [joint]]);
  await simulation.replaceWorker();
  weight.addForce({ x: 0, y: -15, z: 0 }, true);
  await advance(world, 10);
  await shows(world, () => expect(events.filter(({ isReplayed }) => !isReplayed)).toHaveLength(2));
  expect([events.at(-1)?.tick, joint.isValid()]).toEqual([16, false]);
  await simulation.seek(12);
  await shows(world, () => expect(joint.isValid()).toBe(true));
  await simulation.restore(saved);
  await shows(world, () => expect(joint.isValid()).toBe(false));
});

test('joints that break in one tick do so in the order in which they were made, as a restored state has them', async () => {
  const world = createWorldForTest(RECORDED);
  const joints = [0, 1, 2, 3].map((x) => {
    const weight = addWeight(world, [x, -1, 0]);
    return joined(world, JointData.fixed({ x, y: 0, z: 0 }, UPRIGHT, UP, UPRIGHT), weight);
  });
  await advance(world, 5);
  for (const joint of joints.toReversed()) {
    joint.setBreakForce(20);
    await advance(world, 1);
  }
  const order: number[] = [];
  world.on('broken', ({ joint }) => order.push(joint.handle));
  for (const joint of joints) joint.body2().addForce({ x: 0, y: -30, z: 0 }, true);
  await advance(world, 5);
  await shows(world, () => expect(order).toEqual(joints.map(({ handle }) => handle)));
});

test.each<[string, (joint: ImpulseJoint) => void]>([
  ['the joint bears less', (joint) => joint.setBreakForce(WEIGHT / 2)],
  ['its collider is heavier', (joint) => joint.body2().collider(0).setMass(20)],
])('what sleeps on a joint wakes when %s, and falls', async (_, change) => {
  const world = createWorldForTest();
  const weight = addWeight(world, [0, -1, 0]);
  const joint = joined(world, JointData.spherical(MIDDLE, { x: 0, y: 1, z: 0 }), weight);
  joint.setBreakForce(2 * WEIGHT, 1);
  await advance(world, 200);
  expect([weight.isSleeping(), joint.breakForce()]).toEqual([true, [2 * WEIGHT, 1]]);
  change(joint);
  await advance(world, 30);
  await shows(world, () => expect(joint.isValid()).toBe(false));
  expect(weight.translation().y).toBeLessThan(-1.5);
});

test('a joint on which something sleeps holds while the settings of the solver change', async () => {
  const world = createWorldForTest();
  const weight = addWeight(world, [0, -1, 0]);
  const joint = joined(world, JointData.spherical(MIDDLE, UP), weight);
  joint.setBreakForce(2 * WEIGHT);
  await advance(world, 200);
  expect(weight.isSleeping()).toBe(true);
  world.numSolverIterations = 16;
  await advance(world, 10);
  await shows(world, () => expect(joint.isValid()).toBe(true));
});

test('until it breaks, a joint is as stiff as one that cannot break, bit for bit', async () => {
  const places = await Promise.all(
    [Infinity, 1e6].map(async (force) => {
      const world = createWorldForTest();
      let last = world.createRigidBody(RigidBodyDesc.fixed());
      const bodies = [1, 2, 3].map((x) => {
        const data = JointData.spherical({ ...MIDDLE, x: 0.5 }, { ...MIDDLE, x: -0.5 });
        const body = addWeight(world, [x, 0, 0]);
        world.createImpulseJoint(data.setBreakForce(force, force), last, body, true);
        last = body;
        return body;
      });
      await advance(world, 60);
      return bodies.map((body) => [body.translation(), body.rotation(), body.linvel()]);
    }),
  );
  expect(places[1]).toEqual(places[0]);
});
