/**
 * Sumo: up to eight balls push each other off a disc, and the last one on it wins the round. Runs on the server, in the
 * workers of the pages, and in Node for its tests. Lengths in m, times in s.
 */
import { rapierSimulation, type RapierTools } from 'betwixt/rapier';
import { keyCode, seatOf, type BodyId } from 'betwixt/shared';
import type { TickInput } from 'betwixt/worker';

/** A body's look. */
export type Look =
  | { shape: 'disc'; radius: number; height: number }
  | { shape: 'ball'; radius: number; seat: number; name: string };

/** A ball has fallen. `by` is the seat that touched it last, or −1. */
export type Fall = { seat: number; by: number };

/** Changes with everything that makes pages and servers of two versions misunderstand each other. */
export const VERSION = 2;
export const SEATS = 8;
export const MAX_NAME = 16;
export const DISC = { radius: 6, height: 0.5 };
/** Players who are out sit there until the next round. */
export const BENCH = { y: 0.2, z: -9, step: 1.7 };

/** Who is alone practises: there are no rounds. */
export const PHASES = ['practice', 'ready', 'round', 'over'] as const;
export type Phase = (typeof PHASES)[number];

/** The numbers that the page shows: these, and two for each seat. */
export const VALUE = { phase: 0, secondsLeft: 1, round: 2, winner: 3, seats: 4 } as const;
/** Values of a seat. `state`: 0 free, 1 plays, 2 is out. */
export const SEAT_VALUE = { score: 0, state: 1, count: 2 } as const;
export const VALUES = VALUE.seats + SEATS * SEAT_VALUE.count;

type Controls = {
  /** The keys that are held: −1, 0 or 1 along x and z. */
  x: number;
  z: number;
  /** Where the pointer is pressed, on the disc. */
  target: [x: number, z: number] | null;
};

type Player = Controls & {
  seat: number;
  ball: BodyId;
  by: number;
  score: number;
  isOut: boolean;
};

type Game = { phase: Phase; secondsLeft: number; round: number; winner: number; players: Player[] };

const RADIUS = 0.6;
/** Acceleration by keys and pointers, in m/s². */
const PUSH = 14;
/** A pointer that is closer to the ball pushes less. */
const FULL_PUSH_DISTANCE = 1.5;
/** A ball below this has fallen. */
const LOWEST = -4;
const SECONDS: Readonly<Record<Phase, number>> = { practice: 0, ready: 3, round: 60, over: 3 };
const NO_ONE = -1;

const KEYS: ReadonlyMap<number, readonly [axis: 'x' | 'z', sign: number]> = new Map(
  (
    [
      ['ArrowLeft', 'x', -1],
      ['ArrowRight', 'x', 1],
      ['ArrowUp', 'z', -1],
      ['ArrowDown', 'z', 1],
      ['KeyA', 'x', -1],
      ['KeyD', 'x', 1],
      ['KeyW', 'z', -1],
      ['KeyS', 'z', 1],
    ] as const
  ).map(([key, axis, sign]) => [keyCode(key), [axis, sign]]),
);

/** Eight places around the middle. No `Math.cos`: engines differ in its last bit. */
const PLACES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [Math.SQRT1_2, Math.SQRT1_2],
  [-Math.SQRT1_2, -Math.SQRT1_2],
  [Math.SQRT1_2, -Math.SQRT1_2],
  [-Math.SQRT1_2, Math.SQRT1_2],
] as const;

const at = (x: number, y: number, z: number) => ({ x, y, z, qx: 0, qy: 0, qz: 0, qw: 1 });

function startOf(seat: number) {
  const [x = 0, z = 0] = PLACES[seat % SEATS] ?? [];
  return at(4 * x, 1.2, 4 * z);
}

const benchOf = (seat: number) =>
  at((seat - (SEATS - 1) / 2) * BENCH.step, BENCH.y + RADIUS, BENCH.z);

export const createSumo = () => rapierSimulation(build);

function build({ context, rapier, physics, events }: RapierTools<{ fall: Fall }>) {
  const { ColliderDesc, RigidBodyDesc } = rapier;
  let game: Game = { phase: 'practice', secondsLeft: 0, round: 0, winner: NO_ONE, players: [] };
  const playerOf = (seat: number) => game.players.find((player) => player.seat === seat);
  const playerWith = (ball: BodyId | undefined) =>
    game.players.find((player) => player.ball === ball);
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

  /** Presses of this tick: they push for all of it, also if they are over already. */
  const pressed = new Map<Player, Partial<Controls>>();

  function hold(player: Player, controls: Partial<Controls>): void {
    Object.assign(player, controls);
    pressed.set(player, { ...pressed.get(player), ...controls });
  }

  function apply({ kind, code, device, x, y }: TickInput): void {
    const player = playerOf(seatOf({ device }));
    if (player === undefined) return;
    if (kind === 'pointerdown' || (kind === 'pointermove' && player.target !== null)) {
      hold(player, { target: [x, y] });
    } else if (kind === 'pointerup') player.target = null;
    const [axis, sign] = KEYS.get(code) ?? [];
    if (axis === undefined || sign === undefined) return;
    if (kind === 'keydown') hold(player, { [axis]: sign });
    // Another key may be down since.
    else if (kind === 'keyup' && player[axis] === sign) player[axis] = 0;
  }

  /** Puts a ball somewhere, at rest. */
  function place(player: Player, isOut: boolean): void {
    const body = physics.rigidBodyOf(player.ball);
    player.isOut = isOut;
    player.by = NO_ONE;
    physics.setEnabled(player.ball, true);
    body?.setLinvel({ x: 0, y: 0, z: 0 }, true);
    body?.setAngvel({ x: 0, y: 0, z: 0 }, true);
    physics.teleport(player.ball, (isOut ? benchOf : startOf)(player.seat));
    physics.setEnabled(player.ball, !isOut);
  }

  function begin(phase: Phase): void {
    game.phase = phase;
    game.secondsLeft = SECONDS[phase];
    if (phase === 'ready') game.round += 1;
    if (phase !== 'ready' && phase !== 'practice') return;
    game.winner = NO_ONE;
    for (const player of game.players) place(player, false);
  }

  function push(player: Player, dt: number): void {
    const body = physics.rigidBodyOf(player.ball);
    if (body === undefined) return;
    const { x, z, target } = { ...player, ...pressed.get(player) };
    let [right, down] = [x, z];
    if (target !== null) {
      const center = body.translation();
      [right, down] = [target[0] - center.x, target[1] - center.z];
      const distance = Math.sqrt(right * right + down * down);
      right /= Math.max(distance, FULL_PUSH_DISTANCE);
      down /= Math.max(distance, FULL_PUSH_DISTANCE);
    }
    const strength = PUSH * body.mass() * dt;
    body.applyImpulse({ x: strength * right, y: 0, z: strength * down }, true);
  }

  function fall(player: Player): void {
    context.events.emit('fall', { seat: player.seat, by: player.by });
    // Without rounds, it returns to its place.
    place(player, game.phase === 'round');
  }

  function follow(dt: number): void {
    const { players, phase } = game;
    if (phase === 'practice') return;
    game.secondsLeft -= dt;
    const left = players.filter(({ isOut }) => !isOut);
    if (phase === 'round' && left.length <= 1) {
      const [winner] = left;
      game.winner = winner?.seat ?? NO_ONE;
      if (winner !== undefined) winner.score += 1;
      begin('over');
    } else if (game.secondsLeft <= 0) {
      begin(phase === 'ready' ? 'round' : phase === 'round' ? 'over' : 'ready');
    }
  }

  function show(): void {
    const { values } = context;
    values.fill(0);
    values[VALUE.phase] = PHASES.indexOf(game.phase);
    values[VALUE.secondsLeft] = game.secondsLeft;
    values[VALUE.round] = game.round;
    values[VALUE.winner] = game.winner;
    for (const { seat, score, isOut } of game.players) {
      const first = VALUE.seats + seat * SEAT_VALUE.count;
      values[first + SEAT_VALUE.score] = score;
      values[first + SEAT_VALUE.state] = isOut ? 2 : 1;
    }
  }

  return {
    step(dt: number, _tick: number, inputs: readonly TickInput[]) {
      pressed.clear();
      for (const input of inputs) apply(input);
      if (game.phase !== 'ready') {
        for (const player of game.players) if (!player.isOut) push(player, dt);
      }
      physics.step(dt);
      for (const player of game.players) {
        const y = physics.rigidBodyOf(player.ball)?.translation().y ?? 0;
        if (!player.isOut && y < LOWEST) fall(player);
      }
      follow(dt);
      show();
    },
    commands: {
      /** The room calls it when a client has taken a seat, with the name that it gave. */
      join(seat: number, name: string | null) {
        const { x, y, z } = startOf(seat);
        const desc = RigidBodyDesc.dynamic().setTranslation(x, y, z).setAngularDamping(1);
        const body = physics.world.createRigidBody(desc);
        const collider = ColliderDesc.ball(RADIUS).setRestitution(0.8);
        events.watchContacts(physics.world.createCollider(collider, body));
        const look = { shape: 'ball', radius: RADIUS, seat, name: name ?? `Player ${seat + 1}` };
        const ball = physics.add(body, { tag: look });
        const rest = { x: 0, z: 0, target: null, by: NO_ONE, score: 0, isOut: false };
        const player: Player = { seat, ball, ...rest };
        game.players.push(player);
        if (game.players.length === 2) begin('ready');
        else if (game.phase === 'round' || game.phase === 'over') place(player, true);
      },
      /** The room calls it when a client has left. */
      leave(seat: number) {
        const player = playerOf(seat);
        if (player === undefined) return;
        physics.remove(player.ball);
        game.players = game.players.filter((one) => one !== player);
        if (game.players.length < 2) begin('practice');
      },
      /** A page calls it when its window loses the focus: nothing is held any more. */
      release(seat: number) {
        const player = playerOf(seat);
        if (player !== undefined) [player.x, player.z, player.target] = [0, 0, null];
      },
    },
    tag: {} as Look,
    events: {} as { fall: Fall },
    save: () => game,
    restore: (saved: Game) => void (game = saved),
    restoreInPlace: (saved: Game) => void (game = saved),
  };
}
