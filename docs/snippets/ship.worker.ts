import type { BodyId } from 'betwixt/shared';
import { runSimulation, type SimulationContext } from 'betwixt/worker';

let context: SimulationContext;
let ship: BodyId;
let state = { x: 0, speed: 0 };

export const simulation = runSimulation({
  events: {} as { turned: { x: number } },

  init(given) {
    context = given;
    ship = context.bodies.spawn({ x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
  },

  // #region ship
  // The inputs are those of this tick's time window, even if several ticks are caught up at once.
  step(dt) {
    state.speed += 3 * dt * context.input.keyAxis('ArrowLeft', 'ArrowRight');
    state.x += state.speed * dt;
    if (Math.abs(state.x) > 4) {
      state.speed = -state.speed * context.random.between(0.7, 0.9);
      state.x = Math.sign(state.x) * 4;
      context.events.emit('turned', { x: state.x });
    }
    context.bodies.setPose(ship, state.x, 0, 0, 0, 0, 0, 1);
  },

  // For rewinding, for seeking in recordings, and for recovery.
  save: () => new TextEncoder().encode(JSON.stringify(state)),
  restore(bytes) {
    state = JSON.parse(new TextDecoder().decode(bytes));
  },
  // #endregion
  // Rebuilds the initial state, as `init` did: for a replay in a worker that has run already.
  reset() {
    state = { x: 0, speed: 0 };
    context.bodies.clear();
    ship = context.bodies.spawn({ x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
  },
});
