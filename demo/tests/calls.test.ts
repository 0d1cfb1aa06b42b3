/** The calls that the page can make to the demo's simulation, and the faults that it can trigger. */
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { SceneRequest, Vector } from '../contract/scene-contract.js';
import { Faults } from '../simulation/faults.js';
import type { BodyId } from '../../src/shared/memory/body-meta.js';
import { CapacityExceededError } from '../../src/shared/util/errors.js';
import { present } from '../../tests/fixtures/present.js';
import { startDemo, type DemoRun } from './demo-run.js';
import { SceneRun } from './scene-run.js';

const DOWN: Vector = [0, -1, 0];

let demo: DemoRun;
/** Those of the running scene: each has its own. */
const commands = () => demo.simulation.commands;
const queries = () => demo.simulation.queries;
const request = (changes: object = {}): SceneRequest => ({
  name: 'tower',
  bodies: 80,
  seed: 1,
  ...changes,
});

beforeEach(async () => {
  demo = await startDemo('simd', 320);
});

test('the demo starts empty, and loading a scene replaces the one before', () => {
  demo.step(2);
  expect(() => commands().shoot([0, 1, 0], DOWN)).toThrow(/loadScene/);
  const first = queries().loadScene(request());
  demo.step(10);
  const second = queries().loadScene(request({ name: 'tops', bodies: 1e9 }));
  // The scene's most.
  expect(second.bodies).toHaveLength(200);
  expect(demo.run.restarts).toBe(2);
  expect(demo.bodies.bodyCount).toBe(second.bodies.length);
  expect(first.bodies.some(({ id }) => demo.bodies.isAlive(id))).toBe(false);
});

test.each([
  ['another name', { name: 'castle' }, RangeError],
  ['the name of a property that objects have', { name: 'toString' }, RangeError],
  ['bodies that are no number', { bodies: '80' }, TypeError],
  ['bodies that are NaN', { bodies: Number.NaN }, RangeError],
  ['no seed', { seed: undefined }, TypeError],
  ['more bodies than there is room for', { name: 'heap', bodies: 400 }, CapacityExceededError],
])('a scene with %s is refused, and the old one continues', (_, changes, type) => {
  const old = queries().loadScene(request());
  expect(() => queries().loadScene(request(changes))).toThrow(type);
  expect(demo.run.restarts).toBe(1);
  demo.step(5);
  expect(old.bodies.every(({ id }) => demo.bodies.isAlive(id))).toBe(true);
});

test('shots add balls, and the latest forty stay', () => {
  queries().loadScene(request());
  const scene = demo.bodies.bodyCount;
  const ids: BodyId[] = [];
  for (let index = 0; index < 45; index++) {
    ids.push(commands().shoot([0, 30, 0], [Math.cos(index), 0.5, Math.sin(index)]).id);
    demo.step();
  }
  expect(demo.bodies.bodyCount).toBe(scene + 40);
  expect(ids.map((id) => demo.bodies.isAlive(id))).toEqual(ids.map((_, index) => index >= 5));
});

test.each([10, 60, 240])(
  'a body that is grabbed is pulled to the point and held, at %i Hz',
  (hz) => {
    const run = new SceneRun('vehicle', { hz, bodies: 10 });
    const car = present(run.description.follow);
    run.play(1);
    const [x, y, z] = run.position(car);
    const grab = present(run.stage.mouseJoint.grab([x, y + 10, z], DOWN));
    expect(grab.id).toBe(car);
    expect(grab.distance).toBeCloseTo(10 - (grab.point[1] - y), 3);
    run.stage.mouseJoint.drag([x, y + 4, z]);
    run.play(3);
    expect(run.position(car)[1]).toBeGreaterThan(y + 2.5);
    run.stage.mouseJoint.release();
    run.play(2);
    expect(run.position(car)[1]).toBeLessThan(y + 1);
    run.close();
  },
);

test('grabbing finds nothing in empty space, and a held body that is removed is released', () => {
  queries().loadScene(request());
  const { id } = commands().shoot([60, 40, 0], [0, 1, 0]);
  demo.step();
  expect(commands().grab([0, 60, 0], [0, 1, 0])).toBeUndefined();
  expect(commands().grab([60, 80, 0], DOWN)?.id).toBe(id);
  for (let index = 0; index < 40; index++) commands().shoot([index, 90, 0], [0, 1, 0]);
  expect(demo.bodies.isAlive(id)).toBe(false);
  expect(() => demo.step(3)).not.toThrow();
});

test('a stall makes the next step take the given time, once', () => {
  queries().loadScene(request());
  queries().stall(60);
  // A clock that advances by a millisecond whenever it is read.
  let looks = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => looks++);
  onTestFinished(() => now.mockRestore());
  demo.step();
  expect(looks).toBeGreaterThanOrEqual(60);
  looks = 0;
  demo.step();
  expect(looks).toBeLessThan(60);
});

test('the faults throw and hang are struck in the next step, once', () => {
  queries().loadScene(request());
  queries().fault('throw');
  expect(() => demo.step()).toThrow(/on request/);
  expect(() => demo.step()).not.toThrow();
  let hangs = 0;
  const faults = new Faults(() => (hangs += 1));
  faults.request('hang', demo.bodies);
  expect(hangs).toBe(0);
  faults.strike(undefined);
  faults.strike(undefined);
  expect(hangs).toBe(1);
});

test('the fault nan makes one pose invalid, each time another, which can be held or removed', () => {
  queries().loadScene(request({ name: 'heap', bodies: 100 }));
  demo.step();
  const gone: BodyId[] = [];
  for (const how of ['remove', 'freeze', 'freeze'] as const) {
    queries().fault('nan');
    demo.step();
    const [bad, ...others] = demo.takeInvalid();
    expect(others).toEqual([]);
    expect(gone).not.toContain(bad);
    expect(demo.simulation.onInvalidPose?.(present(bad), how)).toBe(true);
    gone.push(present(bad));
    demo.step();
  }
});
