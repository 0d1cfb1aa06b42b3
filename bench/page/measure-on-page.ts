/** Measures a case in this page's browser. */
import { measureCase, type CaseRequest, type MeasuredCase } from '../runner/measure-case.js';

export interface PageMeasuring {
  readonly signal: AbortSignal;
  readonly isStopRequested: () => boolean;
  /** Address of another worker script than the benchmark's own. */
  readonly worker: string | null;
  /** Whether the page does the work of its frames at the same time. */
  readonly drawsFrames: boolean;
  /** Called when a repeat has to wait for the page to be visible, and when it continues. */
  readonly onHidden?: (isHidden: boolean) => void;
}

export function measureOnPage(
  request: CaseRequest,
  { signal, isStopRequested, worker, drawsFrames, onHidden = () => {} }: PageMeasuring,
): Promise<MeasuredCase> {
  return measureCase(request, {
    createWorker: () =>
      worker === null
        ? new Worker(new URL('../worker/bench.worker.ts', import.meta.url), { type: 'module' })
        : new Worker(worker, { type: 'module' }),
    requestFrame: drawsFrames ? (callback) => requestAnimationFrame(callback) : undefined,
    signal,
    isStopRequested,
    undisturbed: (repeat) => whileVisible(repeat, signal, onHidden),
  });
}

/**
 * A hidden page draws no frames, and its worker may be throttled: such measurements do not count.
 */
async function whileVisible<T>(
  repeat: () => Promise<T>,
  signal: AbortSignal,
  onHidden: (isHidden: boolean) => void,
): Promise<T> {
  for (;;) {
    if (document.hidden) {
      onHidden(true);
      await becomesVisible(signal);
      onHidden(false);
    }
    let wasHidden = false;
    const note = (): void => {
      wasHidden = true;
    };
    document.addEventListener('visibilitychange', note);
    try {
      const measured = await repeat();
      if (!wasHidden) return measured;
    } finally {
      document.removeEventListener('visibilitychange', note);
    }
  }
}

function becomesVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const listen = { signal: over.signal };
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.hidden) return;
        over.abort();
        resolve();
      },
      listen,
    );
    signal.addEventListener(
      'abort',
      () => {
        over.abort();
        reject(signal.reason as Error);
      },
      listen,
    );
  });
}
