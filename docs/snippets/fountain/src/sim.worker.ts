import { runSimulation } from 'betwixt/worker';
import { createSimulation } from './simulation.js';

export const simulation = runSimulation(createSimulation());
