/** Joints that break. */
import { expect, test } from 'vitest';
import {
  ColliderDesc,
  JointData,
  RigidBodyDesc,
  type WorldBrokenEvent,
} from '../../../src/world/page/index.js';
import { RECORDED, advance, createWorldForTest, shows } from '../../fixtures/worlds.js';

test('a joint breaks', async () => {
  const world = createWorldForTest(RECORDED);
  const ground = world.createRigidBody(RigidBodyDesc.fixed());
  const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, -1, 0));
  world.createCollider(ColliderDesc.ball(0.3).setMass(1), body);
  const joint = world.createImpulseJoint(
    JointData.spherical({ x: 0, y: 0, z: 0 }, { x: 0, y: 1, z: 0 }).setBreakForce(10),
    ground,
    body,
    true,
  );
  const events: WorldBrokenEvent[] = [];
  world.on('broken', (event) => events.push(event));
  await advance(world, 30);
  expect(body.translation().y).toBeCloseTo(-1, 4);
  console.log('adv', body.translation().y);
  joint.setBreakForce(9.7);
  await advance(world, 30);
  console.log('after', body.translation().y);
  await shows(world, () => expect(events).toHaveLength(1));
  console.log(events[0]?.force, events[0]?.tick, joint.isValid(), body.translation().y);
  const sim = await world.ready;
  await sim.seek(20);
  await shows(world, () => expect(joint.isValid()).toBe(true));
  console.log(joint.breakForce());
  await advance(world, 30);
  console.log(joint.isValid(), joint.breakForce(), body.translation().y);
});
