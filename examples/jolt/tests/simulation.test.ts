import { connect } from 'betwixt';
import { runLocally } from 'betwixt/local';
import { assetName, keyCode, type SavedState } from 'betwixt/shared';
import { runTicks } from 'betwixt/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createSimulation } from '../src/simulation.js';

/** Some of the 300 on the page. */
const BOXES = 40;
const points = new Float32Array([-20, 0, -20, 20, 0, -20, 20, 0, 20, -20, 0, 20]);
const indices = new Uint32Array([0, 2, 1, 0, 3, 2]);
const ground = { points: assetName(points), indices: assetName(indices) };
const right = { code: keyCode('ArrowRight'), device: 0 } as const;

const options = {
  capacity: BOXES + 1,
  assets: [points, indices],
  setup: ground,
} as const;

test('boxes fall on the ground and report their impacts, and a key moves the platform', async () => {
  const { poses, eventsOf } = await runTicks(createSimulation(), {
    ...options,
    ticks: 120,
    inputs: [{ tick: 60, kind: 'keydown', ...right }],
  });
  const [platform, ...boxes] = [...poses.values()];
  // At 7 m/s.
  expect(platform?.x).toBeCloseTo((7 * 61) / 60, 2);
  for (const { y } of boxes) expect(y).toBeGreaterThan(0.2);
  expect(eventsOf('impact').length).toBeGreaterThan(5);
});

test('a state that was saved in motion continues in another instance with the same bits', async () => {
  const inputs = [
    { tick: 50, kind: 'keydown', ...right },
    { tick: 150, kind: 'pointerdown', device: 1, x: -5, y: 3, w: 1 },
  ] as const;
  const every = { hashEveryTicks: 60, saveEveryTicks: 60 } as const;
  const whole = { ...options, ...every, ticks: 360, inputs };
  const { recording, hashes } = await runTicks(createSimulation(), whole);
  const [start] = recording.states as [SavedState];
  const rest = { start, assets: options.assets, ...every, ticks: 300, inputs: inputs.slice(1) };
  const continued = await runTicks(createSimulation(), rest);
  expect(continued.tick).toBe(360);
  for (const [tick, hash] of continued.hashes) expect(hash).toBe(hashes.get(tick));
});

test('a run replays with the same bits in the same instance, and a ray finds what is there', async () => {
  const sim = await connect<ReturnType<typeof createSimulation>>(
    () => runLocally(createSimulation()),
    {
      transport: 'local',
      capacity: BOXES + 1,
      startPaused: true,
      timeScale: 100,
      recording: { hashEveryTicks: 1 },
    },
  );
  onTestFinished(() => sim.dispose());
  const assets = await sim.openAssets();
  for (const contents of options.assets) assets.add(contents);
  await sim.queries.build(ground);
  await sim.step(1);
  const { castRay } = sim.queries;
  expect(await castRay([12, 10, 12], [0, -20, 0])).toEqual({ id: undefined, fraction: 0.5 });
  sim.sample(100);
  const { id, fraction } = (await castRay([-10, 0.6, 0], [20, 0, 0])) ?? {};
  expect(id && sim.bodies.get(id)).toMatchObject({ kind: 'platform' });
  expect(fraction).toBeCloseTo(0.4);
  expect(await castRay([0, 20, 0], [0, 1, 0])).toBeUndefined();
  await sim.step(119);
  const replay = await sim.openReplay(sim.recording());
  await sim.resume();
  expect(await replay.ended).toMatchObject({ tick: 120, hashes: 120, differsAt: undefined });
});
