import { createWorld } from 'betwixt/world';

const createWorker = () =>
  new Worker(new URL('./world.worker.js', import.meta.url), { type: 'module' });

export const world = createWorld({ createWorker });
