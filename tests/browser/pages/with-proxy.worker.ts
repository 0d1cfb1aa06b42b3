/// <reference lib="webworker" />
/** A simulation next to an application's own object that is exposed in the same scope. */
import { expose } from 'comlink';
import { runSimulation } from '../../../src/sim-worker/index.js';

runSimulation({
  init: () => {},
  step: () => {},
  queries: { echo: (value: number) => value },
});
expose({ double: (value: number) => 2 * value });
