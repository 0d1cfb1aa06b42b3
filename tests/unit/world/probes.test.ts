/** Rays and shapes that are cast after every tick. */
import { describe, expect, test, vi } from 'vitest';
import {
  Ball,
  ColliderDesc,
  Cuboid,
  JointData,
  ProbeDesc,
  QueryFilterFlags,
  RigidBodyDesc,
  RigidBodyType,
  type Probe,
  type QueryFilter,
  type RigidBody,
  type World,
} from '../../../src/render-main/world/index.js';
import { loadRapier, type Rapier } from '../../../src/sim-worker/engines/rapier.js';
import { eventually } from '../../fixtures/eventually.js';
import { present } from '../../fixtures/present.js';
import { sceneIn } from '../../fixtures/world-scene.js';
import { advance, createWorldForTest } from '../../fixtures/worlds.js';

const PAGE = { ColliderDesc, JointData, RigidBodyDesc, RigidBodyType };
const at = (x: number, y = 0, z = 0) => ({ x, y, z });
const DOWN = at(0, -1);
const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };
const HALF_TURN = { x: 0, y: 0, z: 1, w: 0 };

const rounded = ({ x, y, z }: { x: number; y: number; z: number }) => [x, y, z].map(Math.fround);

/** What is read of a probe. */
const answerOf = (probe: Probe) => ({
  isAnswered: probe.isAnswered,
  hit: probe.hit,
  time: probe.timeOfImpact,
  point: probe.point,
  normal: probe.normal,
  collider: probe.collider?.handle,
});

test('probes are answered as by Rapier after the same tick, relative to their bodies', async () => {
  const rapier = await loadRapier();
  type RigidBodyOfEngine = InstanceType<Rapier['RigidBody']>;
  const engine = new rapier.World({ x: 0, y: -9.81, z: 0 });
  engine.timestep = 1 / 60;
  const theirs = sceneIn(rapier, engine as never);
  const world = createWorldForTest();
  const ours = sceneIn(PAGE, world);
  const places = new Map<number, number>();
  const colliders = world.colliders.getAll();
  let place = 0;
  engine.forEachCollider(({ handle }) => {
    places.set(handle, present(colliders[place]).handle);
    place += 1;
  });
  const rays = ['box', 'tumbler', 'cylinder', 'light', 'belt'].map(
    (name) =>
      [
        name,
        world.createProbe(
          ProbeDesc.ray(at(0.1, 0), at(0.2, -2), 4),
          ours[name] as unknown as RigidBody,
        ),
      ] as const,
  );
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
      const body = theirs[name] as unknown as RigidBodyOfEngine;
      const [p, q] = [body.translation(), body.rotation()];
      const start = turnedBy(q, at(0.1, 0));
      const ray = new rapier.Ray(
        { x: p.x + start.x, y: p.y + start.y, z: p.z + start.z },
        turnedBy(q, at(0.2, -2)),
      );
      const hit = engine.castRayAndGetNormal(ray, 4, true, undefined, undefined, undefined, body);
      if (hit !== null) hits += 1;
      const point = hit && ray.pointAt(hit.timeOfImpact);
      expect({ tick, name, ...answerOf(probe) }).toEqual({
        tick,
        name,
        isAnswered: true,
        hit: hit !== null,
        time: hit?.timeOfImpact ?? Number.POSITIVE_INFINITY,
        point: point === null ? undefined : vectorOf(rounded(point)),
        normal: hit === null ? undefined : vectorOf(rounded(hit.normal)),
        collider: hit === null ? undefined : places.get(hit.collider.handle),
      });
    }
    const ray = new rapier.Ray(at(0.2, 9), DOWN);
    const first = present(engine.castRayAndGetNormal(ray, 20, false));
    expect([still.timeOfImpact, still.distance]).toEqual([first.timeOfImpact, first.timeOfImpact]);
    const cast = present(
      engine.castShape(
        at(3, 8) as never,
        HALF_TURN as never,
        at(0, -3, Math.fround(0.1)) as never,
        rapier.ColliderDesc.cuboid(0.5, 0.2, 0.5).shape,
        Math.fround(0.01),
        5,
        true,
        rapier.QueryFilterFlags.EXCLUDE_SENSORS,
      ),
    );
    expect(answerOf(shape)).toEqual({
      isAnswered: true,
      hit: true,
      time: cast.time_of_impact,
      point: vectorOf(rounded(cast.witness1)),
      normal: vectorOf(rounded(cast.normal1)),
      collider: places.get(cast.collider.handle),
    });
    expect(shape.distance).toBeCloseTo(cast.time_of_impact * Math.hypot(3, 0.1), 5);
  }
  expect(hits).toBeGreaterThan(60);
  engine.free();
});

const vectorOf = ([x = 0, y = 0, z = 0]: readonly number[]) => ({ x, y, z });

function turnedBy(q: { x: number; y: number; z: number; w: number }, v: ReturnType<typeof at>) {
  // Numbers of a probe are of 32 bits.
  const [x, y, z] = rounded(v) as [number, number, number];
  const tx = 2 * (q.y * z - q.z * y);
  const ty = 2 * (q.z * x - q.x * z);
  const tz = 2 * (q.x * y - q.y * x);
  return {
    x: x + q.w * tx + q.y * tz - q.z * ty,
    y: y + q.w * ty + q.z * tx - q.x * tz,
    z: z + q.w * tz + q.x * ty - q.y * tx,
  };
}

/** A floor whose top is at 0, and a body above it that falls. */
function fallIn(world: World) {
  const floor = world.createCollider(ColliderDesc.cuboid(9, 1, 9).setTranslation(0, -1, 0));
  const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 10, 0));
  const own = world.createCollider(ColliderDesc.ball(0.5), body);
  const height = world.createProbe(ProbeDesc.ray(at(0), DOWN, 100), body);
  return { floor, body, own, height };
}

describe('a probe', () => {
  test('is of the state that bodies are read from, without its own body', async () => {
    const world = createWorldForTest();
    const { floor, body, height } = fallIn(world);
    expect([height.isAnswered, height.hit, height.distance]).toEqual([false, false, Infinity]);
    expect([height.point, height.normal, height.collider]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    for (let tick = 1; tick < 5; tick++) {
      await advance(world, 7);
      expect(height.collider).toBe(floor);
      expect(height.distance).toBeCloseTo(body.translation().y, 5);
      expect(height.normal).toEqual({ x: 0, y: 1, z: 0 });
      expect(height.point?.y).toBeCloseTo(0, 5);
    }
    expect(height.parent()).toBe(body);
  });

  test('takes what is set on the next tick', async () => {
    const world = createWorldForTest();
    const { floor, own, height } = fallIn(world);
    const other = world.createCollider(ColliderDesc.ball(1).setTranslation(20, 0, 0));
    const still = world.createProbe(ProbeDesc.ray(at(20, 5), DOWN, 100));
    const room = world.createProbe(
      ProbeDesc.shape(new Ball(0.1), at(20, 1.5), UPRIGHT, DOWN, 0.01),
    );
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
    expect([still.hit, room.isAnswered, room.hit, room.isEnabled()]).toEqual([
      false,
      false,
      false,
      false,
    ]);
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
    expect(() => still.setShape(new Ball(1))).toThrow(/this one is a ray/);
    // Its own body, if it is asked for; another one, in addition to its own.
    const findsOwn = world.createProbe(
      ProbeDesc.ray(at(0, 2), DOWN, 100).setFindsBody(true),
      present(own.parent()),
    );
    const wall = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(0, 3, 0));
    const board = world.createCollider(ColliderDesc.cuboid(1, 0.1, 1), wall);
    const excluding = (filter: QueryFilter) =>
      world.createProbe(
        ProbeDesc.ray(at(0, 2), DOWN, 100).setFilter(filter),
        present(own.parent()),
      );
    const [beyond, onBoard] = [excluding({ excludeRigidBody: wall }), excluding({})];
    const beyondAll = excluding({ excludeRigidBody: wall, excludeCollider: floor });
    await advance(world, 1);
    expect([findsOwn, beyond, onBoard, beyondAll].map(({ collider }) => collider)).toEqual([
      own,
      floor,
      board,
      undefined,
    ]);
  });

  test('that is not changed sends nothing', async () => {
    const world = createWorldForTest();
    const { height } = fallIn(world);
    await advance(world, 1);
    height.setDirection(DOWN);
    height.setTranslation(at(0));
    height.setEnabled(true);
    height.setMaxToi(100);
    height.setFilter({});
    await advance(world, 1);
    const { entries } = (await world.ready).recording();
    expect(entries.filter(({ kind }) => kind === 'command')).toHaveLength(2);
  });

  test('goes when it is removed, and with its body', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
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
    expect(warn.mock.calls.map(([text]) => String(text))).toEqual([
      expect.stringContaining(`the probe ${still.handle} was removed from its world`),
    ]);
    warn.mockRestore();
  });
});

/** Of all probes, by their handles. */
const answersIn = (world: World) =>
  world.probes
    .getAll()
    .toSorted((a, b) => a.handle - b.handle)
    .map((probe) => [probe.handle, answerOf(probe)]);

describe('probes of a run', () => {
  /** Answers at ticks, as they were seen first. */
  const seen = new Map<number, unknown>();

  const shownAs = (world: World, tick: number) =>
    eventually(() => {
      frameMs += 100;
      expect(world.sample(frameMs).newestTick).toBe(tick);
      expect(answersIn(world)).toEqual(seen.get(tick));
    });
  let frameMs = 1e6;

  /** Probes that come and go, and what they hit until tick 60. */
  async function record(world: World): Promise<Probe> {
    seen.clear();
    const { body, height } = fallIn(world);
    const note = async (ticks: number): Promise<void> => {
      await advance(world, ticks);
      seen.set((await world.ready).stats().tick, answersIn(world));
    };
    let last = height;
    for (let round = 0; round < 6; round++) {
      const probe = world.createProbe(ProbeDesc.ray(at(0.1 * round), DOWN, 100), body);
      await note(5);
      if (round % 2 === 1) world.removeProbe(last);
      last = probe;
      probe.setTranslation(at(0.2 * round, 1));
      probe.setFilter({ groups: 0xffff_ffff - round });
      await note(5);
    }
    return height;
  }

  test('are those of the state that is sought or restored', async () => {
    const world = createWorldForTest({ recording: { rewindSeconds: 10, saveEverySeconds: 0.1 } });
    const handle = await world.ready;
    const height = await record(world);
    const saved = await handle.save();
    // Places are taken, and given back in between.
    const others = Array.from({ length: 5 }, () =>
      world.createProbe(ProbeDesc.ray(at(3, 5), DOWN, 9)),
    );
    await advance(world, 3);
    for (const other of others.slice(1)) world.removeProbe(other);
    for (const tick of [45, 20, 5]) {
      await handle.seek(tick);
      await shownAs(world, tick);
    }
    await handle.restore(saved);
    await shownAs(world, 60);
    // They are cast on, and there is room for others.
    const another = world.createProbe(ProbeDesc.ray(at(3, 5), DOWN, 9));
    await advance(world, 1);
    expect(another.timeOfImpact).toBe(5);
    expect([height.isValid(), height.hit]).toEqual([true, true]);
  });

  test('are those of a recording that is shown, and of the next worker', async () => {
    const world = createWorldForTest();
    const handle = await world.ready;
    const height = await record(world);
    const replay = await handle.openReplay(handle.recording());
    for (const tick of [30, 60]) {
      await replay.seek(tick);
      await shownAs(world, tick);
    }
    await replay.close();
    await advance(world, 1);
    await handle.replaceWorker();
    await advance(world, 1);
    expect(height.hit).toBe(true);
    expect(height.distance).toBeCloseTo(present(height.parent()).translation().y, 4);
  });
});

describe('room for probes', () => {
  const ray = ProbeDesc.ray(at(3, 5), DOWN, 9);

  test('is what the option says, and is given back', async () => {
    const world = createWorldForTest({ display: { values: 60 } });
    fallIn(world);
    const probes = [1, 2, 3].map(() => world.createProbe(ray));
    expect(() => world.createProbe(ray)).toThrow(
      /no room for another probe: 60 numbers .* takes 52\. .* display: { values: 1024 }/,
    );
    for (let round = 0; round < 30; round++) {
      if (round % 2 === 0) await advance(world, 1);
      world.removeProbe(present(probes.shift()));
      probes.push(world.createProbe(ray));
    }
    await advance(world, 1);
    expect(probes.map(({ timeOfImpact }) => timeOfImpact)).toEqual([5, 5, 5]);
  });

  test('is there for more than a hundred by default', async () => {
    const world = createWorldForTest();
    fallIn(world);
    const probes = Array.from({ length: 150 }, (_, index) =>
      world.createProbe(ProbeDesc.ray(at(3, 5 + index), DOWN, 999)),
    );
    await advance(world, 1);
    expect(probes.map(({ timeOfImpact }) => timeOfImpact)).toEqual(
      probes.map((_, index) => 5 + index),
    );
  });

  test('is refused without any', () => {
    const world = createWorldForTest({ display: { values: 0 } });
    expect(() => world.createProbe(ray)).toThrow(/no room for another probe: 0 numbers/);
  });
});

test.each<[string, (world: World) => unknown, RegExp]>([
  ['a ray', () => ProbeDesc.ray(at(0), at(Number.NaN), 1), /direction\.x must be finite/],
  ['a length', () => ProbeDesc.ray(at(0), DOWN, -1), /maxToi must be a number from 0/],
  [
    'a shape',
    () => ProbeDesc.shape(ColliderDesc.ball(1) as never, at(0), UPRIGHT, DOWN, 1),
    /shape must be a shape/,
  ],
  [
    'a filter',
    (world) => world.createProbe(ProbeDesc.ray(at(0), DOWN, 1).setFilter((() => true) as never)),
    /takes no function/,
  ],
  [
    'a body of another world',
    (world) => {
      const elsewhere = createWorldForTest().createRigidBody(RigidBodyDesc.dynamic());
      return world.createProbe(ProbeDesc.ray(at(0), DOWN, 1), elsewhere);
    },
    /parent is the body 1 of another world/,
  ],
  [
    'a direction',
    (world) => world.createProbe(ProbeDesc.ray(at(0), DOWN, 1)).setDirection(3 as never),
    /direction must be an object/,
  ],
])('%s that is wrong is refused at the call', (_, call, message) => {
  const world = createWorldForTest();
  expect(() => call(world)).toThrow(message);
});
