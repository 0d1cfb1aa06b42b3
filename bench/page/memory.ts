/** Memory of the page and its workers, where the browser reports it. */
import type { MemoryResult } from '../engine/index.js';

interface MemoryBreakdown {
  readonly bytes: number;
  readonly attribution: readonly { readonly scope: string }[];
}

/** Chromium's, in isolated pages only; not in the standard types. */
interface MeasuringPerformance {
  measureUserAgentSpecificMemory?(): Promise<{ readonly breakdown: readonly MemoryBreakdown[] }>;
  readonly memory?: { readonly usedJSHeapSize: number };
}

/** Browsers answer after their next garbage collection, which may be far off. */
const PATIENCE_MS = 1500;

export async function measureMemory(): Promise<MemoryResult | null> {
  const measuring = performance as unknown as MeasuringPerformance;
  const measured = await Promise.race([
    Promise.resolve(measuring.measureUserAgentSpecificMemory?.()).catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ]);
  if (measured === undefined) {
    const bytes = measuring.memory?.usedJSHeapSize;
    return bytes === undefined ? null : { workerMB: null, pageMB: bytes / 1e6 };
  }
  const megabytesOf = (isWanted: (scope: string) => boolean): number =>
    measured.breakdown
      .filter(({ attribution }) => attribution.some(({ scope }) => isWanted(scope)))
      .reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  return { workerMB: megabytesOf(isWorker), pageMB: megabytesOf((scope) => !isWorker(scope)) };
}

const isWorker = (scope: string): boolean => scope.includes('Worker');
