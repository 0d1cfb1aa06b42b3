/** A page without a picture that runs the demo's worker, live and from recordings: `globalThis.golden`. */
import { connect } from '../../../src/render-main/index.js';
import { type ReplayReport, decodeRecording, encodeRecording } from '../../../src/shared/index.js';
import type { SceneRequest } from '../../../demo/contract/scene-contract.js';

const createWorker = (): Worker =>
  new Worker(new URL('../../../demo/simulation/sim.worker.ts', import.meta.url), {
    type: 'module',
    name: 'engine=deterministic',
  });

/** What the demo's worker came to. */
interface GoldenReport {
  /** Of what it recorded, as base64. */
  readonly file: string;
  readonly reports: readonly ReplayReport[];
}

const golden = {
  /**
   * Runs a scene to which nobody does anything, then that run's recording, and then others, one after the other. In one
   * worker: the engine takes longer to load than such a run.
   *
   * @param files Recordings' files, as base64.
   */
  async run(setup: SceneRequest, ticks: number, files: readonly string[]): Promise<GoldenReport> {
    const simulation = await connect(createWorker, {
      capacity: 256,
      startPaused: true,
      setup: { ...setup },
      // However long a step takes: what it comes to is what counts here.
      recovery: { hangLimitMs: Infinity },
      maxCatchUpTicks: 1000,
    });
    await simulation.step(ticks);
    const file = encodeRecording(simulation.recording());
    // As fast as it goes: a recording says how long a step is.
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
