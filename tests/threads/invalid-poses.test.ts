import { describe, expect, test } from 'vitest';
import type { ConnectOptions, SimulationStatus } from '../../src/render-main/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { eventually } from '../fixtures/eventually.js';
import { connectToyForTest } from '../fixtures/threads.js';
import { createToy } from '../fixtures/toy-simulation.js';

/** A worker in which a body's pose becomes invalid, and what is reported to the page. */
async function spoiled(options: ConnectOptions) {
  const simulation = await connectToyForTest({ tickRateHz: 120, capacity: 64, ...options });
  const reported: SimulationStatus[] = [];
  simulation.on('status', (status) => {
    if (status.kind === 'invalid-pose') reported.push(status);
  });
  await eventually(() => expect(simulation.stats().tick).toBeGreaterThan(5));
  const body = await simulation.queries.bodyOf(3);
  const before = simulation.sample(performance.now()) && simulation.pose(body, new Float64Array(7));
  await simulation.queries.spoil(3);
  await eventually(() => expect(reported).toHaveLength(1));
  return { simulation, reported, body, before };
}

describe('a body with an invalid pose', () => {
  test('is named, keeps its last valid pose, and the others continue', async () => {
    const { simulation, reported, body } = await spoiled({});
    expect(reported[0]).toMatchObject({ kind: 'invalid-pose', body, tag: null, policy: 'freeze' });
    expect(simulation.stats()).toMatchObject({ state: 'running', invalidPoses: 1, bodies: 16 });
    const { tick } = simulation.stats();
    await eventually(() => expect(simulation.stats().tick).toBeGreaterThan(tick + 20));
    simulation.sample(performance.now());
    const pose = simulation.pose(body, new Float64Array(7));
    expect(pose?.every(Number.isFinite)).toBe(true);
  });

  test('is removed with that policy', async () => {
    const { simulation, body } = await spoiled({ invalidPosePolicy: 'remove' });
    await eventually(() => expect(simulation.stats().bodies).toBe(15));
    const { tick } = simulation.stats();
    await eventually(() => expect(simulation.stats().tick).toBeGreaterThan(tick + 20));
    simulation.sample(performance.now());
    expect(simulation.pose(body, new Float64Array(7))).toBeUndefined();
  });

  test('stops the run with that policy, after exactly that tick, and it can continue', async () => {
    const { simulation, reported } = await spoiled({ invalidPosePolicy: 'stop' });
    expect(simulation.state).toBe('paused');
    const [status] = reported;
    // It is reported before the tick is published.
    await eventually(() =>
      expect(status?.kind === 'invalid-pose' && status.tick).toBe(simulation.stats().tick),
    );
    await simulation.resume();
    const { tick } = simulation.stats();
    await eventually(() => expect(simulation.stats().tick).toBeGreaterThan(tick));
  });

  test('is handled alike in a run and its replay', async () => {
    const simulation = await connectToyForTest({
      capacity: 64,
      startPaused: true,
      invalidPosePolicy: 'remove',
      recording: { hashEveryTicks: 5 },
    });
    // In the run itself, so that the replay has it too.
    const spoiling = simulation.commands.spoilInRun(2);
    await simulation.step(40);
    await spoiling;
    const recording = simulation.recording();
    expect(recording.run.invalidPoses).toBe('remove');
    const report = await replay(createToy(), recording);
    expect(report).toMatchObject({ tick: 40, hashes: 8, differsAt: undefined });
  });
});
