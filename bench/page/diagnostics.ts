/**
 * Examines the browser's features that the simulation relies on. Each finding is a name and a
 * sentence.
 */
import { msText, rateText } from '../engine/index.js';
import { clockStepMs } from './clock-step.js';
import type { WorkerFindings } from './diagnostics.worker.js';

export type ReportFinding = (name: string, sentence: string) => void;

export async function diagnose(report: ReportFinding): Promise<void> {
  const isIsolated = crossOriginIsolated;
  report(
    'Isolation',
    isIsolated
      ? 'This page is cross-origin isolated: shared memory and the precise clock are available.'
      : 'This page is not cross-origin isolated. Without shared memory, nothing can be measured.',
  );
  report('Display', await displayRate());
  const here = clockStepMs();
  if (!isIsolated) {
    report('Clock', `The resolution is ${msText(here)} ms on this page.`);
    return;
  }
  const { clockStepMs: there, waits } = await askWorker();
  report(
    'Clock',
    `The resolution is ${msText(here)} ms on this page and ${msText(there)} ms in a worker.`,
  );
  report(
    'Sleep in a worker',
    `${waits
      .map(({ askedMs, p50Ms, maxMs }) => {
        return `${askedMs} ms takes ${msText(p50Ms)} ms (at most ${msText(maxMs)})`;
      })
      .join('; ')}. The excess delays the start of a tick.`,
  );
}

function askWorker(): Promise<WorkerFindings> {
  const worker = new Worker(new URL('./diagnostics.worker.ts', import.meta.url), {
    type: 'module',
  });
  return new Promise<WorkerFindings>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerFindings>) => resolve(data));
    worker.addEventListener('error', (event) =>
      reject(new Error(`the worker failed: ${event.message}`)),
    );
    worker.postMessage('measure');
  }).finally(() => worker.terminate());
}

async function displayRate(): Promise<string> {
  if (document.hidden) return 'Unknown: the page was hidden when it opened.';
  const stampsMs: number[] = [];
  await new Promise<void>((resolve) => {
    const onFrame = (stampMs: number): void => {
      stampsMs.push(stampMs);
      if (stampsMs.length > 60 || document.hidden) resolve();
      else requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
  });
  const intervals = stampsMs
    .slice(1)
    .map((stampMs, index) => stampMs - (stampsMs[index] ?? stampMs))
    .toSorted((a, b) => a - b);
  const medianMs = intervals[intervals.length >> 1];
  const maxMs = intervals.at(-1);
  if (medianMs === undefined || maxMs === undefined) return 'Unknown: too few frames.';
  return (
    `${rateText(1000 / medianMs)} frames per second (median of ${intervals.length}); ` +
    `the longest took ${msText(maxMs)} ms.`
  );
}
