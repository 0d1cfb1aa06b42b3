/// <reference lib="webworker" />
/** The flyer, with a query for what its thread draws in the performance panel. */
import { stamps } from './stamp-spy.js';
import { runSimulation } from '../../../src/sim-worker/index.js';
import { createFlyer } from './flyer.js';

const flyer = createFlyer();

export const simulation = runSimulation({
  ...flyer,
  queries: { ...flyer.queries, takeStamps: () => stamps.splice(0) },
});
