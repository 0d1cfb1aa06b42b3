/** The overhead's worker in a browser. */
import { browserHost } from '../src/sim-worker/index.js';
import { runOverheadSimulation } from './overhead-simulation.js';

runOverheadSimulation(browserHost());
