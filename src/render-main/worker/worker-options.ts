import type { ResolvedOptions } from '../api/check-options.js';

/** The options in the form that is sent to the worker, with more than it reads: that takes less code than a list. */
export function workerOptions({ signal: _signal, ...options }: ResolvedOptions) {
  const ticksIn = (seconds: number): number =>
    Math.max(1, Math.round(seconds * options.tickRateHz));
  const { hashEveryTicks, rewindSeconds, saveEverySeconds } = options.recording;
  const needsStates = options.recovery === 'restart' || rewindSeconds > 0;
  return {
    ...options,
    hashEveryTicks,
    rewindSeconds,
    saveEveryTicks: needsStates ? ticksIn(saveEverySeconds) : 0,
  };
}
