import { expect, test } from 'vitest';
import { runSimulation, type Simulation } from '../../../src/sim-worker/index.js';
import type { WorkerHost } from '../../../src/sim-worker/thread/host.js';

/** A host that is never called. */
const nowhere = {} as WorkerHost;

test.each(['init', 'step'])('a simulation without %s is refused with that name', (name) => {
  const simulation = { init: () => {}, step: () => {}, [name]: undefined };
  expect(() => runSimulation(simulation as unknown as Simulation, nowhere)).toThrow(
    new TypeError(`the simulation must have a function ${name}: runSimulation({ init, step })`),
  );
});
