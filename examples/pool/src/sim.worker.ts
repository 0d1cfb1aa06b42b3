import { runSimulation } from 'betwixt/worker';
import { createGame } from './simulation.js';

export const simulation = runSimulation(createGame());
