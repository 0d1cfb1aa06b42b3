/**
 * A part of the attack as a test, for the command that runs all tests: what broke, and how to
 * reproduce it.
 */
import { type Outcome, reasonOf } from '../../scripts/test/outcomes.js';
import type { PartOutcome } from './run.js';

export function testOutcomeOf({ part, about, failure }: PartOutcome, seed: number): Outcome {
  const name = `${part}: ${about}`;
  if (failure === undefined) return { name, result: 'passed' };
  const { message, steps } = failure;
  const again = `npm run attack -- ${part} --seed ${seed}`;
  return {
    name,
    result: 'failed',
    reason: `${reasonOf(message)} (${again}; smallest case: ${reasonOf(steps)})`,
    detail: `${message}\n${again}\nsmallest case: ${steps}`,
  };
}
