/** What a world reports, compared with Rapier's own event queue in the same scene. */
import { describe, expect, test, vi } from 'vitest';
import {
  ActiveEvents,
  ColliderDesc,
  RigidBodyDesc,
  type Collider,
  type World,
  type WorldCollisionEvent,
  type WorldContactForceEvent,
  type WorldOptions,
} from '../../../src/render-main/world/index.js';
import { loadRapier } from '../../../src/sim-worker/engines/rapier.js';
import { eventually } from '../../fixtures/eventually.js';
import { changeScene, eventSceneIn } from '../../fixtures/world-events-scene.js';
import { advance, createWorldForTest } from '../../fixtures/worlds.js';

const PAGE = { ActiveEvents, ColliderDesc, RigidBodyDesc };
const TICKS = 300;

interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Of two names in any order, with a vector that points from the first to the second. */
function inOrder(one: string, other: string, ...vectors: Vector[]) {
  const isOrdered = one < other;
  const turned = vectors.map(({ x, y, z }) =>
    // Without negative zeros.
    (isOrdered ? [x, y, z] : [-x, -y, -z]).map((value) => value + 0),
  );
  return [isOrdered ? [one, other] : [other, one], turned];
}

const byName = (entries: unknown[][]) =>
  entries.map((entry) => JSON.stringify(entry)).toSorted((a, b) => (a < b ? -1 : 1));

/** What Rapier's own queue has, tick by tick. */
async function runEngine() {
  const rapier = await loadRapier();
  const engine = new rapier.World({ x: 0, y: -9.81, z: 0 });
  engine.timestep = 1 / 60;
  const queue = new rapier.EventQueue(true);
  const scene = eventSceneIn(rapier, engine as never);
  const names = new Map(
    Object.entries(scene.colliders).map(([name, { handle }]) => [handle, name]),
  );
  const nameOf = (handle: number) => names.get(handle) ?? `${handle}`;
  const sleeping = new Set<string>();
  const collisions: unknown[][] = [];
  const forces: unknown[][] = [];
  const sleeps: unknown[][] = [];
  for (let tick = 1; tick <= TICKS; tick++) {
    changeScene(tick, scene, engine as never);
    engine.step(queue);
    queue.drainCollisionEvents((one, other, started) => {
      collisions.push([tick, started, inOrder(nameOf(one), nameOf(other))]);
    });
    queue.drainContactForceEvents((event) => {
      const [one, other] = [nameOf(event.collider1()), nameOf(event.collider2())];
      const vectors = inOrder(one, other, event.totalForce(), event.maxForceDirection());
      forces.push([tick, vectors, event.totalForceMagnitude(), event.maxForceMagnitude()]);
    });
    for (const [name, body] of Object.entries(scene.bodies)) {
      const { handle } = body;
      const found = engine.bodies.get(handle);
      if (found?.isDynamic() !== true || found.isSleeping() === sleeping.has(name)) continue;
      sleeps.push([tick, found.isSleeping() ? 'sleep' : 'wake', name]);
      if (found.isSleeping()) sleeping.add(name);
      else sleeping.delete(name);
    }
  }
  queue.free();
  engine.free();
  return { collisions, forces, sleeps };
}

/** A world with the same scene, and what it has reported until now. */
function startWorld(options: WorldOptions = {}) {
  const world = createWorldForTest(options);
  const when = { when: 'now' } as const;
  const collisions: WorldCollisionEvent[] = [];
  const forces: WorldContactForceEvent[] = [];
  const sleeps: unknown[][] = [];
  const scene = eventSceneIn(PAGE, world as never);
  const nameOf = (thing: object) =>
    Object.entries({ ...scene.colliders, ...scene.bodies }).find(([, own]) => own === thing)?.[0];
  const bodyName = (thing: object) =>
    Object.entries(scene.bodies).find(([, own]) => own === thing)?.[0];
  // Before the worker runs.
  world.on('collision', (event) => collisions.push(event), when);
  world.on('contactForce', (event) => forces.push(event), when);
  for (const name of ['sleep', 'wake'] as const) {
    world.on(name, ({ tick, body }) => sleeps.push([tick, name, bodyName(body)]), when);
  }
  const colliderName = (collider: Collider) =>
    Object.entries(scene.colliders).find(([, own]) => own === collider)?.[0] ?? 'unknown';
  return { world, scene, collisions, forces, sleeps, colliderName, nameOf };
}

async function runScene(run: ReturnType<typeof startWorld>): Promise<void> {
  let moved = 0;
  for (const at of [40, 60, 70, 250, TICKS + 1]) {
    await advance(run.world, at - 1 - moved);
    moved = at - 1;
    changeScene(at, run.scene, run.world as never);
  }
}

test('a world reports what the engine reports, tick by tick and bit for bit', async () => {
  const expected = await runEngine();
  const { collisions, forces, sleeps, ...run } = startWorld();
  await runScene({ ...run, collisions, forces, sleeps });
  await eventually(() => {
    expect(collisions).toHaveLength(expected.collisions.length);
    expect(forces).toHaveLength(expected.forces.length);
    expect(sleeps).toHaveLength(expected.sleeps.length);
  });
  const { colliderName } = run;
  expect(
    byName(
      collisions.map(({ tick, started, collider1, collider2 }) => [
        tick,
        started,
        inOrder(colliderName(collider1), colliderName(collider2)),
      ]),
    ),
  ).toEqual(byName(expected.collisions));
  expect(
    byName(
      forces.map(({ tick, collider1, collider2, ...force }) => [
        tick,
        inOrder(
          colliderName(collider1),
          colliderName(collider2),
          force.totalForce,
          force.maxForceDirection,
        ),
        force.totalForceMagnitude,
        force.maxForceMagnitude,
      ]),
    ),
  ).toEqual(byName(expected.forces));
  expect(byName(sleeps)).toEqual(byName(expected.sleeps));
  // The scene has all of it.
  const pairs = new Set(expected.collisions.map(([, , names]) => JSON.stringify(names)));
  for (const pair of ['bouncer zone', 'mesh walker', 'floor guest', 'floor goner']) {
    expect(pairs).toContain(JSON.stringify([pair.split(' '), []]));
  }
  expect(JSON.stringify(expected.forces)).toContain('picky');
  expect(expected.sleeps.some(([, what]) => what === 'wake')).toBe(true);
});

describe('a collision', () => {
  test('says where and how hard, and is one for each pair', async () => {
    const { world, scene, collisions, colliderName } = startWorld();
    await runScene({ world, scene } as never);
    const open = new Set<string>();
    const { collisions: expected } = await runEngine();
    await eventually(() => expect(collisions).toHaveLength(expected.length));
    let places = 0;
    for (const { started, collider1, collider2, points, normal, ...event } of collisions) {
      const pair = `${colliderName(collider1)} ${colliderName(collider2)}`;
      expect([pair, open.has(pair)]).toEqual([pair, !started]);
      if (started) open.add(pair);
      else open.delete(pair);
      expect(event.isSensor).toBe(pair.includes('zone'));
      const hasPlace = started && !event.isSensor;
      if (hasPlace) places += 1;
      expect([points.length > 0 && points.length <= 4, !Number.isNaN(event.impactSpeed)]).toEqual([
        hasPlace,
        hasPlace,
      ]);
      const length = Math.hypot(normal.x, normal.y, normal.z);
      expect(Number.isNaN(length) ? 0 : length).toBeCloseTo(Number(hasPlace), 5);
    }
    expect(places).toBeGreaterThan(3);
    const fall = collisions.find(
      ({ collider1, isSensor }) => colliderName(collider1) === 'bouncer' && !isSensor,
    );
    expect(fall?.impactSpeed).toBeGreaterThan(3);
  });

  test('of a collider that is removed ends, and its handle still knows its body', async () => {
    const { world, scene, collisions } = startWorld();
    await runScene({ world, scene } as never);
    const ends = await eventually(() => {
      const found = collisions.filter(({ started, collider1 }) => !started && !collider1.isValid());
      expect(found).toHaveLength(2);
      return found;
    });
    expect(ends.map(({ tick }) => tick)).toEqual([60, 70]);
    expect(ends[0]?.collider1).toBe(scene.colliders['guest']);
    expect(ends[0]?.collider1.parent()).toBe(scene.bodies['guest']);
  });

  test('begins and ends with the active events', async () => {
    const world = createWorldForTest();
    const collisions: unknown[] = [];
    world.on('collision', ({ started, isLate }) => collisions.push([started, isLate]), {
      when: 'now',
    });
    world.createCollider(ColliderDesc.cuboid(5, 1, 5).setTranslation(0, -1, 0));
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 0.5, 0));
    const ball = world.createCollider(ColliderDesc.ball(0.5), body);
    await advance(world, 3);
    ball.setActiveEvents(ActiveEvents.COLLISION_EVENTS);
    await advance(world, 3);
    ball.setActiveEvents(ActiveEvents.NONE);
    await advance(world, 3);
    await eventually(() =>
      expect(collisions).toEqual([
        [true, true],
        [false, false],
      ]),
    );
  });
});

test('events of a seek and of a replay are those of the run, with the same handles', async () => {
  const options = { recording: { hashEveryTicks: 1, rewindSeconds: 60, saveEverySeconds: 0.5 } };
  const run = startWorld(options);
  const { world, collisions, colliderName } = run;
  await runScene(run);
  const entryOf = ({ tick, started, collider1, collider2 }: WorldCollisionEvent) => [
    tick,
    started,
    inOrder(colliderName(collider1), colliderName(collider2)),
  ];
  const listOf = (events: readonly WorldCollisionEvent[], from: number) =>
    byName(events.filter(({ tick, isLate }) => tick > from && !isLate).map(entryOf));
  const { collisions: expected } = await runEngine();
  await eventually(() => expect(collisions).toHaveLength(expected.length));
  const first = listOf(collisions, 1);
  const handle = await world.ready;
  const recording = handle.recording();
  collisions.length = 0;
  const replay = await handle.openReplay(recording);
  await replay.seek(1);
  await handle.step(TICKS);
  await eventually(() => expect(listOf(collisions, 1)).toEqual(first));
  expect(replay.report.differsAt).toBeUndefined();
  await replay.close();
  // What the page did later is no longer part of the run.
  await handle.seek(45);
  collisions.length = 0;
  await handle.step(14);
  const again = first.filter((entry) => {
    const [tick] = JSON.parse(entry) as [number];
    return tick > 45 && tick < 60;
  });
  expect(again.length).toBeGreaterThan(1);
  await eventually(() => expect(listOf(collisions, 45)).toEqual(again));
});

/** A ball on a floor. */
const hit = (world: World) => {
  world.createCollider(ColliderDesc.cuboid(5, 1, 5).setTranslation(0, -1, 0));
  const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 0.5, 0));
  const shape = ColliderDesc.ball(0.5).setActiveEvents(ActiveEvents.COLLISION_EVENTS);
  return world.createCollider(shape, body);
};

const handler = (): void => {};

describe('a handler', () => {
  let frameMs = 1e6;
  test('is called when the tick is shown, or at once, until it is removed', async () => {
    const world = createWorldForTest();
    const calls: string[] = [];
    const offs = [
      world.on('collision', () => calls.push('shown')),
      world.on('collision', () => calls.push('now'), { when: 'now' }),
    ];
    // Removed before the worker runs.
    world.on('collision', () => calls.push('never'))();
    hit(world);
    await (await world.ready).step(2);
    await eventually(() => expect(calls).toEqual(['now']));
    // The display is behind the newest tick.
    await (await world.ready).step(60);
    await eventually(() => {
      world.sample((frameMs += 100));
      expect(calls).toEqual(['now', 'shown']);
    });
    for (const off of offs) off();
    hit(world);
    await advance(world, 2);
    expect(calls).toEqual(['now', 'shown']);
  });

  test('that throws is reported, and affects no other', async () => {
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
    const world = createWorldForTest();
    const calls: string[] = [];
    const failure = new Error('in a handler');
    const off = world.on(
      'collision',
      () => {
        throw failure;
      },
      { when: 'now' },
    );
    world.on('collision', () => calls.push('other'), { when: 'now' });
    hit(world);
    await advance(world, 2);
    await eventually(() => expect(calls).toEqual(['other']));
    await eventually(() => expect(reported).toEqual([failure]));
    off();
    vi.unstubAllGlobals();
  });

  test('of a wrong kind is refused', () => {
    const world = createWorldForTest();
    expect(() => world.on('colision' as never, handler)).toThrow(/name of an event/);
    expect(() => world.on('collision', 1 as never)).toThrow(/must be a function/);
    expect(() => world.on('sleep', handler, { when: 'later' as never })).toThrow(/when/);
    expect(() => world.on('wake', handler, { at: 'now' } as never)).toThrow(/at/);
  });
});
