/** Hashes a run's state: pose and sleep of all living bodies by slot, the random source, what the simulation adds. */
import { BODY_ALIVE, BODY_ASLEEP } from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';
import { StateHash } from '../../shared/recording/state-hash.js';
import type { SimulationRun } from './simulation-run.js';

/** Reused: a hash is complete when the function returns. */
const hash = new StateHash();

export function hashRun({
  bodies: { lanes, bodyLimit },
  random,
  simulation,
}: Pick<SimulationRun, 'bodies' | 'random' | 'simulation'>): string {
  hash.reset();
  hash.addWord(random.state);
  for (let slot = 0; slot < bodyLimit; slot++) {
    const at = slot * BODY_LANES;
    const meta = lanes[at + LANE.meta] ?? 0;
    if ((meta & BODY_ALIVE) === 0) continue;
    // Without generations and teleports: they count past changes and are not part of the state.
    hash.addWord(slot);
    hash.addWord(meta & BODY_ASLEEP);
    hash.addWords(lanes, at, at + LANE.meta);
    hash.addWords(lanes, at + LANE.qx, at + BODY_LANES);
  }
  simulation.hash?.(hash);
  return hash.digest();
}
