/** Restarts a run, for `context.restart`. Loaded with queries, which alone may call it. */
import { requireJson, type Json } from '../../shared/util/json.js';
import * as LIMITS from '../../shared/util/limits.js';
import { requireInteger } from '../../shared/util/validate.js';
import type { RestartOptions } from '../api/simulation.js';
import { requireDone } from './require-done.js';
import { beginningOf, goTo } from './run-position.js';
import type { SimulationRun } from './simulation-run.js';

export function restartRun(run: SimulationRun, options: RestartOptions): void {
  const { description, bodies, simulation, events } = run;
  const { seed = description.seed, setup = description.setup } = options;
  // As it would be in a recording: JSON turns −0 into 0, for example.
  const position = beginningOf(run, {
    seed: requireInteger('seed', seed, ...LIMITS.seed),
    setup: JSON.parse(JSON.stringify(requireJson('setup', setup))) as Json,
    generation: bodies.unusedGeneration,
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
