/** The machine and its browser without the library: `globalThis.bare`. */
import type { BareRate, BareRateReport } from '../../fixtures/bare-rate.js';

/** A worker, and its report when it has kept a rate. */
function start(rate: BareRate) {
  const worker = new Worker(new URL('./bare.worker.ts', import.meta.url), { type: 'module' });
  const report = new Promise<BareRateReport>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<BareRateReport>) => resolve(data);
    worker.onerror = (event) => reject(new Error(`the worker failed: ${event.message}`));
    worker.postMessage(rate);
  });
  return { worker, report };
}

const bare = {
  /** Reports of workers that keep a rate, all at the same time. */
  rates: (count: number, rate: BareRate): Promise<BareRateReport[]> =>
    Promise.all(Array.from({ length: count }, () => start(rate).report)),

  /** A worker that is idle from then on. */
  startIdle: (): Promise<BareRateReport> => start({ rateHz: 60, seconds: 0.1 }).report,
};

declare global {
  var bare: typeof bareType;
}
const bareType = bare;
globalThis.bare = bare;
