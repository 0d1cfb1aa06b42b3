/** Collisions of colliders, compared with what Rapier itself says of the same pair. */
import type { Collider, RigidBody, World } from '@dimforge/rapier3d-simd-compat';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  Collision,
  CollisionEvent,
  ContactEvent,
} from '../../../../src/shared/events/simulation-event.js';
import { EventDispatcher } from '../../../../src/render-main/queues/event-dispatcher.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import { RapierEvents } from '../../../../src/sim-worker/engines/rapier-events.js';
import { RAPIER_BUILDS } from '../../../../src/sim-worker/engines/rapier-builds.js';
import { RapierWorld, loadRapier } from '../../../../src/sim-worker/engines/rapier.js';
import { EventReporter } from '../../../../src/sim-worker/events/event-reporter.js';
import { createEventQueue } from '../../../fixtures/event-queue.js';
import { present } from '../../../fixtures/present.js';

const STEP_SECONDS = 1 / 60;
/** A quarter turn about the vertical axis. */
const UPRIGHT = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 };
const NONE = Number.NaN;
const UNKNOWN = {
  normal: { x: NONE, y: NONE, z: NONE },
  points: [],
  impulse: NONE,
  impactSpeed: NONE,
};

/** Of two colliders in any order. */
const keyOf = (one: number, other: number) => `${Math.min(one, other)} ${Math.max(one, other)}`;

describe.each(RAPIER_BUILDS)('the %s build', async (build) => {
  const rapier = await loadRapier(build);
  const { ColliderDesc, RigidBodyDesc } = rapier;

  /** A world with a floor that is no body, whose events reach a page and the simulation. */
  function startWorld(eventWords = 1 << 14) {
    const { views, writer } = createEventQueue(eventWords);
    const bodies = new BodyRegistry(64);
    const physics = new RapierWorld(new rapier.World({ x: 0, y: -9.81, z: 0 }), bodies);
    const floor = physics.world.createCollider(
      ColliderDesc.cuboid(50, 1, 50).setTranslation(0, -1, 0),
    );
    const reporter = new EventReporter(writer);
    const events = new RapierEvents(rapier, physics, reporter);
    const page = new EventDispatcher();
    page.attach(views);
    const collisions: CollisionEvent[] = [];
    const contacts: ContactEvent[] = [];
    const inside: Collision[] = [];
    page.on('collision', (event) => collisions.push(event), { when: 'now' });
    page.on('contact', (event) => contacts.push(event), { when: 'now' });
    events.onCollision((collision) => inside.push(collision));
    let tick = 0;
    return {
      bodies,
      physics,
      floor,
      reporter,
      events,
      page,
      collisions,
      contacts,
      inside,
      step(ticks = 1, steps = 1, afterStep?: () => void) {
        for (const last = tick + ticks; tick < last;) {
          tick += 1;
          reporter.beginTick(tick, tick * STEP_SECONDS * 1000);
          for (let count = 0; count < steps; count++) physics.step(STEP_SECONDS / steps);
          afterStep?.();
          events.drain();
          reporter.endTick();
          page.drain();
        }
      },
      free() {
        events.free();
        physics.free();
      },
    };
  }

  let run: ReturnType<typeof startWorld>;
  let world: World;

  beforeEach(() => {
    run = startWorld();
    ({ world } = run.physics);
  });
  afterEach(() => run.free());

  const addBody = (desc = RigidBodyDesc.dynamic(), shape = ColliderDesc.ball(0.5)) => {
    const rigidBody = world.createRigidBody(desc);
    return { rigidBody, collider: world.createCollider(shape, rigidBody) };
  };
  const ballAt = (x: number, y: number) => addBody(RigidBodyDesc.dynamic().setTranslation(x, y, 0));
  const only = () => {
    expect(run.collisions).toHaveLength(1);
    return present(run.collisions[0]);
  };
  const phases = () => run.collisions.map(({ phase }) => phase);

  /** What Rapier says of a pair, of which the first comes first. */
  function askRapier(c1: Collider, c2: Collider) {
    const points: { x: number; y: number; z: number; depth: number; normal: object }[] = [];
    let impulse = 0;
    world.contactPair(c1, c2, (manifold, isFlipped) => {
      const { x, y, z } = manifold.normal();
      const normal = isFlipped ? { x: -x, y: -y, z: -z } : { x, y, z };
      for (let i = 0; i < manifold.numContacts(); i++) impulse += manifold.contactImpulse(i);
      for (let i = 0; i < manifold.numSolverContacts(); i++) {
        const point = present(manifold.solverContactPoint(i) ?? undefined);
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

  test('a ball falls on the floor: whose, where, how deep and how hard, as Rapier says', () => {
    const { rigidBody, collider } = ballAt(3, 4);
    const id = run.physics.add(rigidBody);
    run.events.watchCollisions(collider);
    let speed = 0;
    while (run.collisions.length === 0) {
      speed = -rigidBody.linvel().y;
      run.step();
    }
    const { normal, points, impulse } = askRapier(collider, run.floor);
    const event = only();
    expect(event).toMatchObject({ phase: 'begin', isLate: false, isSensor: false });
    expect(event).toMatchObject({ a: id, b: undefined });
    expect([event.colliderA, event.colliderB]).toEqual([collider.handle, run.floor.handle]);
    expect(event).toMatchObject({ normal, points, impulse });
    // From the ball down to the floor.
    expect(event.normal.y).toBeCloseTo(-1);
    expect(event.impactSpeed).toBeCloseTo(speed, 4);
    expect(speed).toBeGreaterThan(7);
    // It stops: the impulse is what it had, and what gravity added in this step.
    expect(event.impulse).toBeCloseTo(rigidBody.mass() * (speed + 9.81 * STEP_SECONDS), 2);
    expect(present(event.points[0]).x).toBeCloseTo(3);
    expect(run.inside).toMatchObject([{ phase: 'begin', a: id, normal, points }]);
    expect(run.contacts).toEqual([]);

    rigidBody.setLinvel({ x: 0, y: 9, z: 0 }, true);
    run.step(10);
    expect(phases()).toEqual(['begin', 'end']);
    expect(run.collisions[1]).toEqual({
      tick: event.tick + (present(run.collisions[1]).tick - event.tick),
      isLate: false,
      phase: 'end',
      a: id,
      b: undefined,
      colliderA: collider.handle,
      colliderB: run.floor.handle,
      isSensor: false,
      ...UNKNOWN,
    });
    expect(run.inside.map(({ phase }) => phase)).toEqual(['begin', 'end']);
  });

  test('the body with the lower id comes first, and a body before what is none; the normal agrees', () => {
    // The second body has the collider with the lower handle.
    const upper = ballAt(0, 1.45);
    const lower = ballAt(0, 0.5);
    const lowerId = run.physics.add(lower.rigidBody);
    const upperId = run.physics.add(upper.rigidBody);
    expect(lowerId).toBeLessThan(upperId);
    run.events.watchCollisions(upper.rigidBody);
    run.events.watchCollisions(lower.rigidBody);
    run.step();
    const pair = run.collisions.find(({ b }) => b !== undefined);
    expect(pair).toMatchObject({ a: lowerId, b: upperId });
    expect(pair).toMatchObject({
      colliderA: lower.collider.handle,
      colliderB: upper.collider.handle,
    });
    expect(pair?.normal.y).toBeCloseTo(1);
    const { points, normal } = askRapier(lower.collider, upper.collider);
    expect(pair).toMatchObject({ points, normal });
    const onFloor = run.collisions.find(({ b }) => b === undefined);
    expect(onFloor).toMatchObject({ a: lowerId, colliderA: lower.collider.handle });
    expect(onFloor?.normal.y).toBeCloseTo(-1);
  });

  /** Waves that are 4 long and wide, of triangles. */
  function addMesh() {
    const size = 4;
    const vertices: number[] = [];
    const indices: number[] = [];
    for (let x = 0; x <= size; x++) {
      for (let z = 0; z <= size; z++) vertices.push(x - 2, 0.05 * ((x * 7 + z * 3) % 5), z - 2);
    }
    for (let x = 0; x < size; x++) {
      for (let z = 0; z < size; z++) {
        const at = x * (size + 1) + z;
        indices.push(at, at + 1, at + size + 1, at + 1, at + size + 2, at + size + 1);
      }
    }
    const shape = ColliderDesc.trimesh(new Float32Array(vertices), new Uint32Array(indices));
    return world.createCollider(shape.setTranslation(20, 3, 0).setRotation(UPRIGHT));
  }

  test('a collider that is no longer watched ends what is on, unless the other one is', () => {
    const [lower, upper] = [ballAt(0, 0.5), ballAt(0, 1.5)];
    run.events.watchCollisions(lower.collider);
    run.step(5);
    expect(phases()).toEqual(['begin', 'begin']);
    run.events.watchCollisions(upper.collider);
    run.events.unwatchCollisions(lower.rigidBody);
    run.step(5);
    expect(run.collisions.slice(2)).toMatchObject([
      {
        phase: 'end',
        colliderA: run.floor.handle,
        colliderB: lower.collider.handle,
        isLate: false,
      },
    ]);
    run.events.unwatchCollisions(upper.collider);
    run.step(5);
    expect(phases()).toEqual(['begin', 'begin', 'end', 'end']);
    run.events.watchCollisions(lower.collider);
    run.step();
    expect(run.collisions.slice(4)).toMatchObject([
      { phase: 'begin', isLate: true },
      { phase: 'begin', isLate: true },
    ]);
    expect(run.contacts).toEqual([]);
  });

  test('a mesh gives many manifolds, and one collision with the four deepest points of all', () => {
    const mesh = addMesh();
    const { rigidBody, collider } = addBody(
      RigidBodyDesc.dynamic().setTranslation(20, 4, 0),
      ColliderDesc.cuboid(1.5, 0.5, 1.5),
    );
    run.physics.add(rigidBody);
    run.events.watchCollisions(rigidBody);
    run.events.watchContacts(rigidBody);
    let speed = 0;
    while (run.collisions.length === 0) {
      speed = -rigidBody.linvel().y;
      run.step();
    }
    let manifolds = 0;
    let deepest = -1;
    world.contactPair(collider, mesh, (manifold) => {
      manifolds += 1;
      for (let index = 0; index < manifold.numContacts(); index++) {
        deepest = Math.max(deepest, -manifold.contactDist(index));
      }
    });
    expect(manifolds).toBeGreaterThan(4);
    const { normal, points, impactSpeed, colliderA, colliderB } = only();
    expect([colliderA, colliderB]).toEqual([collider.handle, mesh.handle]);
    expect(points.length).toBeLessThanOrEqual(4);
    expect(present(points[0]).depth).toBeCloseTo(deepest, 5);
    for (const { x, y, z } of points) {
      expect(Math.abs(x - 20)).toBeLessThan(2);
      expect(Math.abs(y - 3.1)).toBeLessThan(0.3);
      expect(Math.abs(z)).toBeLessThan(2);
    }
    expect(normal.y).toBeLessThan(-0.9);
    expect(impactSpeed).toBeGreaterThan(speed * 0.8);
    expect(impactSpeed).toBeLessThan(speed * 1.1);
    // The contact is there as well, and not at the center of the box.
    expect(present(run.contacts[0]).y).toBeLessThan(3.4);
    run.step(60);
    for (const [index, phase] of phases().entries()) {
      expect(phase).toBe(index % 2 === 0 ? 'begin' : 'end');
    }
    // It rests, and touches the mesh already when the mesh is watched, too.
    run.collisions.length = 0;
    run.events.watchCollisions(mesh);
    run.page.drain();
    expect(run.collisions).toEqual([]);
    const saved = run.physics.save();
    run.physics.restore(saved);
    run.step();
    expect(run.collisions.map((event) => [event.phase, event.isLate])).toEqual([
      ['end', true],
      ['begin', true],
    ]);
  });

  test('a body of two colliders has one collision for each, and one contact', () => {
    const { rigidBody, collider } = ballAt(0, 0.49);
    const other = world.createCollider(ColliderDesc.ball(0.5).setTranslation(2, 0, 0), rigidBody);
    run.physics.add(rigidBody);
    run.events.watchCollisions(rigidBody);
    run.events.watchContacts(rigidBody);
    run.step(5);
    expect(run.collisions.map(({ colliderA }) => colliderA).toSorted()).toEqual(
      [collider.handle, other.handle].toSorted(),
    );
    expect(run.contacts).toHaveLength(1);
    // The end of one collider, in the tick in which it is removed.
    world.removeCollider(other, true);
    run.step();
    expect(run.collisions).toHaveLength(3);
    expect(run.collisions[2]).toMatchObject({ phase: 'end', colliderA: other.handle });
    expect(run.contacts).toHaveLength(1);
  });

  test('what is not published collides too, and only what is watched', () => {
    const { collider } = ballAt(0, 0.49);
    const watched = ballAt(5, 0.49);
    ballAt(9, 0.49);
    run.events.watchContacts(collider);
    run.events.watchCollisions(watched.collider);
    run.step(3);
    const event = only();
    expect([event.a, event.b]).toEqual([undefined, undefined]);
    const { handle } = watched.collider;
    expect([event.colliderA, event.colliderB]).toEqual([run.floor.handle, handle]);
    expect(world.getCollider(event.colliderB)).toBe(watched.collider);
    expect(run.contacts).toEqual([]);
  });

  test('a sensor has collisions without points', () => {
    const gate = world.createCollider(ColliderDesc.ball(1).setTranslation(0, 5, 0).setSensor(true));
    const { rigidBody } = ballAt(0, 8);
    const id = run.physics.add(rigidBody);
    run.events.watchCollisions(gate);
    run.step(60);
    expect(run.collisions).toMatchObject([
      { phase: 'begin', a: id, b: undefined, isSensor: true, ...UNKNOWN },
      { phase: 'end', a: id, b: undefined, isSensor: true, ...UNKNOWN },
    ]);
  });

  describe('the impact speed', () => {
    test('is that before the step in which they met, also if a tick is several steps', () => {
      const { rigidBody, collider } = addBody(
        RigidBodyDesc.dynamic().setTranslation(0, 2, 0),
        ColliderDesc.ball(0.5).setRestitution(0.8),
      );
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

    test('of a body that is new, of one that turns, and of one that is moved by its position', () => {
      const { rigidBody } = addBody(
        RigidBodyDesc.dynamic().setTranslation(0, 0.5, 0).setLinvel(0, -3, 0),
      );
      run.events.watchCollisions(rigidBody);
      run.step();
      expect(present(run.collisions[0]).impactSpeed).toBeCloseTo(3, 5);

      // The end of a bar that turns about its middle hits a post.
      world.gravity = { x: 0, y: 0, z: 0 };
      const bar = addBody(
        RigidBodyDesc.dynamic().setTranslation(20, 5, 0).setAngvel({ x: 0, y: 0, z: 2 }),
        ColliderDesc.cuboid(3, 0.1, 0.1),
      );
      world.createCollider(ColliderDesc.cuboid(0.1, 0.1, 0.1).setTranslation(22.9, 5.21, 0));
      run.events.watchCollisions(bar.collider);
      while (run.collisions.length < 2) run.step();
      const hit = present(run.collisions[1]);
      const arm = present(hit.points[0]).x - 20;
      expect(arm).toBeGreaterThan(2.5);
      expect(hit.impactSpeed).toBeCloseTo(2 * arm * Math.abs(hit.normal.y), 1);

      const lift = addBody(RigidBodyDesc.kinematicPositionBased().setTranslation(-20, 5, 0));
      addBody(RigidBodyDesc.dynamic().setTranslation(-20, 6.05, 0));
      run.events.watchCollisions(lift.collider);
      run.step();
      let y = 5;
      while (run.collisions.length < 3) {
        y += 0.03;
        lift.rigidBody.setNextKinematicTranslation({ x: -20, y, z: 0 });
        run.step();
      }
      expect(present(run.collisions[2]).impactSpeed).toBeCloseTo(0.03 / STEP_SECONDS, 2);
    });
  });

  describe('the end', () => {
    test.each(['before', 'after'] as const)(
      'of a body that is removed %s the step comes in that tick, and its handle is not taken for another',
      (when) => {
        const { rigidBody, collider } = ballAt(0, 0.49);
        const { handle } = collider;
        const id = run.physics.add(rigidBody);
        run.events.watchCollisions(collider);
        run.events.watchContacts(collider);
        run.step(2);
        const replace = () => {
          run.physics.remove(id);
          const next = ballAt(0, 0.49);
          run.physics.add(next.rigidBody);
          run.events.watchCollisions(next.collider);
        };
        if (when === 'before') replace();
        run.step(1, 1, when === 'after' ? replace : undefined);
        expect(run.collisions[1]).toMatchObject({
          phase: 'end',
          tick: 3,
          a: id,
          colliderA: handle,
          isLate: false,
        });
        run.step(3);
        expect(phases()).toEqual(['begin', 'end', 'begin']);
        expect(run.inside.map(({ phase }) => phase)).toEqual(['begin', 'end', 'begin']);
        expect(present(run.collisions[2]).colliderA).not.toBe(handle);
        expect(run.contacts.map(({ phase }) => phase)).toEqual(['begin', 'end']);
      },
    );

    test('of what a handler removes comes in the same tick', () => {
      const tower = [0.49, 1.47, 2.45].map((y) => ballAt(0, y));
      const ids = tower.map(({ rigidBody }) => run.physics.add(rigidBody));
      for (const { collider } of tower) run.events.watchCollisions(collider);
      run.events.onCollision(({ phase, a }) => {
        if (phase === 'begin' && a === ids[0]) run.physics.remove(present(ids[1]));
        if (phase === 'end' && a === ids[1]) run.physics.remove(present(ids[2]));
      });
      run.step(2);
      const open = new Set<string>();
      for (const { phase, colliderA, colliderB } of run.collisions) {
        const key = `${colliderA} ${colliderB}`;
        expect(open.has(key)).toBe(phase === 'end');
        if (phase === 'begin') open.add(key);
        else open.delete(key);
      }
      expect([...open]).toEqual([`${tower[0]?.collider.handle} ${run.floor.handle}`]);
    });

    test('comes when events are freed, and when the world is replaced', () => {
      const { rigidBody, collider } = ballAt(0, 0.49);
      run.physics.add(rigidBody);
      run.events.watchCollisions(collider);
      run.step(2);
      const saved = run.physics.save();
      run.physics.restore(saved);
      run.step();
      expect(run.collisions.map(({ phase, isLate }) => [phase, isLate])).toEqual([
        ['begin', false],
        ['end', true],
        ['begin', true],
      ]);
      expect(run.collisions[2]).toMatchObject(UNKNOWN);
      // The simulation knows: it is in the state.
      expect(run.inside).toHaveLength(1);
      run.events.free();
      run.page.drain();
      expect(phases()).toEqual(['begin', 'end', 'begin', 'end']);
      expect(run.physics.stepWatch).toBeUndefined();
      run.events = new RapierEvents(rapier, run.physics, run.reporter);
    });
  });

  test('watching begins late what touches already, for each kind of event once', () => {
    const { rigidBody, collider } = ballAt(0, 0.49);
    run.physics.add(rigidBody);
    run.events.watchContacts(collider);
    run.step(2);
    expect([run.contacts.length, run.collisions.length]).toEqual([1, 0]);
    run.events.watchCollisions(collider);
    run.events.watchCollisions(run.floor);
    run.page.drain();
    expect(run.collisions).toMatchObject([{ phase: 'begin', isLate: true, ...UNKNOWN }]);
    expect([run.contacts.length, run.inside.length]).toEqual([1, 0]);
  });

  test('a restored world still watches what was watched later, and knows its sensors', () => {
    const late = ballAt(0, 3);
    run.physics.add(late.rigidBody);
    run.step(5);
    run.events.watchCollisions(late.collider);
    const zone = world.createCollider(ColliderDesc.cuboid(2, 0.5, 2));
    run.events.sensor(zone, 7);
    const saved = { world: run.physics.save(), bodies: run.bodies.save() };
    const goOn = (on: typeof run) => {
      const sensors: object[] = [];
      on.page.on('sensor', ({ phase, sensor }) => sensors.push({ phase, sensor }), { when: 'now' });
      on.collisions.length = 0;
      on.step(60);
      return {
        sensors,
        collisions: on.collisions.map((event) => Object.assign(event, { tick: 0 })),
      };
    };
    const expected = goOn(run);
    expect(expected.sensors).toEqual([{ phase: 'enter', sensor: 7 }]);
    expect(expected.collisions.length).toBeGreaterThan(0);
    // Another object, for which nothing was watched.
    const other = startWorld();
    other.bodies.restore(saved.bodies);
    other.physics.restore(saved.world);
    other.reporter.clear();
    expect(goOn(other)).toEqual(expected);
    other.free();
  });

  test('the first step of a restored world ends what touched, for the simulation as in the run', () => {
    const { rigidBody, collider } = ballAt(0, 0.49);
    const id = run.physics.add(rigidBody);
    run.events.watchCollisions(collider);
    run.events.watchContacts(collider);
    const contacts: string[] = [];
    run.events.onContact(({ phase }) => contacts.push(phase));
    run.step(3);
    rigidBody.setLinvel({ x: 0, y: 20, z: 0 }, true);
    const saved = { world: run.physics.save(), bodies: run.bodies.save() };
    const goOn = () => {
      run.inside.length = 0;
      contacts.length = 0;
      run.step(2);
      return [...run.inside.map(({ phase, a }) => ({ phase, a })), ...contacts];
    };
    const played = goOn();
    expect(played).toEqual([{ phase: 'end', a: id }, 'end']);
    run.bodies.restore(saved.bodies);
    run.physics.restore(saved.world);
    run.reporter.clear();
    expect(goOn()).toEqual(played);
  });

  test('without room the begin is lost and counted, and follows late', () => {
    const full = startWorld(64);
    const ball = (x: number) => {
      const body = full.physics.world.createRigidBody(
        RigidBodyDesc.dynamic().setTranslation(x, 0.49, 0),
      );
      full.events.watchCollisions(
        full.physics.world.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5), body),
      );
    };
    // A collision with four points takes 34 words.
    for (const x of [0, 2, 4]) ball(x);
    full.step();
    expect(full.collisions.map(({ isLate, points }) => [isLate, points.length])).toEqual([
      [false, 4],
    ]);
    expect([full.reporter.lost, full.page.lost]).toEqual([2, 2]);
    full.step();
    expect(full.collisions.slice(1)).toMatchObject([
      { phase: 'begin', isLate: true, tick: 2, ...UNKNOWN },
      { phase: 'begin', isLate: true, tick: 2, ...UNKNOWN },
    ]);
    full.free();
  });

  describe('any world', () => {
    type Action =
      | { readonly do: 'add'; readonly x: number; readonly y: number; readonly shape: number }
      | { readonly do: 'remove' | 'removeCollider' | 'kick'; readonly which: number }
      | { readonly do: 'step'; readonly steps: number; readonly removesAfter: boolean }
      | { readonly do: 'restore'; readonly isOtherRun: boolean };
    const which = fc.nat();
    const action: fc.Arbitrary<Action> = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant('add' as const),
          x: fc.integer({ min: -2, max: 2 }),
          y: fc.integer({ min: 0, max: 3 }),
          shape: fc.nat(3),
        }),
      },
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constantFrom('remove' as const, 'removeCollider' as const, 'kick' as const),
          which,
        }),
      },
      {
        weight: 10,
        arbitrary: fc.record({
          do: fc.constant('step' as const),
          steps: fc.integer({ min: 1, max: 3 }),
          removesAfter: fc.boolean(),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('restore' as const), isOtherRun: fc.boolean() }),
      },
    );

    test('begins and ends alternate for each pair, and what is open is what touches', () => {
      fc.assert(
        fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
          const any = startWorld();
          const open = new Set<string>();
          any.page.on(
            'collision',
            ({ phase, colliderA, colliderB }) => {
              const key = keyOf(colliderA, colliderB);
              expect(open.has(key)).toBe(phase === 'end');
              if (phase === 'begin') open.add(key);
              else open.delete(key);
            },
            { when: 'now' },
          );
          const rigidBodies = (): RigidBody[] => any.physics.world.bodies.getAll();
          const pick = (at: number) => rigidBodies()[at % Math.max(1, rigidBodies().length)];
          const remove = (at: number) => {
            const picked = pick(at);
            if (picked === undefined) return;
            const id = any.physics.bodyIdOf(picked);
            if (id === undefined) any.physics.world.removeRigidBody(picked);
            else any.physics.remove(id);
          };
          const watched = new Set<number>();
          for (const one of actions) {
            switch (one.do) {
              case 'add': {
                const desc = RigidBodyDesc.dynamic().setTranslation(one.x, one.y, 0);
                const body = any.physics.world.createRigidBody(desc);
                const shapes = [
                  ColliderDesc.ball(0.5),
                  ColliderDesc.cuboid(0.4, 0.4, 0.4),
                  ColliderDesc.ball(0.7).setSensor(true),
                ];
                const shape = present(shapes[one.shape] ?? shapes[0]);
                const collider = any.physics.world.createCollider(shape, body);
                if (one.shape === 3) {
                  any.physics.world.createCollider(ColliderDesc.ball(0.3), body);
                } else if (one.shape < 3) any.physics.add(body);
                if (one.shape !== 1) {
                  any.events.watchCollisions(collider);
                  watched.add(collider.handle);
                }
                break;
              }
              case 'remove':
                remove(one.which);
                break;
              case 'removeCollider': {
                const body = pick(one.which);
                if (body !== undefined && body.numColliders() > 0) {
                  any.physics.world.removeCollider(body.collider(0), true);
                }
                break;
              }
              case 'kick':
                pick(one.which)?.setLinvel({ x: 1, y: 6, z: 0 }, true);
                break;
              case 'step':
                any.step(1, one.steps, one.removesAfter ? () => remove(one.steps) : undefined);
                break;
              case 'restore': {
                const saved = { world: any.physics.save(), bodies: any.bodies.save() };
                any.bodies.restore(saved.bodies);
                any.physics.restore(saved.world);
                if (one.isOtherRun) any.reporter.clear();
                any.step();
                break;
              }
            }
          }
          any.step();
          const touching = new Set<string>();
          any.physics.world.forEachCollider((collider) => {
            if (!watched.has(collider.handle)) return;
            any.physics.world.contactPairsWith(collider, (other) => {
              let points = 0;
              any.physics.world.contactPair(collider, other, (manifold) => {
                points += manifold.numSolverContacts();
              });
              if (points > 0) touching.add(keyOf(collider.handle, other.handle));
            });
            any.physics.world.intersectionPairsWith(collider, (other) => {
              if (any.physics.world.intersectionPair(collider, other)) {
                touching.add(keyOf(collider.handle, other.handle));
              }
            });
          });
          expect([...open].toSorted()).toEqual([...touching].toSorted());
          expect(any.collisions.every(({ tick }) => tick > 0)).toBe(true);
          expect(any.reporter.lost).toBe(0);
          any.free();
        }),
        { numRuns: 40 },
      );
    });
  });
});
