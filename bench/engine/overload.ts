/**
 * When a case counts as overloaded: its figures then show how it fails, not what it costs to run.
 */
import type { CaseResult } from './result.js';

/** Below this it visibly falls behind: 1 % is more than half a second every minute. */
const MIN_SPEED = 0.99;
/** One late tick in a hundred; more cannot be hidden by the jitter margin of the display. */
const MAX_MISSES = 0.01;

/** Ticks that are late because of one interruption or long step. */
const MAX_LATE_TICKS = 10;

export function missShare({ deadlineMisses, ticks }: Pick<CaseResult, 'deadlineMisses' | 'ticks'>) {
  return ticks === 0 ? 0 : deadlineMisses / ticks;
}

export function isOverloaded(
  result: Pick<CaseResult, 'deadlineMisses' | 'ticks' | 'effectiveSpeed'>,
): boolean {
  return result.effectiveSpeed < MIN_SPEED || missShare(result) > MAX_MISSES;
}

/** Whether interruptions and single long steps can be the reason for all late ticks. */
export function isDelayed({ deadlineMisses, droppedTicks, repeats }: CaseResult): boolean {
  const delays = repeats.reduce((sum, one) => sum + one.interruptions + one.longSteps, 0);
  return deadlineMisses + droppedTicks <= MAX_LATE_TICKS * delays;
}

/** The mark of a case: that it is overloaded, or that the machine's interruptions explain it. */
export function overloadText(one: CaseResult): '' | 'interrupted' | 'overload' {
  if (!isOverloaded(one)) return '';
  const areSeen = one.repeats.some(({ interruptions }) => interruptions > 0);
  const canFit = one.repeats.some(({ p99Ms }) => p99Ms <= one.budgetMs);
  return areSeen && canFit && isDelayed(one) ? 'interrupted' : 'overload';
}

/** Whether a case keeps within the budget: the p99 of its steps does, and ticks are in time. */
export function isWithinBudget(result: CaseResult): boolean {
  return result.budgetShare <= 1 && !isOverloaded(result);
}
