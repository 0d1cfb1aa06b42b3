/** The demo's worker, which replays recordings of its scenes. */
import { connect } from '../../../src/render-main/index.js';
import { type ReplayReport, decodeRecording } from '../../../src/shared/index.js';

/**
 * In sequence, in one worker: the engine takes longer to load than such a run.
 *
 * @param build Of the engine.
 * @param files Recordings' files, as base64.
 */
export async function replayInWorker(
  build: string,
  files: readonly string[],
): Promise<ReplayReport[]> {
  const createWorker = () =>
    new Worker(new URL('../../../demo/simulation/sim.worker.ts', import.meta.url), {
      type: 'module',
      name: `engine=${build}`,
    });
  const simulation = await connect(createWorker, {
    capacity: 256,
    startPaused: true,
    setup: { name: 'vehicle', bodies: 1, seed: 7 },
    // However long a step takes: only its result counts here.
    recovery: { hangLimitMs: Infinity },
    maxCatchUpTicks: 1000,
    // As fast as possible: the recording determines the step's length.
    tickRateHz: 1000,
  });
  await simulation.setTimeScale(100);
  const reports: ReplayReport[] = [];
  for (const text of files) {
    const bytes = Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
    const replay = await simulation.openReplay(decodeRecording(bytes));
    await simulation.resume();
    reports.push(await replay.ended);
  }
  await simulation.dispose();
  return reports;
}
