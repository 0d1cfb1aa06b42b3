/**
 * A part of the attack as a test, for the command that runs all tests: what broke, and how to
 * reproduce it.
 */
import { type Outcome, reasonOf } from '../../scripts/test/outcomes.js';
import type { AttackFailure } from './part.js';
import type { PartOutcome } from './run.js';

/** The command that finds it again: for the shortest time, if its own seed is known. */
export const againOf = (part: string, failure: AttackFailure, seed: number): string =>
  failure.seed === undefined
    ? `npm run attack -- ${part} --seed ${seed}`
    : `npm run attack -- ${part} --seed ${failure.seed} --minutes 0.01`;

export function testOutcomeOf({ part, about, failure }: PartOutcome, seed: number): Outcome {
  const name = `${part}: ${about}`;
  if (failure === undefined) return { name, result: 'passed' };
  const { message, steps } = failure;
  const again = againOf(part, failure, seed);
  return {
    name,
    result: 'failed',
    reason: `${reasonOf(message)} (${again}; smallest case: ${reasonOf(steps)})`,
    detail: `${message}\n${again}\nsmallest case: ${steps}`,
  };
}
