import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BodyId } from '../../src/shared/body-meta.js';
import { BodyRegistry } from '../../src/sim-worker/body-registry.js';
import { RapierWorld, loadRapier, rapierQueries } from '../../src/sim-worker/engines/rapier.js';

const rapier = await loadRapier();
let physics: RapierWorld;
let ball: BodyId;
const queries = rapierQueries(rapier, () => physics);

beforeEach(() => {
  physics = new RapierWorld(new rapier.World({ x: 0, y: 0, z: 0 }), new BodyRegistry(8));
  const { RigidBodyDesc, ColliderDesc } = rapier;
  physics.world.createCollider(ColliderDesc.cuboid(50, 1, 50).setTranslation(0, -1, 0));
  const body = physics.world.createRigidBody(
    RigidBodyDesc.dynamic().setTranslation(0, 5, 0).setLinvel(0, 0, 2),
  );
  physics.world.createCollider(ColliderDesc.ball(1).setDensity(1), body);
  ball = physics.add(body);
  // What is asked sees the world as a step left it.
  physics.step(1e-6);
});
afterEach(() => physics.free());

describe('a ray', () => {
  test('meets the first thing on its way, with place and normal', () => {
    const hit = queries.castRay([0, 20, 0], [0, -3, 0]);
    expect(hit?.body).toBe(ball);
    expect(hit?.distance).toBeCloseTo(14, 4);
    expect(hit?.point[1]).toBeCloseTo(6, 4);
    expect(hit?.normal[1]).toBeCloseTo(1, 4);
  });

  test('meets what is not published without a body, and nothing where nothing is', () => {
    const ground = queries.castRay([9, 20, 9], [0, -1, 0]);
    expect(ground).toMatchObject({ body: undefined });
    expect(ground?.distance).toBeCloseTo(20, 4);
    expect(queries.castRay([9, 20, 9], [0, 1, 0])).toBeUndefined();
    expect(queries.castRay([9, 20, 9], [0, -1, 0], 19)).toBeUndefined();
  });

  test('of no direction or no number is refused', () => {
    expect(() => queries.castRay([0, 0, 0], [0, 0, 0])).toThrow(/direction must not have/);
    expect(() => queries.castRay([0, Number.NaN, 0], [0, 1, 0])).toThrow(/origin must be/);
  });
});

describe('a shape', () => {
  test.each([
    [{ kind: 'ball', radius: 0.5 }, 13.5],
    [{ kind: 'box', half: [0.5, 0.25, 0.5] }, 13.75],
    [{ kind: 'capsule', halfHeight: 0.5, radius: 0.5 }, 13],
  ] as const)('of kind %o meets the body before its middle would', (shape, distance) => {
    const hit = queries.castShape(shape, [0, 20, 0], [0, 0, 0, 1], [0, -1, 0]);
    expect(hit?.body).toBe(ball);
    expect(hit?.distance).toBeCloseTo(distance, 2);
    expect(hit?.point[1]).toBeCloseTo(6, 2);
    expect(hit?.normal[1]).toBeCloseTo(1, 2);
  });

  test('misses what it passes by', () => {
    const shape = { kind: 'ball', radius: 0.5 } as const;
    const hit = queries.castShape(shape, [4, 20, 0], [0, 0, 0, 1], [0, -1, 0]);
    expect(hit?.body).toBeUndefined();
    expect(hit?.distance).toBeCloseTo(19.5, 2);
  });
});

test('a body tells what the engine knows of it, and nothing when it is gone', () => {
  const reading = queries.readBody(ball);
  expect(reading?.position[1]).toBeCloseTo(5);
  expect(reading).toMatchObject({ velocity: [0, 0, 2], spin: [0, 0, 0], isAsleep: false });
  expect(reading?.mass).toBeCloseTo((4 / 3) * Math.PI, 1);
  physics.remove(ball);
  expect(queries.readBody(ball)).toBeUndefined();
});
