/** The simulation that replays a recording of the demo. */
import type { Recording } from '../../src/shared/index.js';
import type { Simulation } from '../../src/sim-worker/index.js';
import { createDemoSimulation } from '../simulation/demo-simulation.js';
import { buildOf, requireScene } from './recording-file.js';

/** @throws RefusedError if it is of none of the demo's scenes, or of another engine. */
export async function createSimulation(recording: Recording): Promise<Simulation> {
  requireScene(recording);
  return createDemoSimulation(await buildOf(recording)) as Simulation;
}
