/** A page without a picture that replays recordings in the demo's worker: `globalThis.golden`. */
import {
  connect,
  decodeRecording,
  encodeRecording,
  type ReplayReport,
} from '../../../src/render-main/index.js';

const createWorker = (): Worker =>
  new Worker(new URL('../../../demo/simulation/sim.worker.ts', import.meta.url), {
    type: 'module',
    name: 'engine=deterministic',
  });

/** As fast as it goes: the recording says how long a step is. */
const AT_ONCE = { tickRateHz: 1000, timeScale: 100, maxCatchUpTicks: 1000 } as const;

const simulation = await connect(createWorker, { ...AT_ONCE, capacity: 256, startPaused: true });

const golden = {
  /** @param base64 A recording's file. It has to end before the next one can be shown. */
  async replay(base64: string): Promise<ReplayReport> {
    const recording = decodeRecording(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)));
    const ended = simulation.replay(recording);
    while (simulation.shownRecording !== recording) await nextTurn();
    await simulation.resume();
    return ended;
  },

  /**
   * Lives through the first ticks of the run of a recording that was shown, by hand and without anybody doing
   * anything, so that the hashes are this browser's own.
   *
   * @returns The file of the run, as base64.
   */
  async liveThrough(ticks: number): Promise<string> {
    await simulation.pause();
    await simulation.goTo(0);
    await simulation.endReplay();
    await simulation.step(ticks);
    return btoa(String.fromCharCode(...encodeRecording(simulation.recording())));
  },
};

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

declare global {
  var golden: typeof goldenType;
}
const goldenType = golden;
globalThis.golden = golden;
