/**
 * When a case counts as overloaded: its figures then show how it fails, not what it costs to run.
 */
import type { CaseResult } from './result.js';

/** Below this it visibly falls behind: 1 % is more than half a second every minute. */
const MIN_SPEED = 0.99;
/** One late tick in a hundred; more cannot be hidden by the jitter margin of the display. */
const MAX_MISSES = 0.01;

export function missShare({ deadlineMisses, ticks }: Pick<CaseResult, 'deadlineMisses' | 'ticks'>) {
  return ticks === 0 ? 0 : deadlineMisses / ticks;
}

export function isOverloaded(
  result: Pick<CaseResult, 'deadlineMisses' | 'ticks' | 'effectiveSpeed'>,
): boolean {
  return result.effectiveSpeed < MIN_SPEED || missShare(result) > MAX_MISSES;
}

/** Whether a case keeps within the budget: the p99 of its steps does, and ticks are in time. */
export function isWithinBudget(result: CaseResult): boolean {
  return result.budgetShare <= 1 && !isOverloaded(result);
}
