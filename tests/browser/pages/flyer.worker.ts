/// <reference lib="webworker" />
/** The flyer in a worker. */
import { runSimulation } from '../../../src/sim-worker/index.js';
import { createFlyer } from './flyer.js';

runSimulation(createFlyer());
