/** The game. Runs in the worker, and in Node for its tests. Lengths in m, times in s. */
import type { RigidBody, RigidBodyDesc } from '@dimforge/rapier3d-simd-compat';
import { rapierSimulation, type RapierTools } from 'betwixt/rapier';

/** What the page draws for a body. The size is half of its extent along x, y and z. */
export type Look = { shape: 'ball' | 'box'; size: [number, number, number]; color: string };
export type Score = { pocketed: number; shots: number };

/** Where the white ball starts. The middles of all balls are at height 0. */
const SPOT = { x: -0.5, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 };

export const createGame = () => rapierSimulation(build);

/** Builds the table: for the first game, for each new one, and for each state that is restored. */
function build({ context, rapier, physics, events, input }: RapierTools<{ score: Score }>) {
  const { ColliderDesc, RigidBodyDesc } = rapier;
  /** What neither the engine nor the poses hold. */
  let game = { aim: { x: 0, z: 0 }, score: { pocketed: 0, shots: 0 } };

  /** The engine gets the shape of a body. Its tag tells the page what to draw. */
  function add(desc: RigidBodyDesc, color: string, shape: Look['shape'], ...size: Look['size']) {
    const body = physics.world.createRigidBody(desc);
    const form = shape === 'ball' ? ColliderDesc.ball(size[0]) : ColliderDesc.cuboid(...size);
    const collider = physics.world.createCollider(form.setRestitution(0.9).setFriction(0), body);
    return { collider, id: physics.add(body, { tag: { shape, size, color } }) };
  }
  const fixed = (x: number, y: number, z: number) => RigidBodyDesc.fixed().setTranslation(x, y, z);
  function addBall(x: number, z: number, color: string) {
    const desc = RigidBodyDesc.dynamic().setTranslation(x, 0, z).setLinearDamping(0.7);
    // Balls slide on the plane of the table. They cannot jump off it.
    desc.enabledTranslations(true, false, true).lockRotations();
    return add(desc.setCcdEnabled(true).setCanSleep(false), color, 'ball', 0.04, 0.04, 0.04).id;
  }

  add(fixed(0, -0.07, 0), '#1f7a4d', 'box', 0.9, 0.02, 0.6);
  for (const side of [-1, 1]) {
    add(fixed(0.95 * side, -0.02, 0), '#17603c', 'box', 0.05, 0.03, 0.7);
    add(fixed(0, -0.02, 0.65 * side), '#17603c', 'box', 0.9, 0.03, 0.05);
    for (const x of [-0.9, 0, 0.9])
      events.sensor(add(fixed(x, 0, 0.6 * side), 'black', 'ball', 0.06, 0.015, 0.06).collider, 0);
  }
  // A kinematic body follows its velocity alone: it pushes balls, and nothing pushes it.
  const turning = RigidBodyDesc.kinematicVelocityBased().setAngvel({ x: 0, y: 0.8, z: 0 });
  add(turning, 'silver', 'box', 0.3, 0.03, 0.015);
  const white = addBall(SPOT.x, SPOT.z, 'white');
  for (let row = 0; row < 4; row += 1) {
    for (let place = 0; place <= row; place += 1) {
      const z = 0.041 * (2 * place - row) + context.random.between(-5e-4, 5e-4);
      addBall(0.4 + 0.072 * row, z, `hsl(${18 * row * (row + 1) + 36 * place}, 70%, 50%)`);
    }
  }
  // The engine does not know these bodies: they are drawn, and collide with nothing.
  const tag: Look = { shape: 'ball', size: [0.01, 0.01, 0.01], color: 'white' };
  const dots = [1, 2, 3, 4, 5, 6].map(() => context.bodies.spawn(SPOT, { tag }));

  // Called in the tick in which a ball touches a pocket.
  events.onSensor(({ phase, body }) => {
    if (phase !== 'enter' || body === undefined) return;
    if (body === white) {
      physics.rigidBodyOf(white)?.setLinvel({ x: 0, y: 0, z: 0 }, true);
      physics.teleport(white, SPOT);
    } else {
      physics.remove(body);
      game.score.pocketed += 1;
      context.events.emit('score', game.score);
    }
  });

  return {
    step(dt: number) {
      const { aim, score } = game;
      const pointer = input.pointer();
      if (pointer?.isDown || pointer?.wasReleased) [aim.x, aim.z] = [pointer.x, pointer.y];
      aim.x += 0.5 * dt * input.keyAxis('ArrowLeft', 'ArrowRight');
      aim.z += 0.5 * dt * input.keyAxis('ArrowUp', 'ArrowDown');
      const ball = physics.rigidBodyOf(white) as RigidBody;
      const { x, z } = ball.translation();
      const [dx, dz] = [aim.x - x, aim.z - z];
      if (input.wasPressed('Space') || pointer?.wasReleased) {
        ball.setLinvel({ x: 3 * dx, y: 0, z: 3 * dz }, true);
        score.shots += 1;
        context.events.emit('score', score);
      }
      for (const [index, id] of dots.entries()) {
        const part = (index + 1) / dots.length;
        context.bodies.setPose(id, x + part * dx, 0.04, z + part * dz, 0, 0, 0, 1);
      }
      physics.step(dt);
    },
    // What was held at the tick of a jump need not be held now.
    commands: { releaseInputs: () => input.clear() },
    queries: { score: () => game.score, newGame: (seed: number) => context.restart({ seed }) },
    tag: {} as Look,
    save: () => game,
    restore: (saved: typeof game) => void (game = saved),
  };
}
