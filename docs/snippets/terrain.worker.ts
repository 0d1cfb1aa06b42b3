import { runSimulation, type SimulationContext } from 'betwixt/worker';
import type { AssetName } from 'betwixt/shared';

let context: SimulationContext;
let heights = new Float32Array();

export const simulation = runSimulation({
  init(given) {
    context = given;
  },
  step() {
    // Reads the heights.
  },
  commands: {
    build(name: AssetName) {
      heights = new Float32Array(context.assets.get(name));
    },
  },
  queries: { highest: () => heights.reduce((a, b) => Math.max(a, b), -Infinity) },
});
