import type { Recording } from 'betwixt/shared';
import { createSimulation as createFountain } from './src/simulation.js';

const DT = 1 / 60;

/** Called for each file. What it throws is the reason why the file is refused. */
export function createSimulation({ run, start, entries }: Recording) {
  if (start !== undefined) throw new Error('does not start at tick 0');
  if (run.capacity !== 50 || run.setup !== null) throw new Error('is not of this level');
  if (entries.some((entry) => entry.kind === 'step' && entry.dt !== DT)) {
    throw new Error('has another time step than 1/60 s');
  }
  return createFountain();
}
