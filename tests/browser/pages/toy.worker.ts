/// <reference lib="webworker" />
/** The toy simulation of the other tests, in a browser's worker. */
import { runSimulation } from '../../../src/sim-worker/index.js';
import { createToy } from '../../fixtures/toy-simulation.js';

runSimulation(createToy());

addEventListener('message', ({ data }) => {
  if (data === 'close') close();
});
