/** Lags after the end of a run: the engine would ignore them, so the reader is informed. Pure. */
import type { Hitch } from '../engine/index.js';

interface Run {
  readonly hitches: readonly Hitch[];
  readonly seconds: number;
}

/** Completes "must". */
export const LATE_RULE = 'all begin before the run ends';

export function splitHitches({ hitches, seconds }: Run): {
  readonly during: readonly Hitch[];
  readonly late: readonly Hitch[];
} {
  const isLate = ({ atMs }: Hitch): boolean => atMs >= seconds * 1000;
  return { during: hitches.filter((hitch) => !isLate(hitch)), late: hitches.filter(isLate) };
}

/** Sentences for a run that was made shorter than its lags; otherwise none. */
export function lateHitchNotice(run: Run): readonly string[] {
  const { late } = splitHitches(run);
  if (late.length === 0) return [];
  const which =
    late.length === 1
      ? `The stall at ${inSeconds(late)} does not happen: it`
      : `The stalls at ${inSeconds(late)} do not happen: they`;
  return [`${which} must begin before the run ends, at ${run.seconds} s.`];
}

function inSeconds(hitches: readonly Hitch[]): string {
  return `${hitches.map(({ atMs }) => atMs / 1000).join(', ')} s`;
}
