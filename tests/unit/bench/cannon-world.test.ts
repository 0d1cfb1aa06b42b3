import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import {
  BODY_ASLEEP,
  BODY_INVALID,
  CONTINUITY_MASK,
  slotOf,
  type BodyId,
} from '../../../src/shared/body-meta.js';
import { CANNON_NAME, loadCannon } from '../../../bench/engines/cannon-module.js';
import { CannonWorld } from '../../../bench/engines/cannon-world.js';
import { BODY_LANES, LANE } from '../../../src/shared/layout.js';
import { StateHash } from '../../../src/shared/state-hash.js';
import { BodyRegistry } from '../../../src/sim-worker/body-registry.js';
import { poseAt } from '../../fixtures/poses.js';
import { present } from '../../fixtures/present.js';

const STEP_S = 1 / 60;

const cannon = await loadCannon();
let bodies: BodyRegistry;
let physics: CannonWorld;

beforeEach(() => {
  bodies = new BodyRegistry(8);
  physics = createWorld(bodies);
});

function createWorld(registry: BodyRegistry): CannonWorld {
  const world = new cannon.World({ allowSleep: true });
  world.gravity.set(0, -9.81, 0);
  const ground = new cannon.Body({ type: cannon.Body.STATIC });
  ground.addShape(new cannon.Box(new cannon.Vec3(50, 1, 50)));
  ground.position.set(0, -1, 0);
  world.addBody(ground);
  return new CannonWorld(world, registry);
}

function createBox(x: number, y: number) {
  const body = new cannon.Body({ mass: 1 });
  body.addShape(new cannon.Box(new cannon.Vec3(0.5, 0.5, 0.5)));
  body.position.set(x, y, 0);
  return body;
}

const addBox = (x: number, y: number): BodyId => physics.add(createBox(x, y));
const bodyOf = (id: BodyId) => present(physics.bodyOf(id));
const heightOf = (id: BodyId) =>
  present(new Float32Array(bodies.lanes.buffer)[slotOf(id) * BODY_LANES + LANE.y]);
const metaOf = (id: BodyId) => present(bodies.lanes[slotOf(id) * BODY_LANES + LANE.meta]);
const isAsleep = (id: BodyId) => (metaOf(id) & BODY_ASLEEP) !== 0;
const step = (ticks: number) => {
  for (let tick = 0; tick < ticks; tick++) physics.step(STEP_S);
};

test('the name has the version that is installed', () => {
  const file = readFileSync('node_modules/cannon-es/package.json', 'utf8');
  expect(CANNON_NAME).toBe(`cannon-es ${JSON.parse(file).version}`);
});

test('a body is published where it is at once, and where the engine has it after each step', () => {
  const id = addBox(2, 5);
  expect(heightOf(id)).toBe(5);
  step(1);
  const first = heightOf(id);
  step(1);
  expect(first).toBeLessThan(5);
  expect(heightOf(id)).toBeLessThan(first);
  expect(heightOf(id)).toBe(Math.fround(bodyOf(id).position.y));
});

test('a box that is dropped comes to rest on the ground, falls asleep, and is not published any more', () => {
  const id = addBox(0, 0.7);
  step(240);
  expect(heightOf(id)).toBeCloseTo(0.5, 1);
  expect(isAsleep(id)).toBe(true);
  expect(heightOf(id)).toBe(Math.fround(bodyOf(id).position.y));
  bodies.beginState(777);
  step(10);
  expect([...bodies.changedAt]).not.toContain(777);
  bodyOf(id).position.y = 3;
  step(1);
  expect(heightOf(id)).toBeLessThan(1);
});

test('a body that is woken is published again', () => {
  const body = createBox(0, 9);
  body.sleep();
  const id = physics.add(body);
  step(5);
  expect(isAsleep(id)).toBe(true);
  expect(heightOf(id)).toBe(9);
  body.wakeUp();
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
  expect(physics.world.bodies).toHaveLength(2);
  expect(bodies.isAlive(id)).toBe(false);
  const next = addBox(6, 8);
  expect(slotOf(next)).toBe(slotOf(id));
  expect(physics.bodyOf(id)).toBeUndefined();
  step(2);
  expect(heightOf(other)).toBeLessThan(3);
});

test('a body of another world is refused', () => {
  const other = createWorld(new BodyRegistry(1));
  const body = createBox(0, 3);
  other.add(body);
  expect(() => physics.add(body)).toThrow(/another world/);
  expect(bodies.bodyCount).toBe(0);
});

test('a full snapshot refuses a body, which is then not in the world', () => {
  for (let index = 0; index < 8; index++) addBox(index * 2, 3);
  const body = createBox(20, 3);
  expect(() => physics.add(body)).toThrow(/in use/);
  expect(physics.bodyIdOf(body)).toBeUndefined();
  expect(body.world).toBeNull();
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
  expect(bodyOf(id).position.x).toBeCloseTo(0, 3);
});

test('a body that goes NaN stays where it was, and frozen there it carries others', () => {
  const bad = addBox(0, 3);
  step(3);
  const last = heightOf(bad);
  bodyOf(bad).velocity.set(Number.NaN, 0, 0);
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

test('clear removes what was added and leaves the rest; free gives the slots back', () => {
  addBox(0, 3);
  addBox(3, 3);
  physics.clear();
  expect(bodies.bodyCount).toBe(0);
  expect(physics.world.bodies).toHaveLength(1);
  const id = addBox(0, 3);
  physics.free();
  expect(bodies.isAlive(id)).toBe(false);
});
