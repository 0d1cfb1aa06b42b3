/** Commands with large typed arrays. */
import { expect, test } from 'vitest';
import { decodeRecording, encodeRecording } from '../../../src/shared/index.js';
import { replay } from '../../../src/sim-worker/index.js';
import { connectToyForTest, type ToyHandle } from '../../fixtures/threads.js';
import { createToy } from '../../fixtures/toy-simulation.js';

const OPTIONS = {
  startPaused: true,
  recording: { hashEveryTicks: 1, rewindSeconds: 60, saveEverySeconds: 0.1 },
} as const;

/** The recording replays with equal hashes, through a file. */
async function expectReplays(simulation: ToyHandle): Promise<void> {
  const recording = decodeRecording(encodeRecording(simulation.recording()));
  const report = await replay(createToy(), recording);
  expect(report).toMatchObject({ hashes: recording.lastTick, differsAt: undefined });
}

test('a typed array of 80 kB is recorded, saved, replayed, and passed by seeking', async () => {
  const simulation = await connectToyForTest(OPTIONS);
  const array = Float32Array.from({ length: 20_000 }, (_, index) => index / 7);
  await simulation.step(2);
  const answer = simulation.commands.pushBy(array);
  await simulation.step(10);
  expect(await answer).toMatch(/^ Float32Array 20000 \d/);
  expect(simulation.recording().entries.find(({ kind }) => kind === 'command')).toMatchObject({
    data: array,
  });
  expect(simulation.stats().recordingBytes).toBeGreaterThan(80_000);
  await expectReplays(simulation);

  const recording = simulation.recording();
  const other = await connectToyForTest(OPTIONS);
  const shown = await other.openReplay(recording);
  expect(await shown.seek(2)).toMatchObject({ tick: 2, differsAt: undefined });
  expect(await shown.seek(12)).toMatchObject({ tick: 12, differsAt: undefined });
  await shown.close();
  // Back to before the command, and over it again, by what the page has recorded.
  const seen = await simulation.seek(10);
  expect(seen).toMatchObject({ tick: 10, differsAt: undefined });
  await expectReplays(simulation);
});
