/** Worlds of Rapier that are saved, restored and continued. */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import { beforeEach, describe, expect, test } from 'vitest';
import { RAPIER_BUILDS, ofBuild } from '../../../bench/engines/load-rapier.js';
import { BODY_INVALID, slotOf, type BodyId } from '../../../src/shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../../src/shared/memory/layout.js';
import { StateHash } from '../../../src/shared/recording/state-hash.js';
import { BodyRegistry } from '../../../src/sim-worker/bodies/body-registry.js';
import { writeSavedBodies } from '../../../src/sim-worker/run/run-state.js';
import { RapierWorld, loadRapier, type Rapier } from '../../../src/rapier/rapier.js';
import { present } from '../../fixtures/present.js';
import { RapierRun } from '../../fixtures/rapier-run.js';

type Saved = ReturnType<Run['save']>;

/** Comparing this many numbers one by one takes Vitest a second. */
function digestOf({ bodies, world }: Saved): string {
  const hash = new StateHash();
  for (const part of writeSavedBodies(bodies)) hash.addBytes(part);
  hash.addBytes(world);
  return hash.digest();
}

/** With the data by which runs are compared. */
class Run extends RapierRun {
  readonly ids: BodyId[] = [];

  /** With boxes that fall on each other, one that moves by itself, and one that sleeps. */
  static filled(rapier: Rapier): Run {
    const run = new Run(rapier);
    const { RigidBodyDesc } = rapier;
    for (let index = 0; index < 12; index++) run.addBox((index % 3) * 0.9, 0.6 + index * 0.7);
    run.addBox(4, 3, RigidBodyDesc.kinematicVelocityBased().setLinvel(0.2, 0, 0));
    run.addBox(-4, 8, RigidBodyDesc.dynamic().setSleeping(true));
    return run;
  }

  addBox(x: number, y: number, desc = this.rapier.RigidBodyDesc.dynamic()): BodyId {
    const box = this.rapier.ColliderDesc.cuboid(0.5, 0.5, 0.5);
    const id = this.physics.add(this.create(desc.setTranslation(x, y, 0), box).rigidBody);
    this.ids.push(id);
    return id;
  }

  metaOf(id: BodyId): number {
    return present(this.bodies.lanes[slotOf(id) * BODY_LANES + LANE.meta]);
  }

  /** Different operations at different ticks, as a scene and its visitors would do them. */
  act(): void {
    const { physics, ids, tick } = this;
    const { JointData, RigidBodyDesc } = this.rapier;
    const id = present(ids[(tick * 7) % ids.length]);
    const kind = tick % 6;
    if (kind === 0) this.addBox((tick % 4) * 0.3, 9, RigidBodyDesc.dynamic().setCcdEnabled(true));
    if (kind === 1) ids.splice(ids.indexOf(id), physics.remove(id) ? 1 : 0);
    if (kind === 2) this.body(id).applyImpulse({ x: 2, y: 5, z: 0.3 }, true);
    if (kind === 3) physics.teleport(id, { x: 1, y: 6, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
    if (kind === 4) this.body(id).sleep();
    if (tick % 12 !== 5) return;
    const [a, b] = [this.body(present(ids[0])), this.body(present(ids.at(-1)))];
    const data = JointData.spherical({ x: 0, y: 1, z: 0 }, { x: 0, y: -1, z: 0 });
    physics.world.createImpulseJoint(data, a, b, true).setContactsEnabled(false);
  }

  /** @returns The visible state after each tick. */
  play(ticks: number): string[] {
    return Array.from({ length: ticks }, () => {
      this.act();
      this.step();
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

  override save() {
    return { ...super.save(), ids: [...this.ids], tick: this.tick };
  }

  override restore({ ids, tick, ...saved }: Saved): void {
    super.restore(saved);
    this.ids.splice(0, this.ids.length, ...ids);
    this.tick = tick;
  }
}

describe.each(RAPIER_BUILDS)('with the build %s', async (build) => {
  const rapier = await ofBuild[build].loadRapier();

  test.each([0, 25])(
    'a world that is saved after %i ticks continues with the same bits: uninterrupted, elsewhere, and again',
    (ticks) => {
      const [run, control] = [Run.filled(rapier), Run.filled(rapier)];
      // Also between a change and the step that applies it.
      for (const one of [run, control]) {
        one.play(ticks);
        one.act();
      }
      const saved = run.save();
      const expected = control.play(24);
      expect(run.play(24)).toEqual(expected);
      run.restore(saved);
      expect(digestOf(run.save())).toBe(digestOf(saved));
      expect(run.play(24)).toEqual(expected);
      const elsewhere = Run.filled(rapier);
      elsewhere.play(7);
      elsewhere.restore(saved);
      expect(elsewhere.play(24)).toEqual(expected);
    },
  );
});

const rapier = await loadRapier();
const { RigidBodyDesc } = rapier;

let run: Run;
beforeEach(() => {
  run = Run.filled(rapier);
});
const idAt = (index: number): BodyId => present(run.ids[index]);

test('the colliders of a restored world have their parents, or none', () => {
  const parents = (): unknown[] => {
    const { physics } = run;
    const all = physics.world.colliders.getAll();
    return all.map((one) => {
      const parent = one.parent();
      return [parent?.handle, parent === null ? undefined : physics.bodyIdOf(parent)];
    });
  };
  const before = parents();
  expect(before[0]).toEqual([undefined, undefined]);
  run.restore(run.save());
  expect(parents()).toEqual(before);
});

test('a body that was removed since the last step takes no space in the saved state', () => {
  run = new Run(rapier);
  const [kept, ...others] = [0, 2, 4].map((x) => run.addBox(x, 3));
  run.step();
  for (const id of others) run.physics.remove(id);
  const small = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), new BodyRegistry(1));
  small.restore(run.physics.save());
  expect(small.rigidBodyOf(present(kept))?.translation().y).toBeLessThan(3);
  small.freeEngine();
});

test('a reference that is kept over a restore is the new rigid body, and undefined once that is removed', () => {
  const [first, second] = [idAt(0), idAt(1)];
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
  const control = Run.filled(rapier);
  const deterministic = await ofBuild.deterministic.loadRapier();
  const gravity = { x: 0, y: 0, z: 0 };
  const foreign = new RapierWorld(new deterministic.World(gravity), new BodyRegistry(1));
  const saved = run.physics.save();
  expect(() => run.physics.restore(saved.subarray(0, 100))).toThrow(/ends in the middle/);
  expect(() => run.physics.restore(new Uint8Array(64))).toThrow(/not a saved Rapier world/);
  expect(() => run.physics.restore(foreign.save())).toThrow(/rapier3d-.*rapier3d-/);
  const small = new RapierWorld(new rapier.World(gravity), new BodyRegistry(3));
  expect(() => small.restore(saved)).toThrow(/higher capacity/);
  for (const one of [foreign, small]) one.free();
  expect(run.play(10)).toEqual(control.play(10));
});

test('the hash distinguishes velocities that the poses do not show', () => {
  const control = Run.filled(rapier).state();
  expect(run.state()).toBe(control);
  const body = run.body(idAt(2));
  body.setLinvel({ x: 0, y: 0, z: 1e-6 }, false);
  expect(run.state()).not.toBe(control);
  body.setLinvel({ x: 0, y: 0, z: 0 }, false);
  expect(run.state()).toBe(control);
  body.setAngvel({ x: 1e-6, y: 0, z: 0 }, false);
  expect(run.state()).not.toBe(control);
});

test('an engine is freed without its bodies', () => {
  const bodies = new BodyRegistry(1);
  const physics = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), bodies);
  const id = physics.add(physics.world.createRigidBody(RigidBodyDesc.dynamic()));
  physics.freeEngine();
  expect(bodies.isAlive(id)).toBe(true);
});

test.each<[string, (body: RigidBody) => void]>([
  ['position', (body) => body.setTranslation({ x: Number.NaN, y: 1, z: 0 }, true)],
  ['position at infinity', (body) => body.setTranslation({ x: 0, y: Infinity, z: 0 }, true)],
  ['velocity', (body) => body.setLinvel({ x: Number.NaN, y: 0, z: 0 }, true)],
  ['spin', (body) => body.setAngvel({ x: 0, y: Number.NaN, z: 0 }, true)],
  ['force', (body) => body.addForce({ x: Number.NaN, y: 0, z: 0 }, true)],
])('a body with an invalid %s is held at its last place, and supports others', (_, spoil) => {
  run = new Run(rapier);
  const id = run.addBox(12, 0.5);
  run.step(30);
  spoil(run.body(id));
  run.step();
  expect(run.physics.freeze(id)).toBe(true);
  const above = run.addBox(12.2, 3);
  run.step(120);
  const { x, y } = run.body(id).translation();
  expect([x, y]).toEqual([expect.closeTo(12, 2), expect.closeTo(0.5, 2)]);
  expect(run.body(id).isEnabled()).toBe(true);
  expect(run.body(above).translation().y).toBeCloseTo(1.5, 1);
  run.restore(run.save());
  expect(run.body(id).translation().y).toBeCloseTo(0.5, 2);
});

test('a body with an invalid pose can be removed, the others continue, and it cannot be held any more', () => {
  const id = idAt(0);
  run.step();
  run.body(id).setTranslation({ x: Number.NaN, y: 0, z: 0 }, true);
  run.step();
  expect(run.metaOf(id) & BODY_INVALID).not.toBe(0);
  expect(run.physics.remove(id)).toBe(true);
  const refused = run.bodies.invalidPoses;
  run.step(60);
  expect(run.bodies.invalidPoses).toBe(refused);
  expect(run.physics.freeze(id)).toBe(false);
});
