/** More bodies than a world has room for. */
import { expect, test } from 'vitest';
import {
  ColliderDesc,
  JointData,
  Ray,
  RigidBodyDesc,
  RigidBodyType,
  VehicleDesc,
} from '../../../src/world/page/index.js';
import { eventually } from '../../fixtures/eventually.js';
import { present } from '../../fixtures/present.js';
import {
  RECORDED,
  addBody,
  addBox,
  advance,
  createWorldForTest,
  expectReplay,
  reportsOfTest,
} from '../../fixtures/worlds.js';

const at = (x: number, y = 0) => ({ x, y, z: 0 });
const notMade = (handle: number, what: string, more = '') =>
  expect.stringMatching(
    new RegExp(
      `the body with the handle ${handle}: it is not ${what}, .*capacity of createWorld${more}$`,
    ),
  );

test('bodies for which there is no room are not made, and one error names the first and counts them', async () => {
  const reports = reportsOfTest();
  const world = createWorldForTest({ ...RECORDED, capacity: 2, queries: true });
  addBox(world, [1, 1, 1], [0, -1, 0]);
  const bodies = [0, 3, 6, 9].map((x) => addBody(world, [x, 100, 0]));
  const [first, second, third] = bodies.map((body) => present(body));
  const data = JointData.spherical(at(0), at(0));
  const joint = world.createImpulseJoint(data, present(first), present(third), true);
  await advance(world, 1);
  await eventually(() =>
    expect(bodies.map((body) => body.isValid())).toEqual([true, true, false, false]),
  );
  expect([joint.isValid(), world.bodies.len(), world.colliders.len()]).toEqual([false, 2, 3]);
  expect(reports()).toEqual([notMade(present(third).handle, 'made', ' .and 1 more like it.')]);
  expect(world.castRay(new Ray(at(6, 110), at(0, -1)), 20, true)).toBeNull();
  world.removeRigidBody(present(second));
  const later = addBody(world, [12, 100, 0]);
  await advance(world, 10);
  expect([later.isValid(), later.id === undefined]).toEqual([true, false]);
  expect(later.translation().y).toBeLessThan(100);
  await expectReplay(world, 11);
  expect(reports()).toHaveLength(1);
});

test('a vehicle for whose wheels there is no room is not made, and its chassis stays', async () => {
  const reports = reportsOfTest();
  const world = createWorldForTest({ capacity: 2 });
  const chassis = addBody(world);
  const wheel = { chassisConnectionPointCs: at(0), radius: 0.3, suspensionRestLength: 0.5 };
  const desc = new VehicleDesc().addWheel(wheel).addWheel(wheel);
  const vehicle = world.createVehicle(chassis, desc);
  await advance(world, 1);
  await eventually(() => expect(vehicle.isValid()).toBe(false));
  expect(chassis.isValid()).toBe(true);
  expect(reports()).toHaveLength(1);
  await advance(world, 10);
});

test('a fixed body that would have to be drawn, without room for it, stays where it is', async () => {
  const reports = reportsOfTest();
  const world = createWorldForTest({ capacity: 1 });
  const wall = addBody(world, [0, 1, 0], ColliderDesc.ball(0.5), RigidBodyDesc.fixed());
  const ball = addBody(world, [0, 100, 0]);
  await advance(world, 1);
  wall.setTranslation(at(5, 1), true);
  await advance(world, 1);
  await eventually(() => expect(wall.translation()).toEqual(at(0, 1)));
  expect(wall.isValid()).toBe(true);
  expect(reports()).toEqual([notMade(wall.handle, 'changed')]);
  world.removeRigidBody(ball);
  wall.setBodyType(RigidBodyType.Dynamic, true);
  await advance(world, 10);
  expect(wall.translation().y).toBeLessThan(1);
  expect(reports()).toHaveLength(1);
});
