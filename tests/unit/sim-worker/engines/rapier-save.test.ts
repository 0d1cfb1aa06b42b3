import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  BODY_ASLEEP,
  BODY_INVALID,
  slotOf,
  type BodyId,
} from '../../../../src/shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../../../src/shared/memory/layout.js';
import { StateHash } from '../../../../src/shared/recording/state-hash.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import {
  writeSavedBodies,
  type SavedBodies,
} from '../../../../src/sim-worker/bodies/saved-bodies.js';
import { RAPIER_BUILDS } from '../../../../src/sim-worker/engines/rapier-builds.js';
import { RapierWorld, engineName, loadRapier } from '../../../../src/sim-worker/engines/rapier.js';
import { present } from '../../../fixtures/present.js';

const STEP_SECONDS = 1 / 60;
const CAPACITY = 64;

/** Comparing this many numbers one by one takes Vitest a second. */
function digestOf({ bodies, world }: { bodies: SavedBodies; world: Uint8Array }): string {
  const hash = new StateHash();
  hash.addBytes(writeSavedBodies(bodies));
  hash.addBytes(world);
  return hash.digest();
}

test('a loaded engine has its name, build and version', async () => {
  const names = await Promise.all(
    RAPIER_BUILDS.map(async (name) => engineName(await loadRapier(name))),
  );
  expect(names[0]).toMatch(/^rapier3d-simd \d+\.\d+\.\d+$/);
  expect(names[1]).toMatch(/^rapier3d-deterministic \d+\.\d+\.\d+$/);
  expect(engineName({ World: Map as never })).toBe('');
});

describe.each(RAPIER_BUILDS)('the %s build', async (build) => {
  const rapier = await loadRapier(build);
  const { ColliderDesc, EventQueue, JointData, RigidBodyDesc } = rapier;

  /** A world with a floor, and the data by which runs of it are compared. */
  class Run {
    readonly bodies = new BodyRegistry(CAPACITY);
    readonly physics = new RapierWorld(new rapier.World({ x: 0, y: -9.81, z: 0 }), this.bodies);
    readonly ids: BodyId[] = [];
    tick = 0;

    constructor() {
      this.physics.world.createCollider(ColliderDesc.cuboid(50, 1, 50).setTranslation(0, -1, 0));
    }

    addBox(x: number, y: number, desc = RigidBodyDesc.dynamic()): BodyId {
      const { world } = this.physics;
      const rigidBody = world.createRigidBody(desc.setTranslation(x, y, 0));
      world.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5), rigidBody);
      const id = this.physics.add(rigidBody);
      this.ids.push(id);
      return id;
    }

    body(id: BodyId): RigidBody {
      return present(this.physics.rigidBodyOf(id));
    }

    /** Different operations at different ticks, as a scene and its visitors would do them. */
    act(): void {
      const { physics, ids, tick } = this;
      const id = present(ids[(tick * 7) % ids.length]);
      const { world } = physics;
      if (tick % 6 === 0)
        this.addBox((tick % 4) * 0.3, 9, RigidBodyDesc.dynamic().setCcdEnabled(true));
      if (tick % 6 === 1) ids.splice(ids.indexOf(id), physics.remove(id) ? 1 : 0);
      if (tick % 6 === 2) this.body(id).applyImpulse({ x: 2, y: 5, z: 0.3 }, true);
      if (tick % 6 === 3) physics.teleport(id, { x: 1, y: 6, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
      if (tick % 6 === 4) this.body(id).sleep();
      if (tick % 12 === 5) {
        const [a, b] = [present(ids[0]), present(ids.at(-1))].map((one) => this.body(one));
        const data = JointData.spherical({ x: 0, y: 1, z: 0 }, { x: 0, y: -1, z: 0 });
        world.createImpulseJoint(data, present(a), present(b), true).setContactsEnabled(false);
      }
    }

    /** @returns The visible state after each tick. */
    play(ticks: number): string[] {
      return Array.from({ length: ticks }, () => {
        this.act();
        this.physics.step(STEP_SECONDS);
        this.tick += 1;
        return this.state();
      });
    }

    state(): string {
      const hash = new StateHash();
      this.physics.hashInto(hash);
      const { lanes, bodyLimit } = this.bodies;
      hash.addWords(lanes, 0, bodyLimit * BODY_LANES);
      return `${hash.digest()} ${this.ids.join()}`;
    }

    save(): { bodies: SavedBodies; world: Uint8Array; ids: BodyId[]; tick: number } {
      const { ids, tick } = this;
      return { bodies: this.bodies.save(), world: this.physics.save(), ids: [...ids], tick };
    }

    restore({ bodies, world, ids, tick }: ReturnType<Run['save']>): void {
      this.bodies.restore(bodies);
      this.physics.restore(world);
      this.ids.splice(0, this.ids.length, ...ids);
      this.tick = tick;
    }
  }

  let run: Run;
  let runs: Run[];
  const startEmpty = (): Run => {
    const created = new Run();
    runs.push(created);
    return created;
  };
  const start = (): Run => {
    const created = startEmpty();
    for (let index = 0; index < 12; index++) created.addBox((index % 3) * 0.9, 0.6 + index * 0.7);
    created.addBox(4, 3, RigidBodyDesc.kinematicVelocityBased().setLinvel(0.2, 0, 0));
    created.addBox(-4, 8, RigidBodyDesc.dynamic().setSleeping(true));
    return created;
  };
  beforeEach(() => {
    runs = [];
    run = start();
  });
  afterEach(() => {
    for (const one of runs) one.physics.free();
  });
  const metaOf = (id: BodyId): number =>
    present(run.bodies.lanes[slotOf(id) * BODY_LANES + LANE.meta]);

  test.each([0, 25])(
    'saved after %i ticks, it continues with the same bits: uninterrupted, elsewhere, and again',
    (ticks) => {
      run.play(ticks);
      const control = start();
      control.play(ticks);
      // Also between a change and the step that applies it.
      for (const one of [run, control]) one.act();
      const saved = run.save();
      const expected = control.play(24);
      expect(run.play(24)).toEqual(expected);
      run.restore(saved);
      expect(digestOf(run.save())).toBe(digestOf(saved));
      expect(run.play(24)).toEqual(expected);
      const elsewhere = start();
      elsewhere.play(7);
      elsewhere.restore(saved);
      expect(elsewhere.play(24)).toEqual(expected);
    },
  );

  test('saved and restored at every tick, it runs identically', () => {
    const expected = start().play(30);
    const found = expected.map(() => {
      const saved = run.save();
      run.physics.restore(saved.world);
      return run.play(1)[0];
    });
    expect(found).toEqual(expected);
  });

  test('falling asleep after a restore is reported, and so is waking', () => {
    run = startEmpty();
    const id = run.addBox(9, 0.6);
    run.physics.step(STEP_SECONDS);
    run.restore(run.save());
    for (let tick = 0; tick < 240; tick++) run.physics.step(STEP_SECONDS);
    expect(metaOf(id) & BODY_ASLEEP).not.toBe(0);
    run.restore(run.save());
    run.body(id).wakeUp();
    run.physics.step(STEP_SECONDS);
    expect(metaOf(id) & BODY_ASLEEP).toBe(0);
  });

  test('colliders keep their parents, or have none', () => {
    const parents = (): (number | undefined)[] =>
      run.physics.world.colliders.getAll().map((collider) => collider.parent()?.handle);
    const ids = (): (BodyId | undefined)[] =>
      run.physics.world.colliders.getAll().map((one) => run.physics.bodyIdOfCollider(one));
    const before = [parents(), ids()];
    expect(before[0]?.[0]).toBeUndefined();
    run.restore(run.save());
    expect([parents(), ids()]).toEqual(before);
  });

  test('a body that was removed since the last step takes no space in the saved state', () => {
    run = startEmpty();
    const ids = [0, 2, 4].map((x) => run.addBox(x, 3));
    run.physics.step(STEP_SECONDS);
    for (const id of ids.slice(1)) run.physics.remove(id);
    const small = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), new BodyRegistry(1));
    small.restore(run.physics.save());
    expect(small.rigidBodyOf(present(ids[0]))?.translation().y).toBeLessThan(3);
    small.freeEngine();
  });

  test('a kept reference is the new rigid body, and undefined once that is removed', () => {
    const [first, second] = [present(run.ids[0]), present(run.ids[1])];
    const old = run.body(first);
    const refs = [run.physics.ref(old), run.physics.ref(run.body(second))] as const;
    expect(refs[0].body).toBe(old);
    run.restore(run.save());
    expect(refs[0].body).not.toBe(old);
    expect(refs[0].body).toBe(run.physics.rigidBodyOf(first));
    expect(run.physics.bodyIdOf(present(refs[0].body))).toBe(first);
    const saved = run.save();
    run.physics.remove(first);
    expect(refs[0].body).toBeUndefined();
    // The next one gets its engine index, with another generation.
    const next = run.addBox(0, 20);
    expect(run.body(next).handle).not.toBe(refs[0].handle);
    expect(refs[0].body).toBeUndefined();
    run.restore(run.save());
    expect(refs[0].body).toBeUndefined();
    expect(refs[1].body).toBe(run.physics.rigidBodyOf(second));
    run.restore(saved);
    expect(refs[0].body).toBe(run.physics.rigidBodyOf(first));
  });

  test('wrong bytes are refused with the reason, and the world continues unchanged', async () => {
    const control = start();
    const foreign = await loadRapier(RAPIER_BUILDS.find((name) => name !== build));
    const elsewhere = new RapierWorld(new foreign.World({ x: 0, y: 0, z: 0 }), new BodyRegistry(1));
    const saved = run.physics.save();
    const damaged = saved.slice();
    damaged[saved.length >> 1] = present(damaged[saved.length >> 1]) ^ 4;
    expect(() => run.physics.restore(damaged)).toThrow(/damaged/);
    expect(() => run.physics.restore(saved.subarray(0, 100))).toThrow(/cut off/);
    expect(() => run.physics.restore(new Uint8Array(64))).toThrow(/not a saved Rapier world/);
    expect(() => run.physics.restore(elsewhere.save())).toThrow(/rapier3d-.*rapier3d-/);
    elsewhere.free();
    const small = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), new BodyRegistry(3));
    expect(() => small.restore(saved)).toThrow(/higher capacity/);
    small.free();
    expect(run.play(10)).toEqual(control.play(10));
  });

  test('the hash distinguishes velocities that the poses do not show', () => {
    const control = start();
    expect(run.state()).toBe(control.state());
    run.body(present(run.ids[2])).setLinvel({ x: 0, y: 0, z: 1e-6 }, false);
    expect(run.state()).not.toBe(control.state());
    run.body(present(run.ids[2])).setLinvel({ x: 0, y: 0, z: 0 }, false);
    expect(run.state()).toBe(control.state());
    run.body(present(run.ids[2])).setAngvel({ x: 1e-6, y: 0, z: 0 }, false);
    expect(run.state()).not.toBe(control.state());
  });

  test('freeing the engine leaves the bodies unchanged', () => {
    const { physics, bodies } = new Run();
    const id = physics.add(physics.world.createRigidBody(RigidBodyDesc.dynamic()));
    physics.freeEngine();
    expect(bodies.isAlive(id)).toBe(true);
  });

  test('a step fills the event queue that was passed to it', () => {
    const queue = new EventQueue(true);
    const { physics } = run;
    const colliders = physics.world.colliders.getAll();
    for (const collider of colliders)
      collider.setActiveEvents(rapier.ActiveEvents.COLLISION_EVENTS);
    physics.eventQueue = queue;
    let begun = 0;
    for (let tick = 0; tick < 30; tick++) physics.step(STEP_SECONDS);
    queue.drainCollisionEvents(() => (begun += 1));
    expect(begun).toBeGreaterThan(0);
    physics.eventQueue = undefined;
    queue.free();
  });

  describe('a body with an invalid pose', () => {
    const spoilt: readonly [string, (body: RigidBody) => void][] = [
      ['position', (body) => body.setTranslation({ x: Number.NaN, y: 1, z: 0 }, true)],
      ['position at infinity', (body) => body.setTranslation({ x: 0, y: Infinity, z: 0 }, true)],
      ['velocity', (body) => body.setLinvel({ x: Number.NaN, y: 0, z: 0 }, true)],
      ['spin', (body) => body.setAngvel({ x: 0, y: Number.NaN, z: 0 }, true)],
      ['force', (body) => body.addForce({ x: Number.NaN, y: 0, z: 0 }, true)],
    ];

    test.each(spoilt)('in its %s is held at its last place, and supports others', (_, spoil) => {
      run = startEmpty();
      const id = run.addBox(12, 0.5);
      for (let tick = 0; tick < 30; tick++) run.physics.step(STEP_SECONDS);
      spoil(run.body(id));
      run.physics.step(STEP_SECONDS);
      expect(run.physics.freeze(id)).toBe(true);
      const above = run.addBox(12.2, 3);
      for (let tick = 0; tick < 120; tick++) run.physics.step(STEP_SECONDS);
      const { x, y } = run.body(id).translation();
      expect([x, y]).toEqual([expect.closeTo(12, 2), expect.closeTo(0.5, 2)]);
      expect(run.body(id).isEnabled()).toBe(true);
      expect(run.body(above).translation().y).toBeCloseTo(1.5, 1);
      for (const one of run.ids) expect(Number.isFinite(run.body(one).translation().x)).toBe(true);
      run.restore(run.save());
      expect(run.body(id).translation().y).toBeCloseTo(0.5, 2);
    });

    test('can be removed instead, and the others continue', () => {
      const [id] = run.ids;
      run.physics.step(STEP_SECONDS);
      run.body(present(id)).setTranslation({ x: Number.NaN, y: 0, z: 0 }, true);
      run.physics.step(STEP_SECONDS);
      expect(metaOf(present(id)) & BODY_INVALID).not.toBe(0);
      expect(run.physics.remove(present(id))).toBe(true);
      const refused = run.bodies.invalidPoses;
      for (let tick = 0; tick < 60; tick++) run.physics.step(STEP_SECONDS);
      expect(run.bodies.invalidPoses).toBe(refused);
    });

    test('cannot be held when it is not in this world', () => {
      const [id] = run.ids;
      run.physics.remove(present(id));
      expect(run.physics.freeze(present(id))).toBe(false);
    });
  });
});
