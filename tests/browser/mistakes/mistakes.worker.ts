/// <reference lib="webworker" />
/** A simulation that makes the mistake that its setup names. */
import { runSimulation, type SimulationContext } from '../../../src/sim-worker/index.js';

let context: SimulationContext;
let mistake: unknown;
let title = '';

export const simulation = runSimulation({
  events: {} as { bang: null },
  init(given) {
    context = given;
    mistake = given.setup;
    // A worker has no document; the mistake is in the words of an application.
    if (mistake === 'DOM') title = document.title;
  },
  step(_dt, tick): void {
    if (mistake === 'no handler' && tick === 1) context.events.emit('bang', null);
  },
  queries: {
    title: () => title,
  },
});
