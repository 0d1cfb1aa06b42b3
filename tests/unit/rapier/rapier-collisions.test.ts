/** Collisions of colliders, compared with what Rapier itself says of the same pair. */
import type { Collider, RigidBody } from '@dimforge/rapier3d-simd-compat';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { RAPIER_BUILDS, ofBuild } from '../../../bench/engines/load-rapier.js';
import { RapierEvents } from '../../../src/rapier/rapier-events.js';
import { loadRapier } from '../../../src/rapier/rapier.js';
import { present } from '../../fixtures/present.js';
import { expectEqual, expectSame } from '../../fixtures/quick-checks.js';
import { RapierRun, STEP_SECONDS } from '../../fixtures/rapier-run.js';

const NONE = Number.NaN;
const UNKNOWN = {
  normal: { x: NONE, y: NONE, z: NONE },
  points: [],
  impulse: NONE,
  impactSpeed: NONE,
};

/** A key of colliders or bodies in any order. */
const keyOf = (...pair: readonly unknown[]) => pair.map(String).toSorted().join(' ');

/** Rapier's own answers for a pair, of which the first comes first. */
function askRapier({ world }: RapierRun, c1: Collider, c2: Collider) {
  const points: { x: number; y: number; z: number; depth: number; normal: object }[] = [];
  let impulse = 0;
  world.contactPair(c1, c2, (manifold, isFlipped) => {
    const { x, y, z } = manifold.normal();
    const normal = isFlipped ? { x: -x, y: -y, z: -z } : { x, y, z };
    for (let i = 0; i < manifold.numContacts(); i++) impulse += manifold.contactImpulse(i);
    for (let i = 0; i < manifold.numSolverContacts(); i++) {
      const point = present(manifold.solverContactPoint(i));
      const depth = -manifold.solverContactDist(i);
      points.push({ x: point.x, y: point.y, z: point.z, depth, normal });
    }
  });
  const deepest = points.toSorted((one, other) => other.depth - one.depth);
  return {
    normal: present(deepest[0]).normal,
    points: deepest.slice(0, 4).map(({ x, y, z, depth }) => ({ x, y, z, depth })),
    impulse: Math.fround(impulse),
  };
}

const KINDS = [
  ...(['add', 'add', 'add', 'remove', 'removeInHandler', 'removeCollider', 'kick'] as const),
  ...(['watch', 'unwatch', 'restore', 'step', 'step', 'step', 'step', 'step', 'rest'] as const),
];
const actions = fc.array(
  fc.tuple(
    fc.constantFrom(...KINDS),
    fc.nat(11),
    fc.integer({ min: -2, max: 2 }),
    fc.integer({ min: 0, max: 3 }),
  ),
  { minLength: 30, maxLength: 60, size: 'max' },
);

const handlesOf = (body: RigidBody) =>
  Array.from({ length: body.numColliders() }, (_, index) => body.collider(index).handle);

/** Keys of what is on. */
const openIn = ({ open }: RapierRun): Readonly<Record<string, ReadonlySet<string>>> =>
  Object.fromEntries(
    Object.entries(open).map(([name, pairs]) => [
      name,
      new Set(pairs.map((pair) => keyOf(...Object.values<unknown>(pair)))),
    ]),
  );

describe.each(RAPIER_BUILDS)('with the build %s', async (build) => {
  const rapier = await ofBuild[build].loadRapier();
  const { ColliderDesc, RigidBodyDesc } = rapier;

  test('a ball that falls on the floor collides and touches it: whose, where, how deep and how hard, as Rapier says', () => {
    const run = new RapierRun(rapier);
    const { rigidBody, collider, id } = run.addBall(3, 4);
    run.events.watchCollisions(collider);
    run.events.watchContacts(collider);
    let speed = 0;
    while (run.collisions.length === 0) {
      speed = -rigidBody.linvel().y;
      run.step();
    }
    const { normal, points, impulse } = askRapier(run, collider, run.floor);
    const event = present(run.collisions[0]);
    const pair = { a: id, b: undefined, colliderA: collider.handle, colliderB: run.floor.handle };
    expect(event).toMatchObject({ ...pair, phase: 'begin', isLate: false, isSensor: false });
    expect(event).toMatchObject({ normal, points, impulse });
    // From the ball down to the floor.
    expect(event.normal.y).toBeCloseTo(-1);
    expect(event.impactSpeed).toBeCloseTo(speed, 4);
    expect(speed).toBeGreaterThan(7);
    // The body stops: the impulse is what it had, and what gravity added in this step.
    expect(event.impulse).toBeCloseTo(rigidBody.mass() * (speed + 9.81 * STEP_SECONDS), 2);
    expect(present(event.points[0]).x).toBeCloseTo(3);
    expect(run.inside).toMatchObject([{ phase: 'begin', a: id, normal, points }]);
    const place = { x: expect.closeTo(3), y: expect.closeTo(0, 1), z: expect.closeTo(0) };
    const contact = { a: id, b: undefined, isLate: false };
    expect(run.contacts).toMatchObject([{ phase: 'begin', ...contact, ...place }]);

    rigidBody.setLinvel({ x: 0, y: 9, z: 0 }, true);
    run.step(10);
    const { tick, ...end } = present(run.collisions[1]);
    expect(tick).toBeGreaterThan(event.tick);
    const stamp = { isLate: false, isReplayed: false };
    expect(end).toEqual({ ...pair, phase: 'end', ...stamp, isSensor: false, ...UNKNOWN });
    expect(run.inside.map(({ phase }) => phase)).toEqual(['begin', 'end']);
    // In the air there is no point of contact: the event has the ball's position.
    expect(run.contacts[1]).toMatchObject({ phase: 'end', ...contact, x: expect.closeTo(3) });
    expect(run.contacts[1]?.y).toBeGreaterThan(0.4);
  });

  test('begins and ends alternate whatever happens, and what is on is what touches, is in a sensor, or sleeps', () => {
    fc.assert(
      fc.property(actions, (all) => {
        const run = new RapierRun(rapier);
        const { events, physics } = run;
        const pick = (which: number) => {
          const bodies = run.world.bodies.getAll();
          return bodies[which % Math.max(1, bodies.length)];
        };
        const remove = (which: number): void => {
          const picked = pick(which);
          if (picked === undefined) return;
          const id = physics.bodyIdOf(picked);
          if (id === undefined) run.world.removeRigidBody(picked);
          else physics.remove(id);
        };
        /** How many handlers of collisions remove a body. */
        let removals = 0;
        events.onCollision(() => {
          if (removals === 0) return;
          removals -= 1;
          remove(removals);
        });
        const watched = { collisions: new Set<number>(), contacts: new Set<number>() };
        const sensors = new Map<number, number>();
        const add = (which: number, x: number, y: number): void => {
          const [shape, watches] = [which % 4, which >> 2];
          const shapes = [
            ColliderDesc.ball(0.5),
            ColliderDesc.cuboid(0.4, 0.4, 0.4),
            ColliderDesc.ball(0.7).setSensor(true),
          ];
          const desc = RigidBodyDesc.dynamic().setTranslation(x, y, 0);
          const { rigidBody, collider } = run.create(desc, shapes[shape]);
          if (shape === 3) run.world.createCollider(ColliderDesc.ball(0.5), rigidBody);
          // Some bodies are not published.
          if (which !== 3) physics.add(rigidBody);
          if (shape === 1) return;
          if (watches !== 1) {
            events.watchCollisions(rigidBody);
            for (const handle of handlesOf(rigidBody)) watched.collisions.add(handle);
          }
          if (watches === 0) return;
          events.watchContacts(rigidBody);
          for (const handle of handlesOf(rigidBody)) watched.contacts.add(handle);
          if (shape === 2) events.sensor(collider, which);
          if (shape === 2) sensors.set(collider.handle, which);
        };
        const idOf = (collider: Collider) => {
          const body = collider.parent();
          return body === null ? undefined : physics.bodyIdOf(body);
        };
        const compare = (): void => {
          const [collisions, contacts] = [new Set<string>(), new Set<string>()];
          const [sensed, asleep] = [new Set<string>(), new Set<string>()];
          const touch = (one: Collider, other: Collider, isIn: boolean): void => {
            const { handle } = one;
            if (watched.collisions.has(handle)) collisions.add(keyOf(handle, other.handle));
            if (!watched.contacts.has(handle)) return;
            const [a, b] = [one, other].map(idOf);
            if (sensors.has(handle)) sensed.add(keyOf(sensors.get(handle), b));
            else if (!isIn && (a ?? b) !== undefined) contacts.add(keyOf(a, b));
          };
          run.world.forEachCollider((collider) => {
            run.world.contactPairsWith(collider, (other) => {
              let points = 0;
              run.world.contactPair(collider, other, (manifold) => {
                points += manifold.numSolverContacts();
              });
              if (points > 0) touch(collider, other, false);
            });
            run.world.intersectionPairsWith(collider, (other) => {
              if (run.world.intersectionPair(collider, other)) touch(collider, other, true);
            });
          });
          run.world.forEachRigidBody((body) => {
            const id = physics.bodyIdOf(body);
            if (id !== undefined && body.isSleeping()) asleep.add(keyOf(id));
          });
          expectEqual(openIn(run), { collisions, contacts, sensors: sensed, asleep });
        };
        const exists = (handle: number) => run.world.getCollider(handle)?.handle === handle;
        for (const [kind, which, x, y] of all) {
          const body = pick(which);
          if (kind === 'add') add(which, x, y);
          else if (kind === 'remove') remove(which);
          else if (kind === 'removeInHandler') removals = which;
          else if (body !== undefined && (kind === 'watch' || kind === 'unwatch')) {
            for (const handle of handlesOf(body)) {
              watched.collisions[kind === 'watch' ? 'add' : 'delete'](handle);
            }
            events[`${kind}Collisions`](body);
          } else if (kind === 'removeCollider' && (body?.numColliders() ?? 0) > 0) {
            run.world.removeCollider(present(body).collider(0), true);
          } else if (kind === 'kick') body?.setLinvel({ x: 1, y: 6, z: 0 }, true);
          else if (kind === 'rest') run.step(150);
          else if (kind === 'step') {
            const isCalm = which < 6 && removals === 0;
            run.step(1, 1 + y, which < 6 ? undefined : () => remove(which));
            // A contact ends in the step after its body has gone.
            if (isCalm) compare();
            // Collisions end in the tick in which a collider goes.
            const ends = [...present(openIn(run)['collisions'])].flatMap((key) =>
              key.split(' ').map(Number),
            );
            expectSame(ends.every(exists), true);
          } else if (kind === 'restore') {
            run.restore(run.save(), which < 6);
            run.step();
          }
        }
        removals = 0;
        run.step();
        compare();
        expect(run.collisions.every(({ tick }) => tick > 0)).toBe(true);
        expect(run.reporter.lost).toBe(0);
        run.free();
      }),
      { numRuns: 15 },
    );
  });
});

const rapier = await loadRapier();
const { ColliderDesc, RigidBodyDesc } = rapier;

let run: RapierRun;
beforeEach(() => {
  run = new RapierRun(rapier);
});

const phases = () => run.collisions.map(({ phase }) => phase);
const phasesAndLate = () => run.collisions.map(({ phase, isLate }) => [phase, isLate]);

test('the body with the lower id comes first, and a body before a collider without one; the normal agrees', () => {
  // The second body has the collider with the lower handle.
  const [upper, lower] = [run.createBall(0, 1.45), run.createBall(0, 0.5)];
  const lowerId = run.physics.add(lower.rigidBody);
  const upperId = run.physics.add(upper.rigidBody);
  expect(lowerId).toBeLessThan(upperId);
  run.events.watchCollisions(upper.rigidBody);
  run.events.watchCollisions(lower.rigidBody);
  run.step();
  const pair = present(run.collisions.find(({ b }) => b !== undefined));
  const { points, normal } = askRapier(run, lower.collider, upper.collider);
  expect(pair).toMatchObject({
    a: lowerId,
    b: upperId,
    colliderA: lower.collider.handle,
    colliderB: upper.collider.handle,
    points,
    normal,
  });
  expect(pair.normal.y).toBeCloseTo(1);
  const onFloor = present(run.collisions.find(({ b }) => b === undefined));
  expect(onFloor).toMatchObject({ a: lowerId, colliderA: lower.collider.handle });
  expect(onFloor.normal.y).toBeCloseTo(-1);
});

/** Waves that are 4 long and wide, of triangles. */
function addMesh(): Collider {
  const size = 4;
  const vertices: number[] = [];
  const indices: number[] = [];
  for (let x = 0; x <= size; x++) {
    for (let z = 0; z <= size; z++) {
      vertices.push(x - 2, 0.05 * ((x * 7 + z * 3) % 5), z - 2);
      if (x === size || z === size) continue;
      const at = x * (size + 1) + z;
      indices.push(at, at + 1, at + size + 1, at + 1, at + size + 2, at + size + 1);
    }
  }
  const shape = ColliderDesc.trimesh(new Float32Array(vertices), new Uint32Array(indices));
  const turned = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 };
  return run.world.createCollider(shape.setTranslation(20, 3, 0).setRotation(turned));
}

test('a mesh of many manifolds has one collision, with the four deepest points of all', () => {
  const mesh = addMesh();
  const desc = RigidBodyDesc.dynamic().setTranslation(20, 4, 0);
  const { rigidBody, collider } = run.create(desc, ColliderDesc.cuboid(1.5, 0.5, 1.5));
  run.physics.add(rigidBody);
  run.events.watchCollisions(rigidBody);
  run.events.watchContacts(rigidBody);
  let speed = 0;
  while (run.collisions.length === 0) {
    speed = -rigidBody.linvel().y;
    run.step();
  }
  let [manifolds, deepest] = [0, -1];
  run.world.contactPair(collider, mesh, (manifold) => {
    manifolds += 1;
    for (let index = 0; index < manifold.numContacts(); index++) {
      deepest = Math.max(deepest, -manifold.contactDist(index));
    }
  });
  expect(manifolds).toBeGreaterThan(4);
  expect(run.collisions).toHaveLength(1);
  const { normal, points, impactSpeed, ...pair } = present(run.collisions[0]);
  expect(pair).toMatchObject({ colliderA: collider.handle, colliderB: mesh.handle });
  expect(points.length).toBeLessThanOrEqual(4);
  expect(present(points[0]).depth).toBeCloseTo(deepest, 5);
  for (const { x, y, z } of points) {
    expect(Math.abs(x - 20)).toBeLessThan(2);
    expect(Math.abs(y - 3.1)).toBeLessThan(0.3);
    expect(Math.abs(z)).toBeLessThan(2);
  }
  expect(normal.y).toBeLessThan(-0.9);
  expect(impactSpeed / speed).toBeGreaterThan(0.8);
  expect(impactSpeed / speed).toBeLessThan(1.1);
  // The contact is there as well, and not at the center of the box.
  expect(present(run.contacts[0]).y).toBeLessThan(3.4);
  run.step(60);
  expect(phases()).toEqual(phases().map((_, index) => (index % 2 === 0 ? 'begin' : 'end')));
  // The body rests, and touches the mesh already when the mesh is watched, too.
  run.collisions.length = 0;
  run.events.watchCollisions(mesh);
  run.page.drain();
  expect(run.collisions).toEqual([]);
});

test('what is not published collides too, and only what is watched', () => {
  const watched = run.createBall(5, 0.49);
  run.createBall(9, 0.49);
  run.events.watchContacts(run.createBall(0, 0.49).collider);
  run.events.watchCollisions(watched.collider);
  run.events.watchForces(watched.collider, 0);
  run.step(3);
  expect(run.collisions).toHaveLength(1);
  const [colliderA, colliderB] = [run.floor.handle, watched.collider.handle];
  expect(run.collisions[0]).toMatchObject({ a: undefined, b: undefined, colliderA, colliderB });
  expect([run.contacts, run.forces]).toEqual([[], []]);
});

test('the impact speed is that before the step in which they met, also if a tick is several steps', () => {
  const { rigidBody, collider } = run.createBall(0, 2);
  collider.setRestitution(0.8);
  run.events.watchCollisions(collider);
  let before = 0;
  while (run.collisions.length === 0) {
    before = -rigidBody.linvel().y;
    run.step(1, 16);
  }
  // Within the tick it has bounced, and is on its way up.
  expect(rigidBody.linvel().y).toBeGreaterThan(1);
  const { impactSpeed } = present(run.collisions[0]);
  expect(impactSpeed).toBeGreaterThanOrEqual(Math.fround(before));
  expect(impactSpeed).toBeLessThan(before + 9.81 * STEP_SECONDS);
});

test('the impact speed of a body that is new is its own', () => {
  // Against a ball that rests, in a slanted direction: the share of each axis counts.
  run.create(RigidBodyDesc.fixed().setTranslation(0.66, 4.34, 0.33));
  const desc = RigidBodyDesc.dynamic().setTranslation(0, 5, 0).setLinvel(1, -2, 4);
  run.events.watchCollisions(run.create(desc).rigidBody);
  run.step();
  expect(present(run.collisions[0]).impactSpeed).toBeCloseTo((2 * 1 + 2 * 2 + 4) / 3, 5);
});

test('the impact speed of a body that turns is that of the place that hits', () => {
  run.world.gravity = { x: 0, y: 0, z: 0 };
  const turning = RigidBodyDesc.dynamic().setTranslation(20, 5, 0).setAngvel({ x: 0, y: 0, z: 2 });
  const bar = run.create(turning, ColliderDesc.cuboid(3, 0.1, 0.1));
  run.world.createCollider(ColliderDesc.cuboid(0.1, 0.1, 0.1).setTranslation(22.9, 5.21, 0));
  run.events.watchCollisions(bar.collider);
  while (run.collisions.length === 0) run.step();
  const hit = present(run.collisions[0]);
  const arm = present(hit.points[0]).x - 20;
  expect(arm).toBeGreaterThan(2.5);
  expect(hit.impactSpeed).toBeCloseTo(2 * arm * Math.abs(hit.normal.y), 1);
});

test('the impact speed of a body that is moved by its position is that of the motion', () => {
  run.world.gravity = { x: 0, y: 0, z: 0 };
  const lift = run.create(RigidBodyDesc.kinematicPositionBased().setTranslation(0, 5, 0));
  run.createBall(0, 6.05);
  run.events.watchCollisions(lift.collider);
  run.step();
  for (let y = 5.03; run.collisions.length === 0; y += 0.03) {
    lift.rigidBody.setNextKinematicTranslation({ x: 0, y, z: 0 });
    run.step();
  }
  expect(present(run.collisions[0]).impactSpeed).toBeCloseTo(0.03 / STEP_SECONDS, 2);
});

test('pairs and sleep end when the world is replaced, begin again, and end when events are freed', () => {
  const { collider } = run.addBall(0, 0.49);
  run.events.watchCollisions(collider);
  run.events.watchContacts(collider);
  run.step(200);
  run.restore(run.save());
  run.step();
  expect(phasesAndLate()).toEqual([
    ['begin', false],
    ['end', true],
    ['begin', true],
  ]);
  expect(run.collisions[2]).toMatchObject(UNKNOWN);
  expect(run.contacts.map(({ phase }) => phase)).toEqual(['begin', 'end', 'begin']);
  expect(run.sleeps.map(({ isAsleep }) => isAsleep)).toEqual([true, false, true]);
  // The simulation knows: it is in the state.
  expect(run.inside).toHaveLength(1);
  run.events.free();
  run.page.drain();
  expect(phases()).toEqual(['begin', 'end', 'begin', 'end']);
  expect([run.open.contacts, run.open.asleep]).toEqual([[], []]);
  expect([run.physics.stepWatch, run.physics.eventQueue]).toEqual([undefined, undefined]);
  run.physics.step(STEP_SECONDS);
  run.events = new RapierEvents(rapier, run.physics, run.reporter);
});

test('watching begins late what touches already, for each kind of event once', () => {
  const { collider, id } = run.addBall(0, 0.49);
  // The boxes around these two overlap, and they do not touch.
  const near = run.addBall(3, 9);
  run.addBall(3.8, 9.8);
  run.step(2);
  run.events.watchContacts(collider);
  run.events.watchContacts(near.collider);
  run.page.drain();
  expect(run.contacts).toMatchObject([{ phase: 'begin', a: id, isLate: true }]);
  run.events.watchCollisions(collider);
  run.events.watchCollisions(run.floor);
  run.events.watchContacts(run.floor);
  run.page.drain();
  expect(run.collisions).toMatchObject([{ phase: 'begin', isLate: true, ...UNKNOWN }]);
  expect([run.contacts.length, run.inside.length]).toEqual([1, 0]);
});

test('a begin for which there is no room is lost and counted, and follows late', () => {
  const full = new RapierRun(rapier, { eventWords: 64 });
  // A collision with four points takes 34 words.
  for (const x of [0, 2, 4]) {
    const desc = RigidBodyDesc.dynamic().setTranslation(x, 0.49, 0);
    full.events.watchCollisions(full.create(desc, ColliderDesc.cuboid(0.5, 0.5, 0.5)).collider);
  }
  full.step();
  const found = full.collisions.map(({ isLate, points }) => [isLate, points.length]);
  expect(found).toEqual([[false, 4]]);
  expect([full.reporter.lost, full.page.lost]).toEqual([2, 2]);
  full.step();
  const late = { phase: 'begin', isLate: true, tick: 2, ...UNKNOWN };
  expect(full.collisions.slice(1)).toMatchObject([late, late]);
});
