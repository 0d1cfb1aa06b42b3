/** The page of the baseline in `interval.worker.ts`: draws the newest message. */
import { distributionOf } from '../../engine/samples.js';
import { OutsideWork, type Contestant, type OpenContestant } from './contestant.js';
import { DrawnBodies } from './drawn-bodies.js';
import type { IntervalMessage, IntervalState } from './interval.worker.js';

export const openIntervalWorker: OpenContestant = async (scene): Promise<Contestant> => {
  const worker = new Worker(new URL('./interval.worker.ts', import.meta.url), { type: 'module' });
  const post = (message: IntervalMessage): void => worker.postMessage(message);
  const drawn = new DrawnBodies(scene.bodies.length);
  const outside = new OutsideWork();
  const instances = scene.bodies.length + 1;
  let newest: IntervalState | undefined;
  let stepsMs: number[] = [];
  let drawnAgeMs = Number.NaN;
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener('error', (event) => {
      reject(new Error(event.message));
      // The worker itself reports it; only later ticks are measured.
      event.preventDefault();
    });
    worker.onmessage = (event: MessageEvent<IntervalState>) => {
      outside.measure(() => {
        newest = event.data;
      });
      if (newest !== undefined) stepsMs.push(newest.stepMs);
      resolve();
    };
    post({ kind: 'start', scene });
  });
  return {
    frame(stampMs) {
      if (newest === undefined) return;
      const { poses, atMs } = newest;
      for (let index = 0; index < instances; index++) {
        drawn.setInstance(index, poses, index * 7, poses, index * 7 + 3);
      }
      drawn.single.position.fromArray(poses, instances * 7);
      drawnAgeMs = performance.timeOrigin + stampMs - atMs;
    },
    singleX: () => drawn.singleX(),
    instancedX: () => drawn.instancedX(),
    singleZ: () => drawn.singleZ(),
    instancedZ: () => drawn.instancedZ(),
    ageMs: () => drawnAgeMs,
    takeOutsideMs: () => outside.take(),
    begin() {
      stepsMs = [];
    },
    tick() {
      if (stepsMs.length === 0) return null;
      const { p50, p99 } = distributionOf(stepsMs);
      return { p50Ms: p50, p99Ms: p99, dropped: 0 };
    },
    teleport: (x) => post({ kind: 'teleport', x }),
    push: (z) => post({ kind: 'push', z }),
    failNextStep: () => post({ kind: 'fail' }),
    dispose: () => worker.terminate(),
  };
};
