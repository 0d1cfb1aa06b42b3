/** The worker: runs the simulation at its fixed rate, under the control of the page. */
import { runSimulation } from 'betwixt/worker';
import { createSimulation } from './simulation.js';

export const simulation = runSimulation(createSimulation());
