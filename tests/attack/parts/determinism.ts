/**
 * Live runs in threads, with everything random that happens there, replayed here: the same states,
 * bit for bit.
 */
import { compiledWorker } from '../compiled-workers.js';
import { liveRuns, tryLive } from '../live-run.js';
import type { AttackPart } from '../part.js';
import { attackProperty } from '../property.js';

/** Each takes as long as it did live. */
const MAX_RERUNS = 30;

export const determinism: AttackPart = {
  name: 'determinism',
  about: 'live runs, stalled and hurried, replay bit for bit: the toy and the scenes in Rapier',
  unit: 'ticks',
  run: async (context) => {
    let ticks = 0;
    const report = await attackProperty(
      liveRuns,
      async (run) => {
        const result = await tryLive(run, compiledWorker);
        ticks += result.ticks;
      },
      { ...context, onProgress: () => context.onProgress(ticks) },
      { batch: 1, maxReruns: MAX_RERUNS },
    );
    return { ...report, tried: ticks };
  },
};
