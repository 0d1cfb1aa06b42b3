/** Bodies of Rapier that are published: where, when, and what becomes of them. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { RAPIER_BUILDS, ofBuild } from '../../../bench/engines/load-rapier.js';
import {
  BODY_ASLEEP,
  CONTINUITY_MASK,
  slotOf,
  type BodyId,
} from '../../../src/shared/memory/body-meta.js';
import { BODY_LANES, LANE, VELOCITY_LANE } from '../../../src/shared/memory/layout.js';
import { CapacityExceededError } from '../../../src/shared/util/errors.js';
import { BodyRegistry } from '../../../src/sim-worker/bodies/body-registry.js';
import { RapierWorld, engineName, loadRapier } from '../../../src/rapier/rapier.js';
import { poseAt } from '../../fixtures/poses.js';
import { present } from '../../fixtures/present.js';
import { expectEqual } from '../../fixtures/quick-checks.js';

const STEP_SECONDS = 1 / 60;
const rapier = await loadRapier();
const { ColliderDesc, JointData, RigidBodyDesc, RigidBodyType } = rapier;

test('a loaded engine has its name, build and version, is loaded once, and writes nothing to the console', async () => {
  const spies = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
  for (const build of RAPIER_BUILDS) {
    const { loadRapier: load } = ofBuild[build];
    const loaded = await load();
    expect(await load()).toBe(loaded);
    expect(engineName(loaded)).toMatch(new RegExp(`^rapier3d-${build} \\d+\\.\\d+\\.\\d+$`));
  }
  expect(engineName({ World: Map as never })).toBe('');
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});

let bodies: BodyRegistry;
let physics: RapierWorld;

function createPhysics(registry: BodyRegistry): RapierWorld {
  const created = new RapierWorld(new rapier.World({ x: 0, y: -9.81, z: 0 }), registry);
  created.world.createCollider(ColliderDesc.cuboid(50, 1, 50).setTranslation(0, -1, 0));
  onTestFinished(() => created.free());
  return created;
}

beforeEach(() => {
  bodies = new BodyRegistry(8);
  physics = createPhysics(bodies);
});

const createBox = (x: number, y: number, desc = RigidBodyDesc.dynamic()) => {
  const rigidBody = physics.world.createRigidBody(desc.setTranslation(x, y, 0));
  physics.world.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5), rigidBody);
  return rigidBody;
};
const addBox = (x: number, y: number): BodyId => physics.add(createBox(x, y));
const lanes = () => new Float32Array(bodies.lanes.buffer);
const heightOf = (id: BodyId) => present(lanes()[slotOf(id) * BODY_LANES + LANE.y]);
const metaOf = (id: BodyId) => present(bodies.lanes[slotOf(id) * BODY_LANES + LANE.meta]);
const continuityOf = (id: BodyId) => metaOf(id) & CONTINUITY_MASK;
const rigidBodyOf = (id: BodyId) => present(physics.rigidBodyOf(id));
const isAsleep = (id: BodyId) => (metaOf(id) & BODY_ASLEEP) !== 0;
const step = (ticks: number) => {
  for (let tick = 0; tick < ticks; tick++) physics.step(STEP_SECONDS);
};

test('the velocity of a body is published, while it moves and when it has come to rest', () => {
  const moving = new BodyRegistry(8, true);
  physics = createPhysics(moving);
  const desc = RigidBodyDesc.dynamic().setLinvel(1, 2, 3).setAngvel({ x: 4, y: 5, z: 6 });
  const box = createBox(0, 3, desc);
  const at = slotOf(physics.add(box)) * BODY_LANES;
  const { x, y, z, wx, wy, wz } = VELOCITY_LANE;
  const published = () => [x, y, z, wx, wy, wz].map((lane) => moving.velocities?.[at + lane]);
  const expected = () => {
    const [v, w] = [box.linvel(), box.angvel()];
    return [v.x, v.y, v.z, w.x, w.y, w.z].map(Math.fround);
  };
  expect(published()).toEqual([1, 2, 3, 4, 5, 6]);
  for (let tick = 0; tick < 600; tick++) {
    step(1);
    expectEqual(published(), expected());
  }
  expect(published()).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a disabled body stays where it is and is no invalid one, until it is enabled', () => {
  const id = addBox(0, 5);
  step(5);
  expect(physics.setEnabled(id, false)).toBe(true);
  const height = heightOf(id);
  step(5);
  expect([heightOf(id), bodies.invalidPoses]).toEqual([height, 0]);
  physics.setEnabled(id, true);
  step(5);
  expect(heightOf(id)).toBeLessThan(height);
  physics.remove(id);
  expect(physics.setEnabled(id, true)).toBe(false);
});

test('a body that comes to rest is asleep with its final pose, marks nothing afterwards, and is woken by a hit', () => {
  const id = addBox(0, 0.6);
  expect(isAsleep(id)).toBe(false);
  step(240);
  expect(isAsleep(id)).toBe(true);
  expect(heightOf(id)).toBe(rigidBodyOf(id).translation().y);
  bodies.beginState(777);
  step(10);
  expect([...bodies.changedAt]).not.toContain(777);
  const above = addBox(0.2, 3);
  step(60);
  expect(isAsleep(id)).toBe(false);
  step(240);
  expect([id, above].map(isAsleep)).toEqual([true, true]);
});

test('a body that is added asleep stays so until it is woken', () => {
  const rigidBody = createBox(0, 9, RigidBodyDesc.dynamic().setSleeping(true));
  const id = physics.add(rigidBody);
  step(30);
  expect([isAsleep(id), heightOf(id)]).toEqual([true, 9]);
  rigidBody.wakeUp();
  step(2);
  expect(isAsleep(id)).toBe(false);
  expect(heightOf(id)).toBeLessThan(9);
});

test('a body that is added asleep and woken by the engine in its first step is awake', () => {
  physics.world.createCollider(ColliderDesc.cuboid(5, 1, 5));
  const rigidBody = createBox(0, 1.2, RigidBodyDesc.dynamic().setSleeping(true));
  const id = physics.add(rigidBody);
  step(1);
  expect([rigidBody.isSleeping(), isAsleep(id)]).toEqual([false, false]);
});

test('a kinematic body is published while it moves', () => {
  const rigidBody = createBox(0, 4, RigidBodyDesc.kinematicPositionBased());
  const id = physics.add(rigidBody);
  step(20);
  rigidBody.setNextKinematicTranslation({ x: 0, y: 6, z: 0 });
  step(1);
  expect(heightOf(id)).toBe(6);
});

test('a body is removed with its rigid body, collider and joints, and only once', () => {
  const [a, b] = [createBox(0, 5), createBox(2, 5)];
  const [idA, idB] = [physics.add(a), physics.add(b)];
  const data = JointData.spherical({ x: 1, y: 0, z: 0 }, { x: -1, y: 0, z: 0 });
  physics.world.createImpulseJoint(data, a, b, true);
  expect([physics.remove(idA), physics.remove(idA)]).toEqual([true, false]);
  const { world } = physics;
  expect([world.bodies.len(), world.colliders.len(), world.impulseJoints.len()]).toEqual([1, 2, 0]);
  expect(physics.rigidBodyOf(idA)).toBeUndefined();
  expect(physics.rigidBodyOf(idB)).toBe(b);
  step(5);
  expect(bodies.isAlive(idA)).toBe(false);
});

test('the slot of a body goes to the next one as a new owner, and the old id stays dead', () => {
  const old = addBox(0, 3);
  step(3);
  physics.remove(old);
  const next = addBox(4, 8);
  expect(slotOf(next)).toBe(slotOf(old));
  expect(next).not.toBe(old);
  step(3);
  expect(heightOf(next)).toBeGreaterThan(7);
  expect(physics.rigidBodyOf(old)).toBeUndefined();
  expect(physics.teleport(old, poseAt(0))).toBe(false);
  expect(isAsleep(next)).toBe(false);
});

test('ids and rigid bodies map to each other', () => {
  const rigidBody = createBox(0, 3);
  const id = physics.add(rigidBody);
  expect(physics.rigidBodyOf(id)).toBe(rigidBody);
  expect(physics.bodyIdOf(rigidBody)).toBe(id);
  expect(() => physics.add(rigidBody)).toThrow(RangeError);
  expect(bodies.bodyCount).toBe(1);
});

test('a body for which there is no room stays unpublished', () => {
  for (let index = 0; index < 8; index++) addBox(index * 2, 3);
  const rigidBody = createBox(20, 3);
  expect(() => physics.add(rigidBody)).toThrow(CapacityExceededError);
  step(5);
  expect([physics.bodyIdOf(rigidBody), bodies.bodyCount]).toEqual([undefined, 8]);
});

test('a teleport is one jump, from which the body continues, and wakes it', () => {
  const id = addBox(0, 0.5);
  step(240);
  expect(isAsleep(id)).toBe(true);
  const before = continuityOf(id);
  expect(physics.teleport(id, poseAt(7, 20, 1))).toBe(true);
  const after = continuityOf(id);
  expect(after).not.toBe(before);
  expect(heightOf(id)).toBe(20);
  step(3);
  expect([continuityOf(id), isAsleep(id)]).toEqual([after, false]);
  expect(heightOf(id)).toBeLessThan(20);
  expect(heightOf(id)).toBeGreaterThan(19);
});

test('a teleport to NaN is refused and the engine does not see it', () => {
  const id = addBox(0, 3);
  expect(physics.teleport(id, poseAt(Number.NaN))).toBe(false);
  step(2);
  expect(heightOf(id)).toBeCloseTo(3, 1);
});

test.each(['fixed', 'asleep', 'disabled', 'fixed later'])(
  'a body that is %s, which the engine does not simulate, is drawn where it was published',
  (which) => {
    const rigidBody = createBox(0, 3, which === 'fixed' ? RigidBodyDesc.fixed() : undefined);
    if (which === 'disabled') rigidBody.setEnabled(false);
    if (which === 'asleep' || which === 'fixed later') rigidBody.sleep();
    if (which === 'fixed later') rigidBody.setBodyType(RigidBodyType.Fixed, false);
    const id = physics.add(rigidBody);
    step(2);
    const before = continuityOf(id);
    rigidBody.setTranslation({ x: 1, y: 5, z: 2 }, false);
    rigidBody.setRotation({ x: 0, y: 1, z: 0, w: 0 }, false);
    step(1);
    // The reason for the call.
    expect(heightOf(id)).toBe(3);
    expect(physics.publish(id)).toBe(true);
    const moved = { x: 1, y: 5, z: 2, qx: 0, qy: 1, qz: 0, qw: 0 };
    expect([bodies.pose(id), continuityOf(id)]).toEqual([moved, before]);
    step(2);
    expect(bodies.pose(id)).toEqual(moved);

    rigidBody.setTranslation({ x: 1, y: 7, z: 2 }, false);
    expect(physics.publish(id, 'teleport')).toBe(true);
    step(1);
    expect(heightOf(id)).toBe(7);
    expect(continuityOf(id)).not.toBe(before);
    // A restored world has it there.
    const saved = { world: physics.save(), bodies: bodies.save() };
    bodies.restore(saved.bodies);
    physics.restore(saved.world);
    step(1);
    expect(heightOf(id)).toBe(7);
  },
);

test('publishing is refused for a removed body, one that the engine no longer has, and an unknown way', () => {
  const id = addBox(0, 3);
  expect(() => physics.publish(id, 'jump' as 'motion')).toThrow(/how must be one of motion/);
  physics.remove(id);
  expect(physics.publish(id)).toBe(false);
  const rigidBody = createBox(0, 3, RigidBodyDesc.fixed());
  const gone = physics.add(rigidBody);
  physics.world.removeRigidBody(rigidBody);
  expect(() => physics.publish(gone)).toThrow(/physics\.remove\(id\)/);
});

test('a body that becomes fixed while it moves is drawn where it stops', () => {
  const id = addBox(0, 9);
  step(10);
  const rigidBody = rigidBodyOf(id);
  rigidBody.setBodyType(RigidBodyType.Fixed, true);
  rigidBody.setTranslation({ x: 0, y: 4, z: 0 }, true);
  step(1);
  expect(heightOf(id)).toBe(4);
});

test('a pose that is corrected before it is published is never seen uncorrected', () => {
  const rigidBody = createBox(0, 3);
  const id = physics.add(rigidBody);
  physics.step(STEP_SECONDS, () => rigidBody.setTranslation({ x: 0, y: 12, z: 0 }, true));
  expect(heightOf(id)).toBe(12);
});

test('clear removes the added bodies and leaves the rest, and free releases their slots', () => {
  const id = addBox(0, 3);
  addBox(3, 3);
  createBox(6, 3);
  physics.clear();
  expect([bodies.bodyCount, physics.rigidBodyOf(id)]).toEqual([0, undefined]);
  expect(physics.world.bodies.len()).toBe(1);
  step(2);
  addBox(0, 3);
  const other = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), bodies);
  const elsewhere = other.add(other.world.createRigidBody(RigidBodyDesc.dynamic()));
  other.free();
  expect([bodies.isAlive(elsewhere), bodies.bodyCount]).toEqual([false, 1]);
});
