/** Joints of a world. */
import { expect, test } from 'vitest';
import {
  ColliderDesc,
  JointAxesMask,
  JointAxis,
  JointData,
  JointType,
  MotorModel,
  RigidBodyDesc,
  type GenericImpulseJoint,
  type RigidBody,
  type Rotation,
} from '../../../src/world/page/index.js';
import { present } from '../../fixtures/present.js';
import {
  NO_GRAVITY,
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

type Four = [RigidBody, RigidBody, RigidBody, RigidBody];
/** Bodies in a row. */
const chain = (world: WorldForTest) =>
  [0, 1, 2, 3].map((x) => addBody(world, [x, 20, 0], ColliderDesc.ball(0.2))) as Four;
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
  // The ropes are 3 long, and its pin is 1.45 above it.
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

const { LinX, AngX, AngY, AngZ } = JointAxis;
const ANGLES = [10, 30, 60, 90];
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
/** About one axis, as the engine measures it: the twist of the rotation. */
const degreesAbout = (axis: JointAxis, turn: Rotation): number =>
  (Math.atan2([turn.x, turn.y, turn.z][axis - AngX] as number, turn.w) * 360) / Math.PI;

test('a spherical joint rests at the limits of one axis, and of all at once', async () => {
  const world = createWorldForTest(NO_GRAVITY);
  const held = [[AngX], [AngY], [AngZ], [AngX, AngY, AngZ]].flatMap((axes, row) =>
    ANGLES.map((angle, column) => {
      const place = [4 * column, 4 * row, 0] as const;
      const hook = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(...place));
      const body = addBody(world, place, ColliderDesc.cuboid(0.5, 0.5, 0.5), damped());
      const data = JointData.spherical(MIDDLE, MIDDLE);
      for (const axis of axes) data.setLimits(axis, -1, radians(angle));
      world.createImpulseJoint(data, hook, body, true);
      const push = (axis: JointAxis): number => Number(axes.includes(axis as never));
      body.addTorque({ x: push(AngX), y: push(AngY), z: push(AngZ) }, true);
      return { axes, angle, body };
    }),
  );
  await advance(world, 400);
  for (const { axes, angle, body } of held) {
    for (const axis of axes) {
      expect(Math.abs(degreesAbout(axis, body.rotation()) - angle)).toBeLessThan(1);
    }
  }
});

test('a generic joint that holds all axes turns its bodies as its frames say', async () => {
  const world = createWorldForTest(NO_GRAVITY);
  const hook = world.createRigidBody(RigidBodyDesc.fixed());
  const body = addBody(world);
  const data = JointData.generic(MIDDLE, MIDDLE, X_AXIS, 63);
  world.createImpulseJoint(data, hook, body, true).setFrameX1({ x: 0, y: 0, z: 0.6, w: 0.8 });
  await advance(world, 10);
  expect(body.rotation().z).toBeCloseTo(0.6, 3);
});

/** The axes with limits or a motor. */
const axesOf = (joint: GenericImpulseJoint) =>
  Object.values(JointAxis).flatMap((axis) => {
    const motor = joint.motor(axis);
    if (!joint.limitsEnabled(axis) && motor === undefined) return [];
    return [[axis, joint.limitsMin(axis), joint.limitsMax(axis), motor]];
  });

test('limits and motors by axis are read as they were set, also after a seek and in another page', async () => {
  const world = createWorldForTest(RECORDED);
  const [hook, ball, slide, door] = chain(world);
  const data = JointData.spherical(MIDDLE, X_AXIS)
    .setLimits(AngZ, -0.25, 0.5)
    .configureMotorPosition(AngX, 0, 9, 9)
    .configureMotorVelocity(AngX, 2, 1);
  const round = world.createImpulseJoint(data, hook, ball, true);
  // A copy.
  data.setLimits(AngZ, 0, 0);
  const mask = 63 & ~(JointAxesMask.LinX | JointAxesMask.AngY);
  const held = JointData.generic(MIDDLE, X_AXIS, X_AXIS, mask);
  const generic = world.createImpulseJoint(held, ball, slide, true);
  const turning = JointData.revolute(MIDDLE, X_AXIS, X_AXIS);
  const hinge = world.createImpulseJoint(turning, slide, door, true);
  generic.setLimits(LinX, -1, 0.5);
  generic.configureMotor(AngY, 1, 2, 3, 4);
  generic.configureMotorModel(AngY, MotorModel.ForceBased);
  hinge.setMotorMaxForce(8);
  expect(hinge.motor()).toBeUndefined();
  hinge.configureMotorVelocity(3, 1);
  hinge.configureMotorPosition(0.5, 4, 2);
  const stateOf = (one: WorldForTest) => {
    const joints = [round, generic, hinge].map(({ handle }) =>
      present(one.getImpulseJoint(handle)),
    ) as [typeof round, typeof generic, typeof hinge];
    const types = joints.map((joint) => [joint.type(), joint.lockedAxes()]);
    return [types, axesOf(joints[0]), axesOf(joints[1]), joints[2].motor()];
  };
  const still = { position: 0, velocity: 0, stiffness: 0, damping: 0, maxForce: Infinity };
  const motor = { ...still, model: 0 };
  const pushed = { ...motor, model: 1, position: 1, velocity: 2, stiffness: 3, damping: 4 };
  const before = stateOf(world);
  expect(before).toEqual([
    [
      [JointType.Spherical, 7],
      [JointType.Generic, mask],
      [JointType.Revolute, 0b110111],
    ],
    [
      [AngX, -Infinity, Infinity, { ...motor, velocity: 2, damping: 1 }],
      [AngZ, -0.25, 0.5, undefined],
    ],
    [
      [LinX, -1, 0.5, undefined],
      [AngY, -Infinity, Infinity, pushed],
    ],
    { ...motor, position: 0.5, stiffness: 4, damping: 2, maxForce: 8 },
  ]);
  await advance(world, 5);
  const handle = await world.ready;
  const saved = await handle.save();
  round.setLimits(AngX, -2, 2);
  generic.configureMotorVelocity(LinX, 1, 1);
  world.removeImpulseJoint(hinge);
  await advance(world, 1);
  await handle.seek(saved.tick);
  await shows(world, () => expect(stateOf(world)).toEqual(before));
  const other = createWorldForTest(RECORDED);
  await (await other.ready).restore(saved);
  await shows(other, () => expect(stateOf(other)).toEqual(before));
});

test('an axis that a joint holds stays held, whatever limits and motor it gets', async () => {
  const world = createWorldForTest();
  const [first, second] = chain(world);
  const joint = world.createImpulseJoint(LINK, first, second, true);
  joint.setLimits(LinX, -1, 1);
  joint.configureMotorVelocity(LinX, 1, 9);
  await advance(world, 20);
  expect(apart(first, second)).toBeCloseTo(1, 2);
});
