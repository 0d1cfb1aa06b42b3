/** The demo's worker, which replays a recording of one of its scenes. */
import { connect, type ConnectOptions } from '../../../src/render-main/index.js';
import { type ReplayReport, decodeRecording } from '../../../src/shared/index.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

/**
 * @param build Of the engine.
 * @param file The recording's file, as base64.
 */
export async function replayInWorker(build: string, file: string): Promise<ReplayReport> {
  const createWorker = () =>
    new Worker(new URL('../../../demo/simulation/sim.worker.ts', import.meta.url), {
      type: 'module',
      name: `engine=${build}`,
    });
  const options: ConnectOptions = {
    capacity: 256,
    startPaused: true,
    setup: { name: 'vehicle', bodies: 1, seed: 7 },
    maxCatchUpTicks: 1000,
    // As fast as possible: the recording determines the step's length.
    tickRateHz: 1000,
  };
  // However long a step takes: only its result counts here.
  const simulation = await connect(createWorker, tuned(options, { hangLimitMs: Infinity }));
  await simulation.setTimeScale(100);
  const bytes = Uint8Array.from(atob(file), (byte) => byte.charCodeAt(0));
  const replay = await simulation.openReplay(decodeRecording(bytes));
  await simulation.resume();
  const report = await replay.ended;
  await simulation.dispose();
  return report;
}
