/**
 * Sumo: up to eight balls push each other off a disc. Runs on the server, in the workers of the pages, and in Node for its
 * tests. Lengths in m, times in s.
 */
import { rapierSimulation, type RapierTools } from 'betwixt/rapier';
import { keyCode, seatOf, type BodyId } from 'betwixt/shared';
import type { TickInput } from 'betwixt/worker';

/** What a page draws for a body. */
export type Look =
  | { shape: 'disc'; radius: number; height: number }
  | { shape: 'ball'; radius: number; seat: number };

/** A ball has fallen. `by` is the seat that touched it last, or −1. */
export type Fall = { seat: number; by: number };

type Player = {
  seat: number;
  ball: BodyId;
  /** Where it wants to go: −1, 0 or 1 along x and z. */
  x: number;
  z: number;
  by: number;
};

export const DISC = { radius: 6, height: 0.5 };
const RADIUS = 0.6;
/** Acceleration by the keys, in m/s². */
const PUSH = 14;
/** A ball below this has fallen. */
const LOWEST = -4;

const KEYS: ReadonlyMap<number, readonly [axis: 'x' | 'z', sign: number]> = new Map([
  [keyCode('ArrowLeft'), ['x', -1]],
  [keyCode('ArrowRight'), ['x', 1]],
  [keyCode('ArrowUp'), ['z', -1]],
  [keyCode('ArrowDown'), ['z', 1]],
]);

/** Eight places around the middle. */
const startOf = (seat: number) => {
  const angle = (seat * Math.PI) / 4;
  return { x: 4 * Math.cos(angle), y: 1.5, z: 4 * Math.sin(angle), qx: 0, qy: 0, qz: 0, qw: 1 };
};

export const createSumo = () => rapierSimulation(build);

function build({ context, rapier, physics, events }: RapierTools<{ fall: Fall }>) {
  const { ColliderDesc, RigidBodyDesc } = rapier;
  let players: Player[] = [];
  const playerOf = (seat: number) => players.find((player) => player.seat === seat);
  const playerWith = (ball: BodyId | undefined) => players.find((player) => player.ball === ball);
  const disc = physics.world.createRigidBody(RigidBodyDesc.fixed());
  physics.world.createCollider(ColliderDesc.cylinder(DISC.height / 2, DISC.radius), disc);
  physics.add(disc, { tag: { shape: 'disc', ...DISC } });

  // Called in the tick in which two bodies touch.
  events.onContact(({ phase, a, b }) => {
    const [one, other] = [playerWith(a), playerWith(b)];
    if (phase !== 'begin' || one === undefined || other === undefined) return;
    one.by = other.seat;
    other.by = one.seat;
  });

  function press({ kind, code, device }: TickInput): void {
    const player = playerOf(seatOf({ device }));
    const [axis, sign] = KEYS.get(code) ?? [];
    if (player === undefined || axis === undefined || sign === undefined) return;
    if (kind === 'keydown') player[axis] = sign;
    // Another key may be down since.
    else if (kind === 'keyup' && player[axis] === sign) player[axis] = 0;
  }

  return {
    step(dt: number, _tick: number, inputs: readonly TickInput[]) {
      for (const input of inputs) press(input);
      for (const player of players) {
        const ball = physics.rigidBodyOf(player.ball);
        const strength = PUSH * (ball?.mass() ?? 0) * dt;
        ball?.applyImpulse({ x: strength * player.x, y: 0, z: strength * player.z }, true);
      }
      physics.step(dt);
      for (const player of players) {
        const { ball, seat, by } = player;
        if ((physics.rigidBodyOf(ball)?.translation().y ?? 0) > LOWEST) continue;
        context.events.emit('fall', { seat, by });
        physics.rigidBodyOf(ball)?.setLinvel({ x: 0, y: 0, z: 0 }, true);
        physics.rigidBodyOf(ball)?.setAngvel({ x: 0, y: 0, z: 0 }, true);
        physics.teleport(ball, startOf(seat));
        player.by = -1;
      }
    },
    commands: {
      /** The room calls it when a client has taken a seat. */
      join(seat: number) {
        const { x, y, z } = startOf(seat);
        const desc = RigidBodyDesc.dynamic().setTranslation(x, y, z).setAngularDamping(1);
        const body = physics.world.createRigidBody(desc);
        const collider = ColliderDesc.ball(RADIUS).setRestitution(0.8);
        events.watchContacts(physics.world.createCollider(collider, body));
        const ball = physics.add(body, { tag: { shape: 'ball', radius: RADIUS, seat } });
        players.push({ seat, ball, x: 0, z: 0, by: -1 });
      },
      /** The room calls it when a client has left. */
      leave(seat: number) {
        const player = playerOf(seat);
        if (player !== undefined) physics.remove(player.ball);
        players = players.filter((one) => one !== player);
      },
      /** A page calls it when its window loses the focus: no key is held any more. */
      release(seat: number) {
        const player = playerOf(seat);
        if (player !== undefined) [player.x, player.z] = [0, 0];
      },
    },
    tag: {} as Look,
    save: () => players,
    restore: (saved: Player[]) => void (players = saved),
  };
}
