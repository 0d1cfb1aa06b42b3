/** Measures cases on request of a script: `globalThis.bench`. */
import type { CaseRequest, MeasuredCase } from '../runner/measure-case.js';
import { emptyWorldPassUs } from '../empty-world.js';
import {
  measureOverhead,
  type Echo,
  type Overhead,
  type OverheadRequest,
} from '../overhead-passes.js';
import { measureOnPage } from './measure-on-page.js';

function createEcho(): Echo {
  const worker = new Worker(URL.createObjectURL(new Blob(['onmessage = () => postMessage(0)'])));
  return {
    ask: () =>
      new Promise((resolve) => {
        worker.addEventListener('message', resolve, { once: true });
        worker.postMessage(0);
      }),
    end: () => worker.terminate(),
  };
}

let isStopRequested = false;
let controller = new AbortController();

const api = {
  /**
   * @param request A case, as JSON.
   * @param worker Address of another worker script than the benchmark's own.
   */
  run(request: string, worker: string | null): Promise<MeasuredCase> {
    isStopRequested = false;
    controller = new AbortController();
    return measureOnPage(JSON.parse(request) as CaseRequest, {
      signal: controller.signal,
      isStopRequested: () => isStopRequested,
      worker,
      drawsFrames: true,
    });
  },
  /** Ends it after this repeat. */
  stop(): void {
    isStopRequested = true;
  },
  /** The loop's own cost besides the step. */
  overhead: (request: OverheadRequest): Promise<Overhead> =>
    measureOverhead(
      () => new Worker(new URL('../overhead.worker.ts', import.meta.url), { type: 'module' }),
      createEcho,
      request,
    ),
  /** The cost of an empty tick, in µs. */
  emptyWorld: (): Promise<number> =>
    emptyWorldPassUs(
      () => new Worker(new URL('../empty-world.worker.ts', import.meta.url), { type: 'module' }),
    ),
  abort(): void {
    controller.abort(new Error('the measurement was cancelled'));
  },
};

declare global {
  var bench: typeof api;
}
globalThis.bench = api;
