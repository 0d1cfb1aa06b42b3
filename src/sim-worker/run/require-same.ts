/** Checks that a recording or a saved state belongs to the simulation that should use it. */
import type { RecordingEntry } from '../../shared/recording/recording.js';
import type { Simulation } from '../api/simulation.js';
import { commandNamed } from './commands.js';

/** @throws Error if the state or recording is from another engine. */
export function requireSameEngine(simulation: Simulation, engine: string): void {
  const own = simulation.engine?.() ?? '';
  if (engine === own) return;
  throw new Error(
    `it was made with the engine "${engine}", and this simulation runs on "${own}": choose that engine and ` +
      'its version',
  );
}

/**
 * Checks that the simulation has the commands that a recording calls: without them the run would differ.
 *
 * @throws Error naming the commands that the simulation does not have.
 */
export function requireCommands(simulation: Simulation, entries: readonly RecordingEntry[]): void {
  const strange = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'command' && commandNamed(simulation, entry.name) === undefined) {
      strange.add(entry.name);
    }
  }
  if (strange.size === 0) return;
  const names = [...strange]
    .slice(0, 5)
    .map((name) => `"${name}"`)
    .join(', ');
  throw new Error(
    `the recording calls ${names}, but this simulation has no such command: the recording is from another simulation ` +
      'or version',
  );
}
