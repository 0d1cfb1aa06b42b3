import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  BODY_ASLEEP,
  BODY_INVALID,
  CONTINUITY_MASK,
  slotOf,
  type BodyId,
} from '../../../src/shared/body-meta.js';
import {
  JOLT_LAYER,
  JOLT_NAME,
  createJoltInterface,
  loadJolt,
} from '../../../bench/engines/jolt-module.js';
import { JoltWorld } from '../../../bench/engines/jolt-world.js';
import { BODY_LANES, LANE } from '../../../src/shared/layout.js';
import { StateHash } from '../../../src/shared/state-hash.js';
import { BodyRegistry } from '../../../src/sim-worker/body-registry.js';
import { poseAt } from '../../fixtures/poses.js';
import { present } from '../../fixtures/present.js';

const STEP_S = 1 / 60;

const jolt = await loadJolt();
const { EActivation_DontActivate } = jolt;
const { EMotionType_Dynamic, EMotionType_Static } = jolt;
let bodies: BodyRegistry;
let physics: JoltWorld;

beforeEach(() => {
  bodies = new BodyRegistry(8);
  physics = createWorld(bodies);
});
afterEach(() => {
  physics.free();
});

function createWorld(registry: BodyRegistry): JoltWorld {
  const gravity = { x: 0, y: -9.81, z: 0 };
  const world = createJoltInterface(jolt, { maxBodies: 32, gravity });
  const created = new JoltWorld(jolt, world, registry);
  const ground = createBody(created, 0, -1, 50, 1);
  interfaceOf(created).AddBody(ground.GetID(), EActivation_DontActivate);
  return created;
}

const interfaceOf = (world: JoltWorld) => world.physics.GetPhysicsSystem().GetBodyInterface();
const freeMemory = () => physics.physics.sGetFreeMemory();
const bodiesInWorld = () => physics.physics.GetPhysicsSystem().GetNumBodies();

function createBody(world: JoltWorld, x: number, y: number, halfX: number, halfY: number) {
  const [motion, layer] =
    y < 0 ? [EMotionType_Static, JOLT_LAYER.still] : [EMotionType_Dynamic, JOLT_LAYER.moving];
  const half = new jolt.Vec3(halfX, halfY, halfX);
  const place = new jolt.RVec3(x, y, 0);
  const rotation = new jolt.Quat(0, 0, 0, 1);
  const shape = new jolt.BoxShape(half);
  const settings = new jolt.BodyCreationSettings(shape, place, rotation, motion, layer);
  const body = interfaceOf(world).CreateBody(settings);
  for (const own of [settings, half, place, rotation]) jolt.destroy(own);
  return body;
}

const createBox = (x: number, y: number) => createBody(physics, x, y, 0.5, 0.5);
const addBox = (x: number, y: number): BodyId => physics.add(createBox(x, y));
const bodyOf = (id: BodyId) => present(physics.bodyOf(id));
const heightOf = (id: BodyId) =>
  present(new Float32Array(bodies.lanes.buffer)[slotOf(id) * BODY_LANES + LANE.y]);
const metaOf = (id: BodyId) => present(bodies.lanes[slotOf(id) * BODY_LANES + LANE.meta]);
const isAsleep = (id: BodyId) => (metaOf(id) & BODY_ASLEEP) !== 0;
const comeAndGo = () => {
  const ids = [0, 3, 6].map((x) => addBox(x, 3));
  step(1);
  for (const id of ids) physics.remove(id);
};
const step = (ticks: number) => {
  for (let tick = 0; tick < ticks; tick++) physics.step(STEP_S);
};

test('the name has the version that is installed', () => {
  const file = readFileSync('node_modules/jolt-physics/package.json', 'utf8');
  expect(JOLT_NAME).toBe(`jolt-physics ${JSON.parse(file).version}`);
});

test('a body is published where it is at once, and where the engine has it after each step', () => {
  const id = addBox(2, 5);
  expect(heightOf(id)).toBe(5);
  step(1);
  const first = heightOf(id);
  step(1);
  expect(first).toBeLessThan(5);
  expect(heightOf(id)).toBeLessThan(first);
  expect(heightOf(id)).toBe(bodyOf(id).GetPosition().GetY());
});

test('a box that is dropped comes to rest on the ground, falls asleep, and is not published any more', () => {
  const id = addBox(0, 0.7);
  step(240);
  expect(heightOf(id)).toBeCloseTo(0.5, 1);
  expect(isAsleep(id)).toBe(true);
  expect(heightOf(id)).toBe(bodyOf(id).GetPosition().GetY());
  bodies.beginState(777);
  step(10);
  expect([...bodies.changedAt]).not.toContain(777);
});

test('a body that is woken is published again', () => {
  const body = createBox(0, 9);
  interfaceOf(physics).AddBody(body.GetID(), EActivation_DontActivate);
  const id = physics.add(body);
  step(5);
  expect(isAsleep(id)).toBe(true);
  expect(heightOf(id)).toBe(9);
  interfaceOf(physics).ActivateBody(body.GetID());
  step(2);
  expect(isAsleep(id)).toBe(false);
  expect(heightOf(id)).toBeLessThan(9);
});

test('ids and bodies lead to each other, until the body is removed', () => {
  const body = createBox(0, 3);
  const id = physics.add(body);
  const other = addBox(3, 3);
  expect(physics.bodyOf(id)).toBe(body);
  expect(physics.bodyIdOf(body)).toBe(id);
  expect(() => physics.add(body)).toThrow(/added before/);
  expect(physics.remove(id)).toBe(true);
  expect(physics.remove(id)).toBe(false);
  expect(physics.bodyOf(id)).toBeUndefined();
  expect(physics.bodyIdOf(body)).toBeUndefined();
  expect(bodiesInWorld()).toBe(2);
  expect(bodies.isAlive(id)).toBe(false);
  const next = addBox(6, 8);
  expect(slotOf(next)).toBe(slotOf(id));
  expect(physics.bodyOf(id)).toBeUndefined();
  step(2);
  expect(heightOf(other)).toBeLessThan(3);
});

test('a full snapshot refuses a body, which is then not in the world', () => {
  for (let index = 0; index < 8; index++) addBox(index * 2, 3);
  const body = createBox(20, 3);
  expect(() => physics.add(body)).toThrow(/in use/);
  expect(physics.bodyIdOf(body)).toBeUndefined();
  expect(interfaceOf(physics).IsAdded(body.GetID())).toBe(false);
});

test('a teleport snaps, wakes, and is refused with NaN', () => {
  const id = addBox(0, 0.5);
  step(240);
  expect(isAsleep(id)).toBe(true);
  const before = metaOf(id) & CONTINUITY_MASK;
  expect(physics.teleport(id, poseAt(0, 10))).toBe(true);
  expect(metaOf(id) & CONTINUITY_MASK).not.toBe(before);
  expect(heightOf(id)).toBe(10);
  step(2);
  expect(isAsleep(id)).toBe(false);
  expect(heightOf(id)).toBeLessThan(10);
  expect(heightOf(id)).toBeGreaterThan(9.9);
  expect(physics.teleport(id, poseAt(Number.NaN))).toBe(false);
  expect(bodyOf(id).GetPosition().GetX()).toBeCloseTo(0, 3);
});

test('a body that goes NaN stays where it was, and frozen there it carries others', () => {
  const bad = addBox(0, 3);
  step(3);
  const last = heightOf(bad);
  const velocity = new jolt.Vec3(Number.NaN, 0, 0);
  bodyOf(bad).SetLinearVelocity(velocity);
  jolt.destroy(velocity);
  step(1);
  expect(bodies.takeInvalid()).toEqual([bad]);
  expect(metaOf(bad) & BODY_INVALID).not.toBe(0);
  expect(physics.freeze(bad)).toBe(true);
  const above = addBox(0.1, last + 1.2);
  step(120);
  expect(heightOf(bad)).toBe(last);
  expect(metaOf(bad) & BODY_INVALID).toBe(0);
  expect(heightOf(above)).toBeCloseTo(last + 1, 1);
  physics.remove(bad);
  expect(physics.freeze(bad)).toBe(false);
});

test('the hash is the velocities: the same twice, and another after another step', () => {
  const digests = [3, 3, 4].map((ticks) => {
    physics.free();
    physics = createWorld(new BodyRegistry(8));
    addBox(0, 3);
    addBox(0.3, 4.2);
    step(ticks);
    const hash = new StateHash();
    physics.hashInto(hash);
    return hash.digest();
  });
  expect(digests[1]).toBe(digests[0]);
  expect(digests[2]).not.toBe(digests[0]);
});

test('clear removes what was added and leaves the rest', () => {
  addBox(0, 3);
  addBox(3, 3);
  physics.clear();
  expect(bodies.bodyCount).toBe(0);
  expect(bodiesInWorld()).toBe(1);
});

test('free gives slots and memory back, and other worlds go on', () => {
  const others = new BodyRegistry(4);
  const cycle = () => {
    const other = createWorld(others);
    const body = createBody(other, 0, 3, 0.5, 0.5);
    const id = other.add(body);
    other.step(STEP_S);
    other.free();
    expect(others.isAlive(id)).toBe(false);
  };
  cycle();
  const before = freeMemory();
  cycle();
  expect(freeMemory()).toBe(before);
  const id = addBox(0, 3);
  step(2);
  expect(heightOf(id)).toBeLessThan(3);
});

test('bodies that come and go leave no memory behind', () => {
  comeAndGo();
  const before = freeMemory();
  for (let round = 0; round < 20; round++) comeAndGo();
  expect(freeMemory()).toBe(before);
});
