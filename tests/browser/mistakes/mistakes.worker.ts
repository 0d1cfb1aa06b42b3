/// <reference lib="webworker" />
/** A simulation that makes the mistake that its setup names. */
import { runSimulation, type SimulationContext } from '../../../src/sim-worker/index.js';
import type { BodyId } from '../../../src/shared/index.js';

const REST = { x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 };

let context: SimulationContext;
let body: BodyId;
let mistake: unknown;
let title = '';

export const simulation = runSimulation({
  events: {} as { bang: null },
  init(given) {
    context = given;
    mistake = given.setup;
    body = given.bodies.spawn(REST);
    // A worker has no document; the mistake is in the words of an application.
    if (mistake === 'DOM') title = document.title;
  },
  step(_dt, tick): void {
    if (mistake === 'no handler' && tick === 1) context.events.emit('bang', null);
    const x = mistake === 'not recorded' ? Math.random() : 0;
    context.bodies.setPose(body, x, 0, 0, 0, 0, 0, 1);
  },
  queries: {
    title: () => title,
  },
  reset() {
    context.bodies.clear();
    body = context.bodies.spawn(REST);
  },
});
