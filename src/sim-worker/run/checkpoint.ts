/** Checkpoints of a run, and how it goes from one to another. */
import { GENERATION_MASK } from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';
import type { RunDescription } from '../../shared/recording/recording.js';
import { copyOfJson, type Json } from '../../shared/util/json.js';
import * as LIMITS from '../../shared/util/limits.js';
import { requireInteger } from '../../shared/util/validate.js';
import type { RestartOptions } from '../api/simulation.js';
import { noBodies } from '../bodies/body-registry.js';
import type { SavedBodies } from '../bodies/saved-bodies.js';
import { requireDone } from './require-done.js';
import type { SimulationRun } from './simulation-run.js';

/** The position of a run, except for the simulation's part. */
export interface RunCheckpoint {
  readonly tick: number;
  /** After the tick. */
  readonly simulatedSeconds: number;
  /** Simulated seconds of the last step. */
  readonly dt: number;
  /** State of the random source. */
  readonly random: number;
  readonly seed: number;
  readonly setup: Json;
  readonly bodies: SavedBodies;
}

/** What determines the beginning of a run. */
export type RunBeginning = Pick<RunDescription, 'seed' | 'setup' | 'generation'>;

/** The current position, in separate memory. */
export function checkpointOf(run: SimulationRun): RunCheckpoint {
  const { tick, simulatedSeconds, dt, random, description, bodies } = run;
  const { seed, setup } = description;
  return { tick, simulatedSeconds, dt, random: random.state, seed, setup, bodies: bodies.save() };
}

export function beginningOf(
  { dt }: SimulationRun,
  { seed, setup, generation }: RunBeginning,
): RunCheckpoint {
  return {
    tick: 0,
    simulatedSeconds: 0,
    dt,
    random: seed,
    seed,
    setup,
    bodies: noBodies(generation),
  };
}

/**
 * Goes to another position, of this run or another.
 *
 * @param build Makes the simulation build its part. If it throws, nothing changes.
 */
export function moveTo(run: SimulationRun, position: RunCheckpoint, build: () => void): void {
  const before = checkpointOf(run);
  const wasFresh = run.isFresh;
  // The following changes build another run; a query may make them.
  run.bodies.beforeNextChange(undefined);
  run.isFresh = false;
  run.bodies.restore(position.bodies);
  run.setPosition(position);
  const values = run.values.slice();
  run.values.fill(0);
  try {
    build();
  } catch (error) {
    run.bodies.restore(before.bodies);
    run.values.set(values);
    run.setPosition(before);
    run.isFresh = wasFresh;
    throw error;
  }
  run.journal?.forgetStep();
  run.events.clear();
}

/** Restarts a run, for `context.restart`. */
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
    moveTo(run, position, () => requireDone(reset.call(simulation), 'reset'));
  } else {
    // The simulation has already built the new run; no replay can build it.
    run.setPosition(position);
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
