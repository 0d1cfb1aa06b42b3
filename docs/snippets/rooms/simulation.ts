import { rapierSimulation } from 'betwixt/rapier';
import { keyCode, seatOf, type BodyId } from 'betwixt/shared';

type Player = { seat: number; ball: BodyId; push: number };

export const createGame = () =>
  rapierSimulation(({ rapier, physics }) => {
    const { ColliderDesc, RigidBodyDesc } = rapier;
    let players: Player[] = [];
    physics.world.createCollider(ColliderDesc.cuboid(20, 0.5, 20).setTranslation(0, -0.5, 0));
    return {
      step(dt, _tick, inputs) {
        for (const input of inputs) {
          const player = players.find(({ seat }) => seat === seatOf(input));
          if (player !== undefined && input.code === keyCode('ArrowRight')) {
            player.push = input.kind === 'keydown' ? 5 : 0;
          }
        }
        for (const { ball, push } of players) {
          physics.rigidBodyOf(ball)?.applyImpulse({ x: push * dt, y: 0, z: 0 }, push !== 0);
        }
        physics.step(dt);
      },
      commands: {
        // The room calls these two; no client can.
        join(seat: number, name: string) {
          const body = physics.world.createRigidBody(
            RigidBodyDesc.dynamic().setTranslation(0, 1, 2 * seat),
          );
          physics.world.createCollider(ColliderDesc.ball(0.5), body);
          players.push({ seat, push: 0, ball: physics.add(body, { tag: { name } }) });
        },
        leave(seat: number) {
          const player = players.find((one) => one.seat === seat);
          if (player !== undefined) physics.remove(player.ball);
          players = players.filter((one) => one !== player);
        },
        // A client calls it without the seat, which the room adds.
        jump(seat: number) {
          const player = players.find((one) => one.seat === seat);
          if (player === undefined) return;
          physics.rigidBodyOf(player.ball)?.applyImpulse({ x: 0, y: 3, z: 0 }, true);
        },
      },
      tag: {} as { name: string },
      save: () => players,
      restore: (saved: Player[]) => void (players = saved),
      // Goes back faster: see Predict.
      restoreInPlace: (saved: Player[]) => void (players = saved),
    };
  });
