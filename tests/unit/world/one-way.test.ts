/** Colliders of a world that hold things from one side. */
import { describe, expect, test } from 'vitest';
import {
  ActiveHooks,
  CharacterDesc,
  ColliderDesc,
  RigidBodyDesc,
  type Collider,
  type OneWay,
  type RigidBody,
} from '../../../src/render-main/world/index.js';
import { eventually } from '../../fixtures/eventually.js';
import { advance, createWorldForTest, type WorldForTest } from '../../fixtures/worlds.js';

const NO_GRAVITY = { x: 0, y: 0, z: 0 };
/** Where a ball lies on a platform at the origin. */
const ON_TOP = 0.6;

const platformIn = (
  world: WorldForTest,
  oneWay: OneWay | null = {},
  change: (desc: ColliderDesc) => ColliderDesc = (desc) => desc,
): Collider => world.createCollider(change(ColliderDesc.cuboid(2, 0.1, 2).setOneWay(oneWay)));

function ballIn(world: WorldForTest, at: readonly [number, number, number], speed = 0): RigidBody {
  const desc = RigidBodyDesc.dynamic()
    .setTranslation(...at)
    .setLinvel(0, speed, 0);
  const body = world.createRigidBody(desc);
  world.createCollider(ColliderDesc.ball(0.5), body);
  return body;
}

const heightOf = (body: RigidBody): number => body.translation().y;

/** The heights after each of some ticks. */
async function heightsOf(world: WorldForTest, body: RigidBody, ticks: number): Promise<number[]> {
  const heights: number[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    await advance(world, 1);
    heights.push(heightOf(body));
  }
  return heights;
}

describe('a one-way collider', () => {
  test('is passed from below without being felt, and landed on', async () => {
    const [world, free] = [createWorldForTest(), createWorldForTest()];
    platformIn(world);
    const [ball, other] = [world, free].map((one) => ballIn(one, [0, -2, 0], 9)) as [
      RigidBody,
      RigidBody,
    ];
    const rise = await heightsOf(world, ball, 50);
    expect(Math.max(...rise)).toBeGreaterThan(1);
    expect(rise).toEqual(await heightsOf(free, other, 50));
    await advance(world, 100);
    expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
  });

  test('drops what has not come out above again', async () => {
    const world = createWorldForTest();
    // If it were found there at first, it would be held.
    platformIn(world, { margin: 0.5 });
    const ball = ballIn(world, [0, -2, 0], 6.9);
    const heights = await heightsOf(world, ball, 90);
    expect(Math.max(...heights)).toBeGreaterThan(0.2);
    expect(Math.max(...heights)).toBeLessThan(ON_TOP);
    expect(heights.at(-1)).toBeLessThan(-2);
  });

  test.each([0.05, 0])(
    'with a margin of %s holds what falls on it, however fast',
    async (margin) => {
      const world = createWorldForTest();
      platformIn(world, { margin });
      const balls = [ballIn(world, [0, 1, 0]), ballIn(world, [1.2, 5, 0], -20)];
      await advance(world, 120);
      for (const ball of balls) expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
    },
  );

  test('is passed from a side', async () => {
    const world = createWorldForTest({ gravity: NO_GRAVITY });
    platformIn(world);
    const ball = ballIn(world, [-4, 0.3, 0]);
    ball.setLinvel({ x: 6, y: 0, z: 0 }, true);
    await advance(world, 90);
    const { x, y } = ball.translation();
    expect(x).toBeCloseTo(5, 2);
    expect(y).toBeCloseTo(0.3, 5);
  });

  test.each([
    [0.05, 0.58],
    [0.3, 0.4],
    [undefined, 0.58],
  ])('with a margin of %s holds a ball that is in it at first at %s', async (margin, y) => {
    const world = createWorldForTest();
    platformIn(world, { margin });
    const ball = ballIn(world, [0, y, 0]);
    await advance(world, 60);
    expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
  });

  test.each([
    [0.05, 0.54],
    [0.05, 0.4],
    [undefined, 0.54],
    [0, 0.58],
  ])('with a margin of %s drops a ball that is in it at first at %s', async (margin, y) => {
    const world = createWorldForTest();
    platformIn(world, { margin });
    const ball = ballIn(world, [0, y, 0]);
    await advance(world, 60);
    expect(heightOf(ball)).toBeLessThan(-2);
  });

  test('is passed by what is put into it, until that is apart from it', async () => {
    const world = createWorldForTest();
    platformIn(world);
    const ball = ballIn(world, [0, 5, 0]);
    await advance(world, 2);
    ball.setTranslation({ x: 0, y: 0.3, z: 0 }, true);
    await advance(world, 1);
    expect(heightOf(ball)).toBeLessThan(0.3);
    await advance(world, 60);
    expect(heightOf(ball)).toBeLessThan(-2);
    ball.setTranslation({ x: 0, y: 1, z: 0 }, true);
    ball.setLinvel({ x: 0, y: 0, z: 0 }, true);
    await advance(world, 60);
    expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
  });

  test('turns with its collider and its body', async () => {
    const world = createWorldForTest({ gravity: NO_GRAVITY });
    const half = Math.SQRT1_2;
    // By 90° each, about z: its front is at −y.
    const turn = { x: 0, y: 0, z: half, w: half };
    const body = world.createRigidBody(RigidBodyDesc.fixed().setRotation(turn));
    world.createCollider(ColliderDesc.cuboid(2, 0.1, 2).setRotation(turn).setOneWay({}), body);
    const [below, above] = [ballIn(world, [1, -2, 0], 4), ballIn(world, [-1, 2, 0], -4)];
    await advance(world, 60);
    expect(heightOf(below)).toBeLessThan(-ON_TOP + 0.05);
    expect(heightOf(above)).toBeCloseTo(-2, 1);
  });

  test('has an axis of any direction and length', async () => {
    const world = createWorldForTest({ gravity: NO_GRAVITY });
    platformIn(world, { axis: { x: 0, y: -3, z: 0 } });
    const [below, above] = [ballIn(world, [1, -2, 0], 4), ballIn(world, [-1, 2, 0], -4)];
    await advance(world, 60);
    expect(heightOf(below)).toBeLessThan(-ON_TOP + 0.05);
    expect(heightOf(above)).toBeCloseTo(-2, 1);
  });

  test('may be one of several, which decide by themselves', async () => {
    const world = createWorldForTest();
    platformIn(world);
    platformIn(world, {}, (desc) => desc.setTranslation(0, 2, 0));
    const balls = [ballIn(world, [0, -2, 0], 9), ballIn(world, [1.2, -2, 0], 11.5)];
    await advance(world, 180);
    expect(heightOf(balls[0] as RigidBody)).toBeCloseTo(ON_TOP, 1);
    expect(heightOf(balls[1] as RigidBody)).toBeCloseTo(2 + ON_TOP, 1);
  });

  test('may move', async () => {
    const world = createWorldForTest();
    const lift = world.createRigidBody(
      RigidBodyDesc.kinematicVelocityBased().setTranslation(0, 2, 0).setLinvel(0, -1, 0),
    );
    world.createCollider(ColliderDesc.cuboid(2, 0.1, 2).setOneWay({}), lift);
    world.createCollider(ColliderDesc.cuboid(5, 0.5, 5).setTranslation(0, -0.5, 0));
    const [below, above] = [ballIn(world, [0, 0.5, 0]), ballIn(world, [1.2, 3, 0])];
    await advance(world, 60);
    expect(heightOf(above)).toBeCloseTo(heightOf(lift) + ON_TOP, 1);
    await advance(world, 60);
    expect(heightOf(below)).toBeCloseTo(0.5, 1);
    lift.setLinvel({ x: 0, y: 1, z: 0 }, true);
    // It is around the ball, which it has passed: it takes the other one only.
    await advance(world, 120);
    expect(heightOf(below)).toBeCloseTo(0.5, 1);
    expect(heightOf(above)).toBeCloseTo(heightOf(lift) + ON_TOP, 1);
  });

  test('passes a body of several colliders as a whole', async () => {
    const world = createWorldForTest();
    platformIn(world);
    const body = ballIn(world, [0, -3, 0], 8);
    world.createCollider(ColliderDesc.ball(0.4).setTranslation(0, 0.6, 0), body);
    body.lockRotations(true, true);
    // The upper ball comes out, and the lower one does not.
    const heights = await heightsOf(world, body, 110);
    const most = Math.max(...heights);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(ON_TOP);
    expect(heights.at(-1)).toBeLessThan(-2);
  });

  test('is passed by a character that jumps, which lands on it', async () => {
    const world = createWorldForTest();
    world.createCollider(ColliderDesc.cuboid(5, 0.5, 5).setTranslation(0, -2, 0));
    platformIn(world);
    const body = world.createRigidBody(
      RigidBodyDesc.kinematicPositionBased().setTranslation(0, -0.9, 0),
    );
    const collider = world.createCollider(ColliderDesc.capsule(0.2, 0.3), body);
    const character = world.createCharacterController(
      collider,
      new CharacterDesc().enableSnapToGround(0.1),
    );
    // Also when its body sleeps.
    await advance(world, 200);
    expect([character.isGrounded, body.isSleeping()]).toEqual([true, true]);
    character.jump(7);
    const heights = await heightsOf(world, body, 90);
    expect(Math.max(...heights)).toBeGreaterThan(1);
    expect(heights.at(-1)).toBeCloseTo(0.6, 1);
    expect(character.isGrounded).toBe(true);
  });

  test('holds from all sides when it is no more one, and wakes what it has held', async () => {
    const world = createWorldForTest();
    const platform = platformIn(world, { axis: { x: 0, y: 1, z: 0 } });
    const ball = ballIn(world, [0, 0.6, 0]);
    await advance(world, 5);
    ball.sleep();
    await advance(world, 2);
    expect(ball.isSleeping()).toBe(true);
    platform.setOneWay({ axis: { x: 0, y: -1, z: 0 }, margin: 0.25 });
    expect(platform.oneWay()).toEqual({ axis: { x: 0, y: -1, z: 0 }, margin: 0.25 });
    await advance(world, 30);
    expect(heightOf(ball)).toBeLessThan(0);
    platform.setOneWay(null);
    expect(platform.oneWay()).toBeNull();
    ball.setTranslation({ x: 0, y: 2, z: 0 }, true);
    await advance(world, 60);
    expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
    platform.setOneWay({});
    ball.setTranslation({ x: 0, y: -2, z: 0 }, true);
    ball.setLinvel({ x: 0, y: 9, z: 0 }, true);
    await advance(world, 150);
    expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
  });

  test('may be removed while something passes', async () => {
    const world = createWorldForTest();
    const platform = platformIn(world);
    const ball = ballIn(world, [0, -1, 0], 8);
    await advance(world, 8);
    world.removeCollider(platform);
    await advance(world, 1);
    const again = world.createCollider(ColliderDesc.cuboid(2, 0.1, 2).setTranslation(0, 9, 0));
    await advance(world, 200);
    expect(heightOf(ball)).toBeLessThan(-5);
    expect(again.oneWay()).toBeNull();
  });
});

describe('what passes a one-way collider', () => {
  test('is saved, and passes in the restored and in the replayed world with the same bits', async () => {
    const world = createWorldForTest({ recording: { hashEveryTicks: 1, rewindSeconds: 10 } });
    const platform = platformIn(world, { margin: 0.4 });
    const own = ActiveHooks.FILTER_INTERSECTION_PAIRS;
    platform.setActiveHooks(own);
    const balls = [ballIn(world, [0, -1, 0], 8), ballIn(world, [1.2, -1, 0], 5.2)];
    const sim = await world.ready;
    await advance(world, 30);
    const [first, second] = balls as [RigidBody, RigidBody];
    // As deep in it as what is held, if it is found there at first.
    expect(heightOf(second)).toBeCloseTo(0.35, 1);
    const saved = await sim.save();
    const run = async (): Promise<unknown[]> => {
      const poses: unknown[] = [];
      for (let tick = 0; tick < 60; tick++) {
        await advance(world, 1);
        poses.push(balls.map((ball) => [ball.translation(), ball.linvel()]));
      }
      return poses;
    };
    const after = await run();
    const replay = await sim.openReplay(sim.recording());
    expect(await replay.seek(90)).toMatchObject({ tick: 90, differsAt: undefined });
    expect(replay.report.hashes).toBeGreaterThan(10);
    await replay.close();
    await sim.restore(saved);
    expect(await run()).toEqual(after);
    await sim.seek(30);
    expect(await run()).toEqual(after);
    await sim.replaceWorker();
    await eventually(() => expect(platform.oneWay()?.margin).toBe(0.4));
    expect(platform.activeHooks()).toBe(own);
    await advance(world, 60);
    expect(heightOf(first)).toBeCloseTo(ON_TOP, 1);
    expect(heightOf(second)).toBeLessThan(-2);
  });

  test('still passes when it has slept in it', async () => {
    const world = createWorldForTest({ gravity: NO_GRAVITY });
    platformIn(world, { margin: 0.4 });
    const ball = ballIn(world, [0, -2, 0], 6);
    await advance(world, 24);
    const height = heightOf(ball);
    expect(height).toBeCloseTo(0.4, 1);
    ball.setLinvel({ x: 0, y: 0, z: 0 }, true);
    ball.sleep();
    await advance(world, 3);
    expect(ball.isSleeping()).toBe(true);
    ball.wakeUp();
    await advance(world, 20);
    expect(heightOf(ball)).toBe(height);
  });

  test('is no collision', async () => {
    const world = createWorldForTest();
    platformIn(world).setActiveEvents(1);
    ballIn(world, [0, -2, 0], 9);
    let begun = 0;
    const off = world.on('collision', ({ started }) => (begun += Number(started)), { when: 'now' });
    await advance(world, 45);
    expect(begun).toBe(0);
    await advance(world, 105);
    await eventually(() => expect(begun).toBeGreaterThan(0));
    off();
  });
});

describe('bad input', () => {
  test.each([
    [3, /oneWay must be an object \{ axis, margin \}/],
    [undefined, /oneWay must be an object/],
    [{ axes: {} }, /unknown option "axes" of oneWay: did you mean "axis"/],
    [{ axis: [0, 1, 0] }, /oneWay.axis.x must be a number/],
    [{ axis: { x: 0, y: 0, z: 0 } }, /oneWay.axis must be a direction, but has a length of 0/],
    [{ axis: { x: 0, y: Number.NaN, z: 0 } }, /oneWay.axis.y must be finite/],
    [{ margin: -1 }, /oneWay.margin must not be negative, but is -1/],
    [{ margin: '1' }, /oneWay.margin must be a number/],
  ])('such as %j is refused at the call', (oneWay, message) => {
    const desc = ColliderDesc.ball(1);
    expect(() => desc.setOneWay(oneWay as OneWay)).toThrow(message);
    const collider = createWorldForTest().createCollider(desc);
    expect(() => collider.setOneWay(oneWay as OneWay)).toThrow(message);
    expect(collider.oneWay()).toBeNull();
  });
});
