/** Restarts a run, for `context.restart`. */
import { GENERATION_MASK } from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';
import { copyOfJson } from '../../shared/util/json.js';
import * as LIMITS from '../../shared/util/limits.js';
import { requireInteger } from '../../shared/util/validate.js';
import type { RestartOptions } from '../api/simulation.js';
import type { SavedBodies } from '../bodies/saved-bodies.js';
import { requireDone } from './require-done.js';
import { beginningOf, goTo } from './run-position.js';
import type { SimulationRun } from './simulation-run.js';

export function restartRun(run: SimulationRun, options: RestartOptions): void {
  const { description, bodies, simulation, events } = run;
  const { seed = description.seed, setup = description.setup } = options;
  const position = beginningOf(run, {
    seed: requireInteger('seed', seed, ...LIMITS.seed),
    setup: copyOfJson('setup', setup),
    generation: unusedGeneration(bodies.save()),
  });
  const { reset } = simulation;
  if (reset !== undefined) {
    goTo(run, position, () => requireDone(reset.call(simulation), 'reset'));
  } else {
    // The simulation has already built the new run; no replay can build it.
    run.stand(position);
    run.isFresh = false;
    events.clear();
  }
  run.beginAgain();
}

/** A generation that no id of this run has, 0 to 4095. */
function unusedGeneration({ generation, lanes }: SavedBodies): number {
  let max = 0;
  for (let at: number = LANE.meta; at < lanes.length; at += BODY_LANES) {
    max = Math.max(max, ((lanes[at] ?? 0) - generation) & GENERATION_MASK);
  }
  return (generation + max + 1) & GENERATION_MASK;
}
