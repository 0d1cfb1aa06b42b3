/**
 * A page without a canvas that runs the demo's worker, live and from recordings:
 * `globalThis.golden`.
 */
import { connect } from '../../../src/render-main/index.js';
import { type ReplayReport, decodeRecording, encodeRecording } from '../../../src/shared/index.js';
import type { SceneRequest } from '../../../demo/contract/scene-contract.js';

const createWorker = (build: string): Worker =>
  new Worker(new URL('../../../demo/simulation/sim.worker.ts', import.meta.url), {
    type: 'module',
    name: `engine=${build}`,
  });

/** The results of the demo's worker. */
interface GoldenReport {
  /** Of its recording, as base64. */
  readonly file: string;
  readonly reports: readonly ReplayReport[];
}

const golden = {
  /**
   * Runs a scene without visitors, then that run's recording, and then others, in sequence. In one
   * worker: the engine takes longer to load than such a run.
   *
   * @param build Of the engine.
   * @param files Recordings' files, as base64.
   */
  async run(
    build: string,
    setup: SceneRequest,
    ticks: number,
    files: readonly string[],
  ): Promise<GoldenReport> {
    const simulation = await connect(() => createWorker(build), {
      capacity: 256,
      startPaused: true,
      setup: { ...setup },
      // However long a step takes: only its result counts here.
      recovery: { hangLimitMs: Infinity },
      maxCatchUpTicks: 1000,
    });
    await simulation.step(ticks);
    const file = encodeRecording(simulation.recording());
    // As fast as possible: the recording determines the step's length.
    await simulation.setTickRate(1000);
    await simulation.setTimeScale(100);
    const reports: ReplayReport[] = [];
    for (const bytes of [file, ...files.map(fromBase64)]) {
      const recording = decodeRecording(bytes);
      const replay = await simulation.openReplay(recording);
      await simulation.resume();
      reports.push(await replay.ended);
    }
    await simulation.dispose();
    return { file: btoa(String.fromCharCode(...file)), reports };
  },
};

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
}

declare global {
  var golden: typeof goldenType;
}
const goldenType = golden;
globalThis.golden = golden;
