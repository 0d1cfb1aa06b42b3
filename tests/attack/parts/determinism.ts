/**
 * Live runs in threads, with everything random that happens there, replayed here: the same states,
 * bit for bit.
 */
import { compiledWorker } from '../compiled-workers.js';
import { liveRuns, tryLive } from '../live-run.js';
import { propertyPart } from '../property.js';

/** Each takes as long as it did live. */
const MAX_RERUNS = 30;

export const determinism = propertyPart({
  name: 'determinism',
  about: 'live runs, stalled and hurried, replay bit for bit: the toy and the scenes in Rapier',
  unit: 'ticks',
  cases: liveRuns,
  check: (run) => tryLive(run, compiledWorker),
  batch: 1,
  maxReruns: MAX_RERUNS,
});
