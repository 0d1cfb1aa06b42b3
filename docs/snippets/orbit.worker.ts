/// <reference lib="webworker" />
import { runSimulation, type SimulationContext } from 'betwixt/worker';
import type { BodyId } from 'betwixt/shared';

let context: SimulationContext;
let moon: BodyId;
let angle = 0;

export const simulation = runSimulation({
  init(given) {
    context = given;
    moon = context.bodies.spawn({ x: 2, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
  },
  // Called once per tick with the fixed time step in seconds.
  step(dt) {
    angle += dt;
    context.bodies.setPose(moon, 2 * Math.cos(angle), 0, 2 * Math.sin(angle), 0, 0, 0, 1);
  },
});
