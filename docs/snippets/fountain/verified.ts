import type { Recording } from 'betwixt/shared';
import { replay } from 'betwixt/worker';
import { createSimulation } from './src/simulation.js';

const DT = 1 / 60;

/** Runs an upload again. @throws Error with the reason, if it is not a run of this level. */
export async function verify(recording: Recording) {
  const { run, start, entries } = recording;
  if (start !== undefined) throw new Error('does not start at tick 0');
  if (run.capacity !== 50 || run.setup !== null) throw new Error('is not of this level');
  if (entries.some((entry) => entry.kind === 'step' && entry.dt !== DT)) {
    throw new Error('has a time step other than 1/60 s');
  }
  // The length of the longest run.
  const { hashes, differsAt } = await replay(createSimulation(), recording, { maxTicks: 36_000 });
  return hashes > 0 && differsAt === undefined;
}
