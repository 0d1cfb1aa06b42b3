import { rapierSimulation } from 'betwixt/rapier';
import { InputState, seatOf, type BodyId, type Json } from 'betwixt/shared';

type Player = { seat: number; ball: BodyId; score: number; input: InputState };
type SavedPlayer = Omit<Player, 'input'> & { input: Json };

const startOf = (seat: number) => ({ x: 0, y: 1, z: 2 * seat, qx: 0, qy: 0, qz: 0, qw: 1 });

export const createGame = () =>
  rapierSimulation(({ context, rapier, physics }) => {
    const { ColliderDesc, RigidBodyDesc } = rapier;
    let players: Player[] = [];
    const playerOf = (seat: number) => players.find((player) => player.seat === seat);
    physics.world.createCollider(ColliderDesc.cuboid(20, 0.5, 20).setTranslation(0, -0.5, 0));

    function restore(saved: SavedPlayer[]): void {
      players = saved.map(({ seat, ball, score, input: held }) => {
        const input = new InputState();
        input.restore(held);
        return { seat, ball, score, input };
      });
    }

    return {
      step(dt, _tick, inputs) {
        for (const { seat, ball, input } of players) {
          input.apply(inputs.filter((one) => seatOf(one) === seat));
          const push = 5 * input.keyAxis('ArrowLeft', 'ArrowRight');
          physics.rigidBodyOf(ball)?.applyImpulse({ x: push * dt, y: 0, z: 0 }, push !== 0);
        }
        physics.step(dt);
        context.values.fill(0);
        for (const player of players) {
          const body = physics.rigidBodyOf(player.ball);
          // Scores a point, and returns to the start.
          if (body !== undefined && body.translation().x > 15) {
            player.score += 1;
            body.setLinvel({ x: 0, y: 0, z: 0 }, true);
            body.setAngvel({ x: 0, y: 0, z: 0 }, true);
            physics.teleport(player.ball, startOf(player.seat));
          }
          context.values[player.seat] = player.score;
        }
      },
      commands: {
        // The room calls these two; no client can.
        join(seat: number, name: string) {
          const { x, y, z } = startOf(seat);
          const body = physics.world.createRigidBody(
            RigidBodyDesc.dynamic().setTranslation(x, y, z),
          );
          physics.world.createCollider(ColliderDesc.ball(0.5), body);
          const ball = physics.add(body, { tag: { name } });
          players.push({ seat, ball, score: 0, input: new InputState() });
        },
        leave(seat: number) {
          const player = playerOf(seat);
          if (player !== undefined) physics.remove(player.ball);
          players = players.filter((one) => one !== player);
        },
        // A client calls these without the seat, which the room adds.
        jump(seat: number) {
          const player = playerOf(seat);
          if (player === undefined) return;
          physics.rigidBodyOf(player.ball)?.applyImpulse({ x: 0, y: 3, z: 0 }, true);
        },
        release(seat: number) {
          playerOf(seat)?.input.clear();
        },
      },
      tag: {} as { name: string },
      save: () =>
        players.map(({ seat, ball, score, input }) => ({ seat, ball, score, input: input.save() })),
      restore,
      // The same function is enough here: see Predict.
      restoreInPlace: restore,
    };
  });
