/** The adapters of engines that are compared with Rapier: the same cases for each. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CANNON_NAME, loadCannon } from '../../../bench/engines/cannon-module.js';
import { CannonWorld } from '../../../bench/engines/cannon-world.js';
import {
  JOLT_LAYER,
  createJoltInterface,
  joltNameOf,
  loadJolt,
  type Jolt,
} from '../../../bench/engines/jolt-module.js';
import { JoltWorld } from '../../../bench/engines/jolt-world.js';
import {
  BODY_ASLEEP,
  BODY_INVALID,
  CONTINUITY_MASK,
  slotOf,
  type BodyId,
} from '../../../src/shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../../src/shared/memory/layout.js';
import { StateHash } from '../../../src/shared/recording/state-hash.js';
import { BodyRegistry } from '../../../src/sim-worker/bodies/body-registry.js';
import { poseAt } from '../../fixtures/poses.js';
import { present } from '../../fixtures/present.js';

const STEP_SECONDS = 1 / 60;
const GRAVITY = { x: 0, y: -9.81, z: 0 };

const cannon = await loadCannon();
const { Worker: workerBefore } = globalThis;
const [fast, plain] = [await loadJolt('simd'), await loadJolt('plain')];

/** A world with a floor at 0, and the operations of the cases on boxes of one metre. */
interface TestWorld {
  readonly physics: Pick<CannonWorld, 'step' | 'teleport' | 'hashInto' | 'free'>;
  /** A box in the air is awake, unless it should be asleep when it is added. */
  addBox(x: number, y: number, isAsleep?: boolean): BodyId;
  /** Adds the box of an id again. */
  addAgain(id: BodyId): void;
  wake(id: BodyId): void;
  /** Sets its velocity to NaN. */
  spoil(id: BodyId): void;
  heightOf(id: BodyId): number | undefined;
  bodyCount(): number;
}

function createCannonWorld(bodies: BodyRegistry): TestWorld {
  const world = new cannon.World({ allowSleep: true });
  world.gravity.set(GRAVITY.x, GRAVITY.y, GRAVITY.z);
  const ground = new cannon.Body({ type: cannon.Body.STATIC });
  ground.addShape(new cannon.Box(new cannon.Vec3(50, 1, 50)));
  ground.position.set(0, -1, 0);
  world.addBody(ground);
  const physics = new CannonWorld(world, bodies);
  const bodyOf = (id: BodyId) => present(physics.bodyOf(id));
  return {
    physics,
    addBox(x, y, isAsleep = false) {
      const body = new cannon.Body({ mass: 1 });
      body.addShape(new cannon.Box(new cannon.Vec3(0.5, 0.5, 0.5)));
      body.position.set(x, y, 0);
      if (isAsleep) body.sleep();
      return physics.add(body);
    },
    addAgain: (id) => physics.add(bodyOf(id)),
    wake: (id) => bodyOf(id).wakeUp(),
    spoil: (id) => bodyOf(id).velocity.set(Number.NaN, 0, 0),
    heightOf: (id) => physics.bodyOf(id)?.position.y,
    bodyCount: () => world.bodies.length,
  };
}

function createJoltWorld(jolt: Jolt, bodies: BodyRegistry): TestWorld {
  const world = createJoltInterface(jolt, { maxBodies: 32, gravity: GRAVITY });
  const physics = new JoltWorld(jolt, world, bodies);
  const system = world.GetPhysicsSystem();
  const bodyInterface = system.GetBodyInterface();
  const create = (x: number, y: number, halfX: number, halfY: number) => {
    const isGround = y < 0;
    const half = new jolt.Vec3(halfX, halfY, halfX);
    const position = new jolt.RVec3(x, y, 0);
    const rotation = new jolt.Quat(0, 0, 0, 1);
    const settings = new jolt.BodyCreationSettings(
      new jolt.BoxShape(half),
      position,
      rotation,
      isGround ? jolt.EMotionType_Static : jolt.EMotionType_Dynamic,
      isGround ? JOLT_LAYER.still : JOLT_LAYER.moving,
    );
    const body = bodyInterface.CreateBody(settings);
    for (const own of [settings, half, position, rotation]) jolt.destroy(own);
    return body;
  };
  bodyInterface.AddBody(create(0, -1, 50, 1).GetID(), jolt.EActivation_DontActivate);
  const bodyOf = (id: BodyId) => present(physics.bodyOf(id));
  return {
    physics,
    addBox(x, y, isAsleep = false) {
      const body = create(x, y, 0.5, 0.5);
      if (isAsleep) bodyInterface.AddBody(body.GetID(), jolt.EActivation_DontActivate);
      return physics.add(body);
    },
    addAgain: (id) => physics.add(bodyOf(id)),
    wake: (id) => bodyInterface.ActivateBody(bodyOf(id).GetID()),
    spoil(id) {
      const velocity = new jolt.Vec3(Number.NaN, 0, 0);
      bodyOf(id).SetLinearVelocity(velocity);
      jolt.destroy(velocity);
    },
    heightOf: (id) => physics.bodyOf(id)?.GetPosition().GetY(),
    // Also those that were made and are not in it.
    bodyCount: () => system.GetNumActiveBodies(jolt.EBodyType_RigidBody) + 1,
  };
}

const ENGINES = [
  { engine: 'cannon-es', name: CANNON_NAME, create: createCannonWorld },
  ...[fast, plain].map(({ jolt, build }) => ({
    engine: 'jolt-physics',
    name: joltNameOf(build),
    create: (bodies: BodyRegistry) => createJoltWorld(jolt, bodies),
  })),
];

describe.each(ENGINES)('$name', ({ engine, name, create }) => {
  let bodies: BodyRegistry;
  let world: TestWorld;

  beforeEach(() => {
    bodies = new BodyRegistry(8);
    world = create(bodies);
  });
  afterEach(() => world.physics.free());

  const publishedHeightOf = (id: BodyId) =>
    present(new Float32Array(bodies.lanes.buffer)[slotOf(id) * BODY_LANES + LANE.y]);
  const metaOf = (id: BodyId) => present(bodies.lanes[slotOf(id) * BODY_LANES + LANE.meta]);
  const isAsleep = (id: BodyId) => (metaOf(id) & BODY_ASLEEP) !== 0;
  const step = (ticks: number) => {
    for (let tick = 0; tick < ticks; tick++) world.physics.step(STEP_SECONDS);
  };

  test('the name has the installed version', () => {
    const file = readFileSync(`node_modules/${engine}/package.json`, 'utf8');
    expect(`${name} `).toContain(`${engine} ${JSON.parse(file).version} `);
  });

  test("a body is published at its position immediately, and at the engine's position after each step", () => {
    const id = world.addBox(2, 5);
    expect(publishedHeightOf(id)).toBe(5);
    step(1);
    const first = publishedHeightOf(id);
    step(1);
    expect(first).toBeLessThan(5);
    expect(publishedHeightOf(id)).toBeLessThan(first);
    expect(publishedHeightOf(id)).toBe(Math.fround(present(world.heightOf(id))));
  });

  test('a box that is dropped comes to rest on the ground, falls asleep, and is no longer published', () => {
    const id = world.addBox(0, 0.7);
    step(240);
    expect(publishedHeightOf(id)).toBeCloseTo(0.5, 1);
    expect(isAsleep(id)).toBe(true);
    expect(publishedHeightOf(id)).toBe(Math.fround(present(world.heightOf(id))));
    bodies.beginState(777);
    step(10);
    expect([...bodies.changedAt]).not.toContain(777);
  });

  test('a body that is woken is published again', () => {
    const id = world.addBox(0, 9, true);
    step(5);
    expect(isAsleep(id)).toBe(true);
    expect(publishedHeightOf(id)).toBe(9);
    world.wake(id);
    step(2);
    expect(isAsleep(id)).toBe(false);
    expect(publishedHeightOf(id)).toBeLessThan(9);
  });

  test('a body cannot be added twice', () => {
    const id = world.addBox(0, 3);
    expect(() => world.addAgain(id)).toThrow(/added before/);
    expect(bodies.bodyCount).toBe(1);
  });

  test('a full snapshot refuses a body, which is then not in the world', () => {
    for (let index = 0; index < 8; index++) world.addBox(index * 2, 3);
    expect(() => world.addBox(20, 3)).toThrow(/in use/);
    expect(world.bodyCount()).toBe(8 + 1);
  });

  test('a teleport snaps, wakes, and is refused with NaN', () => {
    const id = world.addBox(0, 0.5);
    step(240);
    expect(isAsleep(id)).toBe(true);
    const before = metaOf(id) & CONTINUITY_MASK;
    expect(world.physics.teleport(id, poseAt(0, 10))).toBe(true);
    expect(metaOf(id) & CONTINUITY_MASK).not.toBe(before);
    expect(publishedHeightOf(id)).toBe(10);
    step(2);
    expect(isAsleep(id)).toBe(false);
    expect(publishedHeightOf(id)).toBeLessThan(10);
    expect(publishedHeightOf(id)).toBeGreaterThan(9.9);
    expect(world.physics.teleport(id, poseAt(Number.NaN))).toBe(false);
    expect(present(world.heightOf(id))).toBeGreaterThan(9.9);
  });

  test('a body that becomes NaN is reported, and stays where it was', () => {
    const bad = world.addBox(0, 3);
    step(3);
    const last = publishedHeightOf(bad);
    world.spoil(bad);
    step(1);
    expect(bodies.takeInvalid()).toEqual([bad]);
    expect(metaOf(bad) & BODY_INVALID).not.toBe(0);
    expect(publishedHeightOf(bad)).toBe(last);
  });

  test('the hash is the velocities: the same twice, and another after another step', () => {
    const digests = [3, 3, 4].map((ticks) => {
      world.physics.free();
      world = create(new BodyRegistry(8));
      world.addBox(0, 3);
      world.addBox(0.3, 4.2);
      step(ticks);
      const hash = new StateHash();
      world.physics.hashInto(hash);
      return hash.digest();
    });
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });

  test('free releases the slots, and other worlds continue', () => {
    const others = new BodyRegistry(4);
    const other = create(others);
    const theirs = other.addBox(0, 3);
    other.physics.step(STEP_SECONDS);
    other.physics.free();
    expect(others.isAlive(theirs)).toBe(false);
    const id = world.addBox(0, 3);
    step(2);
    expect(publishedHeightOf(id)).toBeLessThan(3);
  });
});

test('a body of another world is refused by cannon-es', () => {
  const physics = [1, 2].map(() => new CannonWorld(new cannon.World(), new BodyRegistry(1)));
  const body = new cannon.Body({ mass: 1 });
  physics[0]?.add(body);
  expect(() => physics[1]?.add(body)).toThrow(/another world/);
});

/** Makes a world, uses it and frees it. Returns the engine's free memory after that, in bytes. */
function memoryAfterWorld(jolt: Jolt): number {
  const { physics, addBox } = createJoltWorld(jolt, new BodyRegistry(4));
  addBox(0, 3);
  physics.step(STEP_SECONDS);
  const jolts = (physics as JoltWorld).physics;
  physics.free();
  return jolts.sGetFreeMemory();
}

describe('Jolt', () => {
  test.each([fast, plain])('a world leaves no memory behind: $build', ({ jolt }) => {
    memoryAfterWorld(jolt);
    const before = memoryAfterWorld(jolt);
    for (let round = 0; round < 5; round++) expect(memoryAfterWorld(jolt)).toBe(before);
  });

  test('the build with SIMD is used where memory can be shared, and named', async () => {
    expect(await loadJolt()).toEqual(fast);
    expect(fast.jolt.HEAPF32.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(plain.jolt.HEAPF32.buffer).toBeInstanceOf(ArrayBuffer);
    expect(joltNameOf('simd')).not.toBe(joltNameOf('plain'));
    vi.stubGlobal('SharedArrayBuffer', undefined);
    expect(await loadJolt()).toEqual(plain);
    vi.unstubAllGlobals();
  });

  test('it runs without threads, and puts back what it replaced', () => {
    expect(globalThis.Worker).toBe(workerBefore);
    expect(Object.hasOwn(globalThis, 'Worker')).toBe(workerBefore !== undefined);
    const settings = new fast.jolt.JoltSettings();
    // Some of the 16 that are the default: the first of them would have to be started.
    expect(settings.mMaxWorkerThreads).toBeGreaterThan(0);
    expect(() => new fast.jolt.JoltInterface(settings)).toThrow(/without threads/);
  });
});
