/** The worker: runs the simulation at the rate that the page asks for. */
import { runSimulation } from 'betwixt/worker';
import { createSimulation } from './simulation.js';

export const simulation = runSimulation(createSimulation());
