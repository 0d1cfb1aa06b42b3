/** Joints of a world. */
import { expect, test } from 'vitest';
import {
  ColliderDesc,
  JointData,
  RigidBodyDesc,
  type RigidBody,
} from '../../../src/world/page/index.js';
import {
  RECORDED,
  addBody,
  advance,
  createWorldForTest,
  shows,
  warningsOfTest,
  type WorldForTest,
} from '../../fixtures/worlds.js';

const MIDDLE = { x: 0, y: 0, z: 0 };
const X_AXIS = { x: 1, y: 0, z: 0 };
const LINK = JointData.spherical({ x: 0.5, y: 0, z: 0 }, { x: -0.5, y: 0, z: 0 });

/** Bodies in a row. */
const chain = (world: WorldForTest) =>
  [0, 1, 2, 3].map((x) => addBody(world, [x, 20, 0], ColliderDesc.ball(0.2))) as [
    RigidBody,
    RigidBody,
    RigidBody,
    RigidBody,
  ];
const damped = () => RigidBodyDesc.dynamic().setLinearDamping(2).setAngularDamping(2);
const apart = (one: RigidBody, other: RigidBody) => other.translation().x - one.translation().x;

test('a badge that hangs on three ropes does not sink, also after a seek, and its world has the settings of the page', async () => {
  const world = createWorldForTest({ ...RECORDED, gravity: { x: 0, y: -40, z: 0 } });
  const place = (desc: RigidBodyDesc, x: number, shape?: ColliderDesc): RigidBody => {
    const body = world.createRigidBody(desc.setTranslation(x, 4, 0));
    if (shape !== undefined) world.createCollider(shape, body);
    return body;
  };
  let last = place(RigidBodyDesc.fixed(), 0);
  for (const x of [0.5, 1, 1.5]) {
    const next = place(damped(), x, ColliderDesc.ball(0.1));
    world.createImpulseJoint(JointData.rope(1, MIDDLE, MIDDLE), last, next, true);
    last = next;
  }
  const badge = place(damped(), 2, ColliderDesc.cuboid(0.8, 1.125, 0.01));
  const pin = JointData.spherical(MIDDLE, { x: 0, y: 1.45, z: 0 });
  world.createImpulseJoint(pin, last, badge, true);
  // While it swings: the engine does not save which joints are ropes.
  await advance(world, 120);
  await (await world.ready).seek(90);
  const heights: number[] = [];
  for (let second = 0; second < 15; second += 0.5) {
    await advance(world, 30);
    heights.push(badge.translation().y);
  }
  // Its ropes are 3 long, and its pin is 1.45 above it.
  expect(Math.min(...heights)).toBeGreaterThan(-0.6);
  expect(heights.at(-1)).toBeLessThan(-0.4);
  expect(world.numInternalPgsIterations).toBe(1);
});

test('multibody joints form trees, go with their bodies, and survive a seek and another worker', async () => {
  const world = createWorldForTest(RECORDED);
  const [first, second, third, fourth] = chain(world);
  const left = world.createMultibodyJoint(LINK, first, second, true);
  const right = world.createMultibodyJoint(LINK, second, third, true);
  expect(() => world.createMultibodyJoint(LINK, third, first, true)).toThrow(/form a loop/);
  expect(() => world.createMultibodyJoint(LINK, first, first, true)).toThrow(/form a loop/);
  expect(() => world.createMultibodyJoint(LINK, fourth, second, true)).toThrow(/second body/);
  third.applyImpulse({ x: 0.2, y: 0, z: 0 }, true);
  await advance(world, 20);
  expect(apart(second, third)).toBeLessThan(1.01);
  left.setContactsEnabled(false);
  world.removeMultibodyJoint(right);
  await advance(world, 1);
  const handle = await world.ready;
  await handle.replaceWorker();
  third.applyImpulse({ x: 0.2, y: 0, z: 0 }, true);
  await advance(world, 30);
  expect(apart(second, third)).toBeGreaterThan(1.5);
  expect(left.contactsEnabled()).toBe(false);
  await handle.seek(15);
  await shows(world, () => expect([right.isValid(), left.contactsEnabled()]).toEqual([true, true]));
  expect(world.multibodyJoints.getAll()).toEqual([left, right]);
  world.removeRigidBody(second);
  expect([left.isValid(), right.isValid(), world.multibodyJoints.len()]).toEqual([false, false, 0]);
  // The bodies that are left may be joined again.
  world.createMultibodyJoint(LINK, fourth, third, true);
  await advance(world, 5);
  expect(third.translation().x).not.toBeNaN();
});

test('a joint has the limits of its description, which joints without an axis of their own ignore, with a warning', () => {
  const warnings = warningsOfTest();
  const world = createWorldForTest();
  const [first, second] = chain(world);
  const slide = JointData.prismatic(MIDDLE, MIDDLE, X_AXIS);
  slide.limitsEnabled = true;
  slide.limits = [1, -1];
  expect(() => world.createImpulseJoint(slide, first, second, true)).toThrow(/min must be/);
  slide.limits = [-1, 1];
  const joint = world.createImpulseJoint(slide, first, second, true);
  expect([joint.limitsEnabled(), joint.limitsMin(), joint.limitsMax()]).toEqual([true, -1, 1]);
  const hinge = JointData.revolute(MIDDLE, MIDDLE, X_AXIS);
  hinge.limitsEnabled = true;
  hinge.limits = [-1, 1];
  expect(world.createImpulseJoint(hinge, first, second, true).limitsEnabled()).toBe(false);
  expect(warnings()).toEqual([expect.stringContaining('call setLimits')]);
});
