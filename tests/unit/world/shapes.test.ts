/** Shapes of a world with points or parts: the same as Rapier's, and sent once. */
import { expect, test } from 'vitest';
import {
  ColliderDesc,
  RigidBodyDesc,
  type RigidBody,
  type World,
} from '../../../src/world/page/index.js';
import { decodeRecording, encodeRecording } from '../../../src/shared/index.js';
import { assetsOfEntry } from '../../../src/shared/recording/recording.js';
import { replay } from '../../../src/sim-worker/index.js';
import { createWorldSimulation } from '../../../src/world/worker/index.js';
import { present } from '../../fixtures/present.js';
import {
  SHAPES_OF_PAGE,
  cloud,
  grounds,
  shapesOfRapier,
  solids,
  terrain,
  type ShapeMaker,
} from '../../fixtures/world-shapes.js';
import {
  RECORDED,
  addBody,
  advance,
  createEngineForTest,
  createWorldForTest,
  shows,
} from '../../fixtures/worlds.js';

const TICKS = 70;

/** On each ground, one of each solid would be too many: a ball falls on each, and the solids fall in a row. */
function fill(
  maker: ShapeMaker,
  Desc: typeof RigidBodyDesc,
  world: Pick<World, 'createRigidBody' | 'createCollider'>,
): RigidBody[] {
  const { ColliderDesc: Shape, HalfSpace } = maker;
  const floor = new Shape(new HalfSpace({ x: 0, y: 1, z: 0 })).setTranslation(0, -3, 0);
  world.createCollider(floor.setCollisionGroups(0x0002_ffff));
  world.createCollider(Shape.cuboid(80, 0.5, 20).setTranslation(30, -1.5, 0));
  const bodies: RigidBody[] = [];
  const add = (desc: ColliderDesc, x: number, y: number, z: number): void => {
    const turning = Desc.dynamic().setAngvel({ x: 0.3, y: x / 9, z: 0.1 });
    const body = world.createRigidBody(turning.setTranslation(x, y, z));
    world.createCollider(desc, body);
    bodies.push(body);
  };
  for (const [index, desc] of grounds(maker).entries()) {
    world.createCollider(desc.setTranslation(5 * index, 0, 0));
    add(Shape.ball(0.3), 5 * index + 0.1, 1.2, 0.05);
  }
  for (const [index, desc] of solids(maker).entries()) add(desc, 2.5 * index, 3, 0.3);
  add(Shape.ball(0.5), 0, 0, 30);
  return bodies;
}

const numbersOf = (bodies: readonly RigidBody[]): number[][] =>
  bodies.map((body) => {
    const [p, v] = [body.translation(), body.linvel()];
    return [p.x, p.y, p.z, v.x, v.y, v.z].map(Math.fround);
  });

test('each shape is the same as one of Rapier with the same call, bit for bit, and so is a description of Rapier', async () => {
  const { rapier, engine } = await createEngineForTest();
  const own = fill(shapesOfRapier(rapier), rapier.RigidBodyDesc as never, engine as never);
  const world = createWorldForTest();
  const theirs = fill(SHAPES_OF_PAGE, RigidBodyDesc, world as never);
  const described = createWorldForTest();
  const taken = fill(shapesOfRapier(rapier), rapier.RigidBodyDesc as never, described as never);
  await advance(world, TICKS);
  await advance(described, TICKS);
  for (let tick = 0; tick < TICKS; tick++) engine.step();
  expect(numbersOf(theirs)).toEqual(numbersOf(own));
  expect(numbersOf(taken)).toEqual(numbersOf(own));
  // Not all of them have fallen past what they should have met.
  expect(own.filter((body) => body.translation().y > -0.5).length).toBeGreaterThan(5);
});

const sized = ({ ColliderDesc: Shape, HalfSpace }: ShapeMaker): ColliderDesc[] => [
  Shape.ball(0.1),
  Shape.cuboid(0.1, 0.2, 0.3),
  Shape.roundCuboid(0.1, 0.2, 0.3, 0.4),
  Shape.capsule(0.1, 0.2),
  Shape.cylinder(0.1, 0.2),
  Shape.roundCylinder(0.1, 0.2, 0.3),
  Shape.cone(0.1, 0.2),
  Shape.roundCone(0.1, 0.2, 0.3),
  Shape.roundConvexHull(cloud(10), 0.1),
  Shape.roundTriangle({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }, { x: 0, y: 0, z: 1 }, 0.1),
  Shape.segment({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }),
  new Shape(new HalfSpace({ x: 0, y: 1, z: 0 })),
];

test('the sizes of a shape are those of Rapier, as they were given and as they are set', async () => {
  const { rapier, engine } = await createEngineForTest();
  const sides = [
    [createWorldForTest(), SHAPES_OF_PAGE],
    [engine as unknown as World, shapesOfRapier(rapier)],
  ] as const;
  const [own, theirs] = sides.map(([world, maker]) =>
    sized(maker).map((desc) => {
      const collider = world.createCollider(desc);
      const sizes = (): unknown[] => [
        collider.shapeType(),
        collider.radius(),
        collider.halfHeight(),
        collider.roundRadius(),
        collider.halfExtents(),
      ];
      const given = sizes();
      collider.setRadius(1.1);
      collider.setHalfHeight(1.2);
      collider.setRoundRadius(1.3);
      collider.setHalfExtents({ x: 1.4, y: 1.5, z: 1.6 });
      return [given, sizes()];
    }),
  );
  expect(own).toEqual(theirs);
});

test('points are sent and recorded once, for many colliders that differ in their scale', async () => {
  const count = 300;
  const world = createWorldForTest({ recording: { hashEveryTicks: 2 } });
  const points = cloud(40);
  for (let index = 0; index < count; index++) {
    const factor = 1 + index / count;
    const desc = ColliderDesc.convexHull(points).setShapeScale({ x: factor, y: 1, z: factor });
    world.createCollider(desc.setTranslation(3 * (index % 50), 0, 3 * Math.floor(index / 50)));
  }
  addBody(world, [0.1, 2, 0.1], ColliderDesc.ball(0.3));
  await advance(world, 4);
  const recording = (await world.ready).recording();
  expect(recording.assets?.map(({ bytes }) => bytes)).toEqual([new Uint8Array(points.buffer)]);
  const [batch] = recording.entries.flatMap((entry) => (entry.kind === 'batch' ? [entry] : []));
  expect((batch?.bytes.length ?? Infinity) / count).toBeLessThan(50);
  const report = await replay(createWorldSimulation(), decodeRecording(encodeRecording(recording)));
  expect(report).toMatchObject({ hashes: 2, differsAt: undefined });
});

test('points may change after the description has been made', async () => {
  const world = createWorldForTest();
  const points = cloud(20);
  const before = points.slice();
  const desc = ColliderDesc.convexHull(points);
  points.fill(0);
  const colliders = [world.createCollider(desc), world.createCollider(desc)];
  await advance(world, 1);
  points.set(before.map((value) => 2 * value));
  colliders.push(world.createCollider(ColliderDesc.convexHull(points)));
  await advance(world, 1);
  expect(colliders.map((collider) => collider.vertices())).toEqual([before, before, points]);
  expect((await world.ready).recording().assets).toHaveLength(2);
});

test('points of few numbers are sent as they are', async () => {
  const world = createWorldForTest();
  world.createCollider(ColliderDesc.convexHull(cloud(10)));
  await advance(world, 1);
  const { assets, entries } = (await world.ready).recording();
  expect(assets).toBeUndefined();
  expect(entries.flatMap(assetsOfEntry)).toEqual([]);
});

test('points are those of the engine, also on a page that has not made them', async () => {
  const world = createWorldForTest(RECORDED);
  const scale = { x: 2, y: 1, z: -0.5 };
  const hull = world.createCollider(ColliderDesc.convexHull(cloud(40)).setShapeScale(scale));
  const { vertices, indices } = terrain(4);
  const mesh = world.createCollider(ColliderDesc.trimesh(vertices, indices));
  const { shape } = ColliderDesc.convexHull(cloud(30));
  const [up, upright] = [
    { x: 0, y: 1, z: 0 },
    { x: 0, y: 0, z: 0, w: 1 },
  ];
  const several = world.createCollider(ColliderDesc.compound([shape], [up], [upright]));
  await advance(world, 3);
  const [x = 0, y = 0, z = 0] = cloud(40);
  expect(hull.vertices().slice(0, 3)).toEqual(Float32Array.of(2 * x, y, -0.5 * z));
  const other = createWorldForTest();
  await advance(other, 1);
  const recording = (await world.ready).recording();
  await (await (await other.ready).openReplay(recording)).seek(3);
  await shows(other, () => expect(other.colliders.len()).toBe(3));
  for (const collider of [hull, mesh, several]) {
    const found = present(other.getCollider(collider.handle));
    expect(found.shapeType()).toBe(collider.shapeType());
    expect(found.vertices()).toEqual(collider.vertices());
    expect(found.indices()).toEqual(collider.indices());
  }
  expect(other.getCollider(mesh.handle)?.indices()).toEqual(indices);
});

test('a mirrored convex mesh collides as the hull of its points', async () => {
  const { rapier } = await createEngineForTest();
  const world = createWorldForTest();
  world.createCollider(ColliderDesc.cuboid(40, 0.5, 40).setTranslation(0, -0.5, 0));
  const raw = new rapier.ConvexPolyhedron(cloud(40), null).intoRaw();
  const { vertices, indices } = rapier.Shape.fromRawShape(raw) as InstanceType<
    typeof rapier.ConvexPolyhedron
  >;
  const turning = RigidBodyDesc.dynamic().setAngvel({ x: 1, y: 0, z: 1 });
  const bodies = [
    ColliderDesc.convexHull(vertices),
    ColliderDesc.convexMesh(vertices, indices),
  ].map((desc, index) =>
    addBody(world, [20 * index, 2, 0], desc.setShapeScale({ x: 1, y: 1, z: -1 }), turning),
  );
  await advance(world, 72);
  const [hull, mesh] = bodies.map((body) => body.translation().y);
  expect(mesh).toBeCloseTo(hull as number, 2);
});
