/** What queries of a world see, and what they refuse. */
import { describe, expect, test, vi } from 'vitest';
import {
  Ball,
  ColliderDesc,
  Ray,
  RigidBodyDesc,
  type QueryFilter,
  type World,
} from '../../../src/render-main/world/index.js';
import { present } from '../../fixtures/present.js';
import { advance, createWorldForTest } from '../../fixtures/worlds.js';

const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };
const at = (x: number, y = 0, z = 0) => ({ x, y, z });
const down = (x = 0): Ray => new Ray(at(x, 10), at(0, -1));

describe('a query', () => {
  test('sees what was written before it, on the tick that has it', async () => {
    // Nothing falls between a tick and a question that is late.
    const world = createWorldForTest({ startPaused: false, gravity: at(0) });
    // Before the worker is there, too.
    const floor = world.createCollider(ColliderDesc.cuboid(1, 1, 1));
    expect(await world.castRay(down(), 50, true)).toEqual({ collider: floor, timeOfImpact: 9 });
    for (let count = 1; count <= 5; count++) {
      const block = world.createCollider(ColliderDesc.cuboid(1, 1, 1).setTranslation(9, count, 0));
      expect((await world.castRay(down(9), 50, true))?.collider).toBe(block);
    }
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setAdditionalMass(2));
    body.setLinvel(at(3), true);
    const state = present(await body.read());
    expect([state.linvel.x, state.mass]).toEqual([3, 2]);
    body.setTranslation(at(0, 100), true);
    expect(present(await body.read()).translation.y).toBe(100);
  });

  test('is answered at once by the newest state while paused', async () => {
    const world = createWorldForTest();
    const floor = world.createCollider(ColliderDesc.cuboid(1, 1, 1));
    expect(await world.castRay(down(), 50, true)).toBeNull();
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(5, 0, 0));
    expect(await body.read()).toBeUndefined();
    await advance(world, 1);
    expect((await world.castRay(down(), 50, true))?.collider).toBe(floor);
    floor.setTranslation(at(50));
    expect(await world.castRays([0, 10, 0, 0, -1, 0])).toMatchObject({
      colliders: Uint32Array.of(floor.handle),
    });
    await advance(world, 1);
    expect(await world.castRay(down(), 50, true)).toBeNull();
  });

  test('that waits for a tick is answered when the simulation is paused', async () => {
    const world = createWorldForTest({ startPaused: false });
    const handle = await world.ready;
    const paused = handle.pause();
    world.createCollider(ColliderDesc.cuboid(1, 1, 1));
    const answer = world.castRay(down(), 50, true);
    await paused;
    expect([null, 9]).toContain((await answer)?.timeOfImpact ?? null);
  });

  test('does not give what was removed in the meantime, but what is behind it', async () => {
    const world = createWorldForTest();
    const colliders = [0, 2, 4, 6].map((y) =>
      world.createCollider(ColliderDesc.ball(0.5).setTranslation(0, y, 0)),
    );
    await advance(world, 1);
    const [low, , high, top] = colliders.map((collider) => present(collider));
    const answers = Promise.all([
      world.castRay(down(), 50, true),
      world.castRays([0, 10, 0, 0, -1, 0, 7, 0, 0, 0, -1, 0]),
      world.intersectionsWithRay(down(), 50, true),
      world.intersectionWithShape(at(0, 6), UPRIGHT, new Ball(1.9)),
      world.intersectionsWithPoint(at(0, 6)),
    ]);
    world.removeCollider(present(top));
    const [hit, hits, all, overlapping, containing] = await answers;
    expect(hit?.collider).toBe(high);
    expect([...hits.colliders]).toEqual([present(high).handle, 0]);
    expect(all).toHaveLength(3);
    expect([overlapping, containing]).toEqual([high, []]);
    expect(await world.castRay(new Ray(at(0, -10), at(0, 1)), 50, true)).toMatchObject({
      collider: low,
    });
  });

  test('changes nothing, and is not recorded', async () => {
    const world = createWorldForTest();
    const body = world.createRigidBody(RigidBodyDesc.dynamic());
    world.createCollider(ColliderDesc.ball(1), body);
    await advance(world, 1);
    await world.castRay(down(), 50, true);
    await body.read();
    const { entries } = (await world.ready).recording();
    expect(entries.filter(({ kind }) => kind === 'command')).toHaveLength(1);
  });

  test('rejects when the world ends', async () => {
    const world = createWorldForTest();
    await world.ready;
    const answer = world.castRay(down(), 50, true);
    const read = world.createRigidBody(RigidBodyDesc.dynamic()).read();
    const ended = Promise.allSettled([answer, read]);
    await world.dispose();
    expect(await ended).toHaveLength(2);
    await expect(world.castRay(down(), 50, true)).rejects.toThrow(/disposed/);
  });
});

test('a collider or a body that is gone finds nothing, and says so once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const world = createWorldForTest();
  const body = world.createRigidBody(RigidBodyDesc.dynamic());
  const collider = world.createCollider(ColliderDesc.ball(1), body);
  const other = world.createCollider(ColliderDesc.ball(1));
  await advance(world, 1);
  expect(await collider.containsPoint(at(0))).toBe(true);
  world.removeRigidBody(body);
  expect(await collider.containsPoint(at(0))).toBe(false);
  expect(await collider.castRay(down(), 50, true)).toBe(-1);
  expect(await collider.projectPoint(at(0), true)).toBeNull();
  expect(await other.contactCollider(collider, 1)).toBeNull();
  expect(await world.contactPairsWith(collider)).toEqual([]);
  expect(await body.read()).toBeUndefined();
  // It excludes nothing.
  await advance(world, 1);
  const filter = { excludeCollider: collider, excludeRigidBody: body, excluded: [collider] };
  expect((await world.castRay(down(), 50, true, filter))?.collider).toBe(other);
  expect(warn.mock.calls.map(([text]) => String(text).split(',')[0])).toEqual([
    `betwixt: the collider ${collider.handle} was removed from its world`,
    `betwixt: the body ${body.handle} was removed from its world`,
  ]);
  warn.mockRestore();
});

describe('bad input', () => {
  const bad: readonly [string, (world: World) => unknown, RegExp][] = [
    ['a ray', (world) => world.castRay('down' as never, 1, true), /ray must be an object/],
    [
      'a direction',
      (world) => world.castRay(new Ray(at(0), at(Number.NaN)), 1, true),
      /ray\.dir\.x must be finite/,
    ],
    ['a length', (world) => world.castRay(down(), -1, true), /maxToi must be a number from 0/],
    ['a length', (world) => world.castRay(down(), Number.NaN, true), /maxToi/],
    ['solid', (world) => world.castRayAndGetNormal(down(), 1, 1 as never), /solid must be true or/],
    ['rays', (world) => world.castRays([1, 2, 3]), /rays must have six numbers/],
    ['rays', (world) => world.castRays([1, 2, 3, 4, Infinity, 6]), /rays\[4\] must be finite/],
    ['options', (world) => world.castRays([], { far: 1 } as never), /unknown option "far"/],
    [
      'a shape',
      (world) => world.intersectionWithShape(at(0), UPRIGHT, ColliderDesc.ball(1) as never),
      /shape must be a shape, such as new Ball\(0.5\)/,
    ],
    ['a size', () => new Ball(-1), /radius must be greater than 0/],
    [
      'a box',
      (world) => world.collidersWithAabbIntersectingAabb(at(0), at(1, -1, 1)),
      /aabbHalfExtents\.y/,
    ],
    [
      'a predicate',
      (world) => world.castRay(down(), 1, true, { predicate: () => true } as never),
      /takes no function.*excludeRigidBody, excluded }/,
    ],
    [
      'a callback',
      (world) => world.intersectionsWithRay(down(), 1, true, (() => true) as never),
      /takes no function, because the engine is in another thread: .* groups, .* useProbe/,
    ],
    ['flags', (world) => world.castRay(down(), 1, true, 8 as never), /filter must be an object/],
    [
      "a body in Rapier's place",
      (world) => {
        const body = world.createRigidBody(RigidBodyDesc.dynamic());
        const args = [down(), 1, true, undefined, undefined, undefined, body];
        return world.castRay(...(args as unknown as Parameters<World['castRay']>));
      },
      /filter must be an object .* in the place of all of Rapier's arguments .* useProbe/,
    ],
    [
      "a predicate in Rapier's place",
      (world) => {
        const args = [at(0), true, undefined, undefined, undefined, undefined, () => true];
        return world.projectPoint(...(args as unknown as Parameters<World['projectPoint']>));
      },
      /takes no function/,
    ],
    [
      'flags',
      (world) => world.castRay(down(), 1, true, { flags: 1.5 }),
      /filter\.flags must be a whole number/,
    ],
    [
      'a field',
      (world) => world.castRay(down(), 1, true, { group: 1 } as QueryFilter),
      /unknown option "group" of filter: did you mean "groups"/,
    ],
    [
      'a collider of another world',
      (world) => {
        const elsewhere = createWorldForTest().createCollider(ColliderDesc.ball(1));
        return world.castRay(down(), 1, true, { excluded: [elsewhere] });
      },
      /filter\.excluded must be a collider of this world/,
    ],
    [
      'a collider that is none',
      (world) => world.contactPairsWith(3 as never),
      /collider1 must be a collider of this world/,
    ],
    [
      'a prediction',
      (world) =>
        world.createCollider(ColliderDesc.ball(1)).contactShape(new Ball(1), at(0), UPRIGHT, -1),
      /prediction must not be negative/,
    ],
  ];

  test.each(bad)('%s is refused at the call', (_, call, message) => {
    const world = createWorldForTest();
    expect(() => call(world)).toThrow(message);
  });

  test('a shape that the engine cannot make rejects, and the simulation continues', async () => {
    const world = createWorldForTest();
    await advance(world, 1);
    const handle = await world.ready;
    await expect(
      handle.queries.ask('intersectionWithShape', [
        at(0),
        UPRIGHT,
        { type: 99, sizes: [], vertices: new Float32Array(), indices: new Uint32Array() },
        { excluded: [] },
      ]),
    ).rejects.toThrow(/unknown type 99/);
    await advance(world, 1);
    expect((await world.ready).stats().tick).toBe(2);
  });
});
