/** Our worker of the comparison. */
import { runSimulation } from '../../../src/sim-worker/index.js';
import { createPeerSimulation } from './betwixt-simulation.js';

export const simulation = runSimulation(createPeerSimulation());
