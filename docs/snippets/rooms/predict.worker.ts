import { predictRoom } from 'betwixt/colyseus/worker';
import { runSimulation } from 'betwixt/worker';
import { createGame } from './simulation.js';

export const simulation = runSimulation(predictRoom(createGame()));
