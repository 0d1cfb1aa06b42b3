/**
 * Examines the browser's features that the simulation relies on. Each finding is a name and a
 * sentence.
 */
import { msText, rateText } from '../engine/index.js';
import { openSimulation } from '../runner/open-simulation.js';
import { capacityOf, setupOf } from '../worker/bench-setup.js';
import { clockStepMs } from './clock-step.js';
import { COUNT, COUNT_PERIOD_MS, type WorkerFindings } from './diagnostics.worker.js';

export type ReportFinding = (name: string, sentence: string) => void;

const HIDDEN = 'Hidden tab';

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
  report('Clock offset', await clockOffset());
  report('Shared memory in WebGL', sharedUpload());
  report(
    HIDDEN,
    'A hidden page draws nothing, and the library pauses the simulation. ' +
      'Switch to another tab for a few seconds, then return to see the activity in the meantime.',
  );
}

/** Counts wake-ups while the page is hidden, and reports them afterwards. */
export function watchHidden(report: ReportFinding, isMeasuring: () => boolean): void {
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden || isMeasuring() || !crossOriginIsolated) return;
    const words = new Int32Array(new SharedArrayBuffer(12));
    const worker = createWorker();
    worker.postMessage(words);
    const startMs = performance.now();
    let [frames, timers] = [0, 0];
    const onFrame = (): void => {
      frames += 1;
      request = requestAnimationFrame(onFrame);
    };
    let request = requestAnimationFrame(onFrame);
    const timer = setInterval(() => {
      timers += 1;
    }, COUNT_PERIOD_MS);
    const onBack = (): void => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', onBack);
      const seconds = Math.max(0.001, (performance.now() - startMs) / 1000);
      cancelAnimationFrame(request);
      clearInterval(timer);
      const wakeUps = Atomics.load(words, COUNT.wakeUps);
      Atomics.store(words, COUNT.stop, 1);
      worker.terminate();
      report(
        HIDDEN,
        `Hidden for ${seconds.toFixed(1)} s: ${frames} frames; of ${1000 / COUNT_PERIOD_MS} per second, ` +
          `the page's timer fired ${rateText(timers / seconds)} times and a sleeping worker woke up ` +
          `${rateText(wakeUps / seconds)} times. By default, the library pauses the simulation while the page is hidden.`,
      );
    };
    document.addEventListener('visibilitychange', onBack);
  });
}

const createWorker = (): Worker =>
  new Worker(new URL('./diagnostics.worker.ts', import.meta.url), { type: 'module' });

function askWorker(): Promise<WorkerFindings> {
  const worker = createWorker();
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

/** As the library detects it for every simulation. */
async function clockOffset(): Promise<string> {
  const setup = setupOf({ scene: 'scripted:constant:0', engine: 'scripted', bodies: 1 }, 1);
  const { session, simulation } = await openSimulation(
    () => new Worker(new URL('../worker/bench.worker.ts', import.meta.url), { type: 'module' }),
    { setup, capacity: capacityOf(setup), recording: false },
  );
  const { offsetMs, uncertaintyMs, method } = session.link.clock;
  await simulation.dispose();
  const offset = `The worker's clock started ${msText(Math.abs(offsetMs))} ms ${offsetMs < 0 ? 'after' : 'before'} this page's`;
  return method === 'ping'
    ? `${offset}, measured to within ${msText(Math.max(uncertaintyMs, clockStepMs()))} ms.`
    : `${offset}, according to the wall clock: the worker did not answer in time.`;
}

/** Whether the renderer takes poses from shared memory directly, without a copy. */
function sharedUpload(): string {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (gl === null) return 'Unknown: WebGL 2 is not available.';
  try {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(new SharedArrayBuffer(64)), gl.STATIC_DRAW);
    return 'Accepted. (The library copies poses anyway when it interpolates.)';
  } catch {
    return 'Refused. Poses have to be copied first, which the library does when it interpolates.';
  } finally {
    gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
