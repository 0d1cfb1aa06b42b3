/** Runs one loop in this worker: posts its report, or its error. */
import type { StepperOptions } from '../engine/loops/registry.js';
import { runForReal, type RealMachine } from './real-run.js';

/** The page's request. */
export interface RealRunRequest {
  readonly stepper: StepperOptions;
  readonly seconds: number;
  readonly updateMs: number;
}

const pillow = new Int32Array(new SharedArrayBuffer(4));

const machine: RealMachine = {
  now: () => performance.now(),
  sleepUntil: (ms) => {
    const durationMs = ms - performance.now();
    if (durationMs > 0) Atomics.wait(pillow, 0, 0, durationMs);
  },
  // Workers have the display's frames too. The stamp is of the page's clock, so the worker's own is
  // used.
  nextDisplay: () =>
    new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now()))),
};

self.onmessage = async ({ data }: MessageEvent<RealRunRequest>) => {
  try {
    const report = await runForReal(data.stepper, data.seconds, data.updateMs, machine);
    self.postMessage({ report });
  } catch (error) {
    self.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
};
