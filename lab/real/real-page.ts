/** Runs loops in separate workers, all at the same time. Called by scripts, on `globalThis.lab`. */
import type { RunReport } from '../engine/index.js';
import type { RealRunRequest } from './real-run.worker.js';

type Answer = { readonly report: RunReport } | { readonly error: string };

function run(request: RealRunRequest): Promise<RunReport> {
  const worker = new Worker(new URL('./real-run.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<RunReport>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if ('report' in data) resolve(data.report);
      else reject(new Error(data.error));
    };
    worker.onerror = (event) => reject(new Error(`the worker failed: ${event.message}`));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}

declare global {
  var lab: { run(requests: readonly RealRunRequest[]): Promise<RunReport[]> };
}

globalThis.lab = { run: (requests) => Promise.all(requests.map(run)) };
