/** Frames at a display's rate on its own time line, independent of the actual display. */
import type { MetronomeMessage } from './metronome.worker.js';

/**
 * @param frame Its number; missed frames are skipped.
 * @param stampMs Its ideal stamp: `frame / displayHz` after the first, on the clock of
 * `performance.now()`.
 */
export type OnFrame = (frame: number, stampMs: number) => void;

export class FramePacer {
  readonly #worker: Worker;

  /** Begins immediately, a little in the future. */
  constructor(displayHz: number, onFrame: OnFrame) {
    const worker = new Worker(new URL('./metronome.worker.ts', import.meta.url), {
      type: 'module',
    });
    const startMs = performance.now() + 200;
    let last = -1;
    worker.onmessage = () => {
      // The newest one that is due: messages of frames in which the page was busy have piled up.
      const due = Math.floor(((performance.now() - startMs) * displayHz) / 1000 + 1e-6);
      if (due <= last) return;
      last = due;
      onFrame(due, startMs + (due * 1000) / displayHz);
    };
    const message: MetronomeMessage = { displayHz, originMs: performance.timeOrigin + startMs };
    worker.postMessage(message);
    this.#worker = worker;
  }

  stop(): void {
    this.#worker.terminate();
  }
}
