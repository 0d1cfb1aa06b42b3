/** A simulation of nothing, in a browser. */
import { runSimulation } from '../src/sim-worker/index.js';

runSimulation({ init: () => {}, step: () => {} });
