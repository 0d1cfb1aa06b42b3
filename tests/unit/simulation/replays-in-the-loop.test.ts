/** Recordings that are shown at the loop's own pace, in virtual time. */
import { expect, test } from 'vitest';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

test('after a replay has ended, steps run one by one again, whatever the rounding of the clock', async () => {
  const { time, simulation } = await connectInVirtualTime({
    tickRateHz: 240,
    capacity: 64,
    timeScale: 3,
    startPaused: true,
    recording: { hashEveryTicks: 10, rewindSeconds: 60 },
  });
  await time.until(simulation.step(30));
  const recording = simulation.recording();
  for (let lastTick = 10; lastTick < 30; lastTick++) {
    // No two readings of the clock have the same digits.
    time.spend(Math.sqrt(lastTick));
    const replay = await time.until(simulation.openReplay({ ...recording, lastTick }));
    await time.until(simulation.resume());
    expect((await time.until(replay.ended)).tick).toBe(lastTick);
    await time.until(replay.close());
    expect(await time.until(simulation.step())).toBe(lastTick + 1);
  }
});
