import { runLocally } from 'betwixt/local';
import { decodeRecording, encodeRecording } from 'betwixt/shared';
import { createWorld } from 'betwixt/world';
import { createWorldSimulation } from 'betwixt/world/worker';
import { onTestFinished, expect, test } from 'vitest';
import { BODIES, PLATE_M, RADIUS_M } from '../src/looks.js';
import { createScene } from '../src/scene.js';

/** In ticks. */
const SECOND = 60;
/** Time until all bodies are at rest. */
const REST = 6 * SECOND;

/** The page's world, in this thread: it is paused, runs the ticks that the test asks for, and hashes each of them. */
async function createHere() {
  const world = createWorld({
    createWorker: () => runLocally(createWorldSimulation()),
    transport: 'local',
    capacity: 16,
    startPaused: true,
    timeScale: 100,
    recording: { hashEveryTicks: 1 },
  });
  onTestFinished(() => world.dispose());
  const jump = createScene(world);
  const sim = await world.ready;
  let frames = 0;
  const heights = () => world.bodies.getAll().map((body) => body.translation().y);
  const advance = async (ticks: number) => {
    await sim.step(ticks);
    frames += 1;
    world.sample(performance.now() + frames);
  };
  return { sim, jump, heights, advance };
}

test('three bodies fall on the plate and come to rest on it', async () => {
  const { heights, advance } = await createHere();
  await advance(REST);
  expect(heights()).toHaveLength(BODIES.length);
  for (const y of heights()) {
    expect(y).toBeGreaterThan(PLATE_M.halfHeight);
    expect(y).toBeLessThan(PLATE_M.halfHeight + 2 * RADIUS_M);
  }
});

test('the bodies jump in turn', async () => {
  const { jump, heights, advance } = await createHere();
  await advance(REST);
  for (let index = 0; index <= BODIES.length; index++) {
    jump();
    await advance(SECOND / 2);
    const highest = heights().indexOf(Math.max(...heights()));
    expect(highest).toBe(index % BODIES.length);
    await advance(REST);
  }
});

test('a recording replays bit for bit after the world has continued', async () => {
  const { sim, jump, advance } = await createHere();
  await advance(REST);
  jump();
  await advance(SECOND);
  const file = encodeRecording(sim.recording());
  jump();
  await advance(SECOND);
  const replay = await sim.openReplay(decodeRecording(file));
  await sim.resume();
  const ticks = REST + SECOND;
  expect(await replay.ended).toMatchObject({ tick: ticks, hashes: ticks, differsAt: undefined });
});
