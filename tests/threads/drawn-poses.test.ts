/** What is drawn is the same, bit for bit, with every transport. */
import { expect, test } from 'vitest';
import { StateHash } from '../../src/shared/recording/state-hash.js';
import { connectToyForTest, type ToyHandle } from '../fixtures/threads.js';

/**
 * Of the poses drawn below: from shared memory, from transferred packets and from this thread's own
 * memory.
 */
const DRAWN = 'd42a815261f330b0';

test('the poses drawn between states are the same by every transport', async () => {
  const simulation = await connectToyForTest({
    capacity: 64,
    startPaused: true,
    display: { marginMs: 5 },
  });
  const bodies = await Promise.all(
    Array.from({ length: 16 }, (_, index) => simulation.queries.bodyOf(index)),
  );
  const pose = new Float64Array(7);
  const drawn = new StateHash();
  let between = 0;
  for (let tick = 1; tick <= 40; tick++) {
    expect(await simulation.step(1)).toBe(tick);
    // The status and the snapshot are those of the call that was answered.
    expect(simulation.stats().tick).toBe(tick);
    simulation.sample(performance.now() + tick);
    const { alpha } = simulation.stats();
    if (alpha > 0 && alpha < 1) between += 1;
    for (const body of bodies) {
      for (const value of simulation.pose(body, pose) ?? []) drawn.addNumber(value);
    }
  }
  expect(between).toBeGreaterThan(30);
  expect(drawn.digest()).toBe(DRAWN);
});

/** Compares the newest poses of a frame with those that the worker has. */
async function expectNewest(simulation: ToyHandle, frameMs: number): Promise<void> {
  const frame = simulation.sample(frameMs);
  const newest = new Float64Array(7);
  for (const index of [0, 7, 15]) {
    const body = await simulation.queries.bodyOf(index);
    expect(frame.newest(body, newest)).toBe(newest);
    const pose = await simulation.queries.poseOf(index);
    expect([...newest]).toEqual(Object.values(pose ?? {}));
  }
}

test('a frame has the newest poses of the worker by every transport, and of the next worker', async () => {
  const simulation = await connectToyForTest({ capacity: 64, startPaused: true });
  const startMs = performance.now();
  await simulation.step(5);
  await expectNewest(simulation, startMs + 5);
  await simulation.replaceWorker();
  await simulation.step(5);
  await expectNewest(simulation, startMs + 10);
  const later = await simulation.queries.poseOf(0);
  await simulation.seek(3);
  await expectNewest(simulation, startMs + 15);
  expect(await simulation.queries.poseOf(0)).not.toEqual(later);
});

test('velocities arrive by every transport, also in saved states and from the next worker', async () => {
  const simulation = await connectToyForTest({
    capacity: 64,
    startPaused: true,
    display: { velocities: true },
  });
  const body = await simulation.queries.bodyOf(3);
  const startMs = performance.now();
  const expectVelocityAfter = async (tick: number, frameMs: number): Promise<void> => {
    expect(simulation.stats().tick).toBe(tick);
    const frame = simulation.sample(frameMs);
    const velocity = frame.velocity(body, new Float32Array(6));
    expect([...(velocity ?? [])]).toEqual([tick, 3, 0.5, -1, -2, -tick]);
  };
  await simulation.step(5);
  await expectVelocityAfter(5, startMs + 5);
  const saved = await simulation.save();
  await simulation.step(5);
  await expectVelocityAfter(10, startMs + 10);
  await simulation.replaceWorker();
  await simulation.step(1);
  await expectVelocityAfter(11, startMs + 15);
  await simulation.restore(saved);
  await expectVelocityAfter(5, startMs + 20);
});

test('values of the newest state arrive by every transport, and are written again where a run goes', async () => {
  const simulation = await connectToyForTest({
    capacity: 64,
    startPaused: true,
    display: { values: 3 },
  });
  const startMs = performance.now();
  const valuesAt = (frameMs: number): number[] => [
    ...(simulation.sample(startMs + frameMs).newestValues ?? []),
  ];
  await simulation.step(5);
  expect(valuesAt(5)).toEqual([5, -5, 0]);
  // They are of the newest state, and not of those that are drawn.
  await simulation.step(1);
  expect(valuesAt(6)).toEqual([6, -6, 0]);
  const saved = await simulation.save();
  await simulation.step(4);
  await simulation.setTickRate(50);
  expect(valuesAt(10)).toEqual([10, -10, 0]);
  await simulation.seek(3);
  expect(valuesAt(12)).toEqual([3, -3, 0]);
  // What a simulation writes when it is restored, and nothing else.
  await simulation.restore(saved);
  expect(valuesAt(15)).toEqual([0, 0.5, 0]);
  await simulation.replaceWorker();
  expect(valuesAt(20)).toEqual([0, 0.5, 0]);
  await simulation.step(1);
  expect(valuesAt(25)).toEqual([7, -7, 0]);
});

test('without the option, there are no values', async () => {
  const simulation = await connectToyForTest({ capacity: 64, startPaused: true });
  await simulation.step(1);
  expect(simulation.sample(performance.now()).newestValues).toHaveLength(0);
});

test('without the option, velocities are refused with what to do', async () => {
  const simulation = await connectToyForTest({ capacity: 64, startPaused: true });
  const body = await simulation.queries.bodyOf(3);
  await simulation.step(1);
  const frame = simulation.sample(performance.now());
  expect(() => frame.velocity(body, new Float32Array(6))).toThrow(
    /display: \{ velocities: true \}/,
  );
});
