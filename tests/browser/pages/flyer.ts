/** One body that flies along x at 1 m/s: its position shows which moment is drawn. */
import type { BodyId } from '../../../src/shared/index.js';
import type { Simulation, SimulationContext } from '../../../src/sim-worker/index.js';

export function createFlyer() {
  let context: SimulationContext;
  let body: BodyId;
  let x = 0;
  const queries = { body: () => body };
  const simulation: Simulation<Record<never, never>, Record<never, never>, typeof queries> = {
    init(given) {
      context = given;
      body = given.bodies.spawn({ x, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
    },
    step(dt) {
      x += dt;
      context.bodies.setPose(body, x, 0, 0, 0, 0, 0, 1);
    },
    queries,
  };
  return simulation;
}

export type Flyer = ReturnType<typeof createFlyer>;
