/** Components of a vector that an application reads and writes back, a tick too late: it moves as on the main thread. */
import { expect, test } from 'vitest';
import * as page from '../../../src/world/page/index.js';
import {
  addBody,
  advance,
  createEngineForTest,
  createWorldForTest,
  draw,
} from '../../fixtures/worlds.js';

type RigidBody = page.RigidBody;
type Frame = (body: RigidBody, frame: number) => void;

const TICKS = 90;

/**
 * The positions after each tick of an application whose frames read a state that is a tick old.
 *
 * @param isSaving Whether each of them also saves a state.
 */
async function late(frame: Frame, isSaving = false): Promise<page.Vector[]> {
  const world = createWorldForTest({ queries: true });
  addBody(world, [0, -1, 0], page.ColliderDesc.cuboid(50, 1, 50), page.RigidBodyDesc.fixed());
  const ball = addBody(world, [0, 0.5, 0]);
  await advance(world, 2);
  const handle = await world.ready;
  const positions: page.Vector[] = [];
  for (let tick = 0; tick < TICKS; tick++) {
    await handle.step(1);
    const saved = isSaving ? handle.save() : undefined;
    frame(ball, tick);
    await saved;
    await Promise.resolve();
    draw(world);
    positions.push(ball.translation());
  }
  return positions;
}

/** The same on the main thread. */
async function atOnce(frame: Frame): Promise<page.Vector[]> {
  const { rapier, engine } = await createEngineForTest();
  const ground = engine.createRigidBody(rapier.RigidBodyDesc.fixed().setTranslation(0, -1, 0));
  engine.createCollider(rapier.ColliderDesc.cuboid(50, 1, 50), ground);
  const ball = engine.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(0, 0.5, 0));
  engine.createCollider(rapier.ColliderDesc.ball(0.5), ball);
  return Array.from({ length: TICKS }, (_, tick) => {
    frame(ball as unknown as RigidBody, tick);
    engine.step();
    return ball.translation();
  });
}

const highest = (positions: readonly page.Vector[]): number =>
  Math.max(...positions.map(({ y }) => y));

/** A jump on the way, whose velocity along the ground is set in each frame. */
const jumping =
  (jump: (body: RigidBody) => void): Frame =>
  (body, at) => {
    if (at === 10) jump(body);
    body.setLinvel({ x: 3, y: body.linvel().y, z: 0 }, true);
  };
const push = jumping((body) => body.applyImpulse({ x: 0, y: 3, z: 0 }, true));

test.each<[how: string, frame: Frame, isSaving?: boolean]>([
  ['jumps by a velocity', jumping((body) => body.setLinvel({ ...body.linvel(), y: 6 }, true))],
  ['jumps by an impulse', push],
  ['jumps while a state is saved in each frame', push, true],
  [
    'is kept in a plane',
    (body, at) => {
      if (at === 10) body.setLinvel({ x: 3, y: 5, z: 1 }, true);
      const { x, y } = body.translation();
      body.setTranslation({ x, y, z: 0 }, true);
    },
  ],
  [
    'is slowed down by friction, with a speed that is set in each frame,',
    (body) => {
      body.setAngvel({ x: 0, y: 0, z: 0 }, true);
      body.setLinvel({ ...body.linvel(), x: 2 }, true);
    },
  ],
])('a body that %s moves as far and as high', async (_, frame, isSaving) => {
  const [own, their] = [await late(frame, isSaving), await atOnce(frame)];
  expect(highest(own)).toBeCloseTo(highest(their), 2);
  expect(own.at(-1)?.x).toBeCloseTo(their.at(-2)?.x ?? 0, 2);
  expect(own.at(-1)?.x).toBeGreaterThan(2);
  expect(Math.abs(own.at(-1)?.z ?? 1)).toBeLessThan(0.1);
});

test('a velocity that is damped in each frame has what gravity and the ground have done since', async () => {
  let speeds: number[] = [];
  const fallWithDrag: Frame = (body, at) => {
    if (at === 0) body.setTranslation({ x: 0, y: 3, z: 0 }, true);
    const { x, y, z } = body.linvel();
    speeds.push(y);
    body.setLinvel({ x: 0.95 * x + 0.1, y: 0.95 * y, z: 0.95 * z }, true);
  };
  const [own, ownSpeeds] = [await late(fallWithDrag), speeds];
  speeds = [];
  const their = await atOnce(fallWithDrag);
  for (const tick of [20, 40, TICKS - 1]) {
    expect(own[tick]?.y).toBeCloseTo(their[tick - 1]?.y ?? 0, 1);
    expect(own[tick]?.x).toBeCloseTo(their[tick - 1]?.x ?? 0, 0);
  }
  expect(Math.min(...speeds)).toBeLessThan(-2);
  expect([ownSpeeds.at(-1), speeds.at(-1)]).toEqual([expect.closeTo(0, 0), expect.closeTo(0, 0)]);
});

test('a velocity that was read, and then changed, is set back', async () => {
  const world = createWorldForTest({ gravity: { x: 0, y: 0, z: 0 } });
  const body = addBody(world);
  body.setLinvel({ x: 1, y: 2, z: 3 }, true);
  await advance(world, 1);
  const read = body.linvel();
  for (const change of [
    () => body.applyImpulse({ x: 1, y: 1, z: 1 }, true),
    () => body.setLinvel({ x: 0, y: 9, z: 9 }, true),
  ]) {
    change();
    body.setLinvel(read, true);
    await advance(world, 1);
    expect(body.linvel()).toEqual(read);
  }
});
