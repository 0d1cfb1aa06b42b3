/// <reference lib="webworker" />
/** Boxes that fall, in a browser's worker. */
import { runSimulation } from '../../../src/sim-worker/index.js';
import { createKeptBoxes } from '../../fixtures/kept-boxes.js';

export const simulation = runSimulation(createKeptBoxes());
