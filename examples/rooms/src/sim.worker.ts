/** The worker of a page that predicts its room. */
import { predictRoom } from 'betwixt/colyseus/worker';
import { runSimulation } from 'betwixt/worker';
import { createSumo } from './simulation.js';

export const simulation = runSimulation(predictRoom(createSumo()));
