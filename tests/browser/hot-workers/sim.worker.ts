/// <reference lib="webworker" />
/// <reference types="vite/client" />
import { runSimulation, type SimulationContext } from 'betwixt/worker';
import { ACCEPTED } from './accepted.js';
import { RULES } from './rules.js';
import { SHARED } from './shared.js';

/** Changed by the tests. */
const VERSION = 1;

let steps = 0;
let accepted = ACCEPTED;
let context: SimulationContext;

import.meta.hot?.accept('./accepted.js', (module) => (accepted = module?.['ACCEPTED']));

function build(): void {
  steps = 0;
  context.bodies.spawn({ x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
}

export const simulation = runSimulation({
  init(given) {
    context = given;
    build();
  },
  reset: build,
  step() {
    if (RULES < 0) throw new Error('no rules');
    steps += 1;
  },
  queries: {
    code: () => ({ version: VERSION, rules: RULES, shared: SHARED, accepted }),
    steps: () => steps,
  },
  save: () => new Uint8Array(Uint32Array.of(steps).buffer),
  restore(bytes) {
    if (bytes.length !== 4) throw new Error(`a state of ${bytes.length} bytes`);
    steps = new Uint32Array(bytes.slice().buffer)[0] ?? 0;
  },
});
