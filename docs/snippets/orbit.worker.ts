/// <reference lib="webworker" />
import { runSimulation, type BodyId, type SimulationContext } from 'betwixt/worker';

let context: SimulationContext;
let moon: BodyId;
let angle = 0;
let speed = 1;

export const simulation = runSimulation({
  init(given) {
    context = given;
    moon = context.bodies.spawn({ x: 2, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
  },

  // Called for every tick, with 1 / tick rate: write what moved.
  step(stepS) {
    angle += speed * stepS;
    const x = 2 * Math.cos(angle);
    const z = 2 * Math.sin(angle);
    context.bodies.setPose(moon, x, 0, z, 0, Math.sin(-angle / 2), 0, Math.cos(-angle / 2));
  },

  // Called by the page. Commands change the simulation: applied on the tick of their moment, and recorded.
  commands: {
    setSpeed(radiansPerSecond: number) {
      speed = radiansPerSecond;
    },
  },
  // Queries only ask.
  queries: {
    moonId: () => moon,
  },
});
