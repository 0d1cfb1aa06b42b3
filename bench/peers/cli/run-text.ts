/** Describes the current measurement. */
import { countText, rateText } from '../../engine/index.js';
import { labelOf } from '../engine/contestants.js';
import type { PlannedRun } from '../engine/plan.js';

export function runText({ kind, contestant, bodies, displayHz, repeat }: PlannedRun): string {
  const what = kind === 'faults' ? 'faults' : `${countText(bodies)} at ${rateText(displayHz)} Hz`;
  return `${what}, turn ${repeat + 1}, ${labelOf(contestant)}`;
}
