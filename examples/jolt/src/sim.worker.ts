/** The worker: runs the simulation at a fixed rate, controlled by the page. */
import { runSimulation } from 'betwixt/worker';
import { createSimulation } from './simulation.js';

export const simulation = runSimulation(createSimulation());
