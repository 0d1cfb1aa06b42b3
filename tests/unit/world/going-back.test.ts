/** A world that goes back, is restored, replayed, or continued in another worker. */
import { expect, test, vi } from 'vitest';
import * as page from '../../../src/world/page/index.js';
import { WorldContents } from '../../../src/world/worker/world-contents.js';
import { present } from '../../fixtures/present.js';
import { sceneIn } from '../../fixtures/world-scene.js';
import {
  RECORDED,
  addBody,
  advance,
  countBatches,
  createWorldForTest,
  shows,
} from '../../fixtures/worlds.js';

const { ColliderDesc, JointData, RigidBodyDesc } = page;
const MIDDLE = { x: 0, y: 0, z: 0 };

test('a world that goes back has what that state has: the same objects, with the settings of then', async () => {
  const world = createWorldForTest({ ...RECORDED, queries: true });
  const handle = await world.ready;
  const mesh = { name: 'mesh' };
  const kept = addBody(world, [0, 50, 0]);
  const ball = kept.collider(0);
  const ofMesh = RigidBodyDesc.dynamic().setUserData(mesh);
  const gone = addBody(world, [5, 50, 0], ColliderDesc.cuboid(1, 2, 3), ofMesh);
  const box = gone.collider(0);
  const wall = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(0, 1, 0));
  const joint = world.createImpulseJoint(JointData.rope(9, MIDDLE, MIDDLE), kept, gone, true);
  ball.setMass(4);
  await advance(world, 20);
  world.removeRigidBody(gone);
  const late = world.createRigidBody(RigidBodyDesc.dynamic());
  kept.setLinearDamping(0.5);
  ball.setFriction(0.1);
  ball.setMass(8);
  wall.setTranslation({ x: 0, y: 9, z: 0 }, true);
  world.gravity = MIDDLE;
  world.integrationParameters.contact_natural_frequency = 60;
  await advance(world, 20);
  expect([gone.isValid(), late.isValid(), world.impulseJoints.len()]).toEqual([false, true, 0]);
  expect(kept.mass()).toBe(8);

  await handle.seek(20);
  await shows(world, () => expect(late.isValid()).toBe(false));
  expect([gone, box, joint].map((thing) => thing.isValid())).toEqual([true, true, true]);
  expect(world.getRigidBody(gone.handle)).toBe(gone);
  expect(gone.userData).toBe(mesh);
  expect([box.parent(), joint.body2(), gone.numColliders()]).toEqual([gone, gone, 1]);
  expect([kept.linearDamping(), ball.friction(), wall.translation().y]).toEqual([0, 0.5, 1]);
  await shows(world, () => expect([kept.mass(), ball.mass()]).toEqual([4, 4]));
  expect(kept.effectiveInvMass().x).toBe(0.25);
  expect(world.gravity.y).toBeCloseTo(-9.81, 5);
  expect(world.integrationParameters.contact_natural_frequency).toBe(30);
  expect(gone.translation().x).toBeCloseTo(5, 0);

  // Values that the page believes to be set already are not left out.
  kept.setLinearDamping(0.5);
  await advance(world, 1);
  world.integrationParameters.contact_natural_frequency = 60;
  await advance(world, 1);
  gone.setLinvel({ x: 3, y: 0, z: 0 }, true);
  await advance(world, 1);
  expect(await countBatches(world)).toBe(5);
  expect(gone.linvel().x).toBeCloseTo(3, 1);
  const next = world.createRigidBody(RigidBodyDesc.dynamic());
  expect(next.handle).toBeGreaterThan(late.handle);
});

test('values that are set again while the run goes elsewhere count there', async () => {
  const world = createWorldForTest({ ...RECORDED, queries: true });
  const handle = await world.ready;
  const body = addBody(world, [0, 50, 0], ColliderDesc.ball(1), RigidBodyDesc.fixed());
  const ball = body.collider(0);
  ball.setMass(7);
  const { integrationParameters: parameters } = world;
  const set = (): void => {
    body.setLinearDamping(0.5);
    // In place of a mass.
    ball.setDensity(2);
    parameters.numSolverIterations = 9;
    // Carried over from where it was.
    body.setTranslation(body.translation(), true);
  };
  const read = (): unknown => [
    body.linearDamping(),
    ball.density(),
    parameters.numSolverIterations,
    body.translation().y,
  ];
  const goes = async (call: () => Promise<unknown>): Promise<void> => {
    const late = world.createRigidBody(RigidBodyDesc.dynamic());
    await advance(world, 2);
    const gone = call();
    set();
    await gone;
    await shows(world, () => expect(late.isValid()).toBe(false));
    await advance(world, 2);
    expect(read()).toEqual([0.5, 2, 9, 20]);
  };
  await advance(world, 2);
  const early = await handle.save();
  body.setTranslation({ x: 0, y: 20, z: 0 }, true);
  set();
  await advance(world, 2);
  await goes(() => handle.seek(early.tick));
  await goes(() => handle.restore(early));
  const replay = await handle.openReplay(handle.recording());
  await shows(world, () => expect(body.linearDamping()).toBe(0));
  body.setLinearDamping(0);
  await replay.seek(replay.recording.lastTick);
  await shows(world, () => expect(parameters.numSolverIterations).toBe(9));
  await replay.close();
  await advance(world, 2);
  await shows(world, () => expect(read()).toEqual([0, 2, 9, 20]));
});

test('things of a saved state of another world get handles, and its settings hold', async () => {
  const first = createWorldForTest(RECORDED);
  const { bodies } = sceneIn(page, first);
  first.integrationParameters.contact_natural_frequency = 25.3;
  await advance(first, 30);
  const second = createWorldForTest(RECORDED);
  // The numbers of these bodies are of colliders there, or of others.
  const before = Array.from({ length: 6 }, () => second.createRigidBody(RigidBodyDesc.fixed()));
  const colliders = before.filter(({ handle }) => first.colliders.contains(handle));
  expect(colliders).not.toEqual([]);
  await advance(second, 1);
  await (await second.ready).restore(await (await first.ready).save());
  await shows(second, () => expect(second.impulseJoints.len()).toBe(first.impulseJoints.len()));
  expect(second.bodies.len()).toBe(first.bodies.len());
  expect(second.integrationParameters.contact_natural_frequency).toBeCloseTo(25.3, 4);
  for (const body of first.bodies.getAll()) {
    const found = present(second.getRigidBody(body.handle));
    expect([found.translation(), found.linvel()]).toEqual([body.translation(), body.linvel()]);
    expect(found.bodyType()).toBe(body.bodyType());
  }
  for (const collider of first.colliders.getAll()) {
    const found = present(second.getCollider(collider.handle));
    expect(found.shapeType()).toBe(collider.shapeType());
    expect(found.shapeSizes().map(Math.fround)).toEqual(collider.shapeSizes().map(Math.fround));
    expect(found.parent()?.handle).toBe(collider.parent()?.handle);
  }
  expect(colliders.some((body) => body.isValid())).toBe(false);
  const last = Math.max(...Object.values(bodies).map(({ handle }) => handle));
  expect(second.createRigidBody(RigidBodyDesc.dynamic()).handle).toBeGreaterThan(last);
});

test('bodies that come or go in one frame of a replay are asked for at once', async () => {
  const world = createWorldForTest(RECORDED);
  const handle = await world.ready;
  await advance(world, 1);
  const bodies = Array.from({ length: 20 }, (_, index) => addBody(world, [3 * index, 50, 0]));
  await advance(world, 10);
  const replay = await handle.openReplay(handle.recording());
  const describe = vi.spyOn(WorldContents.prototype, 'describe');
  for (const tick of [0, 9, 1, 5]) {
    await replay.seek(tick);
    const hasBodies = tick > 1;
    await shows(world, () =>
      expect(bodies.filter((body) => body.isValid() === hasBodies)).toHaveLength(20),
    );
  }
  // Each jump asks, and so does each frame in which bodies come or go.
  expect(describe.mock.calls.length).toBeLessThanOrEqual(12);
});
