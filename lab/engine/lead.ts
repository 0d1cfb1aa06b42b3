/**
 * By how much simulated time is ahead of the moment that a state stands for.
 *
 *     updates at the end of its slot     at p: simulates p, for the moment p            lead 0
 *     updates at the start of its slot   at 0: simulates p already, for the moment 0    lead p
 *
 * A state stands for its due time, so the sum of the steps is no clock: a loop that updates at the start
 * plays the same game as any other, begun a step earlier.
 */
import type { Stepper } from '../../src/shared/loops/stepper.js';

/** Their first update runs before any time has passed. All of them have equal steps. */
const UPDATE_AT_START: ReadonlySet<string> = new Set([
  'unpaced',
  'frame-locked',
  'frame-skip',
  'fixed-predict',
  'rate-groups',
]);

/**
 * Of the rule, in ms, and not of a run: in one that is late from its very start, as one that begins in a
 * hitch, what was lost must not be taken for it.
 */
export function leadMsOf(stepper: Pick<Stepper, 'kind' | 'stepBoundMs'>): number {
  return UPDATE_AT_START.has(stepper.kind) ? stepper.stepBoundMs : 0;
}
