/// <reference lib="webworker" />
/** Throws where its setup says. A test looks for the places in the console, by the comments at the ends of the lines. */
import { runSimulation, type SimulationContext } from '../../../src/sim-worker/index.js';

let setup: unknown;

function throwIn(place: string): never {
  throw new Error(`no luck in ${place}`); // the place
}

runSimulation({
  init(context: SimulationContext) {
    ({ setup } = context);
    if (setup === 'init') throwIn('init'); // init
  },
  step() {
    if (setup === 'step') throwIn('step'); // step
  },
  commands: {
    failingCommand() {
      throwIn('command'); // command
    },
  },
  queries: {
    failingQuery() {
      throwIn('query'); // query
    },
  },
});
