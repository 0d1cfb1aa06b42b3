/** Measures cases on request of a script: `globalThis.bench`. */
import type { CaseRequest, MeasuredCase } from '../runner/measure-case.js';
import { measurePasses, type Overhead, type OverheadRequest } from '../parts/overhead-passes.js';
import { measureOnPage } from './measure-on-page.js';

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
    measurePasses(
      () => new Worker(new URL('../parts/overhead.worker.ts', import.meta.url), { type: 'module' }),
      request,
    ),
  abort(): void {
    controller.abort(new Error('the measurement was cancelled'));
  },
};

declare global {
  var bench: typeof api;
}
globalThis.bench = api;
