/** The worker script of worlds that are created without one. */
import { runWorld } from './index.js';

export const simulation = runWorld();
