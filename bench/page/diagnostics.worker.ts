/** Measures the worker's side of the clock: its step, and how late `Atomics.wait` returns. */
import { clockStepMs } from './clock-step.js';

/** The requested sleep and the actual one: median and worst, in ms. */
export interface WaitFinding {
  readonly askedMs: number;
  readonly p50Ms: number;
  readonly maxMs: number;
}

export interface WorkerFindings {
  readonly clockStepMs: number;
  readonly waits: readonly WaitFinding[];
}

const ASKED_MS = [0.1, 1, 5];
const WAITS = 25;

self.onmessage = () => {
  const findings: WorkerFindings = {
    clockStepMs: clockStepMs(),
    waits: ASKED_MS.map(measureWait),
  };
  self.postMessage(findings);
};

function measureWait(askedMs: number): WaitFinding {
  const pillow = new Int32Array(new SharedArrayBuffer(4));
  const tookMs = Float64Array.from({ length: WAITS }, () => {
    const startMs = performance.now();
    Atomics.wait(pillow, 0, 0, askedMs);
    return performance.now() - startMs;
  }).toSorted();
  return { askedMs, p50Ms: tookMs[WAITS >> 1] ?? Number.NaN, maxMs: tookMs.at(-1) ?? Number.NaN };
}
