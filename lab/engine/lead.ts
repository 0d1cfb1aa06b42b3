/**
 * How far simulated time is ahead of the moment that a state represents.
 *
 *     updates at the end of its slot     at p: simulates p, for the moment p            lead 0
 *     updates at the start of its slot   at 0: simulates p already, for the moment 0    lead p
 *
 * A state represents its due time, so the sum of the steps is not a clock: a loop that updates at
 * the start plays the same game as any other, begun a step earlier.
 */
import type { Stepper } from './loops/stepper.js';

/** Loops whose first update runs before any time has passed. All of them have equal steps. */
const UPDATE_AT_START: ReadonlySet<string> = new Set([
  'unpaced',
  'frame-locked',
  'frame-skip',
  'fixed-predict',
  'rate-groups',
]);

/**
 * Derived from the rule, in ms, not from a run: in a run that is late from its start, such as one
 * that begins in a hitch, lost time must not be mistaken for lead.
 */
export function leadMsOf(stepper: Pick<Stepper, 'kind' | 'stepBoundMs'>): number {
  return UPDATE_AT_START.has(stepper.kind) ? stepper.stepBoundMs : 0;
}
