/// <reference lib="webworker" />
import { runSimulation, type SimulationContext } from 'betwixt/worker';

let context: SimulationContext;
let seconds = 0;

export const simulation = runSimulation({
  init(given) {
    context = given;
  },
  step(dt) {
    seconds += dt;
    for (let point = 0; point < 20; point++) {
      context.values.set([point / 2, Math.sin(4 * seconds - point / 2), 0], 3 * point);
    }
  },
  commands: {
    pluck() {
      seconds = 0;
      // The string jumps. Nothing is drawn between its last state and the next one.
      context.cutValues();
    },
  },
});
