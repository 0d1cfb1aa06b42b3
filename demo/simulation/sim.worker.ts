/**
 * The demo's worker.
 *
 * The page chooses the engine's build by the worker's name, which reaches it in development and in the
 * build alike: `new Worker(url, { type: 'module', name: 'engine=deterministic' })`.
 */
import { runSimulation } from '../../src/sim-worker/index.js';
import type { RapierBuild } from '../../src/sim-worker/engines/rapier.js';
import { createDemoSimulation } from './demo-simulation.js';

const build = new URLSearchParams(self.name).get('engine') ?? 'simd';

// A build that does not exist is refused when it is loaded, so that the page learns of it.
export const simulation = runSimulation(createDemoSimulation(build as RapierBuild));
export type DemoSimulation = typeof simulation;
