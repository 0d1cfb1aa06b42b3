import { runWorld } from 'betwixt/world/worker';

export const simulation = runWorld();
