/**
 * The demo's worker.
 *
 * The page chooses the engine's build by the worker's name, which reaches it in development and in the
 * build alike: `new Worker(url, { type: 'module', name: 'engine=deterministic' })`.
 */
import { runSimulation } from '../../src/sim-worker/index.js';
import { createDemoSimulation, type DemoBuild } from './demo-simulation.js';

const build = new URLSearchParams(self.name).get('engine') ?? 'simd';

export const simulation = runSimulation(createDemoSimulation(build as DemoBuild));
export type DemoSimulation = typeof simulation;
