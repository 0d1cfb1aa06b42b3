/** A world's events, compared with Rapier's own event queue in the same scene. */
import { expect, test } from 'vitest';
import * as page from '../../../src/world/page/index.js';
import type {
  Collider,
  RigidBody,
  WorldCollisionEvent,
  WorldContactForceEvent,
  WorldOptions,
} from '../../../src/world/page/index.js';
import { eventually } from '../../fixtures/eventually.js';
import { present } from '../../fixtures/present.js';
import type { Classes } from '../../fixtures/world-scene.js';
import {
  addBody,
  addBox,
  advance,
  createEngineForTest,
  createWorldForTest,
  draw,
  shows,
  type WorldForTest,
} from '../../fixtures/worlds.js';

const TICKS = 300;
const NOW = { when: 'now' } as const;

interface EventScene {
  readonly bodies: Record<string, RigidBody>;
  readonly colliders: Record<string, Collider>;
}

/** Things that meet, press, rest and are removed. @param classes Rapier's module, or the page's classes. */
function eventSceneIn(classes: unknown, ofEither: unknown): EventScene {
  const { ColliderDesc, RigidBodyDesc, ActiveEvents } = classes as Classes;
  const world = ofEither as page.World;
  const bodies: EventScene['bodies'] = {};
  const colliders: EventScene['colliders'] = {};
  const { COLLISION_EVENTS, CONTACT_FORCE_EVENTS } = ActiveEvents;
  const BOTH = COLLISION_EVENTS | CONTACT_FORCE_EVENTS;
  const add = (name: string, desc: page.ColliderDesc, x: number, y: number, isFixed = false) => {
    const kind = isFixed ? RigidBodyDesc.fixed() : RigidBodyDesc.dynamic();
    bodies[name] = world.createRigidBody(kind.setTranslation(x, y, 0));
    colliders[name] = world.createCollider(desc, bodies[name]);
  };
  const ball = (radius: number) => ColliderDesc.ball(radius);
  const box = (y = 0.5, half = 0.5) => ColliderDesc.cuboid(half, y, half);
  colliders['floor'] = world.createCollider(box(0.5, 20).setTranslation(0, -0.5, 0));
  add('bouncer', ball(0.5).setRestitution(0.8).setActiveEvents(COLLISION_EVENTS), 0, 3);
  add('presser', box().setActiveEvents(BOTH), 3, 0.6);
  add('rider', ball(0.4).setActiveEvents(BOTH).setDensity(3), 3, 4);
  const picky = ball(0.5).setContactForceEventThreshold(20);
  add('picky', picky.setActiveEvents(CONTACT_FORCE_EVENTS), 6, 2);
  add('silent', ball(0.5), 9, 2);
  add('zone', box(0.2, 1).setSensor(true).setActiveEvents(COLLISION_EVENTS), 0, 2, true);
  const points = Float32Array.of(-2, 0, -2, 2, 0, -2, 2, 0, 2, -2, 0, 2);
  const mesh = ColliderDesc.trimesh(points, Uint32Array.of(0, 2, 1, 0, 3, 2));
  add('mesh', mesh.setActiveEvents(COLLISION_EVENTS), -6, 1, true);
  add('walker', box().setFriction(0.1), -6, 2.2);
  add('guest', ball(0.3).setActiveEvents(BOTH), -9, 0.4);
  add('goner', ball(0.3).setActiveEvents(BOTH), -11, 0.4);
  return { bodies, colliders };
}

const CHANGES: Readonly<Record<number, (scene: EventScene, world: page.World) => void>> = {
  40: ({ bodies }) => bodies['walker']?.applyImpulse({ x: 3, y: 0, z: 0 }, true),
  60: ({ colliders }, world) => world.removeCollider(present(colliders['guest']), true),
  70: ({ bodies }, world) => world.removeRigidBody(present(bodies['goner'])),
  250: ({ bodies }) => bodies['silent']?.applyImpulse({ x: 0, y: 2, z: 0 }, true),
};

/** Sorts two names, with a vector that points from the first to the second. */
function inOrder(one: string, other: string, { x, y, z }: page.Vector = { x: 0, y: 0, z: 0 }) {
  const sign = one < other ? 1 : -1;
  // Without negative zeros.
  return [[one, other].toSorted(), [x, y, z].map((value) => sign * value + 0)];
}

const sorted = (entries: unknown[][]) => entries.map((entry) => JSON.stringify(entry)).toSorted();

/** A ball above a floor. */
function hit(world: WorldForTest, height = 0.5): void {
  addBox(world, [5, 1, 5], [0, -1, 0]);
  const { COLLISION_EVENTS } = page.ActiveEvents;
  addBody(world, [0, height, 0], page.ColliderDesc.ball(0.5).setActiveEvents(COLLISION_EVENTS));
}

/** The events of Rapier's own queue, tick by tick. */
async function runEngine() {
  const { rapier, engine } = await createEngineForTest();
  const queue = new rapier.EventQueue(true);
  const scene = eventSceneIn(rapier, engine);
  const names = new Map(
    Object.entries(scene.colliders).map(([name, { handle }]) => [handle, name]),
  );
  const nameOf = (handle: number) => names.get(handle) ?? `${handle}`;
  const sleeping = new Set<string>();
  const collisions: unknown[][] = [];
  const forces: unknown[][] = [];
  const sleeps: unknown[][] = [];
  for (let tick = 1; tick <= TICKS; tick++) {
    CHANGES[tick]?.(scene, engine as never);
    engine.step(queue);
    queue.drainCollisionEvents((one, other, started) => {
      collisions.push([tick, started, inOrder(nameOf(one), nameOf(other))]);
    });
    queue.drainContactForceEvents((event) => {
      const [one, other] = [nameOf(event.collider1()), nameOf(event.collider2())];
      forces.push([tick, inOrder(one, other, event.maxForceDirection())]);
    });
    for (const [name, body] of Object.entries(scene.bodies)) {
      const found = engine.bodies.get(body.handle);
      if (found?.isDynamic() !== true || found.isSleeping() === sleeping.has(name)) continue;
      sleeps.push([tick, found.isSleeping() ? 'sleep' : 'wake', name]);
      if (!sleeping.delete(name)) sleeping.add(name);
    }
  }
  queue.free();
  return { collisions, forces, sleeps };
}

const nameIn = (things: Readonly<Record<string, object>>, thing: object) =>
  Object.entries(things).find(([, own]) => own === thing)?.[0] ?? 'unknown';

/** A world that has had the scene, and what it has reported. */
async function runWorld(options: WorldOptions = {}) {
  const world = createWorldForTest(options);
  const collisions: WorldCollisionEvent[] = [];
  const forces: WorldContactForceEvent[] = [];
  const sleeps: unknown[][] = [];
  const scene = eventSceneIn(page, world);
  // Before the worker runs.
  world.on('collision', (event) => collisions.push(event), NOW);
  world.on('contactForce', (event) => forces.push(event), NOW);
  for (const name of ['sleep', 'wake'] as const) {
    const note = ({ tick, body }: { readonly tick: number; readonly body: RigidBody }) =>
      sleeps.push([tick, name, nameIn(scene.bodies, body)]);
    world.on(name, note, NOW);
  }
  let moved = 0;
  for (const tick of [...Object.keys(CHANGES).map(Number), TICKS + 1]) {
    await advance(world, tick - 1 - moved);
    moved = tick - 1;
    CHANGES[tick]?.(scene, world as unknown as page.World);
  }
  const colliderName = (collider: Collider) => nameIn(scene.colliders, collider);
  const namesOf = ({ collider1, collider2 }: WorldCollisionEvent) =>
    inOrder(colliderName(collider1), colliderName(collider2));
  const listOf = (events: readonly WorldCollisionEvent[]): string[] =>
    sorted(events.map((event) => [event.tick, event.started, namesOf(event)]));
  return { world, scene, collisions, forces, sleeps, colliderName, listOf };
}

test('a world reports what the engine reports, tick by tick and bit for bit', async () => {
  const expected = await runEngine();
  const { scene, collisions, forces, sleeps, colliderName, listOf } = await runWorld();
  await eventually(() => {
    expect(collisions).toHaveLength(expected.collisions.length);
    expect(forces).toHaveLength(expected.forces.length);
    expect(sleeps).toHaveLength(expected.sleeps.length);
  });
  expect(listOf(collisions)).toEqual(sorted(expected.collisions));
  const pressed = forces.map(({ tick, collider1, collider2, ...force }) => {
    const [one, other] = [colliderName(collider1), colliderName(collider2)];
    return [tick, inOrder(one, other, force.maxForceDirection)];
  });
  // How hard is in rapier-forces.test.ts: this version of the engine counts some of it twice.
  expect(sorted(pressed)).toEqual(sorted(expected.forces));
  expect(sorted(sleeps)).toEqual(sorted(expected.sleeps));
  // The scene has all of it.
  const pairs = JSON.stringify(expected.collisions);
  for (const pair of ['bouncer zone', 'mesh walker', 'floor guest', 'floor goner']) {
    expect(pairs).toContain(JSON.stringify(pair.split(' ')));
  }
  expect(JSON.stringify(expected.forces)).toContain('picky');
  expect(expected.sleeps.some(([, what]) => what === 'wake')).toBe(true);

  // The handle of a removed collider still knows its body.
  const end = collisions.find(
    ({ collider1, started }) => !started && collider1 === scene.colliders['guest'],
  );
  expect([end?.tick, end?.collider1.isValid()]).toEqual([60, false]);
  expect(end?.collider1.parent()).toBe(scene.bodies['guest']);

  const fall = collisions.find(
    ({ collider1, isSensor }) => colliderName(collider1) === 'bouncer' && !isSensor,
  );
  expect(fall?.impactSpeed).toBeGreaterThan(3);
  expect([fall?.normal.y, fall?.points.length]).toEqual([expect.closeTo(-1, 5), 1]);
});

test('a collision begins and ends with the active events of its colliders', async () => {
  const world = createWorldForTest();
  const collisions: unknown[] = [];
  world.on('collision', ({ started, isLate }) => collisions.push([started, isLate]), NOW);
  addBox(world, [5, 1, 5], [0, -1, 0]);
  const ball = addBody(world, [0, 0.5, 0]).collider(0);
  await advance(world, 3);
  ball.setActiveEvents(page.ActiveEvents.COLLISION_EVENTS);
  await advance(world, 3);
  ball.setActiveEvents(page.ActiveEvents.NONE);
  await advance(world, 3);
  await eventually(() =>
    expect(collisions).toEqual([
      [true, true],
      [false, false],
    ]),
  );
});

test('the events of a seek and of a replay are those of the run, with the same handles', async () => {
  const recording = { hashEveryTicks: 1, rewindSeconds: 60, saveEverySeconds: 0.5 };
  const { world, collisions, listOf } = await runWorld({ recording });
  const after = (from: number) => collisions.filter(({ tick, isLate }) => tick > from && !isLate);
  const listFrom = (from: number): string[] => listOf(after(from));
  const { collisions: expected } = await runEngine();
  await eventually(() => expect(collisions).toHaveLength(expected.length));
  const first = listFrom(1);
  const handle = await world.ready;
  collisions.length = 0;
  const replay = await handle.openReplay(handle.recording());
  await replay.seek(1);
  await handle.step(TICKS);
  await eventually(() => expect(listFrom(1)).toEqual(first));
  // A score leaves these out.
  expect(after(1).every(({ isReplayed }) => isReplayed)).toBe(true);
  expect(replay.report.differsAt).toBeUndefined();
  await replay.close();
  // The page's later changes are no longer part of the run.
  await handle.seek(45);
  collisions.length = 0;
  await handle.step(14);
  const again = first.filter((entry) => {
    const [tick] = JSON.parse(entry) as [number];
    return tick > 45 && tick < 60;
  });
  expect(again.length).toBeGreaterThan(1);
  await eventually(() => expect(listFrom(45)).toEqual(again));
  expect(after(45).some(({ isReplayed }) => isReplayed)).toBe(false);
});

test('when a restore is done, all events of before have come, and what is counted from then on is of the new run', async () => {
  const world = createWorldForTest();
  hit(world, 0.6);
  await advance(world, 1);
  let landings = 0;
  world.on('collision', ({ started }) => (landings += Number(started)));
  const sim = await world.ready;
  const saved = await sim.save();
  // No frame shows these.
  await sim.step(30);
  await sim.restore(saved);
  expect(landings).toBe(1);
  landings = 0;
  await shows(world, () => expect(world.frame.newestTick).toBe(1));
  expect(landings).toBe(0);
  await advance(world, 30);
  await shows(world, () => expect(landings).toBe(1));
});

test('a handler is called when the tick is shown, or at once, until it is removed', async () => {
  const world = createWorldForTest();
  const calls: string[] = [];
  const offs = [
    world.on('collision', () => calls.push('shown')),
    world.on('collision', () => calls.push('now'), NOW),
  ];
  // Removed before the worker runs.
  world.on('collision', () => calls.push('never'))();
  hit(world);
  await (await world.ready).step(2);
  await eventually(() => expect(calls).toEqual(['now']));
  // The display is behind the newest tick.
  await (await world.ready).step(60);
  await eventually(() => {
    draw(world);
    expect(calls).toEqual(['now', 'shown']);
  });
  for (const off of offs) off();
  hit(world);
  await advance(world, 2);
  expect(calls).toEqual(['now', 'shown']);
});
