import { runLocally } from 'betwixt/local';
import { createWorld, type RigidBody } from 'betwixt/world';
import { createWorldSimulation } from 'betwixt/world/worker';
import { expect, onTestFinished, test } from 'vitest';
import { createGame } from '../src/game.js';

/** The page's world, in this thread: it is paused, and runs the ticks that the test asks for. */
async function createHere() {
  const world = createWorld({
    createWorker: () => runLocally(createWorldSimulation()),
    transport: 'local',
    capacity: 16,
    startPaused: true,
    timeScale: 100,
  });
  onTestFinished(() => world.dispose());
  const game = createGame(world);
  const sim = await world.ready;
  let frameMs = 0;
  const advance = async (ticks: number) => {
    await sim.step(ticks);
    frameMs += 100;
    world.sample(frameMs);
  };
  await advance(1);
  return { game, sim, advance };
}

test('a ball that touches a pocket is gone, and is back when the run goes back', async () => {
  const { game, sim, advance } = await createHere();
  const ball = game.balls[0] as RigidBody;
  ball.setTranslation({ x: -0.7, y: 0, z: 0.4 }, true);
  ball.setLinvel({ x: -1, y: 0, z: 1 }, true);
  await advance(30);
  expect(game.ballsLeft()).toBe(9);
  await sim.seek(1);
  await advance(1);
  await expect.poll(game.ballsLeft).toBe(10);
});

test('the white ball returns to its spot when it touches a pocket', async () => {
  const { game, advance } = await createHere();
  game.shoot(-0.9, 0.6);
  await advance(10);
  expect(game.white.translation().x).toBeLessThan(-0.6);
  await advance(30);
  await advance(10);
  expect(game.white.translation()).toMatchObject({ x: -0.5, y: 0, z: 0 });
  expect(game.ballsLeft()).toBe(10);
});

test('the bar pushes a ball that lies in its way', async () => {
  const { game, advance } = await createHere();
  // So softly that it stops where the bar passes.
  game.shoot(-0.43, 0);
  await advance(120);
  expect(Math.abs(game.white.translation().z)).toBeLessThan(0.001);
  await advance(280);
  expect(Math.abs(game.white.translation().z)).toBeGreaterThan(0.1);
});

test('a game that is shown again has equal hashes, and continues where it was', async () => {
  const { game, sim, advance } = await createHere();
  game.shoot(-0.9, 0.6);
  await advance(60);
  await advance(240);
  // The cue ball is back on its spot. A soft shot to the side, where nothing is.
  game.shoot(-0.5, 0.1);
  await advance(300);
  const { z } = game.white.translation();
  expect(z).toBeGreaterThan(0.3);
  const replay = await sim.openReplay(sim.recording());
  await sim.resume();
  expect(await replay.ended).toMatchObject({ tick: 601, hashes: 10, differsAt: undefined });
  await replay.close();
  await advance(1);
  expect(game.white.translation().z).toBeCloseTo(z, 2);
});
