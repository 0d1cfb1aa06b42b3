import { connect } from 'betwixt';
import { runLocally } from 'betwixt/local';
import { decodeRecording, encodeRecording, keyCode } from 'betwixt/shared';
import { runTicks } from 'betwixt/testing';
import { expect, test } from 'vitest';
import { BODIES, RADIUS_M } from '../src/bodies.js';
import { createSimulation } from '../src/simulation.js';

/** In ticks. */
const SECOND = 60;
/** Time until all bodies are at rest. */
const REST = 6 * SECOND;

const spaceDown = { kind: 'keydown', code: keyCode('Space') } as const;

/** The space bar is pressed in one tick and released in the next. */
const space = (tick: number) =>
  [
    { ...spaceDown, tick },
    { ...spaceDown, tick: tick + 1, kind: 'keyup' },
  ] as const;

test('three bodies fall on the plate, touch it, and come to rest on it', async () => {
  const { poses, eventsOf } = await runTicks(createSimulation(), { ticks: REST });
  expect(poses.size).toBe(BODIES.length);
  for (const { y } of poses.values()) {
    expect(y).toBeGreaterThan(0.2);
    expect(y).toBeLessThan(2 * RADIUS_M);
  }
  // `undefined` means anything that is not a body, such as the plate.
  const onPlate = eventsOf('contact').filter(({ b }) => b === undefined);
  expect(new Set(onPlate.map(({ a }) => a)).size).toBe(BODIES.length);
});

test('the space bar makes the bodies jump in turn', async () => {
  const jumped: number[] = [];
  await runTicks(createSimulation(), {
    ticks: REST + 4 * SECOND,
    inputs: [...space(REST), ...space(REST + 2 * SECOND)],
    onTick: ({ poses }) => {
      [...poses.values()].forEach(({ y }, index) => {
        if (y > 1.5 && jumped.at(-1) !== index) jumped.push(index);
      });
    },
  });
  // Bodies that are high up before the first jump are still falling.
  expect(jumped.slice(-2)).toEqual([0, 1]);
});

test('the same seed gives the same run, bit for bit', async () => {
  const first = await hashOfRun(1);
  expect(await hashOfRun(1)).toBe(first);
  expect(await hashOfRun(2)).not.toBe(first);
});

test('a recording replays bit for bit after the simulation has continued', async () => {
  const sim = await connectHere();
  await sim.step(REST);
  sim.inputs.push({ ...spaceDown, device: 0, x: 0, y: 0, z: 0, w: 0 }, performance.now());
  await sim.step(SECOND);
  const file = encodeRecording(sim.recording());
  // Now another body is next, the key is still down, and the bodies have moved.
  await sim.step(SECOND);
  const replay = await sim.openReplay(decodeRecording(file));
  await sim.resume();
  const ticks = REST + SECOND;
  expect(await replay.ended).toMatchObject({ tick: ticks, hashes: ticks, differsAt: undefined });
  await sim.dispose();
});

test('a saved state continues identically in another simulation', async () => {
  // The key is down when the state is saved: no body jumps until it is released, and then the next one does.
  const whole = await runTicks(createSimulation(), {
    ticks: REST + 2 * SECOND,
    inputs: [{ ...spaceDown, tick: REST - 5 }, ...space(REST + SECOND)],
    saveEveryTicks: REST,
  });
  const [start] = whole.recording.states;
  if (start === undefined) throw new Error('nothing was saved');
  const rest = await runTicks(createSimulation(), {
    start,
    ticks: 2 * SECOND,
    inputs: space(REST + SECOND),
  });
  expect(rest.tick).toBe(whole.tick);
  expect(rest.poses).toEqual(whole.poses);
  expect(rest.hash).toBe(whole.hash);
});

/** Like the page, but in this thread. The simulation is paused, runs single ticks, and hashes each of them. */
function connectHere() {
  return connect<ReturnType<typeof createSimulation>>(() => runLocally(createSimulation()), {
    transport: 'local',
    capacity: 16,
    startPaused: true,
    timeScale: 100,
    recording: { hashEveryTicks: 1 },
  });
}

async function hashOfRun(seed: number): Promise<string> {
  const options = { seed, ticks: 3 * SECOND, inputs: space(SECOND) };
  return (await runTicks(createSimulation(), options)).hash;
}
