/** Rays and shapes that are cast after every tick. */
import { expect, test } from 'vitest';
import * as page from '../../../src/render-main/world/index.js';
import type { Probe, QueryFilter, World } from '../../../src/render-main/world/index.js';
import { present } from '../../fixtures/present.js';
import { expectEqual } from '../../fixtures/quick-checks.js';
import { sceneIn } from '../../fixtures/world-scene.js';
import {
  RECORDED,
  addBody,
  addBox,
  advance,
  countCommands,
  createEngineForTest,
  createWorldForTest,
  shows,
  warningsOfTest,
  type WorldForTest,
} from '../../fixtures/worlds.js';

const { Ball, ColliderDesc, Cuboid, ProbeDesc, QueryFilterFlags, RigidBodyDesc } = page;
type Vector = Readonly<{ x: number; y: number; z: number }>;

const at = (x: number, y = 0, z = 0) => ({ x, y, z });
const DOWN = at(0, -1);
const UPRIGHT = { ...at(0), w: 1 };
const HALF_TURN = { ...at(0, 0, 1), w: 0 };
const { fround } = Math;
const rounded = ({ x, y, z }: Vector) => at(fround(x), fround(y), fround(z));

/** What is read of a probe. */
const answerOf = (probe: Probe) => ({
  isAnswered: probe.isAnswered,
  hit: probe.hit,
  time: probe.timeOfImpact,
  point: probe.point,
  normal: probe.normal,
  collider: probe.collider?.handle,
});

/** Numbers of a probe are of 32 bits. */
function turned(q: Vector & { readonly w: number }, v: Vector): Vector {
  const { x, y, z } = rounded(v);
  const [tx, ty, tz] = [
    2 * (q.y * z - q.z * y),
    2 * (q.z * x - q.x * z),
    2 * (q.x * y - q.y * x),
  ] as const;
  return at(
    x + q.w * tx + q.y * tz - q.z * ty,
    y + q.w * ty + q.z * tx - q.x * tz,
    z + q.w * tz + q.x * ty - q.y * tx,
  );
}

test('probes are answered as by Rapier after the same tick, relative to their bodies', async () => {
  const { rapier, engine } = await createEngineForTest();
  const world = createWorldForTest();
  const [theirs, ours] = [sceneIn(rapier, engine), sceneIn(page, world)];
  const places = new Map<number, number>();
  const colliders = world.colliders.getAll();
  engine.forEachCollider(({ handle }) => {
    places.set(handle, present(colliders[places.size]).handle);
  });
  const rays = ['box', 'tumbler', 'cylinder', 'light', 'belt'].map((name) => {
    const desc = ProbeDesc.ray(at(0.1), at(0.2, -2), 4);
    return [name, world.createProbe(desc, present(ours.bodies[name]))] as const;
  });
  const still = world.createProbe(ProbeDesc.ray(at(0.2, 9), DOWN, 20).setSolid(false));
  const shape = world.createProbe(
    ProbeDesc.shape(new Cuboid(0.5, 0.2, 0.5), at(3, 8), HALF_TURN, at(0, -3, 0.1), 5)
      .setTargetDistance(0.01)
      .setFilter({ flags: QueryFilterFlags.EXCLUDE_SENSORS }),
  );
  let hits = 0;
  for (let tick = 1; tick <= 60; tick++) {
    engine.step();
    await advance(world, 1);
    for (const [name, probe] of rays) {
      const body = present(theirs.bodies[name]);
      const [p, q] = [body.translation(), body.rotation()];
      const start = turned(q, at(0.1));
      const from = at(p.x + start.x, p.y + start.y, p.z + start.z);
      const ray = new rapier.Ray(from, turned(q, at(0.2, -2)));
      const none = undefined;
      const hit = engine.castRayAndGetNormal(ray, 4, true, none, none, none, body as never);
      if (hit !== null) hits += 1;
      expectEqual(
        [tick, name, answerOf(probe)],
        [
          tick,
          name,
          {
            isAnswered: true,
            hit: hit !== null,
            time: hit?.timeOfImpact ?? Number.POSITIVE_INFINITY,
            point: hit === null ? undefined : rounded(ray.pointAt(hit.timeOfImpact)),
            normal: hit === null ? undefined : rounded(hit.normal),
            collider: hit === null ? undefined : places.get(hit.collider.handle),
          },
        ],
      );
    }
    const first = present(engine.castRayAndGetNormal(new rapier.Ray(at(0.2, 9), DOWN), 20, false));
    expect([still.timeOfImpact, still.distance]).toEqual([first.timeOfImpact, first.timeOfImpact]);
    const cast = present(
      engine.castShape(
        at(3, 8) as never,
        HALF_TURN as never,
        at(0, -3, fround(0.1)) as never,
        rapier.ColliderDesc.cuboid(0.5, 0.2, 0.5).shape,
        fround(0.01),
        5,
        true,
        rapier.QueryFilterFlags.EXCLUDE_SENSORS,
      ),
    );
    expectEqual(answerOf(shape), {
      isAnswered: true,
      hit: true,
      time: cast.time_of_impact,
      point: rounded(cast.witness1),
      normal: rounded(cast.normal1),
      collider: places.get(cast.collider.handle),
    });
    expect(shape.distance).toBeCloseTo(cast.time_of_impact * Math.hypot(3, 0.1), 5);
  }
  expect(hits).toBeGreaterThan(60);
});

/** A floor whose top is at 0, and a body above it that falls. */
function fallIn(world: WorldForTest) {
  const floor = addBox(world, [9, 1, 9], [0, -1, 0]);
  const body = addBody(world, [0, 10, 0]);
  const height = world.createProbe(ProbeDesc.ray(at(0), DOWN, 100), body);
  return { floor, body, height };
}

test('a probe is of the state that bodies are read from, without its own body', async () => {
  const world = createWorldForTest();
  const { floor, body, height } = fallIn(world);
  expect(answerOf(height)).toEqual({ isAnswered: false, hit: false, time: Infinity });
  for (let round = 1; round < 5; round++) {
    await advance(world, 7);
    expect(height.collider).toBe(floor);
    expect(height.distance).toBeCloseTo(body.translation().y, 5);
    expect(height.normal).toEqual({ x: 0, y: 1, z: 0 });
    expect(height.point?.y).toBeCloseTo(0, 5);
  }
  expect(height.parent()).toBe(body);
});

test('a probe takes what is set on the next tick', async () => {
  const world = createWorldForTest();
  const { floor, height } = fallIn(world);
  const other = world.createCollider(ColliderDesc.ball(1).setTranslation(20, 0, 0));
  const still = world.createProbe(ProbeDesc.ray(at(20, 5), DOWN, 100));
  const room = world.createProbe(ProbeDesc.shape(new Ball(0.1), at(20, 1.5), UPRIGHT, DOWN, 0.01));
  await advance(world, 1);
  expect([still.collider, still.timeOfImpact, room.hit]).toEqual([other, 4, false]);
  still.setMaxToi(3);
  room.setShape(new Ball(0.6));
  height.setDirection(at(0, -4));
  expect(still.hit).toBe(true);
  await advance(world, 1);
  expect([still.hit, still.isAnswered, room.collider]).toEqual([false, true, other]);
  expect(height.distance).toBeCloseTo(height.timeOfImpact * 4, 5);
  still.setMaxToi(Infinity);
  still.setTranslation(at(3, 5));
  still.setFilter({ excluded: [floor] });
  room.setEnabled(false);
  await advance(world, 1);
  expect([still.hit, room.isAnswered, room.hit, room.isEnabled()]).toEqual(
    Array.from({ length: 4 }, () => false),
  );
  still.setFilter({});
  room.setEnabled(true);
  room.setTranslation(at(20, 9));
  room.setRotation(HALF_TURN);
  await advance(world, 1);
  expect([still.collider, room.isAnswered, room.hit]).toEqual([floor, true, false]);
  expect([room.translation(), room.rotation(), still.maxToi() > 1e38]).toEqual([
    at(20, 9),
    HALF_TURN,
    true,
  ]);
});

test('a probe of a body finds that body if it is asked for, and nothing that is excluded in addition', async () => {
  const world = createWorldForTest();
  const { floor, body } = fallIn(world);
  const fixed = RigidBodyDesc.fixed();
  const wall = addBody(world, [0, 3, 0], ColliderDesc.cuboid(1, 0.1, 1), fixed);
  const ray = (filter: QueryFilter, findsBody = false) =>
    world.createProbe(
      ProbeDesc.ray(at(0, 2), DOWN, 100).setFilter(filter).setFindsBody(findsBody),
      body,
    );
  const probes = [
    ray({}, true),
    ray({}),
    ray({ excludeRigidBody: wall }),
    ray({ excludeRigidBody: wall, excludeCollider: floor }),
  ];
  await advance(world, 1);
  expect(probes.map(({ collider }) => collider)).toEqual([
    body.collider(0),
    wall.collider(0),
    floor,
    undefined,
  ]);
});

test('a probe that is set to what it has sends nothing', async () => {
  const world = createWorldForTest();
  const { height } = fallIn(world);
  await advance(world, 1);
  const before = await countCommands(world);
  height.setDirection(DOWN);
  height.setTranslation(at(0));
  height.setMaxToi(100);
  await advance(world, 1);
  expect(await countCommands(world)).toBe(before);
});

test('a probe goes when it is removed, and with its body', async () => {
  const warnings = warningsOfTest();
  const world = createWorldForTest();
  const { body, height } = fallIn(world);
  const still = world.createProbe(ProbeDesc.ray(at(3, 5), DOWN, 9));
  await advance(world, 1);
  expect(world.probes.getAll()).toEqual([height, still]);
  world.removeProbe(still);
  world.removeRigidBody(body);
  await advance(world, 1);
  expect([height.isValid(), still.isValid(), world.probes.len()]).toEqual([false, false, 0]);
  expect([height.isAnswered, still.isAnswered]).toEqual([false, false]);
  still.setMaxToi(1);
  const again = world.createProbe(ProbeDesc.ray(at(3, 5), DOWN, 9));
  await advance(world, 1);
  expect(again.timeOfImpact).toBe(5);
  expect(world.getProbe(again.handle)).toBe(again);
  expect(warnings()).toEqual([
    expect.stringContaining(`the probe ${still.handle} was removed from its world`),
  ]);
});

/** Of all probes, by their handles. */
const answersIn = (world: WorldForTest) =>
  world.probes
    .getAll()
    .toSorted((a, b) => a.handle - b.handle)
    .map((probe) => [probe.handle, answerOf(probe)]);

/** Probes that come and go. @returns What they hit, by ticks until 60. */
async function comeAndGo(world: WorldForTest) {
  const seen = new Map<number, unknown>();
  const { body, height } = fallIn(world);
  const note = async (): Promise<void> => {
    await advance(world, 5);
    seen.set((await world.ready).stats().tick, answersIn(world));
  };
  let last = height;
  for (let round = 0; round < 6; round++) {
    const probe = world.createProbe(ProbeDesc.ray(at(0.1 * round), DOWN, 100), body);
    await note();
    if (round % 2 === 1) world.removeProbe(last);
    last = probe;
    probe.setTranslation(at(0.2 * round, 1));
    probe.setFilter({ groups: 0xffff_ffff - round });
    await note();
  }
  const showsAt = (tick: number) =>
    shows(world, () => expect(answersIn(world)).toEqual(seen.get(tick)));
  return { height, showsAt };
}

test('the probes of a state are shown again when it is sought or restored', async () => {
  const recording = { rewindSeconds: 10, saveEverySeconds: 0.1 };
  const world = createWorldForTest({ recording });
  const handle = await world.ready;
  const { height, showsAt } = await comeAndGo(world);
  const saved = await handle.save();
  // Places are taken, and given back in between.
  const ray = ProbeDesc.ray(at(3, 5), DOWN, 9);
  const others = Array.from({ length: 5 }, () => world.createProbe(ray));
  await advance(world, 3);
  for (const other of others.slice(1)) world.removeProbe(other);
  for (const tick of [45, 20, 5]) {
    await handle.seek(tick);
    await showsAt(tick);
  }
  await handle.restore(saved);
  await showsAt(60);
  // They are cast on, and there is room for others.
  const another = world.createProbe(ray);
  await advance(world, 1);
  expect(another.timeOfImpact).toBe(5);
  expect([height.isValid(), height.hit]).toEqual([true, true]);
});

test('the probes of a recording are shown, and those of a world continue in the next worker', async () => {
  const world = createWorldForTest(RECORDED);
  const handle = await world.ready;
  const { height, showsAt } = await comeAndGo(world);
  const replay = await handle.openReplay(handle.recording());
  for (const tick of [30, 60]) {
    await replay.seek(tick);
    await showsAt(tick);
  }
  await replay.close();
  await advance(world, 1);
  await handle.replaceWorker();
  await advance(world, 1);
  expect(height.hit).toBe(true);
  expect(height.distance).toBeCloseTo(present(height.parent()).translation().y, 4);
});

const RAY = ProbeDesc.ray(at(3, 5), DOWN, 9);

test('the room for probes is what the option says, and is given back', async () => {
  const world = createWorldForTest({ display: { values: 60 } });
  fallIn(world);
  const probes = [1, 2, 3].map(() => world.createProbe(RAY));
  expect(() => world.createProbe(RAY)).toThrow(
    /no room for another probe: 60 numbers .* takes 52\. .* display: { values: 1024 }/,
  );
  for (let round = 0; round < 30; round++) {
    if (round % 2 === 0) await advance(world, 1);
    world.removeProbe(present(probes.shift()));
    probes.push(world.createProbe(RAY));
  }
  await advance(world, 1);
  expect(probes.map(({ timeOfImpact }) => timeOfImpact)).toEqual([5, 5, 5]);
});

test('there is room for more than a hundred probes by default, and for none with an option', async () => {
  const world = createWorldForTest();
  fallIn(world);
  const probes = Array.from({ length: 150 }, (_, index) =>
    world.createProbe(ProbeDesc.ray(at(3, 5 + index), DOWN, 999)),
  );
  await advance(world, 1);
  const times = probes.map(({ timeOfImpact }) => timeOfImpact);
  expect(times).toEqual(probes.map((_, index) => 5 + index));
  const none: World = createWorldForTest({ display: { values: 0 } }) as unknown as World;
  expect(() => none.createProbe(RAY)).toThrow(/no room for another probe: 0 numbers/);
});
