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
    if (mistake === 'capacity in init') given.bodies.spawn(REST);
    // What a worker does not have, in the words of an application.
    if (mistake === 'DOM') title = document.title;
  },
  step(_dt, tick): void {
    if (mistake === 'capacity in a step') context.bodies.spawn(REST);
    if (mistake === 'async step') return Promise.resolve() as unknown as undefined;
    if (mistake === 'endless loop') for (;;);
    if (mistake === 'no handler' && tick === 1) context.events.emit('bang', null);
    const x = mistake === 'NaN' ? Number.NaN : mistake === 'not recorded' ? Math.random() : 0;
    context.bodies.setPose(body, x, 0, 0, 0, 0, 0, 1);
    return undefined;
  },
  commands: {
    spawn: () => context.bodies.spawn(REST),
    use: (value: unknown) => value,
  },
  queries: {
    title: () => title,
    move: () => context.bodies.setPose(body, 1, 0, 0, 0, 0, 0, 1),
  },
  reset() {
    context.bodies.clear();
    body = context.bodies.spawn(REST);
  },
});
