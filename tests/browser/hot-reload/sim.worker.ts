/// <reference lib="webworker" />
import { runSimulation, type SimulationContext } from 'betwixt/worker';

/** Changed by the test. */
const VERSION = 1;

let context: SimulationContext;
let steps = 0;

export const simulation = runSimulation({
  init(given) {
    context = given;
    context.bodies.spawn({ x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
  },
  step() {
    steps += 1;
  },
  queries: { version: () => VERSION, steps: () => steps },
  save: () => new Uint8Array(Uint32Array.of(steps).buffer),
  restore(bytes) {
    steps = new Uint32Array(bytes.slice().buffer)[0] ?? 0;
  },
});
