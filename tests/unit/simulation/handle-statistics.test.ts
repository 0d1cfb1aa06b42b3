/** `stats()` and `resetStats()`: both sides' counts restart, and all other values continue. */
import { expect, test, vi } from 'vitest';
import { SLOT_HEADER } from '../../../src/shared/memory/layout.js';
import { StatusReader } from '../../../src/shared/memory/snapshot-reader.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { connectInVirtualTime, connectLocally } from '../../fixtures/virtual-time.js';

const STEP_MS = 0.25;

test('a reset restarts all counts, and leaves tick and elapsed time', async () => {
  const { time, simulation } = await connectLocally(
    ({ spend }) => runLocally({ init: () => {}, step: () => spend(STEP_MS) }),
    { tickRateHz: 1000 },
  );
  await time.advance(20);
  await time.until(simulation.pause());
  for (const stampMs of [10, 20, 30]) simulation.sample(stampMs);
  const before = simulation.stats();
  expect(before.frames).toBe(3);
  expect(before.frameMs.max).toBeCloseTo(10, 1);
  // Samples take no time here, but the value must be a number.
  expect(before.sampleMs.max).toBe(0);
  expect(before.ticks).toBe(before.tick);
  expect(before.ticks).toBeGreaterThan(5);
  expect(before.stepMs.max).toBeCloseTo(STEP_MS, 2);

  simulation.resetStats();
  const after = simulation.stats();
  expect(after).toMatchObject({
    frames: 0,
    ticks: 0,
    iterations: 0,
    starvedFrames: 0,
    repeatedFrames: 0,
    droppedTicks: 0,
    effectiveSpeed: 1,
  });
  for (const times of [after.frameMs, after.sampleMs, after.stepMs, after.publishMs]) {
    expect(times.max).toBeNaN();
  }
  expect(after).toMatchObject({ tick: before.tick, elapsedMs: before.elapsedMs });
  // And they count from there.
  simulation.sample(40);
  await time.until(simulation.step(2));
  expect(simulation.stats()).toMatchObject({ frames: 1, ticks: 2, tick: before.tick + 2 });
});

test('tick and simulated time belong to each other, although the worker continues', async () => {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 100 });
  await time.advance(100);
  // One more tick between any two reads.
  const read = StatusReader.prototype.read;
  let more = 0;
  vi.spyOn(StatusReader.prototype, 'read').mockImplementation(function (this: StatusReader) {
    const status = read.call(this).slice();
    more += 1;
    status[SLOT_HEADER.newestTick] = (status[SLOT_HEADER.newestTick] ?? 0) + more;
    status[SLOT_HEADER.newestSimulatedSeconds] =
      (status[SLOT_HEADER.newestSimulatedSeconds] ?? 0) + more / 100;
    return status;
  });
  const { tick, simulatedS } = simulation.stats();
  expect(more).toBeGreaterThan(0);
  expect(simulatedS).toBeCloseTo(tick / 100, 9);
});

test.each([true, false])(
  'a worker is terminated when it has left its loop and not before (paused: %s)',
  async (startPaused) => {
    const order: string[] = [];
    const local = runLocally({
      init: () => {},
      step: () => {},
      dispose: () => order.push('the simulation has ended'),
    });
    const worker = {
      ...local,
      terminate: () => {
        order.push('terminated');
        local.terminate();
      },
    };
    const { time, simulation } = await connectLocally(() => worker, { startPaused });
    expect(order).toEqual([]);
    await time.until(simulation.dispose());
    expect(order).toEqual(['the simulation has ended', 'terminated']);
    await simulation.dispose();
    expect(order).toHaveLength(2);
  },
);
