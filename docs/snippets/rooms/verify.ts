import type { Recording } from 'betwixt/shared';
import { createGame } from './simulation.js';

export function createSimulation({ run }: Recording) {
  if (run.capacity > 4096) throw new Error('no room of ours has that many bodies');
  return createGame();
}
