/** Contacts push alike in every build of Rapier: as the weight of bodies that rest on them, and as an impact. */
import { expect, test } from 'vitest';
import { RAPIER_BUILDS, ofBuild } from '../../../bench/engines/load-rapier.js';
import type { Rapier } from '../../../src/rapier/rapier.js';
import { RapierRun } from '../../fixtures/rapier-run.js';

const REST = 200;
const BOX = 'box';

interface Scene {
  /** Boxes or balls of 1 kg, on each other. */
  readonly shapes?: readonly ('box' | 'ball')[];
  readonly iterations?: number;
  /** Mass added to each body. */
  readonly added?: number;
  readonly internal?: number;
  /** In each tick. */
  readonly steps?: number;
  readonly isMesh?: boolean;
}

const SCENES: Readonly<Record<string, Scene>> = {
  'a box': {},
  'a ball': { shapes: ['ball'] },
  'a box with 1 iteration': { iterations: 1 },
  'a box with 2 iterations': { iterations: 2, internal: 4 },
  'a box with 8 iterations': { iterations: 8 },
  'a box with additional iterations': { added: 3 },
  'a box at 20 Hz': { steps: 1 / 3 },
  'a box with four steps in a tick': { steps: 4 },
  'a stack': { shapes: [BOX, BOX, BOX] },
  'a stack with 1 iteration': { shapes: [BOX, BOX, BOX], iterations: 1 },
  'a ball on a box': { shapes: [BOX, 'ball'] },
  'a box on a mesh': { isMesh: true },
};

function start(rapier: Rapier, scene: Scene, y = 0.5) {
  const { shapes = [BOX], iterations = 4, added = 0, internal = 1, isMesh = false } = scene;
  const run = new RapierRun(rapier, { capacity: 8 });
  const { world, events } = run;
  world.gravity = { x: 0, y: -10, z: 0 };
  world.numSolverIterations = iterations;
  world.numInternalPgsIterations = internal;
  if (isMesh) {
    world.removeCollider(run.floor, false);
    const corners = Float32Array.of(-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9);
    world.createCollider(rapier.ColliderDesc.trimesh(corners, Uint32Array.of(0, 2, 1, 0, 3, 2)));
  }
  const bodies = shapes.map((shape, index) => {
    const desc = rapier.RigidBodyDesc.dynamic()
      .setTranslation(0, y + index, 0)
      .setCanSleep(false);
    const body = world.createRigidBody(desc.setAdditionalSolverIterations(added));
    const { cuboid, ball } = rapier.ColliderDesc;
    const form = shape === 'box' ? cuboid(0.5, 0.5, 0.5) : ball(0.5);
    const collider = world.createCollider(form.setMass(1), body);
    run.physics.add(body);
    events.watchForces(collider, 0);
    return { body, collider };
  });
  return { run, bodies };
}

const about = (force: number): unknown => expect.closeTo(force, 1);

/** The forces of the last tick, from the floor upwards. */
const forcesOf = ({ forces, tick }: RapierRun) =>
  forces
    .filter((one) => one.tick === tick)
    .toSorted((one, other) => one.y - other.y)
    .map(({ force, totalForce, maxForceMagnitude }) => [
      force,
      Math.abs(totalForce.y),
      maxForceMagnitude,
    ]);

test.each(RAPIER_BUILDS)('what rests pushes with its weight: %s', async (build) => {
  const rapier = await ofBuild[build].loadRapier();
  for (const [name, scene] of Object.entries(SCENES)) {
    const { run, bodies } = start(rapier, scene);
    run.step(REST, scene.steps);
    const weights = bodies.map((_, index) => (bodies.length - index) * 10);
    const found = forcesOf(run).slice(-bodies.length);
    expect([name, found.map(([force, total]) => [force, total])]).toEqual([
      name,
      weights.map((weight) => [about(weight), about(weight)]),
    ]);
    const corners = (scene.shapes ?? [BOX]).map((shape) => (shape === 'box' ? 4 : 1));
    found.forEach(([, , most = 0], index) => {
      const share = (weights[index] as number) / (corners[index] as number);
      expect([name, most / share]).toEqual([name, expect.closeTo(1, 0)]);
    });
    run.free();
  }
});

test.each(RAPIER_BUILDS)('an impact pushes once, with what it takes: %s', async (build) => {
  const rapier = await ofBuild[build].loadRapier();
  for (const bounce of [0, 0.8]) {
    const { run, bodies } = start(rapier, { shapes: ['ball'] }, 1.013);
    run.floor.setRestitution(bounce);
    for (const { body, collider } of bodies) {
      collider.setRestitution(bounce);
      body.setLinvel({ x: 0, y: -5, z: 0 }, true);
      run.events.watchCollisions(collider);
    }
    run.step(20);
    const forces = run.forces.map(({ force }) => force);
    const speed = (forces[0] as number) / 60;
    expect(speed).toBeCloseTo(bounce === 0 ? 6.2 : 11, 0);
    expect(run.collisions[0]?.impulse).toBeCloseTo(speed, 2);
    const rest = bounce === 0 ? 10 : 0;
    expect(forces.slice(1).filter((force) => Math.abs(force - rest) > 0.1)).toEqual([]);
    run.free();
  }
});

test('a restored world continues with the same forces', async () => {
  const rapier = await ofBuild.simd.loadRapier();
  const { run } = start(rapier, {});
  run.step(REST);
  const { physics } = run;
  physics.restore(physics.save());
  run.step(1);
  expect(forcesOf(run)[0]?.[0]).toBeCloseTo(10, 1);
});
