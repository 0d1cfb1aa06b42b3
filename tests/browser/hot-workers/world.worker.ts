/// <reference lib="webworker" />
import { defineSystem, runWorld } from 'betwixt/world/worker';
import { PUSH } from './push.js';

const push = defineSystem(({ bodyOf }) => ({
  beforeStep: (handle: number) => bodyOf(handle)?.setLinvel({ x: 0, y: PUSH, z: 0 }, true),
}));

export const simulation = runWorld({ push });
