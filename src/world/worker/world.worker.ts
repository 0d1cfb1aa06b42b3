/** The worker script of worlds that are created without one. */
import { loadRapier } from '../../rapier/load-simd.js';
import { runWorld } from './index.js';

// It is needed when the page asks, and takes longest. An error is reported then.
loadRapier().catch(() => {});

export const simulation = runWorld();
