/** Positions of a run, and how it goes from one to another. */
import { noBodies } from '../bodies/body-registry.js';
import type { RunBeginning, RunCheckpoint, SimulationRun } from './simulation-run.js';

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
export function goTo(run: SimulationRun, position: RunCheckpoint, build: () => void): void {
  const before = checkpointOf(run);
  const wasFresh = run.isFresh;
  // The following changes build another run; a query may make them.
  run.bodies.beforeNextChange(undefined);
  run.isFresh = false;
  run.bodies.restore(position.bodies);
  run.stand(position);
  const values = run.values.slice();
  run.values.fill(0);
  try {
    build();
  } catch (error) {
    run.bodies.restore(before.bodies);
    run.values.set(values);
    run.stand(before);
    run.isFresh = wasFresh;
    throw error;
  }
  run.journal?.forgetStep();
  run.events.clear();
}
