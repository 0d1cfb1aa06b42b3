/**
 * A run is the same in a thread: the known hashes of the demo's scenes. Other speeds and displays are
 * tested in virtual time.
 */
import { expect, inject, onTestFinished, test } from 'vitest';
import { connect, fromNodeWorker } from '../../src/render-main/index.js';
import { GOLDEN_HASH_LISTS } from '../fixtures/golden-hash-lists.js';
import {
  GOLDEN_BUILDS,
  GOLDEN_HASH_EVERY,
  GOLDEN_SCENES,
  GOLDEN_TICKS,
  goldenRecording,
  withHashes,
  type GoldenBuild,
  type GoldenScene,
} from '../fixtures/golden-runs.js';
import { PATIENT, startThread } from '../fixtures/threads.js';

/** As fast as possible: the recording determines the step's length. */
const AT_ONCE = {
  capacity: 256,
  startPaused: true,
  tickRateHz: 1000,
  timeScale: 100,
  maxCatchUpTicks: 1000,
} as const;
/** By then the car has turned. */
const PLAYED_TICKS = 300;

const processor = inject('processor');

/** One of the scenes is played for longer, and on another processor for its minute. */
function ticksOf(name: GoldenScene, build: GoldenBuild): number {
  if (name !== 'vehicle' || processor !== undefined) return GOLDEN_TICKS[name];
  return build === 'simd' ? 4 * PLAYED_TICKS : PLAYED_TICKS;
}

test('in each golden run something happens all the time, and builds have other bits', () => {
  for (const name of GOLDEN_SCENES) {
    const lists = GOLDEN_BUILDS.map((build) => GOLDEN_HASH_LISTS[build][name]);
    const hashes = GOLDEN_TICKS[name] / GOLDEN_HASH_EVERY;
    expect(new Set(lists.flat()).size).toBe(GOLDEN_BUILDS.length * hashes);
  }
});

test.each(GOLDEN_BUILDS)('in a worker, the build %s has the golden hashes', async (build) => {
  expect(process.arch).toBe(processor ?? process.arch);
  const simulation = await connect(() => fromNodeWorker(startThread('demo', { build })), {
    ...PATIENT,
    ...AT_ONCE,
  });
  onTestFinished(() => simulation.dispose());
  for (const name of GOLDEN_SCENES) {
    const ticks = ticksOf(name, build);
    const recording = goldenRecording(name, build, ticks);
    const hashes = GOLDEN_HASH_LISTS[build][name].slice(0, ticks / GOLDEN_HASH_EVERY);
    const replay = await simulation.openReplay(withHashes(recording, hashes));
    // The run was paused at the end of the one before.
    await simulation.resume();
    expect({ name, ...(await replay.ended) }).toEqual({
      name,
      tick: ticks,
      hashes: hashes.length,
      differsAt: undefined,
      equalUpTo: ticks,
    });
  }
});
