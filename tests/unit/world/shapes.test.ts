/** Shapes of a world with points or parts: the same as Rapier's, and sent once. */
import { describe, expect, test } from 'vitest';
import {
  ColliderDesc,
  HalfSpace,
  RigidBodyDesc,
  ShapeType,
  type World,
} from '../../../src/render-main/world/index.js';
import { decodeRecording, encodeRecording } from '../../../src/shared/index.js';
import { loadRapier } from '../../../src/sim-worker/engines/rapier.js';
import { replay } from '../../../src/sim-worker/index.js';
import { createWorldSimulation } from '../../../src/sim-worker/world/index.js';
import { eventually } from '../../fixtures/eventually.js';
import { advance, createWorldForTest } from '../../fixtures/worlds.js';
import {
  SHAPES_OF_PAGE,
  cloud,
  grounds,
  shapesOfRapier,
  solids,
  terrain,
  type ShapeMaker,
} from '../../fixtures/world-shapes.js';

const TICKS = 300;

const at = (x: number, y: number, z: number) => ({ x, y, z });

interface Placed {
  translation(): { x: number; y: number; z: number };
  linvel(): { x: number; y: number; z: number };
}

interface WorldLike {
  createRigidBody(desc: never): unknown;
  createCollider(desc: never, body?: never): unknown;
}

/** On each ground, one of each solid would be too many: a ball falls on each, and the solids fall in a row. */
function fill(maker: ShapeMaker, Desc: typeof RigidBodyDesc, world: WorldLike): Placed[] {
  const floor = new maker.ColliderDesc(new maker.HalfSpace({ x: 0, y: 1, z: 0 })).setTranslation(
    0,
    -3,
    0,
  );
  world.createCollider(floor.setCollisionGroups(0x0002_ffff) as never);
  const plate = maker.ColliderDesc.cuboid(80, 0.5, 20).setTranslation(30, -1.5, 0);
  world.createCollider(plate as never);
  const bodies: Placed[] = [];
  const add = (desc: unknown, x: number, y: number, z: number): void => {
    const body = world.createRigidBody(
      Desc.dynamic()
        .setTranslation(x, y, z)
        .setAngvel({ x: 0.3, y: x / 9, z: 0.1 }) as never,
    );
    world.createCollider(desc as never, body as never);
    bodies.push(body as Placed);
  };
  for (const [index, desc] of grounds(maker).entries()) {
    world.createCollider(desc.setTranslation(5 * index, 0, 0) as never);
    add(maker.ColliderDesc.ball(0.3), 5 * index + 0.1, 1.2, 0.05);
  }
  for (const [index, desc] of solids(maker).entries()) add(desc, 2.5 * index, 3, 0.3);
  add(maker.ColliderDesc.ball(0.5), 0, 0, 30);
  return bodies;
}

const numbersOf = (bodies: readonly Placed[]): number[][] =>
  bodies.map((body) => {
    const [p, v] = [body.translation(), body.linvel()];
    return [p.x, p.y, p.z, v.x, v.y, v.z].map(Math.fround);
  });

const commandsIn = async (world: World) =>
  (await world.ready)
    .recording()
    .entries.flatMap((entry) => (entry.kind === 'command' ? [entry] : []));

test('each shape is the same as one of Rapier with the same call, bit for bit', async () => {
  const rapier = await loadRapier();
  const engine = new rapier.World({ x: 0, y: -9.81, z: 0 });
  engine.timestep = 1 / 60;
  const own = fill(shapesOfRapier(rapier), rapier.RigidBodyDesc as never, engine);
  const world = createWorldForTest();
  const theirs = fill(SHAPES_OF_PAGE, RigidBodyDesc, world);
  await advance(world, TICKS);
  for (let tick = 0; tick < TICKS; tick++) engine.step();
  expect(numbersOf(theirs)).toEqual(numbersOf(own));
  // Not all of them have fallen past what they should have met.
  expect(own.filter((body) => body.translation().y > -0.5).length).toBeGreaterThan(5);
  engine.free();
});

describe('points', () => {
  test('are sent and recorded once, for two thousand colliders that differ in their scale', async () => {
    const world = createWorldForTest({ capacity: 2048, recording: { hashEveryTicks: 2 } });
    const points = cloud(40);
    const count = 2000;
    for (let index = 0; index < count; index++) {
      const factor = 1 + index / count;
      world.createCollider(
        ColliderDesc.convexHull(points)
          .setShapeScale({ x: factor, y: 1, z: factor })
          .setTranslation(3 * (index % 50), 0, 3 * Math.floor(index / 50)),
      );
    }
    const ball = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0.1, 2, 0.1));
    world.createCollider(ColliderDesc.ball(0.3), ball);
    await advance(world, 4);
    const recording = (await world.ready).recording();
    expect(recording.assets?.map(({ bytes }) => bytes)).toEqual([new Uint8Array(points.buffer)]);
    const [command] = await commandsIn(world);
    expect((command?.data?.byteLength ?? 0) / count).toBeLessThan(80);
    const report = await replay(
      createWorldSimulation(),
      decodeRecording(encodeRecording(recording)),
    );
    expect(report).toMatchObject({ hashes: 2, differsAt: undefined });
  });

  test('may change after the description has been made', async () => {
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

  test('of few numbers are sent as they are', async () => {
    const world = createWorldForTest();
    world.createCollider(ColliderDesc.convexHull(cloud(10)));
    await advance(world, 1);
    expect((await world.ready).recording().assets).toBeUndefined();
    expect((await commandsIn(world)).map(({ args }) => args)).toEqual(['[[]]']);
  });

  test('are those of the engine, also on a page that has not made them', async () => {
    const world = createWorldForTest({ recording: { rewindSeconds: 10 } });
    const scale = { x: 2, y: 1, z: -0.5 };
    const hull = world.createCollider(ColliderDesc.convexHull(cloud(40)).setShapeScale(scale));
    const { vertices, indices } = terrain(4);
    const mesh = world.createCollider(ColliderDesc.trimesh(vertices, indices));
    const several = world.createCollider(
      ColliderDesc.compound(
        [ColliderDesc.convexHull(cloud(30)).shape],
        [{ x: 0, y: 1, z: 0 }],
        [{ x: 0, y: 0, z: 0, w: 1 }],
      ),
    );
    await advance(world, 3);
    const [x = 0, y = 0, z = 0] = cloud(40);
    expect(hull.vertices().slice(0, 3)).toEqual(Float32Array.of(2 * x, y, -0.5 * z));
    const recording = (await world.ready).recording();
    const other = createWorldForTest();
    await advance(other, 1);
    const shown = await (await other.ready).openReplay(recording);
    await shown.seek(3);
    await shown.close();
    await eventually(() => {
      other.sample(performance.now() + 1000);
      expect(other.colliders.len()).toBe(3);
    });
    for (const collider of [hull, mesh, several]) {
      const found = other.getCollider(collider.handle);
      expect(found?.shapeType()).toBe(collider.shapeType());
      expect(found?.vertices()).toEqual(collider.vertices());
      expect(found?.indices()).toEqual(collider.indices());
    }
    expect(other.getCollider(mesh.handle)?.indices()).toEqual(indices);
  });
});

describe('a shape that cannot be', () => {
  const ball = ColliderDesc.ball(1).shape;
  const upright = { x: 0, y: 0, z: 0, w: 1 };

  test.each<[string, () => unknown, RegExp]>([
    [
      'a scale of 0',
      () => ColliderDesc.convexHull(cloud(9)).setShapeScale(at(1, 0, 1)),
      /factor of 0/,
    ],
    [
      'a scale that is none',
      () => ColliderDesc.convexHull(cloud(9)).setShapeScale(at(1, Number.NaN, 1)),
      /scale\.y/,
    ],
    [
      'a scale beyond all numbers',
      () =>
        ColliderDesc.polyline(cloud(9).map((value) => value * 1e20)).setShapeScale(at(1e30, 1, 1)),
      /scale makes vertices\[\d+\] larger/,
    ],
    [
      'a scale of a hull that leaves no volume',
      () => ColliderDesc.convexHull(cloud(9)).setShapeScale(at(1, 1e-30, 1)),
      /a volume/,
    ],
    ['a scale of a ball', () => ColliderDesc.ball(1).setShapeScale(at(1, 1, 1)), /made of points/],
    ['flags that are none', () => ColliderDesc.trimesh(cloud(3), [0, 1, 2], 1.5), /flags must be/],
    ['flags beyond all', () => ColliderDesc.trimesh(cloud(3), [0, 1, 2], 256), /flags must be/],
    ['a half space without a way out', () => new HalfSpace(at(0, 0, 0)), /normal must be/],
    [
      'a corner that is none',
      () => ColliderDesc.triangle(at(0, 0, 0), at(1, 0, 0), at(0, Infinity, 0)),
      /c\.y/,
    ],
    ['no voxels', () => ColliderDesc.voxels(new Int32Array(), at(1, 1, 1)), /voxels must have/],
    ['flat voxels', () => ColliderDesc.voxels(new Int32Array(3), at(1, 0, 1)), /voxelSize\.y/],
    ['nothing as one', () => ColliderDesc.compound([], [], []), /at least one shape/],
    [
      'a shape without a position',
      () => ColliderDesc.compound([ball], [], [upright]),
      /positions must be as many/,
    ],
    [
      'a shape of shapes',
      () =>
        ColliderDesc.compound(
          [ColliderDesc.trimesh(cloud(3), [0, 1, 2]).shape],
          [at(0, 0, 0)],
          [upright],
        ),
      /shapes\[0\] consists of several/,
    ],
    [
      'a shape of another library',
      () => ColliderDesc.compound([{ type: ShapeType.Ball } as never], [at(0, 0, 0)], [upright]),
      /shapes\[0\] must be a shape/,
    ],
  ])('is refused at the call: %s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});
