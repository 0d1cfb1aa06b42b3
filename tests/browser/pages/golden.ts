/** A page without a picture that runs the demo's worker, live and from recordings: `globalThis.golden`. */
import { connect, type ReplayReport } from '../../../src/render-main/index.js';
import { decodeRecording, encodeRecording } from '../../../src/shared/index.js';
import type { SceneRequest } from '../../../demo/contract/scene-contract.js';

const createWorker = (): Worker =>
  new Worker(new URL('../../../demo/simulation/sim.worker.ts', import.meta.url), {
    type: 'module',
    name: 'engine=deterministic',
  });

/** As fast as it goes: the recording says how long a step is. */
const AT_ONCE = { tickRateHz: 1000, timeScale: 100, maxCatchUpTicks: 1000 } as const;
/** However long a step takes: what it comes to is what counts here. */
const WAITING = { capacity: 256, startPaused: true, hangLimitMs: Infinity } as const;

const golden = {
  /**
   * Shows recordings to their ends, one after the other in one worker.
   *
   * @param files Recordings' files, as base64.
   */
  async replay(files: readonly string[]): Promise<ReplayReport[]> {
    const simulation = await connect(createWorker, { ...WAITING, ...AT_ONCE });
    const reports: ReplayReport[] = [];
    for (const file of files) {
      const recording = decodeRecording(fromBase64(file));
      const ended = simulation.replay(recording);
      while (simulation.shownRecording !== recording) await nextTurn();
      await simulation.resume();
      reports.push(await ended);
    }
    await simulation.dispose();
    return reports;
  },

  /** Runs a scene to which nobody does anything. @returns The file of its recording, as base64. */
  async live(setup: SceneRequest, ticks: number): Promise<string> {
    const simulation = await connect(createWorker, { ...WAITING, setup: { ...setup } });
    await simulation.step(ticks);
    const file = encodeRecording(simulation.recording());
    await simulation.dispose();
    return btoa(String.fromCharCode(...file));
  },
};

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

declare global {
  var golden: typeof goldenType;
}
const goldenType = golden;
globalThis.golden = golden;
