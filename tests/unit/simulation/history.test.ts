/** Recordings, and going back in a run, in virtual time. Failures and calls in between are tested next to this. */
import { expect, test } from 'vitest';
import { ReplayShownError } from '../../../src/render-main/index.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

const OPTIONS = {
  tickRateHz: 240,
  capacity: 64,
  recording: { hashEveryTicks: 10, rewindSeconds: 60, saveEverySeconds: 0.1 },
} as const;
const PAUSED = { ...OPTIONS, startPaused: true } as const;

test('what is no recording or no state is refused by name, and what is shown continues', async () => {
  const { time, simulation } = await connectInVirtualTime(PAUSED);
  await time.until(simulation.step(10));
  const recording = simulation.recording();
  const shown = await time.until(simulation.openReplay(recording));
  for (const wrong of [{}, null, 'file', { ...recording, entries: undefined }]) {
    await expect(simulation.openReplay(wrong as never)).rejects.toThrow(
      /^(the recording|lastTick|entries) must be /,
    );
    await expect(simulation.restore(wrong as never)).rejects.toThrow(/^state(\.tick)? must be /);
  }
  expect(simulation.replay).toBe(shown);
});

test('an overloaded simulation does not catch up after it is moved to another run', async () => {
  const { time, simulation } = await connectInVirtualTime({
    ...PAUSED,
    tickRateHz: 1000,
    timeScale: 100,
    maxCatchUpTicks: 1000,
  });
  await time.until(simulation.step(300));
  const recording = simulation.recording();
  await time.until(simulation.resume());
  await time.advance(10);
  await time.until(simulation.seek(100));
  const { ended } = await time.until(simulation.openReplay(recording));
  expect(await time.until(ended)).toMatchObject({ tick: 300, hashes: 30, differsAt: undefined });
});

test('a recording without ticks has ended as it begins, and nothing comes after its end', async () => {
  const { time, simulation } = await connectInVirtualTime(PAUSED);
  await time.until(simulation.step(30));
  await time.until(simulation.restore(await time.until(simulation.save())));
  const empty = simulation.recording();
  expect(empty.lastTick).toBe(empty.start?.tick);
  const shown = await time.until(simulation.openReplay(empty));
  expect(shown.state).toBe('ended');
  expect(await time.until(shown.ended)).toMatchObject({ tick: 30, hashes: 0 });
  await expect(simulation.resume()).rejects.toThrow(
    /replay\.close\(\) returns to the player's own run/,
  );
  await expect(simulation.commands.push(1, 1)).rejects.toBeInstanceOf(ReplayShownError);
  await time.until(shown.close());
  await time.until(simulation.resume());
  expect(simulation.state).toBe('running');
});
