/** Colliders of a world that hold things from one side. */
import { expect, test } from 'vitest';
import {
  ActiveHooks,
  CharacterDesc,
  ColliderDesc,
  Cuboid,
  RigidBodyDesc,
  type Collider,
  type OneWay,
  type RigidBody,
  type WorldOptions,
} from '../../../src/world/page/index.js';
import { eventually } from '../../fixtures/eventually.js';
import { expectSameAgain } from '../../fixtures/same-again.js';
import {
  NO_GRAVITY,
  RECORDED,
  addBody,
  addBox,
  advance,
  createWorldForTest,
  type WorldForTest,
} from '../../fixtures/worlds.js';

type Triple = readonly [number, number, number];
const at = (x: number, y = 0) => ({ x, y, z: 0 });
/** Where a ball lies on a platform at the origin. */
const ON_TOP = 0.6;
const PLATFORM = () => ColliderDesc.cuboid(2, 0.1, 2);

const addPlatform = (world: WorldForTest, oneWay: OneWay = {}, y = 0): Collider =>
  world.createCollider(PLATFORM().setOneWay(oneWay).setTranslation(0, y, 0));

/** @param speed Upwards. */
const addBall = (world: WorldForTest, place: Triple, speed = 0): RigidBody =>
  addBody(world, place, ColliderDesc.ball(0.5), RigidBodyDesc.dynamic().setLinvel(0, speed, 0));

function worldWithPlatform(oneWay?: OneWay, options?: WorldOptions): WorldForTest {
  const world = createWorldForTest(options);
  addPlatform(world, oneWay);
  return world;
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

test('a one-way collider is passed from below without being felt, and landed on', async () => {
  const [world, free] = [worldWithPlatform(), createWorldForTest()];
  const ball = addBall(world, [0, -2, 0], 9);
  const rise = await heightsOf(world, ball, 50);
  expect(Math.max(...rise)).toBeGreaterThan(1);
  expect(rise).toEqual(await heightsOf(free, addBall(free, [0, -2, 0], 9), 50));
  await advance(world, 100);
  expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
});

test('a one-way collider drops what has not come out above again', async () => {
  // If it were found there at first, it would be held.
  const world = worldWithPlatform({ margin: 0.5 });
  const ball = addBall(world, [0, -2, 0], 6.9);
  const heights = await heightsOf(world, ball, 90);
  expect(Math.max(...heights)).toBeGreaterThan(0.2);
  expect(Math.max(...heights)).toBeLessThan(ON_TOP);
  expect(heights.at(-1)).toBeLessThan(-2);
});

test.each([0.05, 0])(
  'a one-way collider with a margin of %s holds what falls on it, however fast',
  async (margin) => {
    const world = worldWithPlatform({ margin });
    const balls = [addBall(world, [0, 1, 0]), addBall(world, [1.2, 5, 0], -20)];
    await advance(world, 120);
    for (const ball of balls) expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
  },
);

test('a one-way collider is passed from a side', async () => {
  const world = worldWithPlatform({}, NO_GRAVITY);
  const ball = addBall(world, [-4, 0.3, 0]);
  ball.setLinvel(at(6), true);
  await advance(world, 90);
  expect(ball.translation().x).toBeCloseTo(5, 2);
  expect(heightOf(ball)).toBeCloseTo(0.3, 5);
});

test.each([
  [0.05, 0.58, 'holds'],
  [0.3, 0.4, 'holds'],
  [undefined, 0.58, 'holds'],
  [0.05, 0.54, 'drops'],
  [0.05, 0.4, 'drops'],
  [undefined, 0.54, 'drops'],
  [0, 0.58, 'drops'],
])(
  'a one-way collider with a margin of %s finds a ball at %s at first and %s it',
  async (margin, y, does) => {
    const world = worldWithPlatform({ margin });
    const ball = addBall(world, [0, y, 0]);
    await advance(world, 60);
    expect(heightOf(ball) > ON_TOP - 0.05 ? 'holds' : 'drops').toBe(does);
    expect(heightOf(ball) < (does === 'holds' ? ON_TOP + 0.05 : -2)).toBe(true);
  },
);

test('a one-way collider is passed by what is put into it, until that is apart from it', async () => {
  const world = worldWithPlatform();
  const ball = addBall(world, [0, 5, 0]);
  await advance(world, 2);
  ball.setTranslation(at(0, 0.3), true);
  await advance(world, 1);
  expect(heightOf(ball)).toBeLessThan(0.3);
  await advance(world, 60);
  expect(heightOf(ball)).toBeLessThan(-2);
  ball.setTranslation(at(0, 1), true);
  ball.setLinvel(at(0), true);
  await advance(world, 60);
  expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
});

const HALF = Math.SQRT1_2;
/** By 90° about z. */
const TURN = { x: 0, y: 0, z: HALF, w: HALF };

test.each<[string, (world: WorldForTest) => unknown]>([
  [
    'turns with its collider and its body',
    (world) => {
      const body = world.createRigidBody(RigidBodyDesc.fixed().setRotation(TURN));
      return world.createCollider(PLATFORM().setRotation(TURN).setOneWay({}), body);
    },
  ],
  ['has an axis of any direction and length', (world) => addPlatform(world, { axis: at(0, -3) })],
])('a one-way collider %s: what comes from above passes it', async (_, add) => {
  const world = createWorldForTest(NO_GRAVITY);
  add(world);
  const [below, above] = [addBall(world, [1, -2, 0], 4), addBall(world, [-1, 2, 0], -4)];
  await advance(world, 60);
  expect(heightOf(below)).toBeLessThan(-ON_TOP + 0.05);
  expect(heightOf(above)).toBeCloseTo(-2, 1);
});

test('several one-way colliders decide by themselves', async () => {
  const world = worldWithPlatform();
  addPlatform(world, {}, 2);
  const [low, high] = [addBall(world, [0, -2, 0], 9), addBall(world, [1.2, -2, 0], 11.5)];
  await advance(world, 180);
  expect(heightOf(low)).toBeCloseTo(ON_TOP, 1);
  expect(heightOf(high)).toBeCloseTo(2 + ON_TOP, 1);
});

test('a one-way collider that moves carries bodies on it, and no bodies in it', async () => {
  const world = createWorldForTest();
  const sinking = RigidBodyDesc.kinematicVelocityBased().setLinvel(0, -1, 0);
  const lift = addBody(world, [0, 2, 0], PLATFORM().setOneWay({}), sinking);
  addBox(world, [5, 0.5, 5], [0, -0.5, 0]);
  const [below, above] = [addBall(world, [0, 0.5, 0]), addBall(world, [1.2, 3, 0])];
  await advance(world, 60);
  expect(heightOf(above)).toBeCloseTo(heightOf(lift) + ON_TOP, 1);
  await advance(world, 60);
  expect(heightOf(below)).toBeCloseTo(0.5, 1);
  lift.setLinvel(at(0, 1), true);
  // The platform is around the ball, which it has passed: it takes the other one only.
  await advance(world, 120);
  expect(heightOf(below)).toBeCloseTo(0.5, 1);
  expect(heightOf(above)).toBeCloseTo(heightOf(lift) + ON_TOP, 1);
});

test('a one-way collider is passed by a body of several colliders as a whole', async () => {
  const world = worldWithPlatform();
  const body = addBall(world, [0, -3, 0], 8);
  world.createCollider(ColliderDesc.ball(0.4).setTranslation(0, 0.6, 0), body);
  body.lockRotations(true, true);
  // The upper ball comes out, and the lower one does not.
  const heights = await heightsOf(world, body, 110);
  const most = Math.max(...heights);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(ON_TOP);
  expect(heights.at(-1)).toBeLessThan(-2);
});

test('a one-way collider is passed by a character that jumps, which lands on it', async () => {
  const world = createWorldForTest();
  addBox(world, [5, 0.5, 5], [0, -2, 0]);
  addPlatform(world);
  const kinematic = RigidBodyDesc.kinematicPositionBased();
  const body = addBody(world, [0, -0.9, 0], ColliderDesc.capsule(0.2, 0.3), kinematic);
  const desc = new CharacterDesc().enableSnapToGround(0.1);
  const character = world.createCharacter(body.collider(0), desc);
  // Also when its body sleeps.
  await advance(world, 200);
  expect([character.isGrounded, body.isSleeping()]).toEqual([true, true]);
  character.jump(7);
  const heights = await heightsOf(world, body, 90);
  expect(Math.max(...heights)).toBeGreaterThan(1);
  expect(heights.at(-1)).toBeCloseTo(0.6, 1);
  expect(character.isGrounded).toBe(true);
});

test('a collider that is no more one-way holds from all sides, and one that is changed wakes what it has held', async () => {
  const world = createWorldForTest();
  const platform = addPlatform(world, { axis: at(0, 1) });
  const ball = addBall(world, [0, 0.6, 0]);
  await advance(world, 5);
  ball.sleep();
  await advance(world, 2);
  expect(ball.isSleeping()).toBe(true);
  const turned = { axis: at(0, -1), margin: 0.25 };
  platform.setOneWay(turned);
  expect(platform.oneWay()).toEqual(turned);
  await advance(world, 30);
  expect(heightOf(ball)).toBeLessThan(0);
  platform.setOneWay(null);
  expect(platform.oneWay()).toBeNull();
  ball.setTranslation(at(0, 2), true);
  await advance(world, 60);
  expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
  platform.setOneWay({});
  ball.setTranslation(at(0, -2), true);
  ball.setLinvel(at(0, 9), true);
  await advance(world, 150);
  expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
});

test('a one-way collider stays one with another shape, also while something lies on it', async () => {
  const world = createWorldForTest();
  const platform = addPlatform(world);
  const ball = addBall(world, [0, 0.6, 0]);
  await advance(world, 30);
  platform.setShape(new Cuboid(3, 0.1, 3));
  await advance(world, 30);
  expect(heightOf(ball)).toBeCloseTo(ON_TOP, 1);
  const below = addBall(world, [2, -2, 0], 9);
  await advance(world, 45);
  expect(heightOf(below)).toBeGreaterThan(1);
});

test('a one-way collider may be removed while something passes', async () => {
  const world = createWorldForTest();
  const platform = addPlatform(world);
  const ball = addBall(world, [0, -1, 0], 8);
  await advance(world, 8);
  world.removeCollider(platform);
  await advance(world, 1);
  const again = addBox(world, [2, 0.1, 2], [0, 9, 0]);
  await advance(world, 200);
  expect(heightOf(ball)).toBeLessThan(-5);
  expect(again.oneWay()).toBeNull();
});

test('what passes a one-way collider passes in the restored and in the replayed world with the same bits', async () => {
  const world = createWorldForTest(RECORDED);
  const platform = addPlatform(world, { margin: 0.4 });
  const own = ActiveHooks.FILTER_INTERSECTION_PAIRS;
  platform.setActiveHooks(own);
  const [first, second] = [addBall(world, [0, -1, 0], 8), addBall(world, [1.2, -1, 0], 5.2)];
  await advance(world, 30);
  // As deep in it as what is held, if it is found there at first.
  expect(heightOf(second)).toBeCloseTo(0.35, 1);
  await expectSameAgain(world, 60, () => [
    [platform.oneWay()?.margin, platform.activeHooks()],
    [first, second].map((ball) => [ball.translation(), ball.linvel()]),
  ]);
  expect([platform.oneWay()?.margin, platform.activeHooks()]).toEqual([0.4, own]);
  expect(heightOf(first)).toBeCloseTo(ON_TOP, 1);
  expect(heightOf(second)).toBeLessThan(-2);
});

test('what passes a one-way collider still passes when it has slept in it', async () => {
  const world = worldWithPlatform({ margin: 0.4 }, NO_GRAVITY);
  const ball = addBall(world, [0, -2, 0], 6);
  await advance(world, 24);
  const height = heightOf(ball);
  expect(height).toBeCloseTo(0.4, 1);
  ball.setLinvel(at(0), true);
  ball.sleep();
  await advance(world, 3);
  expect(ball.isSleeping()).toBe(true);
  ball.wakeUp();
  await advance(world, 20);
  expect(heightOf(ball)).toBe(height);
});

test('what passes a one-way collider does not collide with it', async () => {
  const world = createWorldForTest();
  addPlatform(world).setActiveEvents(1);
  addBall(world, [0, -2, 0], 9);
  let begun = 0;
  world.on('collision', ({ started }) => (begun += Number(started)), { when: 'now' });
  await advance(world, 45);
  expect(begun).toBe(0);
  await advance(world, 105);
  await eventually(() => expect(begun).toBeGreaterThan(0));
});
