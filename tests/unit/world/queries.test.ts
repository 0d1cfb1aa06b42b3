/**
 * Queries on the page: the answers of a Rapier world that is built from what the page has described and written, with
 * poses set by the same setters. Where several answers are equally right, it is one of them.
 */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import * as page from '../../../src/world/page/index.js';
import type { Collider, RigidBody, World } from '../../../src/world/page/index.js';
import type { SavedState } from '../../../src/shared/index.js';
import { loadRapier, type Rapier } from '../../../src/rapier/rapier.js';
import { present } from '../../fixtures/present.js';
import { seededRandom } from '../../fixtures/seeded-random.js';
import { stepsOf, walk, type Operation, type Operations } from '../../fixtures/walk.js';
import {
  addBody,
  addBox,
  advance,
  createWorldForTest,
  shows,
  warningsOfTest,
} from '../../fixtures/worlds.js';

const { ActiveEvents, ColliderDesc, QueryFilterFlags, Ray, RigidBodyDesc, RigidBodyType } = page;
type EngineBody = InstanceType<Rapier['RigidBody']>;
type EngineCollider = InstanceType<Rapier['Collider']>;
type Vector = page.Vector;
type Classes = typeof page;

const rapier = await loadRapier();
const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };
const at = (x: number, y = 0, z = 0): Vector => ({ x, y, z });
const DOWN = at(0, -1);
const down = (x = 0, z = 0) => new Ray(at(x, 10, z), DOWN);

const POINTS = Float32Array.from([0, 0.7, 0, 0.5, 0, 0.5, -0.5, 0, 0.5, 0, 0, -0.6, 0, -0.4, 0]);
const CORNERS = Float32Array.from([-1, 0, -1, 1, 0, -1, 0, 0, 1]);
const INDICES = Uint32Array.from([0, 1, 2]);
/** Descriptions of all shapes, by the classes of the page or of Rapier. */
const SHAPES: readonly ((classes: Classes) => page.ColliderDesc)[] = [
  ({ ColliderDesc: C }) => C.ball(0.6),
  ({ ColliderDesc: C }) => C.cuboid(0.5, 0.4, 0.3),
  ({ ColliderDesc: C }) => C.roundCuboid(0.5, 0.4, 0.3, 0.1),
  ({ ColliderDesc: C }) => C.capsule(0.5, 0.3),
  ({ ColliderDesc: C }) => C.cylinder(0.5, 0.3),
  ({ ColliderDesc: C }) => C.roundCylinder(0.5, 0.3, 0.1),
  ({ ColliderDesc: C }) => C.cone(0.5, 0.3),
  ({ ColliderDesc: C }) => C.roundCone(0.5, 0.3, 0.1),
  ({ ColliderDesc: C }) => present(C.convexHull(POINTS)),
  ({ ColliderDesc: C }) => present(C.roundConvexHull(POINTS, 0.1)),
  ({ ColliderDesc: C }) => C.trimesh(CORNERS, INDICES),
  ({ ColliderDesc: C }) => C.polyline(CORNERS, null),
  ({ ColliderDesc: C }) => C.heightfield(1, 1, Float32Array.from([0, 1, 0, 1]), at(2, 1, 2)),
];
const CONVEX = 10;

interface BodyModel {
  readonly handle: RigidBody;
  type: page.RigidBodyType;
  enabled: boolean;
}
interface ColliderModel {
  readonly handle: Collider;
  readonly parent: BodyModel | undefined;
  shape: number;
  offset: Vector;
  sensor: boolean;
  enabled: boolean;
  groups: number;
  density: number;
}

/** The bodies and colliders that a page has made in a world. */
class Model {
  readonly bodies = new Set<BodyModel>();
  readonly colliders = new Set<ColliderModel>();
  readonly world: World;
  /** Decides what is random in the next operations. */
  random: () => number;
  /** Answers that were not empty. */
  found = 0;
  #asked = 0;

  /** Where it can go back to, and what is there then. */
  mark: { readonly state: SavedState; readonly restore: () => void } | undefined;

  constructor(world: World, seed: number) {
    this.world = world;
    this.random = seededRandom(seed);
  }

  async open(): Promise<void> {
    const handle = await this.world.ready;
    for (let count = 0; count < 8; count++) this.addBody();
    for (let count = 0; count < 4; count++) this.addCollider();
    this.ask();
    await advance(this.world, 1);
    this.mark = { restore: this.save(), state: await handle.save() };
  }

  /** @returns What makes it again as it is now. */
  save(): () => void {
    const copies = [...this.bodies, ...this.colliders].map((each) => [each, { ...each }] as const);
    const [bodies, colliders] = [[...this.bodies], [...this.colliders]];
    return () => {
      for (const [each, copy] of copies) Object.assign(each, copy);
      this.bodies.clear();
      this.colliders.clear();
      for (const body of bodies) this.bodies.add(body);
      for (const collider of colliders) this.colliders.add(collider);
    };
  }

  between(min: number, max: number): number {
    return min + this.random() * (max - min);
  }

  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  where = (): Vector => at(this.between(-4, 4), this.between(0, 5), this.between(-4, 4));

  turned() {
    const [x, y, z] = [0, 0, 0].map(() => this.between(-1, 1)) as [number, number, number];
    const length = Math.hypot(x, y, z, 1);
    return { x: x / length, y: y / length, z: z / length, w: 1 / length };
  }

  pick<T>(items: Iterable<T>): T | undefined {
    const all = [...items];
    return all[this.below(all.length)];
  }

  addBody(): void {
    const type = this.below(4) as page.RigidBodyType;
    const desc = new RigidBodyDesc(type).setTranslation(...triple(this.where()));
    desc.setRotation(this.turned()).setLinvel(...triple(this.where()));
    const body = { handle: this.world.createRigidBody(desc), type, enabled: true };
    this.bodies.add(body);
    for (let count = this.below(3); count >= 0; count--) this.addCollider(body);
  }

  addCollider(parent?: BodyModel): void {
    const shape = this.below(SHAPES.length);
    const settings = {
      shape,
      offset: parent === undefined ? this.where() : at(this.between(-1, 1)),
      sensor: this.below(4) === 0,
      enabled: this.below(6) > 0,
      groups: this.below(3) === 0 ? 0x0002_0002 : 0xffff_ffff,
      density: this.between(0.1, 3),
    };
    const handle = this.world.createCollider(described(page, settings), parent?.handle);
    this.colliders.add({ handle, parent, ...settings });
  }

  ask(): void {
    this.#asked += 1;
    this.found += expectSameAnswers(this.world, this, this.#asked);
  }
}

/** A change that an application makes. It draws what is random in it. */
const drawing =
  (edit: (model: Model) => unknown): Operation<Model> =>
  (model, n) => {
    model.random = seededRandom(n);
    return edit(model);
  };
/** A change of one of the bodies or colliders. */
const on = <Kind extends 'bodies' | 'colliders'>(
  kind: Kind,
  edit: (thing: Kind extends 'bodies' ? BodyModel : ColliderModel, model: Model) => unknown,
) =>
  drawing((model) => {
    const thing = model.pick(model[kind] as Set<Parameters<typeof edit>[0]>);
    return thing && edit(thing, model);
  });

const OPERATIONS: Operations<Model> = {
  addBody: drawing((model) => model.addBody()),
  addCollider: drawing((model) => model.addCollider()),
  removeBody: on('bodies', (body, { bodies, colliders, world }) => {
    if (bodies.size < 4) return;
    bodies.delete(body);
    for (const each of colliders) if (each.parent === body) colliders.delete(each);
    world.removeRigidBody(body.handle);
  }),
  removeCollider: on('colliders', (collider, { colliders, world }) => {
    if (colliders.size < 4) return;
    colliders.delete(collider);
    world.removeCollider(collider.handle, true);
  }),
  move: on('bodies', ({ handle }, model) => handle.setTranslation(model.where(), true)),
  turn: on('bodies', ({ handle }, model) => handle.setRotation(model.turned(), true)),
  enableBody: on('bodies', (body) => body.handle.setEnabled((body.enabled = !body.enabled))),
  enableCollider: on('colliders', (collider) => {
    collider.handle.setEnabled((collider.enabled = !collider.enabled));
    collider.handle.setSensor((collider.sensor = !collider.sensor));
  }),
  setShape: on('colliders', (collider, model) => {
    collider.shape = model.below(SHAPES.length);
    collider.handle.setShape(present(SHAPES[collider.shape])(page).shape);
  }),
  moveCollider: on('colliders', (collider, model) => {
    collider.offset = model.where();
    if (collider.parent === undefined) collider.handle.setTranslation(collider.offset);
    else collider.handle.setTranslationWrtParent(collider.offset);
  }),
  setType: on('bodies', (body, model) => {
    body.type = model.below(4) as page.RigidBodyType;
    body.handle.setBodyType(body.type, true);
  }),
  advance: [
    5,
    async (model, n) => {
      await advance(model.world, 1 + (n % 4));
      model.ask();
    },
  ],
  /** With changes that no state shows yet. */
  ask: [2, (model) => model.ask()],
  async goBack(model, n) {
    const { state, restore } = present(model.mark);
    const handle = await model.world.ready;
    // Changes that are not sent yet would come after the jump.
    await advance(model.world, 1);
    await (n % 2 === 0 ? handle.seek(1) : handle.restore(state));
    restore();
    await shows(model.world, () => model.ask());
  },
};

const triple = ({ x, y, z }: Vector): [number, number, number] => [x, y, z];

function described(classes: Classes, of: Omit<ColliderModel, 'handle' | 'parent'>) {
  return present(SHAPES[of.shape])(classes)
    .setTranslation(...triple(of.offset))
    .setSensor(of.sensor)
    .setEnabled(of.enabled)
    .setCollisionGroups(of.groups)
    .setDensity(of.density);
}

/** A Rapier world of what the page has, now. */
function rebuilt(model: Model) {
  const engine = new rapier.World(at(0));
  engine.timestep = 0;
  const bodies = new Map<RigidBody, EngineBody>();
  for (const each of model.bodies) {
    // Positions are set from outside.
    const type = each.type === RigidBodyType.KinematicPositionBased ? 3 : each.type;
    const body = engine.createRigidBody(new rapier.RigidBodyDesc(type));
    bodies.set(each.handle, body);
    place(each.handle, body);
  }
  const theirs = new Map<Collider, EngineCollider>();
  for (const each of model.colliders) {
    const desc = described(rapier as unknown as Classes, each) as never as InstanceType<
      Rapier['ColliderDesc']
    >;
    desc.setActiveCollisionTypes(0 as never);
    theirs.set(
      each.handle,
      engine.createCollider(desc, each.parent && bodies.get(each.parent.handle)),
    );
  }
  engine.step();
  for (const { handle, enabled } of model.bodies) bodies.get(handle)?.setEnabled(enabled);
  engine.step();
  // A step of 0 s rounds poses.
  for (const [handle, body] of bodies) place(handle, body);
  engine.propagateModifiedBodyPositionsToColliders();
  return { engine, bodies, theirs };
}

function place(handle: RigidBody, body: EngineBody): void {
  body.setTranslation(handle.translation(), false);
  body.setRotation(handle.rotation(), false);
}

/** All queries of a world: their answers without colliders, and with the colliders where only one is right. */
function answersOf(
  world: World,
  classes: Classes,
  model: Model,
  seed: number,
  handleOf = ({ handle }: Collider): number => handle,
  filterOf = (filter: page.QueryFilter): page.QueryFilter => filter,
): Record<string, unknown> {
  const draws = new Model(world, seed);
  const answers: Record<string, unknown> = {};
  const sorted = (find: (found: (collider: Collider) => boolean) => void): number[] => {
    const all: number[] = [];
    find((collider) => all.push(handleOf(collider)) > 0);
    return all.toSorted((a, b) => a - b);
  };
  for (let round = 0; round < 12; round++) {
    const dir = draws.where();
    const ray = new Ray(draws.where(), { ...dir, y: dir.y - 4 });
    const solid = round % 2 === 0;
    const filter = filterOf([
      [undefined, QueryFilterFlags.EXCLUDE_SENSORS, QueryFilterFlags.ONLY_FIXED][round % 3],
      round % 4 === 0 ? 0x0002_ffff : undefined,
      round % 5 === 0 ? draws.pick(model.colliders)?.handle : undefined,
      round % 5 === 1 ? draws.pick(model.bodies)?.handle : undefined,
      round % 3 === 2 ? (collider) => handleOf(collider) % 3 > 0 : undefined,
    ]);
    const [where, rotation, point] = [draws.where(), draws.turned(), draws.where()];
    const { shape } = present(SHAPES[draws.below(CONVEX)])(classes);
    Object.assign(answers, {
      [`castRay ${round}`]: bare(world.castRay(ray, 3, solid, ...filter)),
      [`castRayAndGetNormal ${round}`]: bare(world.castRayAndGetNormal(ray, 3, solid, ...filter)),
      [`intersectionsWithRay ${round}`]: sorted((found) =>
        world.intersectionsWithRay(ray, 3, solid, (hit) => found(hit.collider), ...filter),
      ),
      [`castShape ${round}`]: firstHit(
        world.castShape(where, rotation, ray.dir, shape, 0.01, 2, solid, ...filter),
      ),
      [`intersectionWithShape ${round}`]:
        world.intersectionWithShape(where, rotation, shape, ...filter) !== null,
      [`intersectionsWithShape ${round}`]: sorted((found) =>
        world.intersectionsWithShape(where, rotation, shape, found, ...filter),
      ),
      [`intersectionsWithPoint ${round}`]: sorted((found) =>
        world.intersectionsWithPoint(point, found, ...filter),
      ),
      [`projectPoint ${round}`]: distanceOf(point, world.projectPoint(point, solid, ...filter)),
      [`projectPointAndGetFeature ${round}`]: distanceOf(
        point,
        world.projectPointAndGetFeature(point, ...filter),
      ),
      // Boxes in the tree have a margin, which depends on how a collider has moved.
      [`collidersWithAabbIntersectingAabb ${round}`]: sorted((found) => {
        const box = new classes.Cuboid(1, 2, 1);
        world.collidersWithAabbIntersectingAabb(where, at(1, 2, 1), (each) =>
          each.intersectsShape(box, where, UPRIGHT) ? found(each) : true,
        );
      }),
    });
  }
  return answers;
}

const bare = (hit: object | null) => hit && { ...hit, collider: undefined };

/** Any of several shapes that are hit at once may be named. */
const firstHit = (hit: page.ColliderShapeCastHit | null) =>
  hit && (hit.time_of_impact === 0 ? 0 : { ...hit, collider: undefined });

/** Any of several shapes at one distance may be named. */
const distanceOf = (from: Vector, hit: page.PointColliderProjection | null) =>
  hit && [
    hit.isInside,
    Math.hypot(hit.point.x - from.x, hit.point.y - from.y, hit.point.z - from.z).toFixed(5),
  ];

function expectSameAnswers(world: World, model: Model, seed: number): number {
  const { engine, bodies, theirs } = rebuilt(model);
  onTestFinished(() => engine.free());
  const ours = new Map(Array.from(theirs, ([own, their]) => [their.handle, own.handle]));
  const named = (collider: Collider): number => ours.get(collider.handle) ?? -1;
  const filterOf = ([flags, groups, collider, body, predicate]: page.QueryFilter) =>
    [
      flags,
      groups,
      collider && theirs.get(collider),
      body && bodies.get(body),
      predicate,
    ] as unknown as page.QueryFilter;
  const own = answersOf(world, page, model, seed);
  const classes = rapier as unknown as Classes;
  const expected = answersOf(engine as never, classes, model, seed, named, filterOf);
  expect(own).toEqual(expected);
  for (const [handle, their] of theirs) expectSameOfCollider(handle, their);
  for (const [handle, their] of bodies) expect(massOf(handle)).toEqual(massOf(their));
  return Object.values(own).filter((answer) => (Array.isArray(answer) ? answer.length > 0 : answer))
    .length;
}

const massOf = (body: RigidBody | EngineBody) => [
  body.mass(),
  body.localCom(),
  body.worldCom(),
  body.principalInertia(),
];

function expectSameOfCollider(own: Collider, their: EngineCollider): void {
  const { x, y, z } = their.translation();
  const [from, point] = [at(x + 0.1, y + 3, z), at(x, y + 0.2, z)];
  const asked = (either: Collider, { Ball: B, Ray: R }: Classes) => {
    const ray = new R(from, at(0, -1.5, 0.01));
    const ball = new B(0.4);
    return [
      [either.mass(), either.volume(), either.density()],
      either.castRay(ray, 5, true),
      either.intersectsRay(ray, 5),
      either.castRayAndGetNormal(ray, 5, true),
      either.containsPoint(point),
      either.projectPoint(point, false),
      either.castShape(at(0), ball, from, UPRIGHT, DOWN, 0, 5, true),
      either.intersectsShape(ball, point, UPRIGHT),
      either.contactShape(ball, point, UPRIGHT, 0.1),
    ];
  };
  expect(asked(own, page)).toEqual(
    asked(their as unknown as Collider, rapier as unknown as Classes),
  );
}

const steps = stepsOf(OPERATIONS, { minLength: 40, maxLength: 50, max: 10_000 });
// One walk a test: each takes more than a second.
test.each([1, 2, 3, 4])(
  'queries answer as a Rapier world built of the same does, seed %i',
  async (seed) => {
    const property = fc.asyncProperty(steps, async (taken) => {
      const world = createWorldForTest({ queries: true, recording: { rewindSeconds: 10 } });
      const model = new Model(world, seed);
      await model.open();
      await walk(OPERATIONS, model, taken);
      expect(model.found).toBeGreaterThan(300);
      await world.dispose();
    });
    await fc.assert(property, { seed, numRuns: 1 });
  },
);

test('contacts and pairs are those at the newest poses, and impulses those reported last', async () => {
  const world = createWorldForTest({ queries: true });
  const floor = addBox(world, [5, 0.5, 5], [0, -0.5, 0]);
  const gate = world.createCollider(ColliderDesc.cuboid(1, 1, 1).setSensor(true));
  const box = addBody(world, [0, 0.49, 0], ColliderDesc.cuboid(0.5, 0.5, 0.5)).collider(0);
  const far = addBody(world, [3, 4, 0]).collider(0);
  await advance(world, 1);
  const met: Collider[] = [];
  world.contactPairsWith(box, (other) => met.push(other));
  expect(met).toEqual([floor]);
  // As in the engine, nothing is called without a callback.
  world.contactPairsWith(box, undefined as never);
  const contacts: unknown[] = [];
  world.contactPair(box, floor, (manifold, flipped) => {
    contacts.push(flipped, manifold.numContacts(), manifold.contactImpulse(0));
    expect(Math.abs(manifold.normal().y)).toBeCloseTo(1);
    expect(manifold.contactDist(0)).toBeCloseTo(box.translation().y - 0.5);
  });
  expect(contacts).toEqual([true, 4, 0]);
  world.contactPair(box, far, () => contacts.push('none'));
  expect(contacts).toHaveLength(3);
  let reported = 0;
  world.on('contactForce', (event) => (reported = event.totalForceMagnitude / 60), { when: 'now' });
  box.setActiveEvents(ActiveEvents.CONTACT_FORCE_EVENTS);
  await advance(world, 10);
  let impulse = 0;
  world.contactPair(floor, box, (manifold) => {
    for (let index = 0; index < 4; index++) impulse += manifold.contactImpulse(index);
  });
  expect(reported).toBeGreaterThan(0.1);
  expect(impulse).toBeCloseTo(reported, 6);
  expect([world.intersectionPair(gate, box), world.intersectionPair(far, gate)]).toEqual([
    true,
    false,
  ]);
  // By default, fixed colliders do not notice each other.
  expect(world.intersectionPair(gate, floor)).toBe(false);
  box.parent()?.setTranslation(at(0, 4), true);
  world.contactPairsWith(box, (other) => met.push(other));
  expect(met).toHaveLength(1);
});

/** Arguments before a predicate. */
const NO_FILTER = [undefined, undefined, undefined, undefined] as const;

test('a predicate may ask and write: what it writes takes effect after the query', async () => {
  const world = createWorldForTest({ queries: true });
  const [near, far] = [addBox(world, [1, 1, 1], [0, 4, 0]), addBox(world, [1, 1, 1])];
  await advance(world, 1);
  const asked: unknown[] = [];
  const hit = world.castRay(down(), 50, true, ...NO_FILTER, (each) => {
    far.setTranslation(at(50));
    asked.push(world.castRay(down(), 50, true)?.collider, far.castRay(down(), 50, true));
    return each !== near;
  });
  expect(hit?.collider).toBe(far);
  expect(asked.slice(0, 2)).toEqual([near, 9]);
  expect(far.castRay(down(), 50, true)).toBe(-1);
});

const fail = (): never => {
  throw new Error('mine');
};

test('what a predicate or a callback throws reaches the caller, and the next query is answered', async () => {
  const world = createWorldForTest({ queries: true });
  const floor = addBox(world, [1, 1, 1]);
  await advance(world, 1);
  expect(() => world.castRay(down(), 9, true, ...NO_FILTER, fail)).toThrow('mine');
  expect(() => world.intersectionsWithPoint(at(0), fail)).toThrow('mine');
  floor.setTranslation(at(0, 1));
  expect(world.castRay(down(), 50, true)?.timeOfImpact).toBe(8);
});

test('a query that returns false in its callback ends', async () => {
  const world = createWorldForTest({ queries: true });
  for (let count = 0; count < 5; count++) addBox(world, [1, 1, 1]);
  await advance(world, 1);
  let calls = 0;
  world.intersectionsWithPoint(at(0), () => (calls += 1) < 2);
  expect(calls).toBe(2);
});

test('lines of all colliders are drawn by debugRender', async () => {
  const world = createWorldForTest({ queries: true });
  addBox(world, [1, 1, 1]);
  await advance(world, 1);
  const { vertices, colors } = world.debugRender();
  expect([vertices.length, colors.length]).toEqual([72, 96]);
});

test('without the option, a question says what to write; shapes and masses, too', async () => {
  const world = createWorldForTest();
  const body = addBody(world);
  await advance(world, 1);
  const missing = /createWorld\(\{ queries: true \}\)/;
  expect(() => world.castRay(down(), 1, true)).toThrow(missing);
  expect(() => body.mass()).toThrow(missing);
  expect(() => body.collider(0).volume()).toThrow(missing);
  expect(() => world.createCharacterController(0.1)).toThrow(missing);
  body.addForceAtPoint(at(1), at(0, 2), true);
  expect(body.userForce()).toEqual(at(1));
});

test('a query about a collider or body that is gone finds nothing, and says so once', async () => {
  const warnings = warningsOfTest();
  const world = createWorldForTest({ queries: true });
  const body = addBody(world, [0, 0, 0], ColliderDesc.ball(1));
  const collider = body.collider(0);
  const other = world.createCollider(ColliderDesc.ball(1));
  await advance(world, 1);
  expect(collider.containsPoint(at(0))).toBe(true);
  world.removeRigidBody(body);
  expect(collider.containsPoint(at(0))).toBe(false);
  expect(collider.castRay(down(), 50, true)).toBe(-1);
  expect(other.contactCollider(collider, 1)).toBeNull();
  world.contactPairsWith(collider, () => expect.unreachable());
  expect([body.mass(), body.localCom()]).toEqual([0, at(0)]);
  // The pair excludes nothing.
  expect(world.castRay(down(), 50, true, undefined, undefined, collider, body)?.collider).toBe(
    other,
  );
  expect(warnings().map((text) => text.split(',')[0])).toEqual([
    `betwixt: the collider ${collider.handle} was removed from its world`,
    `betwixt: the body ${body.handle} was removed from its world`,
  ]);
});
