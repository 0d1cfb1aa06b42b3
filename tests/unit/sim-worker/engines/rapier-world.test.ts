import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  BODY_ASLEEP,
  BODY_INVALID,
  CONTINUITY_MASK,
  slotOf,
  type BodyId,
} from '../../../../src/shared/memory/body-meta.js';
import { CapacityExceededError } from '../../../../src/shared/util/errors.js';
import { BODY_LANES, LANE, VELOCITY_LANE } from '../../../../src/shared/memory/layout.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import { RAPIER_BUILDS } from '../../../../src/sim-worker/engines/rapier-builds.js';
import { RapierWorld, loadRapier } from '../../../../src/sim-worker/engines/rapier.js';
import { present } from '../../../fixtures/present.js';
import { poseAt } from '../../../fixtures/poses.js';

const STEP_SECONDS = 1 / 60;

describe('loading', () => {
  test('an unknown build is refused by name', async () => {
    await expect(loadRapier('fast' as 'simd')).rejects.toThrow(/build.*simd, deterministic/);
  });

  test('nothing appears on the console, and loading twice works', async () => {
    const spies = (['log', 'info', 'warn', 'error'] as const).map((name) =>
      vi.spyOn(console, name),
    );
    for (const build of RAPIER_BUILDS) {
      expect(await loadRapier(build)).toBe(await loadRapier(build));
    }
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });
});

describe.each(RAPIER_BUILDS)('the %s build', async (build) => {
  const rapier = await loadRapier(build);
  const { ColliderDesc, JointData, RigidBodyDesc } = rapier;
  let bodies: BodyRegistry;
  let physics: RapierWorld;

  beforeEach(() => {
    bodies = new BodyRegistry(8);
    physics = new RapierWorld(new rapier.World({ x: 0, y: -9.81, z: 0 }), bodies);
    physics.world.createCollider(ColliderDesc.cuboid(50, 1, 50).setTranslation(0, -1, 0));
  });
  afterEach(() => {
    physics.free();
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
  const rigidBodyOf = (id: BodyId) => present(physics.rigidBodyOf(id));
  const isAsleep = (id: BodyId) => (metaOf(id) & BODY_ASLEEP) !== 0;
  const step = (ticks: number) => {
    for (let tick = 0; tick < ticks; tick++) physics.step(STEP_SECONDS);
  };

  test('a body is published at its position immediately, and moves with each step', () => {
    const id = addBox(2, 5);
    expect(heightOf(id)).toBe(5);
    step(1);
    const first = heightOf(id);
    step(1);
    expect(first).toBeLessThan(5);
    expect(heightOf(id)).toBeLessThan(first);
    expect(rigidBodyOf(id).translation().y).toBe(heightOf(id));
  });

  test('its velocity is published, while it moves and when it has come to rest', () => {
    const moving = new BodyRegistry(8, true);
    const world = new RapierWorld(new rapier.World({ x: 0, y: -9.81, z: 0 }), moving);
    const { world: engine } = world;
    engine.createCollider(ColliderDesc.cuboid(50, 1, 50).setTranslation(0, -1, 0));
    const desc = RigidBodyDesc.dynamic().setTranslation(0, 3, 0);
    const box = engine.createRigidBody(desc.setLinvel(1, 2, 3).setAngvel({ x: 4, y: 5, z: 6 }));
    engine.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5), box);
    const id = world.add(box);
    const published = () => {
      const at = slotOf(id) * BODY_LANES;
      const of = (lane: number) => present(moving.velocities?.[at + lane]);
      const { x, y, z, wx, wy, wz } = VELOCITY_LANE;
      return [x, y, z, wx, wy, wz].map(of);
    };
    const expected = () => {
      const [v, w] = [box.linvel(), box.angvel()];
      return [v.x, v.y, v.z, w.x, w.y, w.z].map(Math.fround);
    };
    expect(published()).toEqual([1, 2, 3, 4, 5, 6]);
    for (let tick = 0; tick < 600; tick++) {
      world.step(STEP_SECONDS);
      expect(published()).toEqual(expected());
    }
    expect(published()).toEqual([0, 0, 0, 0, 0, 0]);
    world.free();
  });

  test('a disabled body stays where it is and is no invalid one, until it is enabled', () => {
    const id = addBox(0, 5);
    step(5);
    expect(physics.setEnabled(id, false)).toBe(true);
    const height = heightOf(id);
    step(5);
    expect(heightOf(id)).toBe(height);
    expect(bodies.invalidPoses).toBe(0);
    physics.setEnabled(id, true);
    step(5);
    expect(heightOf(id)).toBeLessThan(height);
    physics.remove(id);
    expect(physics.setEnabled(id, true)).toBe(false);
  });

  test('a body that is not added is simulated and not published', () => {
    const unseen = createBox(0, 5);
    step(10);
    expect(unseen.translation().y).toBeLessThan(5);
    expect(physics.bodyIdOf(unseen)).toBeUndefined();
    expect(bodies.bodyCount).toBe(0);
  });

  test('a body that comes to rest is marked asleep with its final pose, and marks nothing afterwards', () => {
    const id = addBox(0, 0.6);
    expect(isAsleep(id)).toBe(false);
    step(240);
    expect(isAsleep(id)).toBe(true);
    expect(heightOf(id)).toBe(rigidBodyOf(id).translation().y);
    bodies.beginState(777);
    step(10);
    expect([...bodies.changedAt]).not.toContain(777);
  });

  test('a hit wakes it', () => {
    const id = addBox(0, 0.6);
    step(240);
    const above = addBox(0.2, 3);
    step(60);
    expect(isAsleep(id)).toBe(false);
    step(240);
    expect([id, above].map(isAsleep)).toEqual([true, true]);
  });

  test('a body added asleep is flagged asleep and stays so until it is woken', () => {
    const rigidBody = createBox(0, 9, RigidBodyDesc.dynamic().setSleeping(true));
    const id = physics.add(rigidBody);
    step(30);
    expect(isAsleep(id)).toBe(true);
    expect(heightOf(id)).toBe(9);
    rigidBody.wakeUp();
    step(2);
    expect(isAsleep(id)).toBe(false);
    expect(heightOf(id)).toBeLessThan(9);
  });

  test('a body added asleep that the engine wakes in its first step is not flagged', () => {
    physics.world.createCollider(ColliderDesc.cuboid(5, 1, 5));
    const rigidBody = createBox(0, 1.2, RigidBodyDesc.dynamic().setSleeping(true));
    const id = physics.add(rigidBody);
    step(1);
    expect(rigidBody.isSleeping()).toBe(false);
    expect(isAsleep(id)).toBe(false);
  });

  test('kinematic bodies are published while they move', () => {
    const rigidBody = createBox(0, 4, RigidBodyDesc.kinematicPositionBased());
    const id = physics.add(rigidBody);
    step(20);
    rigidBody.setNextKinematicTranslation({ x: 0, y: 6, z: 0 });
    step(1);
    expect(heightOf(id)).toBe(6);
  });

  test('removing a body removes its rigid body, collider and joints, and only once', () => {
    const [a, b] = [createBox(0, 5), createBox(2, 5)];
    const [idA, idB] = [physics.add(a), physics.add(b)];
    const middle = { x: 1, y: 0, z: 0 };
    physics.world.createImpulseJoint(
      JointData.spherical(middle, { x: -1, y: 0, z: 0 }),
      a,
      b,
      true,
    );
    expect(physics.remove(idA)).toBe(true);
    expect(physics.remove(idA)).toBe(false);
    expect(physics.world.bodies.len()).toBe(1);
    expect(physics.world.colliders.len()).toBe(2);
    expect(physics.world.impulseJoints.len()).toBe(0);
    expect(physics.rigidBodyOf(idA)).toBeUndefined();
    expect(physics.rigidBodyOf(idB)).toBe(b);
    step(5);
    expect(bodies.isAlive(idA)).toBe(false);
  });

  test('the slot goes to the next body as a new owner, and the old id stays dead', () => {
    const old = addBox(0, 3);
    step(3);
    physics.remove(old);
    const next = addBox(4, 8);
    expect(slotOf(next)).toBe(slotOf(old));
    expect(next >>> 20).not.toBe(old >>> 20);
    step(3);
    expect(heightOf(next)).toBeGreaterThan(7);
    expect(physics.rigidBodyOf(old)).toBeUndefined();
    expect(physics.teleport(old, poseAt(0))).toBe(false);
    expect(isAsleep(next)).toBe(false);
  });

  test('ids, rigid bodies and colliders map to each other', () => {
    const rigidBody = createBox(0, 3);
    const id = physics.add(rigidBody);
    expect(physics.rigidBodyOf(id)).toBe(rigidBody);
    expect(physics.bodyIdOf(rigidBody)).toBe(id);
    expect(physics.bodyIdOfCollider(rigidBody.collider(0))).toBe(id);
    const all = physics.world.colliders.getAll();
    const ground = present(all.find((collider) => collider.parent() === null));
    expect(physics.bodyIdOfCollider(ground)).toBeUndefined();
    expect(() => physics.add(rigidBody)).toThrow(RangeError);
    expect(bodies.bodyCount).toBe(1);
  });

  test('a full snapshot refuses a body, which then stays unpublished', () => {
    for (let index = 0; index < 8; index++) addBox(index * 2, 3);
    const rigidBody = createBox(20, 3);
    expect(() => physics.add(rigidBody)).toThrow(CapacityExceededError);
    step(5);
    expect(physics.bodyIdOf(rigidBody)).toBeUndefined();
    expect(bodies.bodyCount).toBe(8);
  });

  test('a teleport snaps: the counter increases once, and the body continues from there', () => {
    const id = addBox(0, 3);
    step(5);
    const before = metaOf(id) & CONTINUITY_MASK;
    expect(physics.teleport(id, poseAt(7, 20, 1))).toBe(true);
    const after = metaOf(id) & CONTINUITY_MASK;
    expect(after).not.toBe(before);
    expect(heightOf(id)).toBe(20);
    step(3);
    expect(metaOf(id) & CONTINUITY_MASK).toBe(after);
    expect(heightOf(id)).toBeLessThan(20);
    expect(heightOf(id)).toBeGreaterThan(19);
  });

  test('a teleport wakes a body that sleeps', () => {
    const id = addBox(0, 0.5);
    step(240);
    expect(isAsleep(id)).toBe(true);
    physics.teleport(id, poseAt(0, 10));
    step(2);
    expect(isAsleep(id)).toBe(false);
    expect(heightOf(id)).toBeLessThan(10);
  });

  test('a teleport to NaN is refused and the engine does not see it', () => {
    const id = addBox(0, 3);
    expect(physics.teleport(id, poseAt(Number.NaN))).toBe(false);
    step(2);
    expect(heightOf(id)).toBeCloseTo(3, 1);
  });

  describe('a body that the engine does not simulate is drawn where it was published', () => {
    const cases = {
      fixed: () => createBox(0, 3, RigidBodyDesc.fixed()),
      asleep: () => {
        const rigidBody = createBox(0, 3);
        rigidBody.sleep();
        return rigidBody;
      },
      disabled: () => {
        const rigidBody = createBox(0, 3);
        rigidBody.setEnabled(false);
        return rigidBody;
      },
      'fixed later': () => {
        const rigidBody = createBox(0, 3);
        rigidBody.sleep();
        rigidBody.setBodyType(rapier.RigidBodyType.Fixed, false);
        return rigidBody;
      },
    };
    test.each(Object.keys(cases) as (keyof typeof cases)[])('%s', (which) => {
      const rigidBody = cases[which]();
      const id = physics.add(rigidBody);
      step(2);
      const before = metaOf(id) & CONTINUITY_MASK;
      rigidBody.setTranslation({ x: 1, y: 5, z: 2 }, false);
      rigidBody.setRotation({ x: 0, y: 1, z: 0, w: 0 }, false);
      step(1);
      // The reason for the call.
      expect(heightOf(id)).toBe(3);
      expect(physics.publish(id)).toBe(true);
      const moved = { x: 1, y: 5, z: 2, qx: 0, qy: 1, qz: 0, qw: 0 };
      expect(bodies.pose(id)).toEqual(moved);
      expect(metaOf(id) & CONTINUITY_MASK).toBe(before);
      step(2);
      expect(bodies.pose(id)).toEqual(moved);

      rigidBody.setTranslation({ x: 1, y: 7, z: 2 }, false);
      expect(physics.publish(id, 'teleport')).toBe(true);
      step(1);
      expect(heightOf(id)).toBe(7);
      expect(metaOf(id) & CONTINUITY_MASK).not.toBe(before);
      // A restored world has it there.
      const saved = { world: physics.save(), bodies: bodies.save() };
      bodies.restore(saved.bodies);
      physics.restore(saved.world);
      step(1);
      expect(heightOf(id)).toBe(7);
    });

    test('which is refused for a body of another world, a removed one, and an unknown way', () => {
      const id = addBox(0, 3);
      expect(() => physics.publish(id, 'jump' as 'motion')).toThrow(/how must be one of motion/);
      physics.remove(id);
      expect(physics.publish(id)).toBe(false);
      const rigidBody = createBox(0, 3, RigidBodyDesc.fixed());
      const gone = physics.add(rigidBody);
      physics.world.removeRigidBody(rigidBody);
      expect(() => physics.publish(gone)).toThrow(/physics\.remove\(id\)/);
    });
  });

  test('a body that becomes fixed while it moves is drawn where it stops', () => {
    const id = addBox(0, 9);
    step(10);
    const rigidBody = rigidBodyOf(id);
    rigidBody.setBodyType(rapier.RigidBodyType.Fixed, true);
    rigidBody.setTranslation({ x: 0, y: 4, z: 0 }, true);
    step(1);
    expect(heightOf(id)).toBe(4);
  });

  test('a body that becomes NaN is counted and shown at its last place; the others continue', () => {
    const [bad, good] = [addBox(0, 3), addBox(0, 4.2)];
    step(3);
    const last = heightOf(bad);
    rigidBodyOf(bad).setTranslation({ x: Number.NaN, y: 0, z: 0 }, true);
    expect(() => step(60)).not.toThrow();
    expect(bodies.invalidPoses).toBeGreaterThan(0);
    expect(metaOf(bad) & BODY_INVALID).not.toBe(0);
    expect(heightOf(bad)).toBe(last);
    expect(heightOf(good)).toBeLessThan(4);
    expect(Number.isFinite(heightOf(good))).toBe(true);
  });

  test('a pose corrected before publication is never seen uncorrected', () => {
    const rigidBody = createBox(0, 3);
    const id = physics.add(rigidBody);
    physics.step(STEP_SECONDS, () => rigidBody.setTranslation({ x: 0, y: 12, z: 0 }, true));
    expect(heightOf(id)).toBe(12);
  });

  test('clear removes the added bodies and leaves the rest; free releases the slots', () => {
    const id = addBox(0, 3);
    addBox(3, 3);
    createBox(6, 3);
    physics.clear();
    expect(bodies.bodyCount).toBe(0);
    expect(physics.rigidBodyOf(id)).toBeUndefined();
    expect(physics.world.bodies.len()).toBe(1);
    step(2);
    addBox(0, 3);
    const other = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), bodies);
    const elsewhere = other.add(other.world.createRigidBody(RigidBodyDesc.dynamic()));
    other.free();
    expect(bodies.isAlive(elsewhere)).toBe(false);
    expect(bodies.bodyCount).toBe(1);
  });
});
