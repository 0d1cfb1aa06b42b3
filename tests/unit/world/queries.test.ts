import { beforeEach, describe, expect, test } from 'vitest';
import {
  Ball,
  Capsule,
  ColliderDesc,
  Cone,
  ConvexPolyhedron,
  Cuboid,
  Cylinder,
  Heightfield,
  JointData,
  Polyline,
  QueryFilterFlags,
  Ray,
  RigidBodyDesc,
  RigidBodyType,
  RoundCone,
  RoundConvexPolyhedron,
  RoundCuboid,
  RoundCylinder,
  TriMesh,
  type Collider,
  type RigidBody,
  type Shape,
  type World,
} from '../../../src/render-main/world/index.js';
import { loadRapier, type Rapier } from '../../../src/sim-worker/engines/rapier.js';
import { present } from '../../fixtures/present.js';
import { sceneIn, type SceneBody } from '../../fixtures/world-scene.js';
import { advance, createWorldForTest } from '../../fixtures/worlds.js';

type EngineWorld = InstanceType<Rapier['World']>;
type EngineCollider = InstanceType<Rapier['Collider']>;

const PAGE = { ColliderDesc, JointData, RigidBodyDesc, RigidBodyType };
const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };
const TURNED = { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 };
const DOWN = { x: 0, y: -1, z: 0 };
const TICKS = 90;
const at = (x: number, y: number, z: number) => ({ x, y, z });

/** One scene in Rapier and in a world, after the same ticks. */
class Both {
  readonly engine: EngineWorld;
  readonly world: World;
  readonly rapier: Rapier;
  readonly theirBodies: Record<string, SceneBody>;
  readonly ownBodies: Record<string, SceneBody>;
  /** In the order in which they were created. */
  readonly theirs: EngineCollider[] = [];
  readonly ours: readonly Collider[];

  constructor(rapier: Rapier) {
    this.rapier = rapier;
    this.engine = new rapier.World({ x: 0, y: -9.81, z: 0 });
    this.engine.timestep = 1 / 60;
    this.theirBodies = sceneIn(rapier, this.engine as never);
    this.world = createWorldForTest();
    this.ownBodies = sceneIn(PAGE, this.world);
    const gate = (classes: typeof PAGE | Rapier) =>
      (classes.ColliderDesc as typeof ColliderDesc)
        .cuboid(12, 0.4, 2)
        .setTranslation(0, 0.3, 0)
        .setSensor(true) as never;
    this.engine.createCollider(gate(rapier));
    this.world.createCollider(gate(PAGE));
    this.engine.forEachCollider((collider) => this.theirs.push(collider));
    this.ours = this.world.colliders.getAll();
  }

  async run(): Promise<this> {
    for (let tick = 0; tick < TICKS; tick++) this.engine.step();
    await advance(this.world, TICKS);
    return this;
  }

  /** What stands for a collider of either world in a comparison: which one it is, in order of creation. */
  place(collider: Collider | EngineCollider): number {
    const own = this.ours.indexOf(collider as Collider);
    return own >= 0
      ? own
      : this.theirs.findIndex(({ handle }) => Object.is(handle, collider.handle));
  }

  /** An answer in a form that can be compared. */
  plain(answer: unknown): unknown {
    if (typeof answer !== 'object' || answer === null) return answer;
    if (Array.isArray(answer)) return answer.map((item) => this.plain(item));
    if ('handle' in answer) return this.place(answer as Collider);
    if (ArrayBuffer.isView(answer)) return answer;
    return Object.fromEntries(
      Object.entries(answer).map(([name, value]) => [name, this.plain(value)]),
    );
  }
}

let both: Both;
let rapier: Rapier;
beforeEach(async () => {
  rapier = await loadRapier();
  both = await new Both(rapier).run();
  return () => both.engine.free();
}, 600_000);

const expectSame = (own: unknown, theirs: unknown): void =>
  expect(both.plain(own)).toEqual(both.plain(theirs));

/** A collection that the engine's callback fills. */
function collected<T>(find: (callback: (found: T) => boolean) => void): T[] {
  const all: T[] = [];
  find((found) => all.push(found) > 0);
  return all;
}

const inOrder = (colliders: readonly (Collider | EngineCollider)[]): number[] =>
  colliders.map((collider) => both.place(collider)).toSorted((a, b) => a - b);

const RAYS = [-7, -5, -3, -2, 0, 0.4, 2, 3, 4.5, 6, 9, 12, 30].map(
  (x, index) => [at(x, 8, index % 3 === 0 ? 3 : 0.1), at(0.02 * index, -2, 0.01)] as const,
);

describe('queries of a world give what Rapier gives', () => {
  test('rays', async () => {
    const { world, engine } = both;
    let hits = 0;
    for (const [origin, dir] of RAYS) {
      const theirs = new rapier.Ray(origin, dir);
      const own = new Ray(origin, dir);
      for (const solid of [true, false]) {
        const hit = await world.castRay(own, 20, solid);
        expectSame(hit, engine.castRay(theirs, 20, solid));
        if (hit !== null) hits += 1;
        expectSame(own.pointAt(hit?.timeOfImpact ?? 0), theirs.pointAt(hit?.timeOfImpact ?? 0));
        expectSame(
          await world.castRayAndGetNormal(own, 20, solid),
          engine.castRayAndGetNormal(theirs, 20, solid),
        );
        expectSame(
          await world.intersectionsWithRay(own, 20, solid),
          collected((callback) =>
            engine.intersectionsWithRay(theirs, 20, solid, callback as never),
          ),
        );
      }
      expectSame(await world.castRay(own, 0.5, true), engine.castRay(theirs, 0.5, true));
    }
    expect(hits).toBeGreaterThan(15);
  });

  test('many rays in one message', async () => {
    const { world, engine } = both;
    const rays = RAYS.flatMap(([origin, dir]) => [...Object.values(origin), ...Object.values(dir)]);
    const far = await world.castRays(rays);
    const near = await world.castRays(Float32Array.from(rays), {
      maxToi: 4,
      solid: false,
      normals: true,
      filter: { flags: QueryFilterFlags.EXCLUDE_FIXED },
    });
    expect([far.colliders.length, far.normals.length, near.normals.length]).toEqual([13, 0, 39]);
    RAYS.forEach(([origin, dir], index) => {
      const ray = new rapier.Ray(origin, dir);
      const farHit = engine.castRay(ray, 3e38, true);
      expect(far.timesOfImpact[index]).toBe(farHit?.timeOfImpact ?? -1);
      const hit = engine.castRayAndGetNormal(ray, 4, false, QueryFilterFlags.EXCLUDE_FIXED);
      expect(near.timesOfImpact[index]).toBe(hit?.timeOfImpact ?? -1);
      const collider = world.getCollider(near.colliders[index] ?? 0);
      expect(collider && both.place(collider)).toBe(
        hit === null ? undefined : both.place(hit.collider),
      );
      const { x, y, z } = hit?.normal ?? at(0, 0, 0);
      expect([...near.normals.subarray(3 * index, 3 * index + 3)]).toEqual([x, y, z]);
    });
    expect((await world.castRays([])).colliders).toHaveLength(0);
  });

  test('moving shapes of all types, and what overlaps them', async () => {
    const { world, engine } = both;
    const points = Float32Array.from([
      0, 0.7, 0, 0.5, 0, 0.5, -0.5, 0, 0.5, 0, 0, -0.6, 0, -0.4, 0,
    ]);
    const corners = Float32Array.from([-1, 0, -1, 1, 0, -1, 0, 0, 1]);
    const triangle = Uint32Array.from([0, 1, 2]);
    const heights = Float32Array.from([0, 1, 0, 1]);
    const C = rapier.ColliderDesc;
    const shapes: readonly (readonly [Shape, InstanceType<Rapier['ColliderDesc']> | null])[] = [
      [new Ball(0.6), C.ball(0.6)],
      [new Cuboid(0.5, 0.4, 0.3), C.cuboid(0.5, 0.4, 0.3)],
      [new RoundCuboid(0.5, 0.4, 0.3, 0.1), C.roundCuboid(0.5, 0.4, 0.3, 0.1)],
      [new Capsule(0.5, 0.3), C.capsule(0.5, 0.3)],
      [new Cylinder(0.5, 0.3), C.cylinder(0.5, 0.3)],
      [new RoundCylinder(0.5, 0.3, 0.1), C.roundCylinder(0.5, 0.3, 0.1)],
      [new Cone(0.5, 0.3), C.cone(0.5, 0.3)],
      [new RoundCone(0.5, 0.3, 0.1), C.roundCone(0.5, 0.3, 0.1)],
      [new ConvexPolyhedron(points), C.convexHull(points)],
      [new RoundConvexPolyhedron(points, null, 0.1), C.roundConvexHull(points, 0.1)],
      [new TriMesh(corners, triangle), C.trimesh(corners, triangle)],
      [new Polyline(corners), C.polyline(corners, null)],
      [new Heightfield(1, 1, heights, at(2, 1, 2)), C.heightfield(1, 1, heights, at(2, 1, 2))],
      [ColliderDesc.ball(0.5).shape, C.ball(0.5)],
    ];
    for (const [shape, description] of shapes) {
      const { shape: theirs } = present(description);
      expect(shape.type).toBe(theirs.type);
      for (const x of [-3, 0, 4]) {
        const where = at(x, 0.6, 0);
        const found = inOrder(await world.intersectionsWithShape(where, TURNED, shape));
        const expected = collected<EngineCollider>((callback) =>
          engine.intersectionsWithShape(where, TURNED as never, theirs, callback),
        );
        expect(found).toEqual(inOrder(expected));
        expectSame(
          await world.intersectionWithShape(where, TURNED, shape),
          engine.intersectionWithShape(where, TURNED as never, theirs),
        );
        // The engine casts no shapes that are not convex.
        if (expectsConvex(shape)) {
          const from = at(x, 6, 0.2);
          expectSame(
            await world.castShape(from, TURNED, DOWN, shape, 0.01, 9, true),
            engine.castShape(from, TURNED as never, DOWN as never, theirs, 0.01, 9, true),
          );
        }
      }
    }
  });

  test('points and boxes', async () => {
    const { world, engine } = both;
    let inside = 0;
    for (const point of [
      at(0, 0.3, 0),
      at(2, 1, -1),
      at(-3, 0.5, 0.1),
      at(40, 3, 1),
      at(0, -0.2, 0),
    ]) {
      const found = inOrder(await world.intersectionsWithPoint(point));
      inside += found.length;
      expect(found).toEqual(
        inOrder(
          collected((callback) => engine.intersectionsWithPoint(point as never, callback as never)),
        ),
      );
      for (const solid of [true, false]) {
        expectSame(
          await world.projectPoint(point, solid),
          engine.projectPoint(point as never, solid),
        );
      }
      expectSame(
        await world.projectPointAndGetFeature(point),
        engine.projectPointAndGetFeature(point as never),
      );
      const half = at(1, 2, 1);
      expect(inOrder(await world.collidersWithAabbIntersectingAabb(point, half))).toEqual(
        inOrder(
          collected((callback) =>
            engine.collidersWithAabbIntersectingAabb(
              point as never,
              half as never,
              callback as never,
            ),
          ),
        ),
      );
    }
    expect(inside).toBeGreaterThan(3);
  });

  test('pairs and contacts', async () => {
    const { world, engine, ours, theirs } = both;
    const counts = { contacts: 0, sensed: 0, points: 0 };
    for (const [index, collider] of ours.entries()) {
      const their = present(theirs[index]);
      const contacts = inOrder(await world.contactPairsWith(collider));
      expect(contacts).toEqual(
        inOrder(collected((callback) => engine.contactPairsWith(their, callback as never))),
      );
      const sensed = inOrder(await world.intersectionPairsWith(collider));
      expect(sensed).toEqual(
        inOrder(collected((callback) => engine.intersectionPairsWith(their, callback as never))),
      );
      counts.contacts += contacts.length;
      counts.sensed += sensed.length;
      for (const other of contacts) {
        const manifolds = await world.contactPair(collider, present(ours[other]));
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
        expectSame(manifolds, expected);
      }
      const gate = present(ours.at(-1));
      expect(await world.intersectionPair(gate, collider)).toBe(
        engine.intersectionPair(present(theirs.at(-1)), their),
      );
    }
    expect(Math.min(counts.contacts, counts.sensed, counts.points)).toBeGreaterThan(3);
  });

  test('filters', async () => {
    const { world, engine, ours, theirs } = both;
    const own = new Ray(at(2, 8, -1), DOWN);
    const ray = new rapier.Ray(own.origin, own.dir);
    const first = present(await world.castRay(own, 20, true)).collider;
    const their = present(theirs[both.place(first)]);
    const [body, theirBody] = [present(first.parent()), present(their.parent())];
    const seen = new Set([both.place(first)]);
    const cases = [
      [{ flags: QueryFilterFlags.EXCLUDE_SENSORS }, [8]],
      [{ flags: QueryFilterFlags.ONLY_FIXED | QueryFilterFlags.EXCLUDE_SENSORS }, [14]],
      [{ groups: 0x0002_0001 }, [undefined, 0x0002_0001]],
      [{ excludeCollider: first }, [undefined, undefined, their]],
      [{ excludeRigidBody: body }, [undefined, undefined, undefined, theirBody]],
    ] as const;
    for (const [filter, args] of cases) {
      const hit = await world.castRay(own, 20, true, filter);
      expectSame(hit, engine.castRay(ray, 20, true, ...(args as unknown as [])));
      if (hit !== null) seen.add(both.place(hit.collider));
      expectSame(
        inOrder(await world.intersectionsWithPoint(at(0, 0.3, 0), filter)),
        inOrder(
          collected((callback) =>
            engine.intersectionsWithPoint(
              at(0, 0.3, 0) as never,
              callback as never,
              ...(args as unknown as []),
            ),
          ),
        ),
      );
    }
    const excluded = ours.slice(0, -1);
    const rest = present(await world.castRay(own, 20, true, { excluded }));
    expect(both.place(rest.collider)).toBe(ours.length - 1);
    expect(seen.size).toBeGreaterThan(1);
  });
});

const expectsConvex = (shape: Shape): boolean =>
  !(shape instanceof TriMesh || shape instanceof Polyline || shape instanceof Heightfield);

test('queries of a collider give what Rapier gives', async () => {
  const { ours, theirs } = both;
  const still = at(0, 0, 0);
  let hits = 0;
  for (const [index, collider] of ours.entries()) {
    const their = present(theirs[index]);
    const { x, y, z } = their.translation();
    const own = new Ray(at(x + 0.1, y + 3, z), at(0, -1.5, 0.01));
    const ray = new rapier.Ray(own.origin, own.dir);
    const point = at(x, y + 0.2, z) as never;
    expect(await collider.containsPoint(point)).toBe(their.containsPoint(point));
    expectSame(await collider.projectPoint(point, false), their.projectPoint(point, false));
    expect(await collider.intersectsRay(own, 5)).toBe(their.intersectsRay(ray, 5));
    const time = await collider.castRay(own, 5, true);
    expect(time).toBe(their.castRay(ray, 5, true));
    if (time >= 0) hits += 1;
    expectSame(
      await collider.castRayAndGetNormal(own, 5, true),
      their.castRayAndGetNormal(ray, 5, true),
    );
    const [shape, theirShape] = [new Ball(0.4), rapier.ColliderDesc.ball(0.4).shape];
    const where = at(x, y + 2, z);
    expectSame(
      await collider.castShape(still, shape, where, UPRIGHT, DOWN, 0, 5, true),
      their.castShape(
        still as never,
        theirShape,
        where as never,
        UPRIGHT as never,
        DOWN as never,
        0,
        5,
        true,
      ),
    );
    expect(await collider.intersectsShape(shape, point, UPRIGHT)).toBe(
      their.intersectsShape(theirShape, point, UPRIGHT as never),
    );
    expectSame(
      await collider.contactShape(shape, point, UPRIGHT, 0.1),
      their.contactShape(theirShape, point, UPRIGHT as never, 0.1),
    );
    const other = (index + 3) % ours.length;
    const [ownOther, theirOther] = [present(ours[other]), present(theirs[other])];
    expectSame(await collider.contactCollider(ownOther, 5), their.contactCollider(theirOther, 5));
    expectSame(
      await collider.castCollider(still, ownOther, DOWN, 0, 5, true),
      their.castCollider(still as never, theirOther, DOWN as never, 0, 5, true),
    );
  }
  expect(hits).toBeGreaterThan(15);
});

test('a body is read as the engine has it', async () => {
  for (const [name, own] of Object.entries(both.ownBodies)) {
    const their = both.theirBodies[name] as unknown as InstanceType<Rapier['RigidBody']>;
    const state = present(await (own as unknown as RigidBody).read());
    expect(both.plain(state)).toEqual(
      both.plain({
        tick: TICKS,
        translation: their.translation(),
        rotation: their.rotation(),
        linvel: their.linvel(),
        angvel: their.angvel(),
        mass: their.mass(),
        principalInertia: their.principalInertia(),
        localCom: their.localCom(),
        worldCom: their.worldCom(),
        isSleeping: their.isSleeping(),
        isMoving: their.isMoving(),
      }),
    );
  }
});
