/**
 * The seated toy with an engine: balls of the seats among boxes, with the toy's commands. A jump also makes or removes a box, so
 * that bodies come and go in the ticks that a prediction runs again.
 */
import { rapierSimulation } from '../../src/sim-worker/engines/rapier.js';
import type { BodyId } from '../../src/shared/memory/body-meta.js';
import { seatOf } from '../../src/shared/network/seats.js';
import type { Simulation } from '../../src/sim-worker/index.js';

type Player = { readonly seat: number; readonly id: BodyId };
type Saved = { readonly players: readonly Player[]; readonly boxes: readonly BodyId[] };

const BOXES = { first: 12, least: 6, most: 18 } as const;
const HALF = 4;

/** @param drift What a wrong copy adds in every step, to a velocity: 0 for a right one. */
export const createArena = (drift: () => number = () => 0): Simulation =>
  rapierSimulation(({ rapier, physics, context }) => {
    const { ColliderDesc, RigidBodyDesc } = rapier;
    const { world } = physics;
    world.createCollider(ColliderDesc.cuboid(HALF + 1, 0.5, HALF + 1).setTranslation(0, -0.5, 0));
    for (const side of [-1, 1]) {
      const [long, away] = [HALF + 1, side * (HALF + 0.5)];
      world.createCollider(ColliderDesc.cuboid(0.5, 4, long).setTranslation(away, 4, 0));
      world.createCollider(ColliderDesc.cuboid(long, 4, 0.5).setTranslation(0, 4, away));
    }
    let players: Player[] = [];
    let boxes: BodyId[] = [];
    const make = (x: number, z: number): BodyId => {
      const place = RigidBodyDesc.dynamic().setTranslation(x, 1 + (boxes.length % 3), z);
      const body = physics.world.createRigidBody(place.setCanSleep(false));
      physics.world.createCollider(ColliderDesc.cuboid(0.3, 0.3, 0.3), body);
      return physics.add(body);
    };
    for (let count = 0; count < BOXES.first; count++) {
      boxes.push(make(context.random.between(-3, 3), context.random.between(-3, 3)));
    }
    const bodyOf = (seat: number) => {
      const player = players.find((one) => one.seat === seat);
      return player && physics.rigidBodyOf(player.id);
    };
    const finite = (value: number): number => {
      if (!Number.isFinite(value)) throw new RangeError('it must be finite');
      return Math.max(-HALF, Math.min(HALF, value));
    };
    const push = (seat: number, vx: number): void => {
      bodyOf(seat)?.applyImpulse({ x: finite(vx), y: 0.5, z: finite(vx) / 2 }, true);
    };
    const adopt = (saved: Saved): void => {
      players = [...saved.players];
      boxes = [...saved.boxes];
    };
    return {
      step(dt: number, _tick: number, inputs) {
        for (const input of inputs) push(seatOf(input), input.x);
        for (const { seat } of players) {
          const added = drift();
          const body = added === 0 ? undefined : bodyOf(seat);
          const v = body?.linvel();
          if (v !== undefined) body?.setLinvel({ ...v, x: v.x + added }, true);
        }
        physics.step(dt);
      },
      commands: {
        join(seat: number, name: string | null) {
          const place = RigidBodyDesc.dynamic().setTranslation(seat - 1, 1, 0);
          const body = physics.world.createRigidBody(place.setCanSleep(false));
          physics.world.createCollider(ColliderDesc.ball(0.4).setRestitution(0.5), body);
          players.push({ seat, id: physics.add(body, { tag: { seat, name } }) });
        },
        leave(seat: number) {
          for (const player of players) if (player.seat === seat) physics.remove(player.id);
          players = players.filter((player) => player.seat !== seat);
        },
        push,
        shift(seat: number, dx: number) {
          const at = bodyOf(seat)?.translation();
          if (at !== undefined) bodyOf(seat)?.setTranslation({ ...at, x: finite(at.x + dx) }, true);
        },
        jump(seat: number, x: number) {
          const isMore = boxes.length < BOXES.most && (x > 0 || boxes.length < BOXES.least);
          if (isMore) boxes.push(make(finite(x), context.random.between(-3, 3)));
          else {
            const [first] = boxes.splice(0, 1);
            if (first !== undefined) physics.remove(first);
          }
          push(seat, x);
        },
      },
      save: (): Saved => ({ players, boxes }),
      restore: adopt,
      restoreInPlace: adopt,
    };
  }) as unknown as Simulation;
