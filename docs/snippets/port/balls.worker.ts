import type { BodyId } from 'betwixt/shared';
import { runSimulation, type SimulationContext } from 'betwixt/worker';

interface Ball {
  readonly id: BodyId;
  readonly position: { x: number; y: number };
  readonly velocity: { x: number; y: number };
}

let context: SimulationContext;
let balls: Ball[] = [];

function createBall(): Ball {
  const id = context.bodies.spawn({ x: 0, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 });
  return { id, position: { x: 0, y: 0 }, velocity: { x: context.random.between(-2, 2), y: 0 } };
}

export const simulation = runSimulation({
  init(given) {
    context = given;
    balls = Array.from({ length: context.capacity }, createBall);
  },

  step(dt) {
    for (const { id, position, velocity } of balls) {
      if (context.input.wasPressed('Space')) velocity.y = 6;
      velocity.y -= 9.81 * dt;
      position.x += velocity.x * dt;
      position.y += velocity.y * dt;
      if (Math.abs(position.x) > 4) velocity.x = -Math.sign(position.x) * Math.abs(velocity.x);
      if (position.y < 0) velocity.y = 0.8 * Math.abs(velocity.y);
      context.bodies.setPose(id, position.x, position.y, 0, 0, 0, 0, 1);
    }
  },

  // Rebuilds the start of the run, for replays. The library has removed the bodies.
  reset() {
    balls = Array.from({ length: context.capacity }, createBall);
  },
});
