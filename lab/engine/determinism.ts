/**
 * Whether a stepper gives the same states on every display.
 *
 * Definition: the same seeded input, stamped in *simulated* time as in a replay, is played on
 * displays of 50, 60, 75 and 144 Hz and of the scenario's rate, for 5 s each, on a machine on which
 * nothing takes time and without hitches or noise. The stepper is deterministic if after every
 * update, up to the fewest updates that any display had, the state of the simulation (simulated
 * time included) is bit-identical on all of them.
 *
 * It is a property of the loop, not of the machine: time dropped in a hitch makes a game late, not
 * different. A loop that follows the machine's speed may still be deterministic in this sense
 * (`unpaced` is: the same updates, only sooner); its fault is in the column of the effective speed.
 */
import type { StepperOptions } from './loops/registry.js';
import type { Scenario } from './scenario.js';
import { simulate } from './simulate.js';

export const PROBE_DISPLAYS_HZ: readonly number[] = [50, 60, 75, 144];
export const PROBE_SECONDS = 5;

/**
 * Checks whether the states are equal.
 *
 * @param optionsFor The stepper's options on a display of this rate.
 * @param scenario Its display, seed and inputs are used.
 */
export function isDeterministic(
  optionsFor: (displayHz: number) => StepperOptions,
  scenario: Pick<Scenario, 'displayHz' | 'seed' | 'inputs'>,
): boolean {
  const { displayHz, seed, inputs } = scenario;
  const rates = new Set([...PROBE_DISPLAYS_HZ, displayHz]);
  const histories = [...rates].map((rateHz) => {
    const hashes: string[] = [];
    const probe = { displayHz: rateHz, seconds: PROBE_SECONDS, seed, inputs };
    simulate(optionsFor(rateHz), probe, {
      inputClock: 'simulated',
      onUpdate: (world) => hashes.push(world.hash()),
    });
    return hashes;
  });
  const [first = [], ...others] = histories;
  return others.every((other) => {
    const shared = Math.min(first.length, other.length);
    // A state depends on everything before it: equal at the end means equal all along, unless every
    // difference in between was undone by chance.
    return shared === 0 || first.slice(0, shared).every((hash, update) => hash === other[update]);
  });
}
