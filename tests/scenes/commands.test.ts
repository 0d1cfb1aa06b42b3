/** The calls that the page can make to the demo's simulation. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type {
  DemoCommands,
  DemoQueries,
  SceneRequest,
  Vector,
} from '../../demo/contract/scene-contract.js';
import type { BodyId } from '../../src/shared/memory/body-meta.js';
import { CapacityExceededError } from '../../src/shared/util/errors.js';
import { startDemo, type DemoRun } from '../fixtures/demo-run.js';
import { present } from '../fixtures/present.js';
import { SceneRun } from '../fixtures/scene-run.js';

const DOWN: Vector = [0, -1, 0];

let demo: DemoRun;

beforeEach(async () => {
  demo = await startDemo('simd', 320);
});

/** Those of the running scene: each has its own. */
const commands = (): DemoCommands => demo.simulation.commands;
const queries = (): DemoQueries => demo.simulation.queries;
const request = (changes: object = {}): SceneRequest => ({
  name: 'tower',
  bodies: 80,
  seed: 1,
  ...changes,
});

describe('loadScene', () => {
  test('the simulation starts empty, steps, and has no scene to act on', () => {
    demo.step(2);
    expect(demo.bodies.bodyCount).toBe(0);
    expect(() => commands().shoot([0, 1, 0], DOWN)).toThrow(/loadScene/);
  });

  test('builds the scene and restarts; the next one replaces it', () => {
    const first = queries().loadScene(request());
    expect(demo.run.restarts).toBe(1);
    expect(demo.bodies.bodyCount).toBe(first.bodies.length);
    demo.step(10);
    const second = queries().loadScene(request({ name: 'tops', bodies: 20 }));
    expect(demo.run.restarts).toBe(2);
    expect(demo.bodies.bodyCount).toBe(second.bodies.length);
    expect(first.bodies.some(({ id }) => demo.bodies.isAlive(id))).toBe(false);
    demo.step(10);
    demo.run.dispose();
    expect(() => demo.step()).toThrow('the simulation has not been initialized');
  });

  test.each([
    ['a name that is no scene', { name: 'castle' }, RangeError, /castle.*tower, heap/],
    ['a name of a property that objects have', { name: 'toString' }, RangeError, /toString/],
    ['a name that is no string', { name: 5 }, TypeError, /name.*string/],
    ['bodies that are no number', { bodies: '80' }, TypeError, /bodies.*number/],
    ['bodies that are NaN', { bodies: Number.NaN }, RangeError, /bodies.*finite/],
    ['no seed', { seed: undefined }, TypeError, /seed.*number/],
  ])('%s is refused, and the old scene continues', (_, changes, type, message) => {
    const old = queries().loadScene(request());
    const wrong = (): unknown => queries().loadScene(request(changes));
    expect(wrong).toThrow(type);
    expect(wrong).toThrow(message);
    expect(demo.run.restarts).toBe(1);
    demo.step(5);
    expect(old.bodies.every(({ id }) => demo.bodies.isAlive(id))).toBe(true);
  });

  test('an empty request is refused', () => {
    expect(() => queries().loadScene(undefined as unknown as SceneRequest)).toThrow(TypeError);
  });

  test("the number of bodies is clamped to the scene's range", () => {
    expect(queries().loadScene(request({ bodies: -3 })).bodies.length).toBeGreaterThan(40);
    expect(queries().loadScene(request({ name: 'tops', bodies: 1e9 })).bodies).toHaveLength(200);
  });

  test('more bodies than there is room for: an error, and the old scene continues', () => {
    const old = queries().loadScene(request());
    expect(() => queries().loadScene(request({ name: 'heap', bodies: 400 }))).toThrow(
      CapacityExceededError,
    );
    expect(demo.run.restarts).toBe(1);
    demo.step(5);
    expect(demo.bodies.bodyCount).toBe(old.bodies.length);
  });
});

describe('shoot', () => {
  test('adds a fast ball', () => {
    queries().loadScene(request());
    const { id } = commands().shoot([0, 3, 20], [0, 0, -2]);
    const before = demo.bodies.bodyCount;
    expect(demo.bodies.isAlive(id)).toBe(true);
    demo.step(30);
    expect(demo.bodies.bodyCount).toBe(before);
  });

  test('keeps the latest forty balls', () => {
    queries().loadScene(request());
    const scene = demo.bodies.bodyCount;
    const ids: BodyId[] = [];
    for (let index = 0; index < 45; index++) {
      ids.push(commands().shoot([0, 30, 0], [Math.cos(index), 0.5, Math.sin(index)]).id);
      demo.step(2);
    }
    expect(demo.bodies.bodyCount).toBe(scene + 40);
    expect(ids.map((id) => demo.bodies.isAlive(id))).toEqual(ids.map((_, index) => index >= 5));
  });

  test('without a free slot it throws, and the scene continues', () => {
    const { bodies: looks } = queries().loadScene(request({ name: 'dominoes', bodies: 320 }));
    expect(looks).toHaveLength(320);
    expect(() => commands().shoot([0, 3, 20], DOWN)).toThrow(CapacityExceededError);
    demo.step(5);
    expect(demo.bodies.bodyCount).toBe(320);
  });

  test.each([
    [[0, 0], DOWN, TypeError],
    [[0, Number.NaN, 0], DOWN, RangeError],
    [[0, 0, 0], [0, 0, 0], RangeError],
    [[0, 0, 0], 'down', TypeError],
  ])('refuses %j and %j', (origin, direction, type) => {
    queries().loadScene(request());
    expect(() => commands().shoot(origin as never, direction as never)).toThrow(type);
  });
});

describe('grab', () => {
  test.each([10, 60, 240])('pulls a body to the point and holds it there, at %i Hz', (hz) => {
    const run = new SceneRun('vehicle', { hz, bodies: 10 });
    const car = present(run.description.follow);
    run.play(1);
    const [x, y, z] = run.position(car);
    const grab = present(run.stage.mouseJoint.grab([x, y + 10, z], DOWN));
    expect(grab.id).toBe(car);
    expect(grab.distance).toBeCloseTo(10 - (grab.point[1] - y), 3);
    run.stage.mouseJoint.drag([x, y + 4, z]);
    for (let tenth = 0; tenth < 30; tenth++) {
      run.play(0.1);
      const [nowX, nowY, nowZ] = run.position(car);
      expect(Math.hypot(nowX - x, nowY - y, nowZ - z)).toBeLessThan(7);
    }
    expect(run.position(car)[1]).toBeGreaterThan(y + 2.5);
    run.stage.mouseJoint.release();
    run.play(2);
    expect(run.position(car)[1]).toBeLessThan(y + 1);
    run.close();
  });

  test('passes through fixed bodies, and finds nothing in empty space', () => {
    queries().loadScene(request());
    demo.step(1);
    expect(commands().grab([0, 60, 0], [0, 1, 0])).toBeUndefined();
    expect(commands().grab([40, 5, 40], DOWN)).toBeUndefined();
    expect(commands().grab([0, -20, 0], [0, 1, 0])).toBeDefined();
  });

  test('a held body that is removed is released', () => {
    queries().loadScene(request());
    const { id } = commands().shoot([60, 40, 0], [0, 1, 0]);
    demo.step(1);
    expect(commands().grab([60, 80, 0], DOWN)?.id).toBe(id);
    for (let index = 0; index < 40; index++) commands().shoot([index, 90, 0], [0, 1, 0]);
    expect(demo.bodies.isAlive(id)).toBe(false);
    expect(() => demo.step(3)).not.toThrow();
  });
});

test('stall makes the next step take the given time, once', () => {
  queries().loadScene(request());
  demo.step(5);
  queries().stall(60);
  // A clock that advances by a millisecond whenever it is read.
  let looks = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => looks++);
  onTestFinished(() => now.mockRestore());
  demo.step(1);
  expect(looks).toBeGreaterThanOrEqual(60);
  looks = 0;
  demo.step(1);
  expect(looks).toBeLessThan(60);
});
