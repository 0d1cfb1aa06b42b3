/** Badges of a whole run that no single moment shows, for a loop's panel. Pure. */
import { turnsPerSecond, type LabRow } from '../engine/index.js';
import type { Badge } from './verdict.js';

const SAME = 'same states on every display';
const NOT_SAME = '≠ states differ by display';
/** Tolerance of the right speed for a run as a whole. */
const RUN_SLACK = 0.02;
/**
 * A loop wastes turns if fewer than half of its turns can have done something, and there are this
 * many.
 */
const MIN_TURNS = 100;

/**
 * Whether displays change what is simulated, as far as the engine probes it. Equal states are no
 * merit of a loop that has the wrong speed, so nothing is said then.
 *
 * @param now The badges of the current moment.
 */
export function determinismOf(row: LabRow, now: readonly Badge[] = []): string {
  if (!row.deterministic) return NOT_SAME;
  if (now.some(({ isOffSpeed }) => isOffSpeed === true)) return '';
  return Math.abs(row.effectiveSpeed - 1) > RUN_SLACK ? '' : SAME;
}

/** Minimum iterations per second that neither updated nor drew, because one turn may do both. */
export function idleTurnsPerSecond({ passes, updates, frames, realS }: LabRow): number {
  return realS === 0 ? 0 : Math.max(0, passes - updates - frames) / realS;
}

/** How often a loop wakes without work; undefined if it does not. */
export function turnsBadges(row: LabRow): readonly Badge[] {
  const turns = turnsPerSecond(row);
  if (turns < MIN_TURNS || idleTurnsPerSecond(row) < turns / 2) return [];
  return [
    { kind: 'fault', text: `${Math.round(turns).toLocaleString('en')} iterations per second` },
  ];
}
