/** The worker of the part `overhead` in a browser. */
import { browserHost } from '../../src/sim-worker/thread/host.js';
import { runOverheadSimulation } from './overhead-simulation.js';

runOverheadSimulation(browserHost());
