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

/** Words of the memory for counting while the page is hidden. */
export const COUNT = { stop: 0, wakeUps: 1, pillow: 2 } as const;
/** Milliseconds between two wake-ups of that count. */
export const COUNT_PERIOD_MS = 20;

const ASKED_MS = [0.1, 1, 5];
const WAITS = 25;

self.onmessage = ({ data }: MessageEvent<Int32Array | 'measure'>) => {
  if (data === 'measure') {
    const findings: WorkerFindings = {
      clockStepMs: clockStepMs(),
      waits: ASKED_MS.map(measureWait),
    };
    self.postMessage(findings);
  } else {
    countUntilStopped(data);
  }
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

function countUntilStopped(words: Int32Array): void {
  while (Atomics.load(words, COUNT.stop) === 0) {
    Atomics.wait(words, COUNT.pillow, 0, COUNT_PERIOD_MS);
    Atomics.add(words, COUNT.wakeUps, 1);
  }
}
