import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, fromNodeWorker } from '../../src/render-main/index.js';
import type { ReplayReport } from '../../src/shared/index.js';
import type { Recording } from '../../src/shared/recording/recording.js';
import { sleep } from '../fixtures/busy.js';
import { GOLDEN_HASH_LISTS } from '../fixtures/golden-hash-lists.js';
import { GOLDEN_HASHES } from '../fixtures/golden-hashes.js';
import {
  GOLDEN_BUILDS,
  GOLDEN_HASH_EVERY,
  GOLDEN_SCENES,
  GOLDEN_TICKS,
  goldenRecording,
  hashesOfRun,
  summaryOf,
  withHashes,
  type GoldenBuild,
  type GoldenScene,
} from '../fixtures/golden-runs.js';
import { seededRandom } from '../fixtures/seeded-random.js';
import { PATIENT, connectToyForTest, startThread, type ToyHandle } from '../fixtures/threads.js';
import { recordToy } from '../fixtures/toy-recording.js';

/** Until there is something to show. */
const WAITING = { capacity: 64, startPaused: true } as const;
/** As fast as possible: the recording determines the step's length. */
const AT_ONCE = { ...WAITING, tickRateHz: 1000, timeScale: 100, maxCatchUpTicks: 1000 } as const;
/** For each scene: by then a body is held, shots hit and the car has turned. */
const PLAYED_TICKS = 300;
/** Of these the whole minute. */
const PLAYED_WHOLE: ReadonlySet<GoldenScene> = new Set(['vehicle']);

describe.each(GOLDEN_BUILDS)('a scene has the golden hashes with %s', (build) => {
  test.each(GOLDEN_SCENES)('%s: something happens throughout its minute', (name) => {
    const hashes = GOLDEN_HASH_LISTS[build][name];
    expect(summaryOf(hashes)).toEqual(GOLDEN_HASHES[build][name]);
    expect(new Set(hashes).size).toBe(GOLDEN_TICKS / GOLDEN_HASH_EVERY);
  });

  test('without a worker and in a worker thread, all scenes in sequence', async () => {
    const simulation = await connect(() => fromNodeWorker(startThread('demo', { build })), {
      ...PATIENT,
      ...AT_ONCE,
      capacity: 256,
    });
    onTestFinished(() => simulation.dispose());
    for (const name of GOLDEN_SCENES) {
      const ticks = PLAYED_WHOLE.has(name) ? GOLDEN_TICKS : PLAYED_TICKS;
      const recording = goldenStart(name, build, ticks);
      const hashes = GOLDEN_HASH_LISTS[build][name].slice(0, ticks / GOLDEN_HASH_EVERY);
      expect({ name, hashes: await hashesOfRun(recording, build) }).toEqual({ name, hashes });
      const report = await show(simulation, withHashes(recording, hashes));
      expect({ name, ...report }).toEqual({
        name,
        tick: ticks,
        hashes: hashes.length,
        differsAt: undefined,
        equalUpTo: ticks,
      });
    }
  });
});

test('the builds have different bits, so that one cannot pass for the other', () => {
  for (const name of GOLDEN_SCENES) {
    const [one, other] = GOLDEN_BUILDS.map((build) => GOLDEN_HASHES[build][name].all);
    expect(one).not.toBe(other);
  }
});

describe('a run is the same', async () => {
  const recording = await recordToy(200);
  const identical: ReplayReport = {
    tick: 200,
    hashes: 20,
    differsAt: undefined,
    equalUpTo: 200,
  };

  test('displayed at 30, 60, 144 and 240 frames a second', async () => {
    const simulation = await connectToyForTest({ ...WAITING, tickRateHz: 240, timeScale: 3 });
    for (const frameRateHz of [30, 60, 144, 240]) {
      let ticksShown = 0;
      // Until it was checked while it ran: on a busy machine the replay may end between two checks.
      do {
        const shown = await showAt(simulation, recording, frameRateHz);
        expect({ frameRateHz, ...shown.report }).toEqual({ frameRateHz, ...identical });
        ({ ticksShown } = shown);
      } while (ticksShown <= 3);
    }
  });

  test.each([
    ['in slow motion', { tickRateHz: 1000, timeScale: 0.5 }],
    ['in fast motion', { tickRateHz: 250, timeScale: 3 }],
    ['without catching up', { tickRateHz: 1000, maxCatchUpTicks: 1 }],
    ['catching up a hundred ticks', { tickRateHz: 1000, maxCatchUpTicks: 100 }],
  ])('%s, with turns and steps delayed at random', async (_, options) => {
    const simulation = await connectToyForTest({ ...WAITING, ...options });
    let report: ReplayReport | undefined;
    const ended = show(simulation, recording).then((ends) => {
      report = ends;
    });
    const random = seededRandom(11);
    while (report === undefined) {
      await (random() < 0.5
        ? simulation.queries.stall(15 * random())
        : simulation.queries.stallStep(15 * random()));
      await sleep(10 * random());
    }
    await ended;
    expect(report).toEqual(identical);
  });

  test('which a different run has not', async () => {
    const simulation = await connectToyForTest(AT_ONCE);
    const at = recording.entries.findIndex(({ kind, tick }) => kind === 'input' && tick > 100);
    const entries = recording.entries.toSpliced(at, 1);
    const report = await show(simulation, { ...recording, entries });
    expect(report).toEqual({ ...identical, differsAt: 110, equalUpTo: 100 });
  });
});

/** The first ticks of a golden run. */
function goldenStart(name: GoldenScene, build: GoldenBuild, ticks: number): Recording {
  const { entries, ...rest } = goldenRecording(name, build);
  const played = entries.filter(({ tick }) => tick <= ticks);
  return { ...rest, lastTick: ticks, entries: played };
}

/**
 * Shows a recording to its end. A simulation that has shown one before is paused, and is resumed.
 */
async function show(
  simulation: Pick<ToyHandle, 'openReplay' | 'resume'>,
  recording: Recording,
): Promise<ReplayReport> {
  const replay = await simulation.openReplay(recording);
  await simulation.resume();
  return replay.ended;
}

/** Shows a recording, and samples frames at the timestamps of a display of that rate. */
async function showAt(simulation: ToyHandle, recording: Recording, frameRateHz: number) {
  let report: ReplayReport | undefined;
  const ended = show(simulation, recording).then((ends) => {
    report = ends;
  });
  const ticksShown = new Set<number>();
  const startMs = performance.now();
  for (let frame = 0; report === undefined; frame++) {
    const stampMs = startMs + (frame * 1000) / frameRateHz;
    await sleep(Math.max(0, stampMs - performance.now()));
    ticksShown.add(simulation.sample(stampMs).tick);
  }
  await ended;
  return { report, ticksShown: ticksShown.size };
}
