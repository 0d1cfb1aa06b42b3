/** The game: table, balls, a bar, shots and pockets. It uses no page, so its tests run in Node. Lengths in m. */
import { ActiveEvents, ColliderDesc, RigidBodyDesc, type World } from 'betwixt/world';

/** A body's look. The size is half of its extent along x, y and z. */
export type Look = { shape: 'ball' | 'box'; size: [number, number, number]; color: string };

/** Where the white ball starts. The middles of all balls are at height 0. */
const SPOT = { x: -0.5, y: 0, z: 0 };

const fixed = (x: number, y: number, z: number) => RigidBodyDesc.fixed().setTranslation(x, y, z);

export function createGame(world: World) {
  /** The engine gets the shape of a body. Its look stays on the page. */
  function add(desc: RigidBodyDesc, color: string, shape: Look['shape'], ...size: Look['size']) {
    const look: Look = { shape, size, color };
    const body = world.createRigidBody(desc.setUserData(look));
    const form = shape === 'ball' ? ColliderDesc.ball(size[0]) : ColliderDesc.cuboid(...size);
    world.createCollider(form.setRestitution(0.9).setFriction(0), body);
    return body;
  }
  function addBall(x: number, z: number, color: string) {
    const desc = RigidBodyDesc.dynamic().setTranslation(x, 0, z).setLinearDamping(0.7);
    // Balls slide on the plane of the table. They cannot jump off it.
    desc.enabledTranslations(true, false, true).lockRotations();
    return add(desc.setCcdEnabled(true).setCanSleep(false), color, 'ball', 0.04, 0.04, 0.04);
  }

  add(fixed(0, -0.07, 0), '#1f7a4d', 'box', 0.9, 0.02, 0.6);
  for (const side of [-1, 1]) {
    // The cushions end where the pockets begin.
    add(fixed(0.95 * side, -0.02, 0), '#17603c', 'box', 0.05, 0.03, 0.53);
    for (const x of [-0.45, 0.45]) {
      add(fixed(x, -0.02, 0.65 * side), '#17603c', 'box', 0.38, 0.03, 0.05);
    }
    for (const x of [-0.9, 0, 0.9]) {
      const at = fixed(x, -0.045, 0.6 * side);
      const pocket = add(at, 'black', 'ball', 0.06, 0.015, 0.06).collider(0);
      pocket.setSensor(true);
      pocket.setActiveEvents(ActiveEvents.COLLISION_EVENTS);
    }
  }
  // A kinematic body follows its velocity alone: it pushes balls, and nothing pushes it.
  const turning = RigidBodyDesc.kinematicVelocityBased().setAngvel({ x: 0, y: 0.8, z: 0 });
  add(turning, 'silver', 'box', 0.3, 0.03, 0.015);
  const white = addBall(SPOT.x, SPOT.z, 'white');
  const balls = [0, 1, 2, 3].flatMap((row) =>
    Array.from({ length: row + 1 }, (_, place) => {
      const z = 0.041 * (2 * place - row) + (Math.random() - 0.5) / 1000;
      return addBall(0.4 + 0.072 * row, z, `hsl(${18 * row * (row + 1) + 36 * place}, 70%, 50%)`);
    }),
  );

  world.on(
    'collision',
    ({ started, isReplayed, collider1, collider2 }) => {
      if (!started || isReplayed) return;
      const ball = [collider1.parent(), collider2.parent()].find((body) => body?.isDynamic());
      if (ball === white) {
        white.setTranslation(SPOT, true);
        white.setLinvel({ x: 0, y: 0, z: 0 }, true);
      } else if (ball?.isValid()) {
        world.removeRigidBody(ball);
      }
    },
    { when: 'now' },
  );

  /** How many are on the table, besides the white one. */
  const ballsLeft = () => balls.filter((ball) => ball.isValid()).length;

  /** Shoots the white ball towards a point: the farther, the harder. */
  function shoot(x: number, z: number) {
    const at = white.translation();
    white.setLinvel({ x: 3 * (x - at.x), y: 0, z: 3 * (z - at.z) }, true);
  }
  return { white, balls, ballsLeft, shoot };
}
