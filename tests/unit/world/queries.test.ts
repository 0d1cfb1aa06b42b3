/** Queries of a world: the same answers as Rapier's own after the same ticks, and which state they are of. */
import { beforeAll, expect, test } from 'vitest';
import * as page from '../../../src/render-main/world/index.js';
import type { Collider, Shape, World } from '../../../src/render-main/world/index.js';
import { loadRapier, type Rapier } from '../../../src/sim-worker/engines/rapier.js';
import { present } from '../../fixtures/present.js';
import { sceneIn, type Scene } from '../../fixtures/world-scene.js';
import {
  NO_GRAVITY,
  addBody,
  addBox,
  advance,
  countCommands,
  createWorldForTest,
  warningsOfTest,
  worldOptions,
} from '../../fixtures/worlds.js';

const { Ball, ColliderDesc, QueryFilterFlags, Ray, RigidBodyDesc } = page;
type EngineCollider = InstanceType<Rapier['Collider']>;

const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };
const TURNED = { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 };
const TICKS = 90;
const at = (x: number, y = 0, z = 0) => ({ x, y, z });
const DOWN = at(0, -1);
const down = (x = 0) => new Ray(at(x, 10), DOWN);

let rapier: Rapier;
let engine: InstanceType<Rapier['World']>;
let world: World;
/** One scene in Rapier and in a world, after the same ticks. No query changes it. */
let [theirScene, ownScene]: Scene[] = [];
/** In the order in which they were created. */
let theirs: EngineCollider[];
let ours: readonly Collider[];

beforeAll(async () => {
  rapier = await loadRapier();
  engine = new rapier.World({ x: 0, y: -9.81, z: 0 });
  engine.timestep = 1 / 60;
  world = page.createWorld(worldOptions());
  [theirScene, ownScene] = [sceneIn(rapier, engine), sceneIn(page, world)];
  for (const [either, classes] of [
    [engine, rapier],
    [world, page],
  ] as unknown as [World, typeof page][]) {
    const gate = classes.ColliderDesc.cuboid(12, 0.4, 2).setTranslation(0, 0.3, 0);
    either.createCollider(gate.setSensor(true));
  }
  theirs = [];
  engine.forEachCollider((collider) => theirs.push(collider));
  ours = world.colliders.getAll();
  for (let tick = 0; tick < TICKS; tick++) engine.step();
  await advance(world, TICKS);
  return async () => {
    engine.free();
    await world.dispose();
  };
});

/** Which collider it is in either world, in the order of creation. */
function place(collider: Collider | EngineCollider): number {
  const own = ours.indexOf(collider as Collider);
  return own >= 0 ? own : theirs.findIndex(({ handle }) => Object.is(handle, collider.handle));
}

/** An answer in a form that can be compared. */
function plain(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || ArrayBuffer.isView(answer)) return answer;
  if (Array.isArray(answer)) return answer.map(plain);
  if ('handle' in answer) return place(answer as Collider);
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, plain(value)]));
}

const expectSame = (own: unknown, their: unknown): void => expect(plain(own)).toEqual(plain(their));

/** What the engine calls back with. */
function collected<T>(find: (callback: (found: T) => boolean) => void): T[] {
  const all: T[] = [];
  find((found) => all.push(found) > 0);
  return all;
}

const inOrder = (colliders: readonly (Collider | EngineCollider)[]): number[] =>
  colliders.map(place).toSorted((a, b) => a - b);

/** The engine's methods, whose vectors are declared apart from the page's. */
type Loose = Record<string, (...given: unknown[]) => unknown>;
const engineDoes = (name: string, ...given: unknown[]): unknown =>
  (engine as unknown as Loose)[name]?.(...given);
const collectedBy = (name: string, ...given: unknown[]): EngineCollider[] =>
  collected((callback) => engineDoes(name, ...given, callback));

const RAYS = [-7, -5, -3, -2, 0, 0.4, 2, 3, 4.5, 6, 9, 12, 30].map(
  (x, index) => [at(x, 8, index % 3 === 0 ? 3 : 0.1), at(0.02 * index, -2, 0.01)] as const,
);

test('rays hit what they hit in Rapier', async () => {
  let hits = 0;
  for (const [origin, dir] of RAYS) {
    const [own, their] = [new Ray(origin, dir), new rapier.Ray(origin, dir)];
    for (const solid of [true, false]) {
      const hit = await world.castRay(own, 20, solid);
      expectSame(hit, engine.castRay(their, 20, solid));
      if (hit !== null) hits += 1;
      expectSame(own.pointAt(hit?.timeOfImpact ?? 0), their.pointAt(hit?.timeOfImpact ?? 0));
      expectSame(
        await world.castRayAndGetNormal(own, 20, solid),
        engine.castRayAndGetNormal(their, 20, solid),
      );
      expectSame(
        await world.intersectionsWithRay(own, 20, solid),
        collectedBy('intersectionsWithRay', their, 20, solid),
      );
    }
    expectSame(await world.castRay(own, 0.5, true), engine.castRay(their, 0.5, true));
  }
  expect(hits).toBeGreaterThan(15);
});

test('many rays of one message hit what they hit in Rapier', async () => {
  const rays = RAYS.flatMap(([origin, dir]) => [...Object.values(origin), ...Object.values(dir)]);
  const far = await world.castRays(rays);
  const near = await world.castRays(Float32Array.from(rays), {
    maxToi: 4,
    solid: false,
    normals: true,
    filter: { flags: QueryFilterFlags.EXCLUDE_FIXED },
  });
  expect([far.colliders.length, far.normals.length, near.normals.length]).toEqual([13, 0, 39]);
  for (const [index, [origin, dir]] of RAYS.entries()) {
    const ray = new rapier.Ray(origin, dir);
    expect(far.timesOfImpact[index]).toBe(engine.castRay(ray, 3e38, true)?.timeOfImpact ?? -1);
    const hit = engine.castRayAndGetNormal(ray, 4, false, QueryFilterFlags.EXCLUDE_FIXED);
    expect(near.timesOfImpact[index]).toBe(hit?.timeOfImpact ?? -1);
    const collider = world.getCollider(near.colliders[index] ?? 0);
    expect(collider && place(collider)).toBe(hit === null ? undefined : place(hit.collider));
    const { x, y, z } = hit?.normal ?? at(0);
    expect([...near.normals.subarray(3 * index, 3 * index + 3)]).toEqual([x, y, z]);
  }
  expect((await world.castRays([])).colliders).toHaveLength(0);
});

test('shapes of all types overlap and hit what they do in Rapier', async () => {
  const points = Float32Array.from([0, 0.7, 0, 0.5, 0, 0.5, -0.5, 0, 0.5, 0, 0, -0.6, 0, -0.4, 0]);
  const corners = Float32Array.from([-1, 0, -1, 1, 0, -1, 0, 0, 1]);
  const triangle = Uint32Array.from([0, 1, 2]);
  const field = [1, 1, Float32Array.from([0, 1, 0, 1]), at(2, 1, 2)] as const;
  const C = rapier.ColliderDesc;
  const convex: readonly (readonly [Shape, { shape: { type: number } } | null])[] = [
    [new Ball(0.6), C.ball(0.6)],
    [new page.Cuboid(0.5, 0.4, 0.3), C.cuboid(0.5, 0.4, 0.3)],
    [new page.RoundCuboid(0.5, 0.4, 0.3, 0.1), C.roundCuboid(0.5, 0.4, 0.3, 0.1)],
    [new page.Capsule(0.5, 0.3), C.capsule(0.5, 0.3)],
    [new page.Cylinder(0.5, 0.3), C.cylinder(0.5, 0.3)],
    [new page.RoundCylinder(0.5, 0.3, 0.1), C.roundCylinder(0.5, 0.3, 0.1)],
    [new page.Cone(0.5, 0.3), C.cone(0.5, 0.3)],
    [new page.RoundCone(0.5, 0.3, 0.1), C.roundCone(0.5, 0.3, 0.1)],
    [new page.ConvexPolyhedron(points), C.convexHull(points)],
    [new page.RoundConvexPolyhedron(points, null, 0.1), C.roundConvexHull(points, 0.1)],
    [ColliderDesc.ball(0.5).shape, C.ball(0.5)],
  ];
  const others: typeof convex = [
    [new page.TriMesh(corners, triangle), C.trimesh(corners, triangle)],
    [new page.Polyline(corners), C.polyline(corners, null)],
    [new page.Heightfield(...field), C.heightfield(...field)],
  ];
  for (const [shape, description] of [...convex, ...others]) {
    const { shape: their } = present(description);
    expect(shape.type).toBe(their.type);
    for (const x of [-3, 0, 4]) {
      const where = at(x, 0.6);
      expect(inOrder(await world.intersectionsWithShape(where, TURNED, shape))).toEqual(
        inOrder(collectedBy('intersectionsWithShape', where, TURNED, their)),
      );
      expectSame(
        await world.intersectionWithShape(where, TURNED, shape),
        engineDoes('intersectionWithShape', where, TURNED, their),
      );
      // The engine casts no shapes that are not convex.
      if (others.some(([other]) => other === shape)) continue;
      const from = at(x, 6, 0.2);
      expectSame(
        await world.castShape(from, TURNED, DOWN, shape, 0.01, 9, true),
        engineDoes('castShape', from, TURNED, DOWN, their, 0.01, 9, true),
      );
    }
  }
});

test('points and boxes are in what they are in in Rapier', async () => {
  let inside = 0;
  const points = [at(0, 0.3), at(2, 1, -1), at(-3, 0.5, 0.1), at(40, 3, 1), at(0, -0.2)];
  for (const point of points) {
    const found = inOrder(await world.intersectionsWithPoint(point));
    inside += found.length;
    expect(found).toEqual(inOrder(collectedBy('intersectionsWithPoint', point)));
    for (const solid of [true, false]) {
      const projection = await world.projectPoint(point, solid);
      expectSame(projection, engineDoes('projectPoint', point, solid));
    }
    expectSame(
      await world.projectPointAndGetFeature(point),
      engineDoes('projectPointAndGetFeature', point),
    );
    const half = at(1, 2, 1);
    expect(inOrder(await world.collidersWithAabbIntersectingAabb(point, half))).toEqual(
      inOrder(collectedBy('collidersWithAabbIntersectingAabb', point, half)),
    );
  }
  expect(inside).toBeGreaterThan(3);
});

test('pairs and their contacts are those of Rapier', async () => {
  const counts = { contacts: 0, sensed: 0, points: 0 };
  for (const [index, collider] of ours.entries()) {
    const their = present(theirs[index]);
    const contacts = inOrder(await world.contactPairsWith(collider));
    expect(contacts).toEqual(inOrder(collectedBy('contactPairsWith', their)));
    const sensed = inOrder(await world.intersectionPairsWith(collider));
    expect(sensed).toEqual(inOrder(collectedBy('intersectionPairsWith', their)));
    counts.contacts += contacts.length;
    counts.sensed += sensed.length;
    for (const other of contacts) {
      const expected: unknown[] = [];
      engine.contactPair(their, present(theirs[other]), (manifold, flipped) => {
        counts.points += manifold.numContacts();
        expected.push({
          flipped,
          normal: manifold.normal(),
          localNormal1: manifold.localNormal1(),
          localNormal2: manifold.localNormal2(),
          contacts: Array.from({ length: manifold.numContacts() }, (_, point) => ({
            localPoint1: manifold.localContactPoint1(point),
            localPoint2: manifold.localContactPoint2(point),
            distance: manifold.contactDist(point),
            impulse: manifold.contactImpulse(point),
          })),
          solverContacts: Array.from({ length: manifold.numSolverContacts() }, (_, point) => ({
            point: manifold.solverContactPoint(point),
            distance: manifold.solverContactDist(point),
          })),
        });
      });
      expectSame(await world.contactPair(collider, present(ours[other])), expected);
    }
    const gate = present(ours.at(-1));
    expect(await world.intersectionPair(gate, collider)).toBe(
      engine.intersectionPair(present(theirs.at(-1)), their),
    );
  }
  expect(Math.min(counts.contacts, counts.sensed, counts.points)).toBeGreaterThan(3);
});

test('filters exclude what they exclude in Rapier', async () => {
  const own = new Ray(at(2, 8, -1), DOWN);
  const ray = new rapier.Ray(own.origin, own.dir);
  const first = present(await world.castRay(own, 20, true)).collider;
  const their = present(theirs[place(first)]);
  const [body, theirBody] = [present(first.parent()), present(their.parent())];
  const seen = new Set([place(first)]);
  const none = undefined;
  const cases: readonly (readonly [page.QueryFilter, readonly unknown[]])[] = [
    [{ flags: QueryFilterFlags.EXCLUDE_SENSORS }, [8]],
    [{ flags: QueryFilterFlags.ONLY_FIXED | QueryFilterFlags.EXCLUDE_SENSORS }, [14]],
    [{ groups: 0x0002_0001 }, [none, 0x0002_0001]],
    [{ excludeCollider: first }, [none, none, their]],
    [{ excludeRigidBody: body }, [none, none, none, theirBody]],
  ];
  for (const [filter, args] of cases) {
    const hit = await world.castRay(own, 20, true, filter);
    expectSame(hit, engineDoes('castRay', ray, 20, true, ...args));
    if (hit !== null) seen.add(place(hit.collider));
    const expected = collected<EngineCollider>((callback) =>
      engineDoes('intersectionsWithPoint', at(0, 0.3), callback, ...args),
    );
    expect(inOrder(await world.intersectionsWithPoint(at(0, 0.3), filter))).toEqual(
      inOrder(expected),
    );
  }
  const rest = await world.castRay(own, 20, true, { excluded: ours.slice(0, -1) });
  expect(place(present(rest).collider)).toBe(ours.length - 1);
  expect(seen.size).toBeGreaterThan(1);
});

test('queries of a collider are answered as in Rapier', async () => {
  let hits = 0;
  for (const [index, collider] of ours.entries()) {
    const their = present(theirs[index]);
    const theyDo = (name: string, ...given: unknown[]) =>
      (their as unknown as Loose)[name]?.(...given);
    const { x, y, z } = their.translation();
    const own = new Ray(at(x + 0.1, y + 3, z), at(0, -1.5, 0.01));
    const ray = new rapier.Ray(own.origin, own.dir);
    const [point, where] = [at(x, y + 0.2, z), at(x, y + 2, z)];
    const [ball, theirBall] = [new Ball(0.4), rapier.ColliderDesc.ball(0.4).shape];
    const time = await collider.castRay(own, 5, true);
    if (time >= 0) hits += 1;
    const other = (index + 3) % ours.length;
    const [ownOther, theirOther] = [present(ours[other]), present(theirs[other])];
    expectSame(
      [
        time,
        await collider.containsPoint(point),
        await collider.projectPoint(point, false),
        await collider.intersectsRay(own, 5),
        await collider.castRayAndGetNormal(own, 5, true),
        await collider.castShape(at(0), ball, where, UPRIGHT, DOWN, 0, 5, true),
        await collider.intersectsShape(ball, point, UPRIGHT),
        await collider.contactShape(ball, point, UPRIGHT, 0.1),
        await collider.contactCollider(ownOther, 5),
        await collider.castCollider(at(0), ownOther, DOWN, 0, 5, true),
      ],
      [
        their.castRay(ray, 5, true),
        theyDo('containsPoint', point),
        theyDo('projectPoint', point, false),
        their.intersectsRay(ray, 5),
        their.castRayAndGetNormal(ray, 5, true),
        theyDo('castShape', at(0), theirBall, where, UPRIGHT, DOWN, 0, 5, true),
        theyDo('intersectsShape', theirBall, point, UPRIGHT),
        theyDo('contactShape', theirBall, point, UPRIGHT, 0.1),
        their.contactCollider(theirOther, 5),
        theyDo('castCollider', at(0), theirOther, DOWN, 0, 5, true),
      ],
    );
  }
  expect(hits).toBeGreaterThan(15);
});

test('a body is read as the engine has it', async () => {
  const names = `translation rotation linvel angvel mass principalInertia localCom worldCom isSleeping isMoving`;
  for (const [name, own] of Object.entries(present(ownScene).bodies)) {
    const their = present(theirScene).bodies[name] as unknown as Loose;
    const expected = names.split(' ').map((method) => [method, their[method]?.()]);
    expectSame(await own.read(), { tick: TICKS, ...Object.fromEntries(expected) });
  }
});

test('a query sees what was written before it, on the tick that has it', async () => {
  // Nothing falls between a tick and a question that is late.
  const running = createWorldForTest({ ...NO_GRAVITY, startPaused: false });
  // Before the worker is there, too.
  const floor = addBox(running, [1, 1, 1]);
  expect(await running.castRay(down(), 50, true)).toEqual({ collider: floor, timeOfImpact: 9 });
  for (let count = 1; count <= 5; count++) {
    const block = addBox(running, [1, 1, 1], [9, count, 0]);
    expect((await running.castRay(down(9), 50, true))?.collider).toBe(block);
  }
  const body = running.createRigidBody(RigidBodyDesc.dynamic().setAdditionalMass(2));
  body.setLinvel(at(3), true);
  const state = present(await body.read());
  expect([state.linvel.x, state.mass]).toEqual([3, 2]);
  body.setTranslation(at(0, 100), true);
  expect(present(await body.read()).translation.y).toBe(100);
});

test('a query of a paused world is answered at once by the newest state, and is not recorded', async () => {
  const paused = createWorldForTest();
  const floor = addBox(paused, [1, 1, 1]);
  expect(await paused.castRay(down(), 50, true)).toBeNull();
  const body = addBody(paused, [5, 0, 0]);
  expect(await body.read()).toBeUndefined();
  await advance(paused, 1);
  expect((await paused.castRay(down(), 50, true))?.collider).toBe(floor);
  floor.setTranslation(at(50));
  const { colliders } = await paused.castRays([0, 10, 0, 0, -1, 0]);
  expect([...colliders]).toEqual([floor.handle]);
  await advance(paused, 1);
  expect(await paused.castRay(down(), 50, true)).toBeNull();
  // The floor, the body, and where the floor was put.
  expect(await countCommands(paused)).toBe(3);
});

test('a query that waits for a tick is answered when the simulation is paused', async () => {
  const running = createWorldForTest({ startPaused: false });
  const paused = (await running.ready).pause();
  addBox(running, [1, 1, 1]);
  const answer = running.castRay(down(), 50, true);
  await paused;
  expect([null, 9]).toContain((await answer)?.timeOfImpact ?? null);
});

test('a query does not give what was removed in the meantime, but what is behind it', async () => {
  const tower = createWorldForTest();
  const [low, , high, top] = [0, 2, 4, 6].map((y) =>
    tower.createCollider(ColliderDesc.ball(0.5).setTranslation(0, y, 0)),
  );
  await advance(tower, 1);
  const answers = Promise.all([
    tower.castRay(down(), 50, true),
    tower.castRays([0, 10, 0, 0, -1, 0, 7, 0, 0, 0, -1, 0]),
    tower.intersectionsWithRay(down(), 50, true),
    tower.intersectionWithShape(at(0, 6), UPRIGHT, new Ball(1.9)),
    tower.intersectionsWithPoint(at(0, 6)),
  ]);
  tower.removeCollider(present(top));
  const [hit, hits, all, overlapping, containing] = await answers;
  expect(hit?.collider).toBe(high);
  expect([...hits.colliders]).toEqual([present(high).handle, 0]);
  expect(all).toHaveLength(3);
  expect([overlapping, containing]).toEqual([high, []]);
  const fromBelow = await tower.castRay(new Ray(at(0, -10), at(0, 1)), 50, true);
  expect(fromBelow?.collider).toBe(low);
});

test('a query of a world that ends is settled, and one of an ended world rejects', async () => {
  const ending = createWorldForTest();
  await ending.ready;
  const answers = [ending.castRay(down(), 50, true), addBody(ending).read()];
  const ended = Promise.allSettled(answers);
  await ending.dispose();
  expect(await ended).toHaveLength(2);
  await expect(ending.castRay(down(), 50, true)).rejects.toThrow(/disposed/);
});

test('a query of a collider or body that is gone finds nothing, and says so once', async () => {
  const warnings = warningsOfTest();
  const small = createWorldForTest();
  const body = addBody(small, [0, 0, 0], ColliderDesc.ball(1));
  const collider = body.collider(0);
  const other = small.createCollider(ColliderDesc.ball(1));
  await advance(small, 1);
  expect(await collider.containsPoint(at(0))).toBe(true);
  small.removeRigidBody(body);
  expect(await collider.containsPoint(at(0))).toBe(false);
  expect(await collider.castRay(down(), 50, true)).toBe(-1);
  expect(await collider.projectPoint(at(0), true)).toBeNull();
  expect(await other.contactCollider(collider, 1)).toBeNull();
  expect(await small.contactPairsWith(collider)).toEqual([]);
  expect(await body.read()).toBeUndefined();
  // It excludes nothing.
  await advance(small, 1);
  const filter = { excludeCollider: collider, excludeRigidBody: body, excluded: [collider] };
  expect((await small.castRay(down(), 50, true, filter))?.collider).toBe(other);
  expect(warnings().map((text) => text.split(',')[0])).toEqual([
    `betwixt: the collider ${collider.handle} was removed from its world`,
    `betwixt: the body ${body.handle} was removed from its world`,
  ]);
});

test('a query with a shape that the engine cannot make rejects, and the simulation continues', async () => {
  const small = createWorldForTest();
  await advance(small, 1);
  const handle = await small.ready;
  const shape = { type: 99, sizes: [], vertices: new Float32Array(), indices: new Uint32Array() };
  await expect(
    handle.queries.ask('intersectionWithShape', [at(0), UPRIGHT, shape, { excluded: [] }]),
  ).rejects.toThrow(/unknown type 99/);
  await advance(small, 1);
  expect(handle.stats().tick).toBe(2);
});
