/// <reference lib="webworker" />
import { runSimulation, type SimulationContext } from 'betwixt/worker';
import type { BodyId } from 'betwixt/shared';

let context: SimulationContext;
let row: BodyId[] = [];

runSimulation({
  init(given) {
    context = given;
    // The option `setup` of `connect`. The benchmark passes { bodies: N } for --bodies N.
    const { bodies = 100 } = (context.setup ?? {}) as { bodies?: number };
    row = Array.from({ length: bodies }, (_, x) =>
      context.bodies.spawn({ x, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 }),
    );
  },

  step(_dt, tick) {
    for (const [x, id] of row.entries()) {
      context.bodies.setPose(id, x, Math.sin(x + tick / 60), 0, 0, 0, 0, 1);
    }
  },
});
